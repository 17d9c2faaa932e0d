package upkeep_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// cluster is a shared store that can be away: it then refuses everything.
type cluster struct {
	fixture.SharedStore
	mu    sync.Mutex
	alive context.Context
	leave context.CancelFunc
}

func (c *cluster) back(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alive, c.leave = context.WithCancel(ctx)
}

func (c *cluster) Alive() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.alive
}

func (c *cluster) answers() error {
	if c.Alive().Err() != nil {
		return graph.ErrUnavailable
	}
	return nil
}

func (c *cluster) Ready(context.Context) error { return c.answers() }

func (c *cluster) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if err := c.answers(); err != nil {
		return err
	}
	return c.SharedStore.View(ctx, scope, fn)
}

func (c *cluster) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if err := c.answers(); err != nil {
		return 0, err
	}
	return c.SharedStore.Update(ctx, scope, fn)
}

// An outage of a cluster opens the breaker of the store, and its end closes it, without a write. What a read says of it
// names no write.
func TestOutageOpensTheBreakerOfTheStore(t *testing.T) {
	inner, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inner.Close() }) // the world may have closed it
	c := &cluster{SharedStore: fixture.SharedStore{Store: inner}}
	c.back(t.Context())
	w := enginetest.With(t, enginetest.Options{Store: c})
	w.Remember("The lighthouse is white.")
	changes := make(chan engine.BreakerStatus, 100)
	w.WatchBreakers(func(s engine.BreakerStatus) { changes <- s })
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()

	c.leave()
	if s := <-changes; s.Name != "STORE" || s.State != engine.BreakerOpen || s.Reason != "no server of the store answers" {
		t.Errorf("%+v", s)
	}
	for range 11 {
		_, err := w.Engine.Remember(ctx, w.Caller, engine.RememberInput{Content: "The lighthouse is red.", Consent: graph.ConsentExplicit})
		if graph.CodeOf(err) != graph.CodeUnavailable || !strings.Contains(err.Error(), "nothing was written") {
			t.Errorf("a write: %v", err)
		}
	}
	_, _, err = w.DeadLetters(ctx, w.Caller, engine.DeadLetterInput{})
	if graph.CodeOf(err) != graph.CodeUnavailable || strings.Contains(err.Error(), "written") {
		t.Errorf("a read: %v", err)
	}
	h, err := w.Health(ctx, w.Caller)
	states, _ := h.Details["breakers"].(map[string]any)
	if s, _ := states["STORE"].(engine.BreakerStatus); err != nil || h.Status != "CRITICAL" || s.State != engine.BreakerOpen {
		t.Errorf("%s %+v, %v", h.Status, states, err)
	}

	c.back(t.Context())
	if s := <-changes; s.Name != "STORE" || s.State != engine.BreakerClosed {
		t.Errorf("%+v", s)
	}
	w.Remember("The lighthouse is red.")
}

// Memories that wait for a model that does not answer are listed with the reason after three retries. A retry by hand says
// that they still wait, a discarded one is not tried again, and with the model the list becomes empty. Nothing is stored.
func TestMemoriesThatWaitForTheEmbedderAreListed(t *testing.T) {
	w, model := strict(t)
	refused := w.Remember("A glyph stands on the mill.").Memory.ID
	given := letters(t, w, 1)[0]
	if given.Retrying {
		t.Errorf("%+v was given up", given)
	}
	model.away.Store(true)
	ids := []graph.ID{w.Remember("The observatory opens at dusk.").Memory.ID, w.Remember("The ferry leaves at nine.").Memory.ID, w.Remember("The bakery sells rye bread.").Memory.ID}
	all := letters(t, w, 4)
	for i, x := range all[1:] {
		if x.ID != ids[i] || !x.Retrying || x.Work != engine.WorkEmbed || x.Attempts < 4 || x.Reason != "INTERNAL" || x.Namespace != given.Namespace || x.First.IsZero() || x.At.Before(x.First) {
			t.Errorf("%+v", x)
		}
	}
	var paged []graph.ID
	for after, more := graph.ID(""), true; more; {
		var page []engine.DeadLetter
		var err error
		if page, more, err = w.DeadLetters(t.Context(), w.Caller, engine.DeadLetterInput{First: 1, After: after}); err != nil || len(page) != 1 {
			t.Fatalf("%+v, %v", page, err)
		}
		paged, after = append(paged, page[0].ID), page[0].Letter
	}
	if want := append([]graph.ID{refused}, ids...); !slices.Equal(paged, want) {
		t.Errorf("pages %v, want %v", paged, want)
	}
	if other, _, err := w.DeadLetters(t.Context(), w.Caller, engine.DeadLetterInput{Namespaces: []string{"elsewhere"}}); err != nil || len(other) > 0 {
		t.Errorf("of another namespace: %+v, %v", other, err)
	}
	scope := graph.Scope{Tenant: w.Caller.Tenant}
	if words, err := enginetest.StoredText(t.Context(), w.Store, scope); err != nil || strings.Count(words, string(graph.NoteDead)) != 1 {
		t.Errorf("%d letters are stored, %v", strings.Count(words, string(graph.NoteDead)), err)
	}

	r, err := w.RetryDeadLetters(t.Context(), w.Caller, ids)
	if err != nil || len(r.Settled) > 0 || len(r.Left) != 3 || !r.Left[0].Retrying || r.Left[0].Attempts <= all[1].Attempts {
		t.Errorf("retried without the model: %+v, %v", r, err)
	}
	if _, err := w.DiscardDeadLetters(t.Context(), w.Caller, ids[2:]); err != nil {
		t.Fatal(err)
	}
	letters(t, w, 3)
	model.away.Store(false)
	if r, err = w.RetryDeadLetters(t.Context(), w.Caller, ids[:1]); err != nil || len(r.Left) > 0 || !slices.Equal(r.Settled, ids[:1]) {
		t.Errorf("retried with the model: %+v, %v", r, err)
	}
	if left := letters(t, w, 1)[0]; left.ID != refused {
		t.Errorf("%+v is left", left)
	}
	for i, id := range ids {
		v, err := w.Memory(t.Context(), w.Caller, id, engine.Access{})
		for err == nil && i == 1 && v.EmbeddingModel == "" { // the background work embeds it
			v, err = w.Memory(t.Context(), w.Caller, id, engine.Access{})
		}
		if discarded := i == 2; err != nil || discarded != (v.EmbeddingModel == "") {
			t.Errorf("memory %d has a vector of %q, %v", i, v.EmbeddingModel, err)
		}
	}
}

// A text that waits for the embedder and is refused in a retry by hand still waits: the background work gives it up.
func TestARefusedRetryOfAWaitingMemory(t *testing.T) {
	w, model := strict(t)
	model.away.Store(true)
	id := w.Remember("A glyph stands on the mill.").Memory.ID
	letters(t, w, 1)
	model.away.Store(false)
	r, err := w.RetryDeadLetters(t.Context(), w.Caller, []graph.ID{id})
	if err != nil || len(r.Settled) > 0 || len(r.Left) != 1 || !strings.Contains(r.Left[0].Reason, "422") {
		t.Errorf("%+v, %v", r, err)
	}
	for x := letters(t, w, 1)[0]; x.Retrying; x = letters(t, w, 1)[0] {
		runtime.Gosched()
	}
}
