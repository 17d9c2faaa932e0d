package sleep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// A sleep stops when its budget is spent, and reports it. The next sleeps do the rest and
// repeat nothing. Together they have the result of one sleep without a budget.
func TestShortSleepsEqualOneLongSleep(t *testing.T) {
	whole := NewSecretLife(t)
	if _, err := whole.Sleep(whole.Store); err != nil {
		t.Fatal(err)
	}
	want := outcomeOf(whole)
	second := 1
	for _, budget := range []engine.SleepInput{{MaxItems: fixture.Ptr(1)}, {MaxItems: fixture.Ptr(2)}, {MaxItems: fixture.Ptr(5)}, {MaxItems: fixture.Ptr(1 << 20)}, {MaxSeconds: &second}} {
		l := NewSecretLife(t)
		sleeps := 0
		store := &CountingStore{Store: l.Store, before: func(int) {
			if budget.MaxSeconds != nil {
				l.Clock.Advance(150 * time.Millisecond)
			}
		}}
		l.WithEngine(store, func(ctx context.Context, e *engine.Engine) {
			for complete := false; !complete; sleeps++ {
				in := budget
				in.Deep, in.Wait = true, true
				r, err := e.Sleep(ctx, engine.Loopback(), in)
				if err != nil {
					t.Fatal(err)
				}
				complete = r.Complete
				if done := r.Reinforced + r.Pruned + r.Deduplicated + r.Promoted + r.Engraved + r.Dreamed + r.Derived + r.Clustered; budget.MaxItems != nil && (!r.BudgetKept || !complete && done == 0) {
					t.Errorf("sleep %d within %d: %+v", sleeps, *budget.MaxItems, r)
				}
				if sleeps > 100 {
					t.Fatalf("it does not end: %+v", r)
				}
			}
		})
		what, _ := json.Marshal(budget)
		t.Logf("%s: %d sleeps", what, sleeps)
		if short := budget.MaxItems == nil || *budget.MaxItems < 10; short != (sleeps > 2) {
			t.Errorf("%s took %d sleeps", what, sleeps)
		}
		fixture.SameDigest(t, string(what), outcomeOf(l), want)
		fixture.WantSound(t, string(what), l.Store)
	}
}

// A sleep that is interrupted by Close at any point is resumed when the engine is opened
// again.
func TestSleepResumesAfterClose(t *testing.T) {
	whole := fixture.NewLife(t)
	if _, err := whole.Sleep(whole.Store); err != nil {
		t.Fatal(err)
	}
	want := whole.Digest()
	closed := 0
	for commit := 1; ; commit += 2 {
		l := fixture.NewLife(t)
		w := &CountingStore{Store: l.Store}
		var over chan error
		l.WithEngine(w, func(ctx context.Context, e *engine.Engine) {
			w.n = 0
			w.before = func(n int) {
				if n != commit {
					return
				}
				over = make(chan error, 1)
				go func() { over <- e.Close(context.WithoutCancel(ctx)) }()
				for {
					if _, err := e.SleepStatus(ctx, engine.Loopback()); graph.CodeOf(err) == graph.CodeUnavailable {
						return // the engine is closing
					}
					runtime.Gosched()
				}
			}
			_, err := e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true})
			if over == nil {
				return
			}
			if err := <-over; err != nil {
				t.Error(err)
			}
			if err == nil && commit < 20 {
				t.Errorf("closed before commit %d, it still ended", commit)
			}
		})
		if over == nil {
			break
		}
		closed++
		if _, err := l.Sleep(l.Store); err != nil {
			t.Fatal(err)
		}
		fixture.SameDigest(t, fmt.Sprintf("closed before commit %d", commit), l.Digest(), want)
	}
	if closed < 10 {
		t.Errorf("closed %d times only", closed)
	}
}

// No other sleep, consolidation or rollback begins during a sleep. The sleep goes on if its
// caller's context ends.
func TestOneSleepAtATime(t *testing.T) {
	l := fixture.NewLife(t)
	first, err := l.Sleep(l.Store)
	if err != nil {
		t.Fatal(err)
	}
	l.Clock.Advance(24 * time.Hour)
	w := &CountingStore{Store: l.Store}
	l.WithEngine(w, func(ctx context.Context, e *engine.Engine) {
		reports, err := e.MorningReports(ctx, engine.Loopback(), "")
		if err != nil {
			t.Fatal(err)
		}
		client, leave := context.WithCancel(ctx)
		refused := 0
		w.before = func(int) {
			w.before = func(int) {}
			leave()
			for _, ask := range []func() error{
				func() error {
					_, err := e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Wait: true})
					return err
				},
				func() error {
					_, err := e.Consolidate(ctx, engine.Loopback(), engine.ConsolidateInput{Strategy: engine.StrategyAge})
					return err
				},
				func() error {
					_, err := e.Rollback(ctx, engine.Loopback(), engine.RollbackInput{ID: first.ID})
					return err
				},
			} {
				if err := ask(); graph.CodeOf(err) != graph.CodeSleepRunning {
					t.Errorf("while another sleeps: %v", err)
				}
				refused++
			}
		}
		// The first commit of the sleep holds the lock against other sleeps.
		begin := w.before
		w.before = func(int) { w.before = begin }
		if _, err := e.Sleep(client, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true}); !errors.Is(err, context.Canceled) {
			t.Errorf("the disconnected client got %v", err)
		}
		if r := untilReport(t, reports); !r.Complete || refused != 3 {
			t.Errorf("%d refused, %+v", refused, r)
		}
	})
}

// fickle is a recess that refuses a number of times, then accepts.
type fickle struct {
	*enginetest.FakeArchive
	refusals *int
}

func (f fickle) Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) error {
	if *f.refusals > 0 {
		*f.refusals--
		return graph.ErrUnavailable
	}
	return f.FakeArchive.Engrave(ctx, scope, m, vector, at)
}

// slowArchive is a recess that takes a second for each engram.
type slowArchive struct {
	*enginetest.FakeArchive
	clock *enginetest.Clock
}

func (s slowArchive) Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) error {
	s.clock.Advance(time.Second)
	return s.FakeArchive.Engrave(ctx, scope, m, vector, at)
}

// unengraved returns the health status and the memories that the recess refused.
func unengraved(t *testing.T, ctx context.Context, e *engine.Engine) (status string, waiting []engine.DeadLetter) {
	t.Helper()
	h, err := e.Health(ctx, engine.Loopback())
	if err != nil {
		t.Fatal(err)
	}
	waiting, _ = h.Details["unengraved"].([]engine.DeadLetter)
	return h.Status, waiting
}

// An unavailable or slow part does not delay the others. Its work is done in a later sleep.
func TestFailedStepDoesNotStopOthers(t *testing.T) {
	whole := fixture.NewLife(t)
	full, err := whole.Sleep(whole.Store)
	if err != nil {
		t.Fatal(err)
	}
	sleep := func(ctx context.Context, e *engine.Engine) *engine.SleepReport {
		r, err := e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("recess", func(t *testing.T) {
		l := fixture.NewLife(t)
		l.WithEngineOver(l.Store, hashed.New(), fixture.RefusingArchive{FakeArchive: l.Shelf}, func(ctx context.Context, e *engine.Engine) {
			if r := sleep(ctx, e); r.Engraved != 0 || r.Pruned != full.Pruned || r.Deduplicated != full.Deduplicated || r.Derived != full.Derived || !r.Complete {
				t.Errorf("%+v", r)
			}
			status, waiting := unengraved(t, ctx, e)
			most := 0
			for _, x := range waiting {
				most = max(most, x.Attempts)
			}
			if status != "WARNING" || len(waiting) != full.Engraved || most != 3 {
				t.Errorf("health is %s: %+v", status, waiting)
			}
		})
		r, err := l.Sleep(l.Store)
		if err != nil || r.Engraved != full.Engraved {
			t.Errorf("the next night: %+v, %v", r, err)
		}
		fixture.SameDigest(t, "with the recess back", outcomeOf(l), outcomeOf(whole))
	})
	t.Run("recess for a moment", func(t *testing.T) {
		l := fixture.NewLife(t)
		left := 2
		l.WithEngineOver(l.Store, hashed.New(), fickle{l.Shelf, &left}, func(ctx context.Context, e *engine.Engine) {
			if r := sleep(ctx, e); r.Engraved != full.Engraved || !r.Complete || len(r.Skipped) != 0 {
				t.Errorf("%+v", r)
			}
			if _, waiting := unengraved(t, ctx, e); left != 0 || len(waiting) != 0 {
				t.Errorf("%d refusals left, health names %+v", left, waiting)
			}
		})
		fixture.SameDigest(t, "with a recess that hesitates", outcomeOf(l), outcomeOf(whole))
	})
	t.Run("slow recess", func(t *testing.T) {
		l := fixture.NewLife(t)
		l.WithEngineOver(l.Store, hashed.New(), slowArchive{l.Shelf, l.Clock}, func(ctx context.Context, e *engine.Engine) {
			if r := sleep(ctx, e); r.Engraved != full.Engraved || !r.Complete || len(r.Skipped) != 0 {
				t.Errorf("%+v", r)
			}
		})
		fixture.WantSound(t, "slow recess", l.Store)
	})
	t.Run("slow embedder", func(t *testing.T) {
		l := fixture.NewLife(t)
		m := &fixture.MoodyEmbedder{Embedder: hashed.New(), Slow: func() { l.Clock.Advance(300 * time.Millisecond) }}
		l.WithEngineOver(l.Store, m, l.Shelf, func(ctx context.Context, e *engine.Engine) {
			r := sleep(ctx, e)
			if r.Complete || len(r.Skipped) == 0 || r.Derived != 0 || r.Dreamed != 0 || r.Pruned != full.Pruned || r.Engraved != full.Engraved {
				t.Errorf("%+v", r)
			}
			m.Slow = nil
			l.Clock.Advance(time.Hour) // another archival is not due yet
			if r := sleep(ctx, e); r.Derived != full.Derived || r.Dreamed == 0 || !r.Complete {
				t.Errorf("the next sleep: %+v", r)
			}
		})
		fixture.WantSound(t, "slow embedder", l.Store)
	})
	t.Run("embedder away", func(t *testing.T) {
		l := fixture.NewLife(t)
		m := &fixture.MoodyEmbedder{Embedder: hashed.New(), Away: true}
		l.WithEngineOver(l.Store, m, l.Shelf, func(ctx context.Context, e *engine.Engine) {
			// A summary without a vector would be harder to find than its sources.
			if r := sleep(ctx, e); r.Derived != 0 || r.Consolidated != 0 || r.Dreamed != 0 || r.Pruned != full.Pruned {
				t.Errorf("%+v", r)
			}
		})
		fixture.WantSound(t, "embedder away", l.Store)
	})
	t.Run("full store", func(t *testing.T) {
		for commit := 0; commit < 28; commit += 3 {
			l := fixture.NewLife(t)
			w := &brimful{Store: l.Store, left: commit}
			if _, err := l.Sleep(w); graph.CodeOf(err) != graph.CodeUnavailable {
				t.Fatalf("full at commit %d: %v", commit, err)
			}
			if _, err := l.Sleep(l.Store); err != nil {
				t.Fatal(err)
			}
			fixture.SameDigest(t, fmt.Sprintf("full at commit %d", commit), l.Digest(), whole.Digest())
		}
	})
}

// brimful is a store that fails every write from some commit on, and can still be read.
type brimful struct {
	graph.Store
	left int
}

func (f *brimful) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if f.left--; f.left < 0 {
		return 0, graph.ErrUnavailable
	}
	return f.Store.Update(ctx, scope, fn)
}
