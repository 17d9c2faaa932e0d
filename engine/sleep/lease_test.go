package sleep_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// One of two servers sleeps. If it stalls, it loses its lease after a minute. The other
// server finishes the sleep, and the first writes nothing after it continues.
func TestStalledServerIsFenced(t *testing.T) {
	whole := fixture.NewLife(t)
	if _, err := whole.Sleep(whole.Store); err != nil {
		t.Fatal(err)
	}
	stalls := 0
	for commit := 1; ; commit += 3 {
		l := fixture.NewLife(t)
		w := &CountingStore{Store: l.Store, before: func(int) {}}
		first, endFirst := l.Server(fixture.SharedStore{Store: w}, 21)
		second, endSecond := l.Server(fixture.SharedStore{Store: l.Store}, 22)
		what := fmt.Sprintf("stalled before commit %d", commit)
		stalled := false
		w.n = 0
		w.before = func(n int) {
			if n != commit {
				return
			}
			if s, err := second.SleepStatus(t.Context(), engine.Loopback()); err != nil || s.Last != nil {
				return // the sleep has ended; this is cleanup
			}
			stalled = true
			if _, err := second.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep); graph.CodeOf(err) != graph.CodeSleepRunning {
				t.Errorf("%s: the other was answered %v", what, err)
			}
			if s, err := second.SleepStatus(t.Context(), engine.Loopback()); err != nil || s.Running == nil || s.Interrupted {
				t.Errorf("%s: the other sees %+v, %v", what, s, err)
			}
			l.Clock.Advance(61 * time.Second)
			r, err := second.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep)
			if err != nil || !r.Resumed || !r.Complete {
				t.Errorf("%s: the other took over with %+v, %v", what, r, err)
			}
		}
		_, err := first.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep)
		if stalled && graph.CodeOf(err) != graph.CodeSleepRunning {
			t.Errorf("%s: the stopped server got %v after it resumed", what, err)
		}
		endFirst()
		endSecond()
		if !stalled {
			break
		}
		stalls++
		fixture.SameDigest(t, what, outcomeOf(l), outcomeOf(whole))
		fixture.WantSound(t, what, l.Store)
		if s, err := l.Sleep(l.Store); err != nil || s.Pruned+s.Deduplicated+s.Engraved+s.Derived+s.Dreamed+s.Reinforced != 0 {
			t.Errorf("%s: a later sleep: %+v, %v", what, s, err)
		}
	}
	if stalls < 7 {
		t.Errorf("stalled %d times only", stalls)
	}
}

// The lease of a crashed server expires after a minute.
func TestLeaseOfDeadServerExpires(t *testing.T) {
	l := fixture.NewLife(t)
	l.WithEngine(enginetest.CrashAfter(l.Store, 9), func(ctx context.Context, e *engine.Engine) {
		if _, err := e.Sleep(ctx, engine.Loopback(), fixture.DeepSleep); err == nil {
			t.Error("it did not die")
		}
	})
	second, end := l.Server(fixture.SharedStore{Store: l.Store}, 22)
	defer end()
	if _, err := second.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep); graph.CodeOf(err) != graph.CodeSleepRunning {
		t.Errorf("within the minute: %v", err)
	}
	l.Clock.Advance(59 * time.Second)
	if _, err := second.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep); graph.CodeOf(err) != graph.CodeSleepRunning {
		t.Errorf("within the minute: %v", err)
	}
	l.Clock.Advance(2 * time.Second)
	if r, err := second.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep); err != nil || !r.Resumed || !r.Complete {
		t.Errorf("after the minute: %+v, %v", r, err)
	}
	fixture.WantSound(t, "taken over", l.Store)
}

// thinking is an embedder that blocks until the test releases it.
type thinking struct {
	models.Embedder
	asked chan struct{} // closed at the first call
	think chan struct{} // closed when calls may return
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

// A sleep with a long pause between commits keeps its lease, and ends like any other.
func TestLongPlanningKeepsItsLease(t *testing.T) {
	l := fixture.NewLife(t)
	mind := &thinking{Embedder: hashed.New(), asked: make(chan struct{}), think: make(chan struct{})}
	first, endFirst := l.Server(fixture.SharedStore{Store: l.Store}, 21, func(o *engine.Options) { o.Embedder, o.Renew = mind, 50*time.Millisecond })
	defer endFirst()
	second, endSecond := l.Server(fixture.SharedStore{Store: l.Store}, 22)
	defer endSecond()
	if _, err := first.Sleep(t.Context(), engine.Loopback(), engine.SleepInput{Deep: true}); err != nil {
		t.Fatal(err)
	}
	<-mind.asked
	for range 4 {
		l.Clock.Advance(50 * time.Second)
		for now := l.Clock.Now(); leaseOf(l).Before(now.Add(time.Minute)); {
			runtime.Gosched()
		}
		if _, err := second.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep); graph.CodeOf(err) != graph.CodeSleepRunning {
			t.Fatalf("the other request got %v", err)
		}
	}
	reports, err := first.MorningReports(t.Context(), engine.Loopback(), "")
	if err != nil {
		t.Fatal(err)
	}
	close(mind.think)
	// The sleep is complete except for the slow step, which is left to the next sleep.
	if r := <-reports; r.Resumed || len(r.Phases) != 4 || len(r.Skipped) == 0 || r.Engraved == 0 {
		t.Errorf("%+v", r)
	}
	fixture.WantSound(t, "a long thought", l.Store)
}

// halted is a store that blocks writes while it is locked.
type halted struct {
	fixture.SharedStore
	sync.RWMutex
}

func (h *halted) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	h.RLock()
	defer h.RUnlock()
	return h.SharedStore.Update(ctx, scope, fn)
}

// A server that could not renew its lease in time detects that another server has the
// sleep, and cancels its work.
func TestLostLeaseCancelsPlanning(t *testing.T) {
	l := fixture.NewLife(t)
	mind := &thinking{Embedder: hashed.New(), asked: make(chan struct{}), think: make(chan struct{})}
	store := &halted{SharedStore: fixture.SharedStore{Store: l.Store}}
	first, endFirst := l.Server(store, 21, func(o *engine.Options) { o.Embedder, o.Renew = mind, 50*time.Millisecond })
	defer endFirst()
	second, endSecond := l.Server(fixture.SharedStore{Store: l.Store}, 22)
	defer endSecond()
	answer := make(chan error, 1)
	go func() {
		_, err := first.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep)
		answer <- err
	}()
	<-mind.asked
	store.Lock()
	l.Clock.Advance(61 * time.Second)
	r, err := second.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep)
	store.Unlock()
	if err != nil || !r.Resumed || !r.Complete {
		t.Fatalf("the other took over with %+v, %v", r, err)
	}
	if err := <-answer; graph.CodeOf(err) != graph.CodeSleepRunning {
		t.Errorf("the first request got %v", err)
	}
	fixture.WantSound(t, "taken over", l.Store)
}

// lingering is a store whose commit that ends a sleep returns only after a later one has ended.
type lingering struct {
	fixture.SharedStore
	l     *fixture.Life
	later chan struct{} // closed after the first later commit

	mu           sync.Mutex
	begun, ended bool
}

func (x *lingering) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	at, err := x.SharedStore.Update(ctx, scope, fn)
	if x.ended {
		select {
		case <-x.later:
		default:
			close(x.later)
		}
		return at, err
	}
	sleeping := !leaseOf(x.l).IsZero()
	x.begun, x.ended = x.begun || sleeping, x.begun && !sleeping
	if x.ended {
		x.mu.Unlock()
		<-x.later
		x.mu.Lock()
	}
	return at, err
}

// A renewal between the last commit of a sleep and its end finds no lease. The sleep ends well all the
// same, and deletes its plans.
func TestRenewalAfterTheLastCommit(t *testing.T) {
	l := fixture.NewLife(t)
	store := &lingering{SharedStore: fixture.SharedStore{Store: l.Store}, l: l, later: make(chan struct{})}
	server, end := l.Server(store, 21, func(o *engine.Options) { o.Renew = time.Millisecond })
	defer end()
	r, err := server.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep)
	if err != nil || !r.Complete {
		t.Fatalf("%+v, %v", r, err)
	}
	err = l.Store.View(t.Context(), fixture.LoopScope, func(r graph.Reader) error {
		plans, err := r.Notes(graph.NotePlan, "", false, 1)
		if len(plans) > 0 {
			t.Error("a plan remains")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An interrupted sleep is resumed with its own kind, plan and budget, whatever the next
// caller requests.
func TestInterruptedSleepKeepsItsKind(t *testing.T) {
	for _, deep := range []bool{true, false} {
		l := fixture.NewLife(t)
		l.WithEngine(enginetest.CrashAfter(l.Store, 5), func(ctx context.Context, e *engine.Engine) {
			if _, err := e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: deep, Wait: true}); err == nil {
				t.Error("it did not die")
			}
		})
		l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
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
		fixture.WantSound(t, "gone on", l.Store)
	}
}
