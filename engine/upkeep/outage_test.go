package upkeep_test

import (
	"context"
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
