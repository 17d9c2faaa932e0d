package sleep_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// CountingStore is a store that calls a function before each of its commits.
type CountingStore struct {
	graph.Store
	before func(commit int)
	n      int
	inside bool
}

// Update counts the commits of one caller at a time. Commits of the function before are not
// counted.
func (w *CountingStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if !w.inside {
		w.inside = true
		w.before(w.n)
		w.n++
		w.inside = false
	}
	return w.Store.Update(ctx, scope, fn)
}

// NewSecretLife returns a life with a user's secret in it, also as a relation.
func NewSecretLife(t *testing.T) *fixture.Life {
	l := fixture.NewLife(t)
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		high := 0.9
		l.Remember(ctx, e, engine.RememberInput{
			Content: "Tomas whistleblew on Harbourmaster.", Subject: "Tomas", Predicate: "whistleblew", Object: "Harbourmaster", User: "mira", Salience: &high,
		})
		l.Remember(ctx, e, engine.RememberInput{Content: "Tomas and Harbourmaster had lunch.", User: "mira", Entities: []string{"Tomas", "Harbourmaster"}, Salience: &high})
		for i, s := range []string{"We decided to paint the north door vermilion.", "We decided to keep the old hinges."} {
			l.Remember(ctx, e, engine.RememberInput{
				Content: s, User: "mira", Project: "boathouse", Type: graph.Episodic, Session: fmt.Sprint("p", i), OccurredAt: l.Clock.Now().AddDate(0, -1, i), Salience: &high,
			})
		}
	})
	l.Clock.Advance(time.Hour)
	return l
}

// A memory that is erased during a sleep, at any of its commits, stays erased through the
// rest of the sleep, a rollback and another sleep. Only memories derived from it are erased
// with it, and no note keeps a word of it.
func TestMemoryErasedDuringSleepStaysErased(t *testing.T) { eraseDuringSleep(t, 14) }

// eraseDuringSleep erases before each stride-th commit.
func eraseDuringSleep(t *testing.T, stride int) {
	victims := []struct{ name, text, words string }{
		{"a source of a summary", "repaired by Tomas for 240 euros", "240 euros"},
		{"another source", "painted the sluice", "painted"},
		{"a twin", "gate code of the yard", ""}, // its duplicates stay
		{"an engram", "allergic to walnuts", "walnuts"},
		{"a relation", "whistleblew", "whistleblew"},
		{"what a page cites", "vermilion", "vermilion"},
		{"chatter", "kettle whistled", "kettle"},
	}
	erased := 0
	for i, v := range victims {
		for commit := i % stride; ; commit += stride {
			l := NewSecretLife(t)
			id := l.Find(v.text)
			what := fmt.Sprintf("%s, erased before commit %d", v.name, commit)
			var report *engine.SleepReport
			reached := false
			w := &CountingStore{Store: l.Store}
			l.WithEngine(w, func(ctx context.Context, e *engine.Engine) {
				w.n = 0
				w.before = func(n int) {
					if n != commit {
						return
					}
					reached = true
					if _, err := e.Forget(ctx, engine.Loopback(), engine.ForgetInput{IDs: []graph.ID{id}}); err != nil {
						t.Fatal(err)
					}
				}
				r, err := e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true})
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				report = r
			})
			if !reached {
				break
			}
			erased++
			if !report.Complete {
				t.Fatalf("%s: %+v", what, report)
			}
			wantGone(l, what, id, v.words)
			l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
				if _, err := e.Rollback(ctx, engine.Loopback(), engine.RollbackInput{ID: report.ID}); err != nil {
					t.Fatalf("%s: rollback: %v", what, err)
				}
			})
			wantGone(l, what+", rolled back", id, v.words)
			wantAllBut(l, what, id)
			if _, err := l.Sleep(l.Store); err != nil {
				t.Fatal(err)
			}
			wantGone(l, what+", slept again", id, v.words)
		}
	}
	if erased < 2*len(victims) {
		t.Errorf("only %d erasures", erased)
	}
	t.Logf("%d erasures", erased)
}

// A memory that a sleep derived is erased with its source, even after a rollback.
func TestErasureReachesRolledBackMemories(t *testing.T) {
	l := NewSecretLife(t)
	r, err := l.Sleep(l.Store)
	if err != nil || r.Derived == 0 {
		t.Fatal(r, err)
	}
	id := l.Find("repaired by Tomas for 240 euros")
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		if _, err := e.Rollback(ctx, engine.Loopback(), engine.RollbackInput{ID: r.ID}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Forget(ctx, engine.Loopback(), engine.ForgetInput{IDs: []graph.ID{id}}); err != nil {
			t.Fatal(err)
		}
	})
	wantGone(l, "erased behind the rollback", id, "240 euros")
	wantAllBut(l, "erased behind the rollback", id)
}

// The notes of a consolidation of one user's memories do not contain the user's name.
func TestNotesKeepNoUser(t *testing.T) {
	l := NewSecretLife(t)
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		days := 1
		if _, err := e.Consolidate(ctx, engine.Loopback(), engine.ConsolidateInput{Strategy: engine.StrategyAge, User: "mira", OlderThanDays: &days}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Forget(ctx, engine.Loopback(), engine.ForgetInput{User: "mira"}); err != nil {
			t.Fatal(err)
		}
	})
	wantSilent(t, "after erasing a user", l.Store, "mira")
}
