package upkeep_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// stateOf is the status of a breaker.
func stateOf(t *testing.T, w *enginetest.World, name string) engine.BreakerStatus {
	t.Helper()
	for _, s := range w.Breakers() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no breaker %s in %+v", name, w.Breakers())
	return engine.BreakerStatus{}
}

// remote is an embedder behind a network: with a breaker, and without weights for words.
type remote struct{ choosy }

func (r *remote) Name() string { return "remote" }

// While the embedder is away, its breaker opens: searches compare texts by the built-in model, new
// memories wait, and no vector of the built-in model is stored. Health says so. After a reset by
// hand the waiting memories are embedded.
func TestEmbedderAway(t *testing.T) {
	r := &remote{choosy{Embedder: hashed.New()}}
	var log safeText
	w := enginetest.With(t, enginetest.Options{
		Embedder: models.Breaker(r, models.BreakerOptions{Failures: 3, Open: 24 * time.Hour}), Retry: time.Millisecond,
		Change: func(o *engine.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) },
	})
	before := w.Remember("The ferry to the island leaves at nine.").Memory
	w.Remember("The bakery by the station sells rye bread.")
	if s := stateOf(t, w, "EMBEDDER"); s.State != engine.BreakerClosed {
		t.Fatalf("%+v", s)
	}
	r.away.Store(true)
	for stateOf(t, w, "EMBEDDER").State != engine.BreakerOpen {
		w.Search("when does the ferry leave")
	}
	found := w.Search("when does the ferry leave for the island")
	if len(found.Hits) == 0 || found.Hits[0].Memory.ID != before.ID || found.Hits[0].Parts.Semantic == 0 || !slices.Contains(found.Degraded, engine.PartEmbedder) || !slices.Contains(found.Degraded, engine.PartVectors) {
		t.Errorf("%+v", found)
	}
	during := w.Remember("The ferry to the mainland leaves at noon.")
	if !during.Pending {
		t.Error("the memory does not wait for its embedding")
	}
	h, err := w.Health(t.Context(), w.Caller)
	states, _ := h.Details["breakers"].(map[string]any)
	if s, _ := states["EMBEDDER"].(engine.BreakerStatus); err != nil || h.Status != "WARNING" || s.State != engine.BreakerOpen || s.Since.IsZero() || h.Details["fallbackEmbedder"] != "hashed" {
		t.Errorf("%s %+v, %v", h.Status, h.Details, err)
	}
	if v, err := w.Memory(t.Context(), w.Caller, during.Memory.ID, engine.Access{}); err != nil || v.EmbeddingModel != "" {
		t.Errorf("it has a vector of %q, %v", v.EmbeddingModel, err)
	}

	r.away.Store(false)
	reader := engine.Caller{Tenant: w.Caller.Tenant, Name: "ada", User: "ada"}
	if _, err := w.ResetBreaker(t.Context(), reader, "EMBEDDER"); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("a caller without the scope: %v", err)
	}
	if _, err := w.ResetBreaker(t.Context(), w.Caller, "KETTLE"); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("an unknown breaker: %v", err)
	}
	if s, err := w.ResetBreaker(t.Context(), w.Caller, "EMBEDDER"); err != nil || s.State != engine.BreakerClosed {
		t.Fatalf("%+v, %v", s, err)
	}
	for v, err := w.Memory(t.Context(), w.Caller, during.Memory.ID, engine.Access{}); v.EmbeddingModel != "remote"; v, err = w.Memory(t.Context(), w.Caller, during.Memory.ID, engine.Access{}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if found = w.Search("when does the ferry leave"); len(found.Degraded) > 0 {
		t.Errorf("degraded %v", found.Degraded)
	}
	if text := log.String(); !strings.Contains(text, "[CIRCUIT BREAKER] open") || !strings.Contains(text, "[CIRCUIT BREAKER] closed") {
		t.Errorf("the log has\n%s", text)
	}
}

// shaky is a store that can be away.
type shaky struct {
	graph.Store
	away atomic.Bool
}

func (s *shaky) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if s.away.Load() {
		return 0, graph.ErrUnavailable
	}
	return s.Store.Update(ctx, scope, fn)
}

func (s *shaky) Ready(ctx context.Context) error {
	if s.away.Load() {
		return graph.ErrUnavailable
	}
	return s.Store.Ready(ctx)
}

// The breaker of the store opens after writes that failed, reads go on, and the first write after
// the store has come back is let through.
func TestStoreAway(t *testing.T) {
	inner, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inner.Close() }) // the world may have closed it
	s := &shaky{Store: inner}
	w := enginetest.With(t, enginetest.Options{Store: s})
	id := w.Remember("The lighthouse is white.").Memory.ID
	s.away.Store(true)
	write := func() error {
		_, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "The lighthouse is red.", Consent: graph.ConsentExplicit})
		return err
	}
	for range 20 {
		if err := write(); graph.CodeOf(err) != graph.CodeUnavailable {
			t.Fatalf("a write while the store is away: %v", err)
		}
	}
	if err := write(); !strings.Contains(err.Error(), "circuit breaker of the store is open") || stateOf(t, w, "STORE").State != engine.BreakerOpen {
		t.Errorf("%v, %+v", err, stateOf(t, w, "STORE"))
	}
	if v, err := w.Memory(t.Context(), w.Caller, id, engine.Access{}); err != nil || v.Content == "" {
		t.Errorf("a read: %v", err)
	}
	if h, err := w.Health(t.Context(), w.Caller); err != nil || h.Status != "CRITICAL" {
		t.Errorf("%+v, %v", h, err)
	}
	s.away.Store(false)
	if err := write(); err != nil || stateOf(t, w, "STORE").State != engine.BreakerClosed {
		t.Errorf("afterwards %v, %+v", err, stateOf(t, w, "STORE"))
	}
}

// fullStore is a store whose disk is full.
type fullStore struct {
	graph.Store
	full atomic.Bool
}

func (s *fullStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if s.full.Load() {
		e := graph.Errorf(graph.CodeUnavailable, "the disk is full")
		e.Cause = fmt.Errorf("%w: %w", graph.ErrUnavailable, graph.ErrDiskFull)
		return 0, e
	}
	return s.Store.Update(ctx, scope, fn)
}

// A full disk, which has an alarm of its own, opens no breaker: each write is told what is wrong.
func TestFullDiskOpensNoBreaker(t *testing.T) {
	inner, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inner.Close() })
	s := &fullStore{Store: inner}
	w := enginetest.With(t, enginetest.Options{Store: s})
	w.Remember("The lighthouse is white.")
	s.full.Store(true)
	for range 20 {
		_, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "The lighthouse is red.", Consent: graph.ConsentExplicit})
		if err == nil || !strings.Contains(err.Error(), "the disk is full") || strings.Contains(err.Error(), "breaker") {
			t.Fatalf("a write on the full disk: %v", err)
		}
	}
	if state := stateOf(t, w, "STORE").State; state != engine.BreakerClosed {
		t.Errorf("the breaker is %s", state)
	}
	s.full.Store(false)
	w.Remember("The lighthouse is red.")
}

// silentArchive is a recess that can be away. It counts the engravings that reach it.
type silentArchive struct {
	*enginetest.FakeArchive
	away  bool
	tries int
}

func (a *silentArchive) Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) error {
	if a.tries++; a.away {
		return graph.ErrUnavailable
	}
	return a.FakeArchive.Engrave(ctx, scope, m, vector, at)
}

func (a *silentArchive) Seal(ctx context.Context, scope graph.Scope) error {
	if a.away {
		return graph.ErrUnavailable
	}
	return a.FakeArchive.Seal(ctx, scope)
}

// The breaker of the recess opens after five engravings that failed in a row. While it is open no
// engraving reaches the recess, the memory stays in L2 and is read, and erasures are tried. After 600
// seconds one engraving is let through: while the recess is away the breaker opens again, and when the
// recess is back it closes and the memory is engraved.
func TestRecessAway(t *testing.T) {
	var elapsed atomic.Int64
	archive := &silentArchive{FakeArchive: enginetest.NewFakeArchive()}
	w := enginetest.With(t, enginetest.Options{Recess: archive, Change: func(o *engine.Options) {
		o.EngraveWaits = make([]time.Duration, 4) // five attempts at once
		o.Monitor.Elapsed = func() time.Time { return enginetest.Start.Add(time.Duration(elapsed.Load())) }
	}})
	id := w.Remember("Mira is allergic to walnuts.").Memory.ID
	other := w.Remember("The ferry to Brodno leaves at noon.").Memory.ID
	day := func() {
		t.Helper()
		if _, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: "walnuts", TopK: 1, Track: true}); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(24 * time.Hour)
		fixture.MustDeepSleep(w)
	}
	want := func(when string, state engine.BreakerState, tries int, tier graph.Tier) {
		t.Helper()
		if s := stateOf(t, w, "RECESS"); s.State != state || (state == engine.BreakerOpen) != (s.RetryAt.Sub(s.Since) == 600*time.Second) {
			t.Errorf("%s: %+v, want %s for 600 s", when, s, state)
		}
		if archive.tries != tries {
			t.Errorf("%s: the recess was asked %d times, want %d", when, archive.tries, tries)
		}
		if v := fixture.MustView(w, id); v.State.Tier != tier || v.Content != "Mira is allergic to walnuts." || v.Unavailable != nil {
			t.Errorf("%s: tier %s, %q, %v", when, v.State.Tier, v.Content, v.Unavailable)
		}
	}
	for range 4 {
		day()
	}
	want("not due yet", engine.BreakerClosed, 0, graph.L2)
	archive.away = true
	day()
	want("refused five times", engine.BreakerOpen, 5, graph.L2)
	h, err := w.Health(t.Context(), w.Caller)
	states, _ := h.Details["breakers"].(map[string]any)
	if s, _ := states["RECESS"].(engine.BreakerStatus); err != nil || h.Status != "WARNING" || s.State != engine.BreakerOpen {
		t.Errorf("health is %s: %+v, %v", h.Status, h.Details, err)
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{other}}); err != nil {
		t.Errorf("an erasure while the breaker is open: %v", err)
	}
	elapsed.Add(int64(599 * time.Second))
	day()
	want("open for 599 s", engine.BreakerOpen, 5, graph.L2)
	if x := letters(t, w, 1)[0]; x.ID != id || x.Work != engine.WorkEngrave || !strings.Contains(x.Reason, "UNAVAILABLE") {
		t.Errorf("%+v", x)
	}
	elapsed.Add(int64(time.Second))
	day()
	want("one call after 600 s", engine.BreakerOpen, 6, graph.L2)
	archive.away = false
	elapsed.Add(int64(600 * time.Second))
	day()
	want("back", engine.BreakerClosed, 7, graph.L3)
	letters(t, w, 0)
}

// safeText collects a log.
type safeText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *safeText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
