package recess

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var (
	ctx   = context.Background()
	kiwi  = graph.Scope{Tenant: "kiwi"}
	start = time.Date(2026, 2, 19, 8, 0, 0, 0, time.UTC)
)

// chacha is a deterministic source of bytes.
func chacha(seed uint64) *rand.ChaCha8 {
	var s [32]byte
	for i := range 8 {
		s[i] = byte(seed >> (8 * i))
	}
	return rand.NewChaCha8(s)
}

// ids makes ids that differ.
type maker struct {
	rng *rand.Rand
	src *graph.IDSource
	n   int
}

func newMaker(seed uint64) *maker {
	return &maker{rng: rand.New(rand.NewPCG(seed, 1)), src: graph.NewIDSource(chacha(seed))}
}

func (m *maker) id() graph.ID {
	m.n++
	id, err := m.src.New(start.Add(time.Duration(m.n) * time.Second))
	if err != nil {
		panic(err)
	}
	return id
}

var nouns = []string{"kite", "harbour", "violin", "orchard", "ledger", "falcon", "teapot", "glacier", "lantern", "bicycle", "meadow", "archive"}

func (m *maker) sentence(words int) string {
	s := "On day " + fmt.Sprint(m.rng.IntN(400))
	for range words {
		s += " the " + nouns[m.rng.IntN(len(nouns))] + fmt.Sprint(m.rng.IntN(90))
	}
	return s + "."
}

// engram makes an engram of a subject ("" for none), without a vector.
func (m *maker) engram(subject string) Engram {
	id := m.id()
	at := start.Add(time.Duration(m.n) * time.Minute)
	e := Engram{EngravedAt: at.Add(24 * time.Hour), Memory: graph.Memory{
		ID: id, Chain: id, Version: 1, Namespace: "main", User: "mara", Type: graph.Semantic, Subject: subject,
		Content: m.sentence(8), DecayClass: graph.DecaySlow, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit,
		SourceKind: graph.FromUser, Source: "mara", Confidence: 0.9, Authority: 0.8, Importance: 0.5, Salience: 0.7,
		CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at,
		History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}, {From: at.Add(time.Hour), Status: graph.Active, Tier: graph.L2}},
		Usage:   graph.Usage{Count: 7, Days: []int32{graph.Day(at), graph.Day(at) + 1}, Last: at.Add(time.Hour)},
	}}
	e.Memory.Checksum = graph.Sum(e.Memory.Content, e.Memory.CreatedAt, e.Memory.SourceKind, e.Memory.Source)
	return e
}

func (m *maker) engrams(n int, subjects int) []Engram {
	list := make([]Engram, n)
	for i := range list {
		subject := ""
		if subjects > 0 {
			subject = fmt.Sprintf("subject %d", m.rng.IntN(subjects))
		}
		list[i] = m.engram(subject)
	}
	return list
}

// alarms collects alarms.
type alarms struct {
	mu   sync.Mutex
	list []Alarm
}

func (a *alarms) raise(x Alarm) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, x)
}

func (a *alarms) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.list)
}

func open(t testing.TB, o Options) *Recess {
	t.Helper()
	r, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func closeNow(t testing.TB, r *Recess) {
	t.Helper()
	must(t, r.Close())
}

// same fails unless r returns the given engram; it ignores the vector.
func same(t testing.TB, r *Recess, scope graph.Scope, want Engram) {
	t.Helper()
	got, err := r.Read(ctx, scope, want.Memory.ID)
	if err != nil {
		t.Fatalf("%s: %v", want.Memory.ID, err)
	}
	if !reflect.DeepEqual(got.Memory, want.Memory) || !got.EngravedAt.Equal(want.EngravedAt) {
		t.Fatalf("%s came back as\n%+v\nwant\n%+v", want.Memory.ID, got.Memory, want.Memory)
	}
}

func idsOf(list []Engram) []graph.ID {
	ids := make([]graph.ID, len(list))
	for i := range list {
		ids[i] = list[i].Memory.ID
	}
	slices.Sort(ids)
	return ids
}

func asError(err error, to **graph.Error) bool { return errors.As(err, to) }
