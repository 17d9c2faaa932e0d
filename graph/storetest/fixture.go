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
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// start is the first instant of the tests' clock.
var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// fixture is what one test works with: a store, a tenant of its own, a clock that ticks
// with every reading, and seeded randomness.
type fixture struct {
	testing.TB
	harness Harness
	store   graph.Store
	scope   graph.Scope
	random  *rand.Rand
	clock   time.Time

	sharedEntities []graph.ID // mentioned by the memories of the benchmarks
}

// newFixture makes one. STORETEST_SEED repeats a run; a failure prints the seed.
func newFixture(t testing.TB, h Harness) *fixture {
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
	return &fixture{
		TB: t, harness: h, store: h.New(t), scope: freshScope(t),
		random: rand.New(rand.NewPCG(seed, 1)), clock: start,
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

func (f *fixture) ctx() context.Context { return f.Context() }

// tick advances the clock by a second and returns it.
func (f *fixture) tick() time.Time {
	f.clock = f.clock.Add(time.Second)
	return f.clock
}

// newID makes an id at the instant.
func (f *fixture) newID(at time.Time) graph.ID {
	var r [10]byte
	for i := range r {
		r[i] = byte(f.random.Uint32())
	}
	id, err := graph.NewID(at, fixedBytes(r[:]))
	f.noError(err)
	return id
}

type fixedBytes []byte

func (r fixedBytes) Read(p []byte) (int, error) { return copy(p, r), nil }

// newMemory makes a valid memory, recorded now, that begins a chain.
func (f *fixture) newMemory(change ...func(*graph.Memory)) *graph.Memory {
	at := f.tick()
	id := f.newID(at)
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

// newMemories makes n valid memories.
func (f *fixture) newMemories(n int) []*graph.Memory {
	ms := make([]*graph.Memory, n)
	for i := range ms {
		ms[i] = f.newMemory()
	}
	return ms
}

func inNamespace(namespace string) func(*graph.Memory) {
	return func(m *graph.Memory) { m.Namespace = namespace }
}
func ofUser(user string) func(*graph.Memory) { return func(m *graph.Memory) { m.User = user } }

// newEntity makes a valid entity.
func (f *fixture) newEntity(namespace, user, canonical string) *graph.Entity {
	at := f.tick()
	return &graph.Entity{
		ID: f.newID(at), Namespace: namespace, User: user, Name: canonical, Canonical: canonical, Type: graph.Person, FirstSeen: at,
	}
}

// newRelation makes a valid relation that the memories state.
func (f *fixture) newRelation(source graph.ID, predicate string, target graph.ID, says ...graph.ID) *graph.Relation {
	at := f.tick()
	return &graph.Relation{
		ID: f.newID(at), Namespace: "main", Source: source, Target: target, Predicate: predicate, Strength: 1, StrengthAt: at,
		Confidence: 0.7, ValidFrom: at, EventTime: at, RecordedAt: at, Memories: says,
	}
}

// mustUpdate runs an update that must succeed.
func (f *fixture) mustUpdate(fn func(graph.Tx) error) graph.Cursor {
	f.Helper()
	c, err := f.store.Update(f.ctx(), f.scope, fn)
	f.noError(err)
	return c
}

// mustPut writes memories as created, each in a transaction of its own.
func (f *fixture) mustPut(ms ...*graph.Memory) graph.Cursor {
	f.Helper()
	var c graph.Cursor
	for _, m := range ms {
		c = f.mustUpdate(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
	}
	return c
}

// mustView runs a view that must succeed.
func (f *fixture) mustView(fn func(graph.Reader)) {
	f.Helper()
	f.noError(f.store.View(f.ctx(), f.scope, func(r graph.Reader) error { fn(r); return nil }))
}

// noError fails the test on an error.
func (f *fixture) noError(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// errorIs fails the test unless err is want.
func (f *fixture) errorIs(err, want error) {
	f.Helper()
	if !errors.Is(err, want) {
		f.Fatalf("error is %v, want %v", err, want)
	}
}

// missing fails the test unless a read returned ErrNotFound.
func (f *fixture) missing(_ any, err error) {
	f.Helper()
	f.errorIs(err, graph.ErrNotFound)
}

// invalid fails the test unless a call returned INVALID_REQUEST.
func (f *fixture) invalid(_ any, err error) {
	f.Helper()
	mustEqual(f, "code", graph.CodeOf(err), graph.CodeInvalidRequest)
}

// mustFail fails the test unless an update returns the error want.
func (f *fixture) mustFail(want error, fn func(graph.Tx) error) {
	f.Helper()
	_, err := f.store.Update(f.ctx(), f.scope, fn)
	f.errorIs(err, want)
}

// concurrently runs fn n times at once and fails the test on an error.
func (f *fixture) concurrently(n int, fn func(i int) error) {
	f.Helper()
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() { errs[i] = fn(i) })
	}
	wg.Wait()
	f.noError(errors.Join(errs...))
}

// mustRefuse fails the test unless put fails as an invalid request. The transaction
// is then given up.
func (f *fixture) mustRefuse(put func(graph.Tx) error) {
	f.Helper()
	_, err := f.store.Update(f.ctx(), f.scope, put)
	if err == nil {
		f.Fatal("was written, must be refused")
	}
	if c := graph.CodeOf(err); c != graph.CodeInvalidRequest && c != graph.CodeLimitExceeded {
		f.Fatalf("refused with %v, want INVALID_REQUEST or LIMIT_EXCEEDED", err)
	}
}

// mustEqual fails the test unless both are deeply equal.
func mustEqual[T any](f *fixture, what string, got, want T) {
	f.Helper()
	if !reflect.DeepEqual(got, want) {
		f.Fatalf("%s:\n got %s\nwant %s", what, format(got), format(want))
	}
}

func format(v any) string {
	s := fmt.Sprintf("%+v", v)
	if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && !rv.IsNil() {
		s = fmt.Sprintf("%+v", rv.Elem().Interface())
	}
	if len(s) > 2000 {
		s = s[:2000] + "…"
	}
	return s
}

// must returns v and fails the test on an error.
func must[T any](f *fixture) func(v T, err error) T {
	return func(v T, err error) T {
		f.Helper()
		f.noError(err)
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
