package storetest

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// start is when the tests' clock begins.
var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// bench is where one test works: a store, a tenant of its own, a clock that ticks
// with every reading, and seeded randomness.
type bench struct {
	testing.TB
	h     Harness
	s     graph.Store
	scope graph.Scope
	rnd   *rand.Rand
	clock time.Time

	shared []graph.ID // entities of the benchmarks
}

// newBench makes one. STORETEST_SEED repeats a run; a failure prints the seed.
func newBench(t testing.TB, h Harness) *bench {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("STORETEST_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("STORETEST_SEED: %v", err)
		}
		seed = n
	}
	t.Logf("STORETEST_SEED=%d", seed)
	return &bench{
		TB: t, h: h, s: h.New(t), scope: freshScope(t),
		rnd: rand.New(rand.NewPCG(seed, 1)), clock: start,
	}
}

// freshScope is a tenant that nothing else uses, in this run or another.
func freshScope(t testing.TB) graph.Scope {
	var b [12]byte
	if _, err := cryptorand.Read(b[:]); err != nil {
		t.Fatal(err)
	}
	return graph.Scope{Tenant: graph.Tenant("storetest-" + hex.EncodeToString(b[:]))}
}

func (b *bench) ctx() context.Context { return b.Context() }

// now ticks.
func (b *bench) now() time.Time {
	b.clock = b.clock.Add(time.Second)
	return b.clock
}

// id makes an id at the instant.
func (b *bench) id(at time.Time) graph.ID {
	var r [10]byte
	for i := range r {
		r[i] = byte(b.rnd.Uint32())
	}
	id, err := graph.NewID(at, readerOf(r[:]))
	b.ok(err)
	return id
}

type readerOf []byte

func (r readerOf) Read(p []byte) (int, error) { return copy(p, r), nil }

// memory makes a valid one, recorded now, that begins a chain.
func (b *bench) memory(change ...func(*graph.Memory)) *graph.Memory {
	at := b.now()
	id := b.id(at)
	m := &graph.Memory{
		ID: id, Namespace: "main", Type: graph.Episodic, Content: "content of " + string(id),
		EmbeddingModel: "test-2", Salience: 0.5, Authority: 0.8, Confidence: 0.7, Importance: 0.5, Criticality: 0.5,
		DecayClass: graph.DecayMedium, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser,
		Chain: id, Version: 1, CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at,
		History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
	}
	m.Checksum = graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
	for _, c := range change {
		c(m)
	}
	return m
}

func in(namespace string) func(*graph.Memory) {
	return func(m *graph.Memory) { m.Namespace = namespace }
}
func of(user string) func(*graph.Memory) { return func(m *graph.Memory) { m.User = user } }

// entity makes a valid one.
func (b *bench) entity(namespace, user, canonical string) *graph.Entity {
	at := b.now()
	return &graph.Entity{
		ID: b.id(at), Namespace: namespace, User: user, Name: canonical, Canonical: canonical, Type: graph.Person, FirstSeen: at,
	}
}

// relation makes a valid one that the memories say.
func (b *bench) relation(source graph.ID, predicate string, target graph.ID, says ...graph.ID) *graph.Relation {
	at := b.now()
	return &graph.Relation{
		ID: b.id(at), Namespace: "main", Source: source, Target: target, Predicate: predicate, Strength: 1, StrengthAt: at,
		Confidence: 0.7, ValidFrom: at, EventTime: at, RecordedAt: at, Memories: says,
	}
}

// update must succeed.
func (b *bench) update(fn func(graph.Tx) error) graph.Cursor {
	b.Helper()
	c, err := b.s.Update(b.ctx(), b.scope, fn)
	b.ok(err)
	return c
}

// put writes memories, each in a transaction of its own, as created.
func (b *bench) put(ms ...*graph.Memory) graph.Cursor {
	b.Helper()
	var c graph.Cursor
	for _, m := range ms {
		c = b.update(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
	}
	return c
}

// view must succeed.
func (b *bench) view(fn func(graph.Reader)) {
	b.Helper()
	b.ok(b.s.View(b.ctx(), b.scope, func(r graph.Reader) error { fn(r); return nil }))
}

// ok fails the test on an error.
func (b *bench) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// is fails the test unless err is want.
func (b *bench) is(err, want error) {
	b.Helper()
	if !errors.Is(err, want) {
		b.Fatalf("error is %v, want %v", err, want)
	}
}

// refused fails the test unless err says that the request was invalid, in a Tx
// whose transaction is then given up.
func (b *bench) refused(put func(graph.Tx) error) {
	b.Helper()
	_, err := b.s.Update(b.ctx(), b.scope, put)
	if err == nil {
		b.Fatal("was written, must be refused")
	}
	if c := graph.CodeOf(err); c != graph.CodeInvalidRequest && c != graph.CodeLimitExceeded {
		b.Fatalf("refused with %v, want INVALID_REQUEST or LIMIT_EXCEEDED", err)
	}
}

// same fails the test unless both are deeply equal.
func same[T any](b *bench, what string, got, want T) {
	b.Helper()
	if !reflect.DeepEqual(got, want) {
		b.Fatalf("%s:\n got %s\nwant %s", what, show(got), show(want))
	}
}

func show(v any) string {
	s := fmt.Sprintf("%+v", v)
	if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && !rv.IsNil() {
		s = fmt.Sprintf("%+v", rv.Elem().Interface())
	}
	if len(s) > 2000 {
		s = s[:2000] + "…"
	}
	return s
}

// got answers v and fails the test on an error.
func got[T any](b *bench) func(v T, err error) T {
	return func(v T, err error) T {
		b.Helper()
		b.ok(err)
		return v
	}
}

// idsOf lists the ids of memories.
func idsOf(ms []*graph.Memory) []graph.ID {
	var ids []graph.ID
	for _, m := range ms {
		ids = append(ids, m.ID)
	}
	return ids
}
