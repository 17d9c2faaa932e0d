package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// shared is a store that other servers may have open too.
type shared struct{ graph.Store }

func (shared) Alive() context.Context { return context.Background() }

func (shared) FlushUses(context.Context) error { return nil }

// KnownHead never knows anything.
func (shared) KnownHead(graph.Scope) (graph.Cursor, time.Duration) { return 0, time.Hour }

func (s shared) ViewSince(ctx context.Context, scope graph.Scope, _ graph.Cursor, fn func(graph.Reader) error) error {
	return s.View(ctx, scope, fn)
}

func (s shared) ViewRecent(ctx context.Context, scope graph.Scope, fn func(graph.Reader, graph.Cursor) error) error {
	head, err := s.Head(ctx, scope)
	if err != nil {
		return err
	}
	return s.View(ctx, scope, func(r graph.Reader) error { return fn(r, head) })
}

func (shared) WithWriteLease(ctx context.Context, _ graph.Scope, fn func(context.Context) error) error {
	return fn(ctx)
}

// server opens another engine over the store; the returned function ends it.
func (l *life) server(store graph.Store, seed uint64, with ...func(*engine.Options)) (*engine.Engine, func()) {
	l.t.Helper()
	ctx := l.t.Context()
	idx, err := index.Open(ctx, store, index.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	o := engine.Options{
		Store: store, Index: idx, Embedder: hashed.New(), Clock: l.clock, Rand: enginetest.Random(seed), Recess: l.shelf, SleepBatch: 1,
	}
	for _, f := range with {
		f(&o)
	}
	e, err := engine.New(ctx, o)
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
		w := &watched{Store: l.store, before: func(int) {}}
		first, endFirst := l.server(shared{w}, 21)
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
	l.wake(enginetest.CrashAfter(l.store, 9), func(ctx context.Context, e *engine.Engine) {
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

// thinking is an embedder that takes as long as the test likes.
type thinking struct {
	models.Embedder
	asked chan struct{} // closed with the first question
	think chan struct{} // closed when it may answer
	once  sync.Once
}

func (x *thinking) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	x.once.Do(func() { close(x.asked) })
	select {
	case <-x.think:
		return x.Embedder.Embed(ctx, texts, kind)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// lease is until when the sleep under way is held; zero where none is.
func (l *life) lease() (until time.Time) {
	l.t.Helper()
	err := l.store.View(l.t.Context(), loopScope, func(r graph.Reader) error {
		text, err := r.Setting("sleep.cycle")
		if errors.Is(err, graph.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		var c struct{ Until time.Time }
		err = json.Unmarshal(text, &c)
		until = c.Until
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return until
}

// A night that thinks for long without a commit keeps its lease all the same, and ends as
// any other.
func TestAThoughtfulNightKeepsItsLease(t *testing.T) {
	l := newLife(t)
	mind := &thinking{Embedder: hashed.New(), asked: make(chan struct{}), think: make(chan struct{})}
	first, endFirst := l.server(shared{l.store}, 21, func(o *engine.Options) { o.Embedder, o.Renew = mind, 50*time.Millisecond })
	defer endFirst()
	second, endSecond := l.server(shared{l.store}, 22)
	defer endSecond()
	if _, err := first.Sleep(t.Context(), engine.Loopback(), engine.SleepInput{Deep: true}); err != nil {
		t.Fatal(err)
	}
	<-mind.asked
	for range 4 {
		l.clock.Advance(50 * time.Second)
		for now := l.clock.Now(); l.lease().Before(now.Add(time.Minute)); {
			runtime.Gosched()
		}
		if _, err := second.Sleep(t.Context(), engine.Loopback(), deeply); graph.CodeOf(err) != graph.CodeSleepRunning {
			t.Fatalf("the other was answered %v", err)
		}
	}
	reports, err := first.MorningReports(t.Context(), engine.Loopback(), "")
	if err != nil {
		t.Fatal(err)
	}
	close(mind.think)
	// It is whole but for the step that took too long, which is left for the next night.
	if r := <-reports; r.Resumed || len(r.Phases) != 4 || len(r.Skipped) == 0 || r.Engraved == 0 {
		t.Errorf("%+v", r)
	}
	sound(t, "a long thought", l.store)
}

// halted is a store that takes nothing while it is locked.
type halted struct {
	shared
	sync.RWMutex
}

func (h *halted) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	h.RLock()
	defer h.RUnlock()
	return h.shared.Update(ctx, scope, fn)
}

// Who could not renew in time finds that its night is another's, and stops thinking.
func TestALostLeaseEndsTheThought(t *testing.T) {
	l := newLife(t)
	mind := &thinking{Embedder: hashed.New(), asked: make(chan struct{}), think: make(chan struct{})}
	store := &halted{shared: shared{l.store}}
	first, endFirst := l.server(store, 21, func(o *engine.Options) { o.Embedder, o.Renew = mind, 50*time.Millisecond })
	defer endFirst()
	second, endSecond := l.server(shared{l.store}, 22)
	defer endSecond()
	answer := make(chan error, 1)
	go func() {
		_, err := first.Sleep(t.Context(), engine.Loopback(), deeply)
		answer <- err
	}()
	<-mind.asked
	store.Lock()
	l.clock.Advance(61 * time.Second)
	r, err := second.Sleep(t.Context(), engine.Loopback(), deeply)
	store.Unlock()
	if err != nil || !r.Resumed || !r.Complete {
		t.Fatalf("the other took over with %+v, %v", r, err)
	}
	if err := <-answer; graph.CodeOf(err) != graph.CodeSleepRunning {
		t.Errorf("the first was answered %v", err)
	}
	sound(t, "taken over", l.store)
}

// A night that was cut short goes on as what it was, whatever the next caller asks for:
// its plan and its budget are those of its kind.
func TestAnInterruptedNightKeepsItsKind(t *testing.T) {
	for _, deep := range []bool{true, false} {
		l := newLife(t)
		l.wake(enginetest.CrashAfter(l.store, 5), func(ctx context.Context, e *engine.Engine) {
			if _, err := e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: deep, Wait: true}); err == nil {
				t.Error("it did not die")
			}
		})
		l.wake(l.store, func(ctx context.Context, e *engine.Engine) {
			one := 1
			r, err := e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: !deep, Wait: true, MaxItems: &one})
			want, phases := engine.DeepSleep, 4
			if !deep {
				want, phases = engine.LightSleep, 3
			}
			if err != nil || r.Kind != want || !r.Resumed || !r.Complete || len(r.Phases) != phases {
				t.Errorf("deep %v: %+v, %v", deep, r, err)
			}
		})
		sound(t, "gone on", l.store)
	}
}
