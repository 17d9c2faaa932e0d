// Package enginetest builds an engine for tests from real parts: the embedded store in memory,
// the index, the built-in embedder, a clock that moves only when told to, and seeded
// randomness. Its own tests run stories, small scripts about what memory does over days;
// README.md describes their language.
package enginetest

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/index"
)

// Start is the initial time of the clock of a world.
var Start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// World is an engine with its parts.
type World struct {
	*engine.Engine
	Clock  *Clock
	Store  graph.Store
	Index  *index.Index
	Caller engine.Caller
	T      testing.TB

	options Options
	opened  uint64 // number of engines opened so far; each has its own random source
}

// Options replace parts of a world; zero values mean the defaults.
type Options struct {
	Store    graph.Store
	Embedder models.Embedder
	Reranker models.Reranker // nil: none
	Chat     models.Chat     // nil: none
	Reader   models.Reader   // nil: none
	Retry    time.Duration
	Sweep    time.Duration
	// Alarms lets the engine wait for instants of the world's clock. Without it, what is due at an
	// instant happens at the next sweep after it.
	Alarms bool
	Recess engine.Recess // nil: nothing is engraved
	// Erasures records erasures outside the store; nil: none.
	Erasures engine.Erasures
	// AuditKeys keeps the keys of the audit; nil: no audit is kept.
	AuditKeys engine.AuditKeys
	// Vectors returns the vector search of a store; nil: the index holds the vectors.
	Vectors func(graph.Store) graph.VectorSearcher
	// Seed is where the seeds of the engines of this world begin. Worlds over one store that have the same
	// seed draw the same ids.
	Seed uint64
	// SleepBatch is the number of sleep steps in one commit; 0: the engine's default.
	SleepBatch int
	// Automatic schedules automatic sleep; nil: none.
	Automatic *engine.Automatic
	// Webhooks sends webhooks; nil: none. WebhookPauses are the pauses after failed attempts; nil: the default.
	Webhooks      engine.WebhookSender
	WebhookPauses []time.Duration
	// Change changes the options of the engine; nil: nothing.
	Change func(*engine.Options)
}

// OpenStore opens the empty store of a world whose options have none. The world closes it. The tests
// of a package run on another store if its TestMain replaces OpenStore.
var OpenStore = func(testing.TB) (graph.Store, error) {
	return badgerstore.Open("", badgerstore.Options{InMemory: true})
}

// New builds a world that ends with the test.
func New(t testing.TB) *World { return With(t, Options{}) }

// With builds a world with other parts.
func With(t testing.TB, o Options) *World {
	t.Helper()
	var err error
	if o.Store == nil {
		if o.Store, err = OpenStore(t); err != nil {
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
	w := &World{Clock: NewClock(Start), Store: o.Store, Caller: engine.Loopback(), T: t, options: o, opened: o.Seed}
	if err := w.open(o.Store); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// Restart closes the engine and opens another one over the same store, like a new process.
func (w *World) Restart() error {
	if err := w.close(); err != nil {
		return err
	}
	return w.open(w.Store)
}

// open opens the index and the engine over a store that replaces w.Store.
func (w *World) open(store graph.Store) error {
	ctx := context.Background()
	o := index.Options{Topics: lexicon.Topics{}, Claims: attribute.Keys{}}
	if w.options.Vectors != nil {
		o.Remote = w.options.Vectors(store)
	}
	idx, err := index.Open(ctx, store, o)
	if err != nil {
		return err
	}
	w.Index = idx
	w.opened++
	eo := engine.Options{
		Store: store, Index: idx, Embedder: w.options.Embedder, Reranker: w.options.Reranker, Chat: w.options.Chat, Reader: w.options.Reader, Clock: w.clock(),
		Rand: Random(w.opened), Retry: w.options.Retry, Sweep: w.options.Sweep,
		Recess: w.options.Recess, Erasures: w.options.Erasures, AuditKeys: w.options.AuditKeys, SleepBatch: w.options.SleepBatch, Automatic: w.options.Automatic,
		Webhooks: w.options.Webhooks, WebhookPauses: w.options.WebhookPauses,
	}
	if w.options.Change != nil {
		w.options.Change(&eo)
	}
	w.Engine, err = engine.New(ctx, eo)
	return err
}

// clock returns the clock of the engine.
func (w *World) clock() engine.Clock {
	if w.options.Alarms {
		return alarmClock{w.Clock}
	}
	return w.Clock
}

// close closes the engine and its index.
func (w *World) close() error {
	ctx := context.Background()
	if w.Engine != nil {
		if err := w.Engine.Close(ctx); err != nil {
			return err
		}
	}
	return w.Index.Close(ctx)
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

// Uncut makes a search return the hits of little relevance too.
func Uncut(in *engine.SearchInput) { in.MinScoreRatio = new(float64) }

// Search searches without counting uses, or fails the test.
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

// Clock is a clock that moves only when told to.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	alarms []alarm
}

// alarm is an instant that an engine waits for.
type alarm struct {
	at      time.Time
	reached chan struct{}
}

// alarmClock is a Clock that engines can wait for.
type alarmClock struct{ *Clock }

// Reach implements workspace.AlarmClock. Alarms that nobody waits for any more end with the test.
func (c alarmClock) Reach(at time.Time) (reached <-chan struct{}, stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := alarm{at, make(chan struct{})}
	c.alarms = append(c.alarms, a)
	c.ring()
	return a.reached, func() {}
}

// ring closes the channels of the alarms that are reached. The caller holds the lock.
func (c *Clock) ring() {
	c.alarms = slices.DeleteFunc(c.alarms, func(a alarm) bool {
		if c.now.Before(a.at) {
			return false
		}
		close(a.reached)
		return true
	})
}

// NewClock makes a clock that shows the given time.
func NewClock(at time.Time) *Clock { return &Clock{now: at} }

// Now is the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock and returns the new time. d may be negative, as real clocks can go
// back.
func (c *Clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.ring()
	return c.now
}

// Random is a seeded source of bytes.
func Random(seed uint64) *rand.ChaCha8 {
	var s [32]byte
	s[0] = byte(seed)
	return rand.NewChaCha8(s)
}
