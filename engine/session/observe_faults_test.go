package session_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// An embedder that is not available delays neither a turn nor its move to L1.
func TestTurnsAreStoredWithoutEmbedder(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Embedder: &fixture.FlakyEmbedder{Embedder: hashed.New(), Down: true}, Retry: time.Hour})
	o := fixture.Observe(t, w, "user", "The deploy window is Tuesday.")
	closeSession(t, w)
	m := stored(t, w, o.Memory.ID)
	if m.State().Tier == graph.L0 || m.EmbeddingModel != "" || m.Subject == "" {
		t.Errorf("%+v %+v", m.State(), m)
	}
}

// refusingStore is a store that rejects writes while it is told to.
type refusingStore struct {
	graph.Store
	down atomic.Bool
}

func (f *refusingStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if f.down.Load() {
		return 0, graph.ErrUnavailable
	}
	return f.Store.Update(ctx, scope, fn)
}

// While the store rejects writes, turns stay in L0. None is lost, and they leave when the
// store accepts writes again.
func TestTurnsWaitForTheStore(t *testing.T) {
	f := &refusingStore{Store: enginetest.New(t).Store}
	w := enginetest.With(t, enginetest.Options{Store: f, Retry: time.Millisecond})
	events := follow(t, w)
	o := fixture.Observe(t, w, "user", "The winch is greased.")
	f.down.Store(true)
	_, err := w.CloseSession(t.Context(), w.Caller, "s", "")
	if graph.CodeOf(err) != graph.CodeUnavailable {
		t.Fatalf("closed on a store that is down: %v", err)
	}
	if m := stored(t, w, o.Memory.ID); m.State().Tier != graph.L0 {
		t.Fatalf("%+v", m.State())
	}
	f.down.Store(false)
	await(t, events, beyondL0(o.Memory.ID))
}

func TestCancelledCloseLosesNoTurn(t *testing.T) {
	w := enginetest.New(t)
	events := follow(t, w)
	o := fixture.Observe(t, w, "user", "The winch is greased.")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.CloseSession(ctx, w.Caller, "s", ""); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	await(t, events, beyondL0(o.Memory.ID))
}

// stubbornStore is a store that keeps one memory in L0.
type stubbornStore struct {
	graph.Store
	id atomic.Value
}

type stubbornTx struct {
	graph.Tx
	id any
}

func (s *stubbornStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	return s.Store.Update(ctx, scope, func(tx graph.Tx) error { return fn(stubbornTx{tx, s.id.Load()}) })
}

func (tx stubbornTx) PutMemory(m *graph.Memory, kind graph.EventKind) error {
	if tx.id == m.ID && m.State().Tier != graph.L0 {
		return errors.New("this row can't be written")
	}
	return tx.Tx.PutMemory(m, kind)
}

// A turn that can't become L1 stays in L0, is reported, and does not delay others.
func TestRepeatedlyFailingTurnIsGivenUp(t *testing.T) {
	s := &stubbornStore{Store: enginetest.New(t).Store}
	w := enginetest.With(t, enginetest.Options{Store: s, Retry: time.Millisecond})
	bad, good := fixture.Observe(t, w, "user", "The winch is greased."), fixture.Observe(t, w, "user", "The crane is red.")
	s.id.Store(bad.Memory.ID)
	r := closeSession(t, w)
	if len(r.Flushed) != 1 || r.Flushed[0].ID != good.Memory.ID {
		t.Fatalf("flushed: %+v", r.Flushed)
	}
	for {
		h, err := w.Health(t.Context(), w.Caller)
		if err != nil {
			t.Fatal(err)
		}
		if stuck, there := h.Details["stuckInBuffer"]; there {
			if ids := stuck.([]graph.ID); !slices.Equal(ids, []graph.ID{bad.Memory.ID}) {
				t.Errorf("stuck: %v", ids)
			}
			break
		}
		runtime.Gosched()
	}
	if hits := w.Search("winch").Hits; len(hits) == 0 || hits[0].Memory.ID != bad.Memory.ID || hits[0].Provenance[0].Store != engine.StoreBuffer {
		t.Errorf("hits: %+v", hits)
	}
	// The next start retries it.
	s.id.Store(graph.ID(""))
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if r := closeSession(t, w); len(r.Flushed) != 1 || r.Flushed[0].ID != bad.Memory.ID {
		t.Errorf("after the restart: %+v", r.Flushed)
	}
}
