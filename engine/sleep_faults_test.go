package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// outcome is what a sleep came to, without when and by which ids: one line a memory and
// relation.
func (l *life) outcome() string {
	l.t.Helper()
	var lines []string
	round := func(x float64) float64 { return math.Round(x*1e3) / 1e3 }
	err := l.store.View(l.t.Context(), loopScope, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		if err != nil {
			return err
		}
		lines = nil
		for _, m := range all {
			into := ""
			if m.Consolidated != "" {
				x, err := r.Memory(m.Consolidated)
				if err != nil {
					return err
				}
				into = x.Content
			}
			edges, err := r.Edges(m.ID, graph.Both)
			if err != nil {
				return err
			}
			vector, err := r.Embedding(m.ID)
			if err != nil {
				return err
			}
			s := m.State()
			text, err := json.Marshal([]any{
				m.Content, m.Project, m.Type, s.Status, s.Tier, into, round(m.Confidence), round(m.Authority), m.Consent, m.Sensitivity,
				round(m.Salience), round(m.Importance), round(m.Conflict), len(edges), round(float64(vector[0])),
			})
			if err != nil {
				return err
			}
			lines = append(lines, string(text))
		}
		entities, err := r.ListEntities(graph.EntityQuery{})
		if err != nil {
			return err
		}
		for _, x := range entities {
			relations, err := r.Relations(x.ID, graph.Out, "", 0)
			if err != nil {
				return err
			}
			for _, y := range relations {
				lines = append(lines, fmt.Sprint(x.Name, y.Predicate, round(y.Strength)))
			}
		}
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// A budget stops a sleep, which says so; the next ones do the rest and nothing twice:
// together they come to what one sleep without a budget does.
func TestShortSleepsComeToOneLongOne(t *testing.T) {
	whole := secretLife(t)
	if _, err := whole.sleep(whole.store); err != nil {
		t.Fatal(err)
	}
	want := whole.outcome()
	second := 1
	for _, budget := range []engine.SleepInput{{MaxItems: ptr(1)}, {MaxItems: ptr(2)}, {MaxItems: ptr(5)}, {MaxItems: ptr(1 << 20)}, {MaxSeconds: &second}} {
		l := secretLife(t)
		sleeps := 0
		store := &watched{Store: l.store, before: func(int) {
			if budget.MaxSeconds != nil {
				l.clock.Advance(150 * time.Millisecond)
			}
		}}
		l.wake(store, func(ctx context.Context, e *engine.Engine) {
			for complete := false; !complete; sleeps++ {
				in := budget
				in.Deep, in.Wait = true, true
				r, err := e.Sleep(ctx, engine.Loopback(), in)
				if err != nil {
					t.Fatal(err)
				}
				complete = r.Complete
				if done := r.Reinforced + r.Pruned + r.Deduplicated + r.Promoted + r.Engraved + r.Dreamed + r.Derived; budget.MaxItems != nil && (!r.BudgetKept || !complete && done == 0) {
					t.Errorf("sleep %d within %d: %+v", sleeps, *budget.MaxItems, r)
				}
				if sleeps > 100 {
					t.Fatalf("it comes to no end: %+v", r)
				}
			}
		})
		what, _ := json.Marshal(budget)
		t.Logf("%s: %d sleeps", what, sleeps)
		if short := budget.MaxItems == nil || *budget.MaxItems < 10; short != (sleeps > 2) {
			t.Errorf("%s took %d sleeps", what, sleeps)
		}
		same(t, string(what), l.outcome(), want)
		sound(t, string(what), l.store)
	}
}

// One that is closed while it sleeps goes on from where it was when it is opened again,
// wherever that is.
func TestASleepThatIsClosedGoesOn(t *testing.T) {
	whole := newLife(t)
	if _, err := whole.sleep(whole.store); err != nil {
		t.Fatal(err)
	}
	want := whole.digest()
	closed := 0
	for commit := 1; ; commit += 2 {
		l := newLife(t)
		w := &watched{Store: l.store}
		var over chan error
		l.wake(w, func(ctx context.Context, e *engine.Engine) {
			w.n = 0
			w.before = func(n int) {
				if n != commit {
					return
				}
				over = make(chan error, 1)
				go func() { over <- e.Close(context.WithoutCancel(ctx)) }()
				for {
					if _, err := e.SleepStatus(ctx, engine.Loopback()); graph.CodeOf(err) == graph.CodeUnavailable {
						return // it is closing
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
				t.Errorf("closed before commit %d, it ended all the same", commit)
			}
		})
		if over == nil {
			break
		}
		closed++
		if _, err := l.sleep(l.store); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("closed before commit %d", commit), l.digest(), want)
	}
	if closed < 10 {
		t.Errorf("closed %d times only", closed)
	}
}

// While one sleeps, no other sleep, consolidation or rollback begins; and who asked for
// it may go away.
func TestOneSleepAtATime(t *testing.T) {
	l := newLife(t)
	first, err := l.sleep(l.store)
	if err != nil {
		t.Fatal(err)
	}
	l.clock.Advance(24 * time.Hour)
	w := &watched{Store: l.store}
	l.wake(w, func(ctx context.Context, e *engine.Engine) {
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
				func() error { _, err := e.Rollback(ctx, engine.Loopback(), first.ID); return err },
			} {
				if err := ask(); graph.CodeOf(err) != graph.CodeSleepRunning {
					t.Errorf("while another sleeps: %v", err)
				}
				refused++
			}
		}
		// The first commit, the one that begins it, holds the lock that keeps others out.
		begin := w.before
		w.before = func(int) { w.before = begin }
		if _, err := e.Sleep(client, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true}); !errors.Is(err, context.Canceled) {
			t.Errorf("the client that went was answered %v", err)
		}
		if r := untilReport(t, reports); !r.Complete || refused != 3 {
			t.Errorf("%d refused, %+v", refused, r)
		}
	})
}

// moody is an embedder that can be away, or slow by a clock.
type moody struct {
	models.Embedder
	away bool
	slow func()
}

func (m *moody) Embed(ctx context.Context, texts []string, as models.Kind) ([][]float32, error) {
	if m.slow != nil {
		m.slow()
	}
	if m.away {
		return nil, graph.ErrUnavailable
	}
	return m.Embedder.Embed(ctx, texts, as)
}

// broken is a recess that refuses.
type broken struct{ *enginetest.FakeArchive }

func (broken) Engrave(context.Context, graph.Scope, *graph.Memory, []float32, time.Time) error {
	return graph.ErrUnavailable
}

// fickle is a recess that refuses so often, and then takes what it is given.
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

// unengraved is what health says of memories that the recess refused.
func unengraved(t *testing.T, ctx context.Context, e *engine.Engine) (status string, waiting []engine.DeadLetter) {
	t.Helper()
	h, err := e.Health(ctx, engine.Loopback())
	if err != nil {
		t.Fatal(err)
	}
	waiting, _ = h.Details["unengraved"].([]engine.DeadLetter)
	return h.Status, waiting
}

// open is as wake, with parts that fail.
func (l *life) open(store graph.Store, embedder models.Embedder, recess engine.Recess, do func(ctx context.Context, e *engine.Engine)) {
	l.t.Helper()
	ctx := l.t.Context()
	idx, err := index.Open(ctx, store, index.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	e, err := engine.New(ctx, engine.Options{
		Store: store, Index: idx, Embedder: embedder, Clock: l.clock, Rand: enginetest.Random(9), Recess: recess, SleepBatch: 1, Retry: time.Millisecond, EngraveWaits: []time.Duration{0, time.Millisecond},
	})
	if err != nil {
		l.t.Fatal(err)
	}
	do(ctx, e)
	if err := errors.Join(e.Close(ctx), idx.Close(ctx)); err != nil {
		l.t.Fatal(err)
	}
}

// What is away or slow holds nothing else up, and its part is done another night.
func TestWhatFailsHoldsNothingElseUp(t *testing.T) {
	whole := newLife(t)
	full, err := whole.sleep(whole.store)
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
		l := newLife(t)
		l.open(l.store, hashed.New(), broken{l.shelf}, func(ctx context.Context, e *engine.Engine) {
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
		r, err := l.sleep(l.store)
		if err != nil || r.Engraved != full.Engraved {
			t.Errorf("the next night: %+v, %v", r, err)
		}
		same(t, "with the recess back", l.outcome(), whole.outcome())
	})
	t.Run("recess for a moment", func(t *testing.T) {
		l := newLife(t)
		left := 2
		l.open(l.store, hashed.New(), fickle{l.shelf, &left}, func(ctx context.Context, e *engine.Engine) {
			if r := sleep(ctx, e); r.Engraved != full.Engraved || !r.Complete || len(r.Skipped) != 0 {
				t.Errorf("%+v", r)
			}
			if _, waiting := unengraved(t, ctx, e); left != 0 || len(waiting) != 0 {
				t.Errorf("%d refusals left, health names %+v", left, waiting)
			}
		})
		same(t, "with a recess that hesitates", l.outcome(), whole.outcome())
	})
	t.Run("slow embedder", func(t *testing.T) {
		l := newLife(t)
		m := &moody{Embedder: hashed.New(), slow: func() { l.clock.Advance(300 * time.Millisecond) }}
		l.open(l.store, m, l.shelf, func(ctx context.Context, e *engine.Engine) {
			r := sleep(ctx, e)
			if r.Complete || len(r.Skipped) == 0 || r.Derived != 0 || r.Dreamed != 0 || r.Pruned != full.Pruned || r.Engraved != full.Engraved {
				t.Errorf("%+v", r)
			}
			m.slow = nil
			l.clock.Advance(24 * time.Hour)
			if r := sleep(ctx, e); r.Derived != full.Derived || r.Dreamed == 0 || !r.Complete {
				t.Errorf("the next night: %+v", r)
			}
		})
		sound(t, "slow embedder", l.store)
	})
	t.Run("embedder away", func(t *testing.T) {
		l := newLife(t)
		m := &moody{Embedder: hashed.New(), away: true}
		l.open(l.store, m, l.shelf, func(ctx context.Context, e *engine.Engine) {
			if r := sleep(ctx, e); r.Derived != full.Derived || r.Dreamed != 0 || r.Pruned != full.Pruned {
				t.Errorf("%+v", r)
			}
		})
		m.away = false // nobody asks it meanwhile
		l.open(l.store, m, l.shelf, func(ctx context.Context, e *engine.Engine) {
			for pending := true; pending; runtime.Gosched() {
				err := l.store.View(ctx, loopScope, func(r graph.Reader) error {
					waiting, err := r.ListMemories(graph.MemoryQuery{Pending: true})
					pending = len(waiting) > 0
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		})
		sound(t, "embedder away", l.store)
	})
	t.Run("full store", func(t *testing.T) {
		for commit := 0; commit < 28; commit += 3 {
			l := newLife(t)
			w := &brimful{Store: l.store, left: commit}
			if _, err := l.sleep(w); graph.CodeOf(err) != graph.CodeUnavailable {
				t.Fatalf("full at commit %d: %v", commit, err)
			}
			if _, err := l.sleep(l.store); err != nil {
				t.Fatal(err)
			}
			same(t, fmt.Sprintf("full at commit %d", commit), l.digest(), whole.digest())
		}
	})
}

// brimful is a store that takes no more from some commit on, and can be read.
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
