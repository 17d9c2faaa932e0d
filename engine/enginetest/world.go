// Package enginetest builds an engine over real parts for tests: the embedded store
// in memory, the index, the built-in embedder, a clock that stands still until it is
// moved, and seeded randomness.
package enginetest

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/index"
)

// Start is the instant at which the clock of a world begins.
var Start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// World is an engine and what it stands on.
type World struct {
	*engine.Engine
	Clock  *Clock
	Store  graph.Store
	Index  *index.Index
	Caller engine.Caller
	T      testing.TB
}

// Options change the parts of a world; zero means the usual ones.
type Options struct {
	Store    graph.Store
	Embedder models.Embedder
	Retry    time.Duration
	Sweep    time.Duration
}

// New builds a world that ends with the test.
func New(t testing.TB) *World { return With(t, Options{}) }

// With builds a world with other parts.
func With(t testing.TB, o Options) *World {
	t.Helper()
	ctx := context.Background()
	var err error
	if o.Store == nil {
		if o.Store, err = badgerstore.Open("", badgerstore.Options{InMemory: true}); err != nil {
			t.Fatal(err)
		}
		store := o.Store
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Errorf("close the store: %v", err)
			}
		})
	}
	if o.Embedder == nil {
		o.Embedder = hashed.New()
	}
	idx, err := index.Open(ctx, o.Store, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Clock: NewClock(Start), Store: o.Store, Index: idx, Caller: engine.Loopback(), T: t}
	w.Engine, err = engine.New(ctx, engine.Options{
		Store: o.Store, Index: idx, Embedder: o.Embedder, Clock: w.Clock,
		Rand: Random(1), Retry: o.Retry, Sweep: o.Sweep,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Engine.Close(ctx); err != nil {
			t.Errorf("close the engine: %v", err)
		}
		if err := idx.Close(ctx); err != nil {
			t.Errorf("close the index: %v", err)
		}
	})
	return w
}

// Remember writes a memory with explicit consent, or fails the test.
func (w *World) Remember(content string, with ...func(*engine.RememberInput)) *engine.RememberResult {
	w.T.Helper()
	in := engine.RememberInput{Content: content, Consent: graph.ConsentExplicit}
	for _, f := range with {
		f(&in)
	}
	r, err := w.Engine.Remember(w.T.Context(), w.Caller, in)
	if err != nil {
		w.T.Fatalf("remember: %v", err)
	}
	return r
}

// Search asks without counting usage, or fails the test.
func (w *World) Search(query string, with ...func(*engine.SearchInput)) *engine.SearchResult {
	w.T.Helper()
	in := engine.SearchInput{Query: query}
	for _, f := range with {
		f(&in)
	}
	r, err := w.Engine.Search(w.T.Context(), w.Caller, in)
	if err != nil {
		w.T.Fatalf("search: %v", err)
	}
	return r
}

// IDs are the ids of the hits, best first.
func IDs(r *engine.SearchResult) []graph.ID {
	ids := make([]graph.ID, len(r.Hits))
	for i, h := range r.Hits {
		ids[i] = h.Memory.ID
	}
	return ids
}

// Clock stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock makes a clock that stands at an instant.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now is where the clock stands.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock and answers the new now. It can be moved back too, as real
// clocks are.
func (c *Clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}

// Random is a seeded source of bytes.
func Random(seed uint64) *rand.ChaCha8 {
	var s [32]byte
	s[0] = byte(seed)
	return rand.NewChaCha8(s)
}
