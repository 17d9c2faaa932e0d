package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// shared is a store that others may have open too: it does not say that it is exclusive.
type shared struct{ graph.Store }

// server opens another engine over the store; the returned function ends it.
func (l *life) server(store graph.Store, seed uint64) (*engine.Engine, func()) {
	l.t.Helper()
	ctx := l.t.Context()
	idx, err := index.Open(ctx, store, index.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	e, err := engine.New(ctx, engine.Options{
		Store: store, Index: idx, Embedder: hashed.New(), Clock: l.clock, Rand: enginetest.Random(seed), Recess: l.shelf, SleepBatch: 1,
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return e, func() {
		if err := errors.Join(e.Close(ctx), idx.Close(ctx)); err != nil {
			l.t.Error(err)
		}
	}
}

var deeply = engine.SleepInput{Deep: true, Wait: true}

// Of two servers one sleeps. One that stalls loses its lease after a minute; the other
// ends its night, and the first, when it wakes up again, writes nothing more.
func TestAStalledServerIsFenced(t *testing.T) {
	whole := newLife(t)
	if _, err := whole.sleep(whole.store); err != nil {
		t.Fatal(err)
	}
	stalls := 0
	for commit := 1; ; commit += 3 {
		l := newLife(t)
		w := &watched{Store: shared{l.store}, before: func(int) {}}
		first, endFirst := l.server(w, 21)
		second, endSecond := l.server(shared{l.store}, 22)
		what := fmt.Sprintf("stalled before commit %d", commit)
		stalled := false
		w.n = 0
		w.before = func(n int) {
			if n != commit {
				return
			}
			if s, err := second.SleepStatus(t.Context(), engine.Loopback()); err != nil || s.Last != nil {
				return // its night is over, it only tidies up
			}
			stalled = true
			if _, err := second.Sleep(t.Context(), engine.Loopback(), deeply); graph.CodeOf(err) != graph.CodeSleepRunning {
				t.Errorf("%s: the other was answered %v", what, err)
			}
			if s, err := second.SleepStatus(t.Context(), engine.Loopback()); err != nil || s.Running == nil || s.Interrupted {
				t.Errorf("%s: the other sees %+v, %v", what, s, err)
			}
			l.clock.Advance(61 * time.Second)
			r, err := second.Sleep(t.Context(), engine.Loopback(), deeply)
			if err != nil || !r.Resumed || !r.Complete {
				t.Errorf("%s: the other took over with %+v, %v", what, r, err)
			}
		}
		_, err := first.Sleep(t.Context(), engine.Loopback(), deeply)
		if stalled && graph.CodeOf(err) != graph.CodeSleepRunning {
			t.Errorf("%s: it woke up and was answered %v", what, err)
		}
		endFirst()
		endSecond()
		if !stalled {
			break
		}
		stalls++
		same(t, what, l.outcome(), whole.outcome())
		sound(t, what, l.store)
		if s, err := l.sleep(l.store); err != nil || s.Pruned+s.Deduplicated+s.Engraved+s.Derived+s.Dreamed+s.Reinforced != 0 {
			t.Errorf("%s: a sleep behind it: %+v, %v", what, s, err)
		}
	}
	if stalls < 7 {
		t.Errorf("stalled %d times only", stalls)
	}
}

// Who dies keeps its lease for a minute, and no longer.
func TestADeadServersLeaseRunsOut(t *testing.T) {
	l := newLife(t)
	l.wake(enginetest.Mortal(l.store, 9), func(ctx context.Context, e *engine.Engine) {
		if _, err := e.Sleep(ctx, engine.Loopback(), deeply); err == nil {
			t.Error("it did not die")
		}
	})
	second, end := l.server(shared{l.store}, 22)
	defer end()
	if _, err := second.Sleep(t.Context(), engine.Loopback(), deeply); graph.CodeOf(err) != graph.CodeSleepRunning {
		t.Errorf("within the minute: %v", err)
	}
	l.clock.Advance(59 * time.Second)
	if _, err := second.Sleep(t.Context(), engine.Loopback(), deeply); graph.CodeOf(err) != graph.CodeSleepRunning {
		t.Errorf("within the minute: %v", err)
	}
	l.clock.Advance(2 * time.Second)
	if r, err := second.Sleep(t.Context(), engine.Loopback(), deeply); err != nil || !r.Resumed || !r.Complete {
		t.Errorf("after the minute: %+v, %v", r, err)
	}
	sound(t, "taken over", l.store)
}
