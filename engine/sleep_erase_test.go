package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// watched is a store that calls before each of its commits.
type watched struct {
	graph.Store
	before func(commit int)
	n      int
	inside bool
}

// Update counts commits of one caller at a time; what before does itself is not counted.
func (w *watched) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if !w.inside {
		w.inside = true
		w.before(w.n)
		w.n++
		w.inside = false
	}
	return w.Store.Update(ctx, scope, fn)
}

var loopScope = graph.Scope{Tenant: engine.Loopback().Tenant}

// sound fails where memory is not.
func sound(t *testing.T, what string, store graph.Store) {
	t.Helper()
	flaws, err := enginetest.Faults(t.Context(), store, loopScope)
	if err != nil {
		t.Fatal(err)
	}
	if len(flaws) > 0 {
		t.Fatalf("%s: %d flaws\n%s", what, len(flaws), strings.Join(flaws[:min(len(flaws), 8)], "\n"))
	}
}

// silent fails where a word is stored anywhere.
func silent(t *testing.T, what string, store graph.Store, words ...string) {
	t.Helper()
	all, err := enginetest.StoredText(t.Context(), store, loopScope)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words {
		if at := strings.Index(all, w); at >= 0 {
			t.Fatalf("%s: %q stands in\n%s", what, w, all[max(0, at-200):min(len(all), at+200)])
		}
	}
}

// find is the memory that holds a text, in any status.
func (l *life) find(text string) graph.ID {
	l.t.Helper()
	id := graph.ID("")
	err := l.store.View(l.t.Context(), loopScope, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		for _, m := range all {
			if strings.Contains(m.Content, text) && m.SourceKind != graph.FromConsolidation && id == "" {
				id = m.ID
			}
		}
		return err
	})
	if err != nil || id == "" {
		l.t.Fatalf("no memory says %q: %v", text, err)
	}
	return id
}

func (l *life) statusOf(id graph.ID) (status graph.Status) {
	l.t.Helper()
	err := l.store.View(l.t.Context(), loopScope, func(r graph.Reader) error {
		m, err := r.Memory(id)
		if err == nil {
			status = m.Status()
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return status
}

// secretLife is a life with somebody's secret in it, as a relation too.
func secretLife(t *testing.T) *life {
	l := newLife(t)
	l.wake(l.store, func(ctx context.Context, e *engine.Engine) {
		high := 0.9
		l.remember(ctx, e, engine.RememberInput{
			Content: "Tomas whistleblew on Harbourmaster.", Subject: "Tomas", Predicate: "whistleblew", Object: "Harbourmaster", User: "mira", Salience: &high,
		})
		l.remember(ctx, e, engine.RememberInput{Content: "Tomas and Harbourmaster had lunch.", User: "mira", Entities: []string{"Tomas", "Harbourmaster"}, Salience: &high})
		for i, s := range []string{"We decided to paint the north door vermilion.", "We decided to keep the old hinges."} {
			l.remember(ctx, e, engine.RememberInput{
				Content: s, User: "mira", Project: "boathouse", Type: graph.Episodic, Session: fmt.Sprint("p", i), OccurredAt: l.clock.Now().AddDate(0, -1, i), Salience: &high,
			})
		}
	})
	l.clock.Advance(time.Hour)
	return l
}

// Whatever is erased while a sleep is on its way, at whichever of its commits, stays
// erased: through the rest of the sleep, a rollback, and another sleep. Nothing else goes
// with it but what was derived from it, and no note keeps a word of it.
func TestWhatIsErasedDuringASleepStaysErased(t *testing.T) { eraseDuringSleep(t, 14) }

// eraseDuringSleep erases before each stride-th commit.
func eraseDuringSleep(t *testing.T, stride int) {
	victims := []struct{ name, text, words string }{
		{"a source of a summary", "repaired by Tomas for 240 euros", "240 euros"},
		{"another source", "painted the sluice", "painted"},
		{"a twin", "gate code of the yard", ""}, // the others say the same
		{"an engram", "allergic to walnuts", "walnuts"},
		{"a relation", "whistleblew", "whistleblew"},
		{"what a page cites", "vermilion", "vermilion"},
		{"chatter", "kettle whistled", "kettle"},
	}
	erased := 0
	for i, v := range victims {
		for commit := i % stride; ; commit += stride {
			l := secretLife(t)
			id := l.find(v.text)
			what := fmt.Sprintf("%s, erased before commit %d", v.name, commit)
			var report *engine.SleepReport
			reached := false
			w := &watched{Store: l.store}
			l.wake(w, func(ctx context.Context, e *engine.Engine) {
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
			l.gone(what, id, v.words)
			l.wake(l.store, func(ctx context.Context, e *engine.Engine) {
				if _, err := e.Rollback(ctx, engine.Loopback(), report.ID); err != nil {
					t.Fatalf("%s: rollback: %v", what, err)
				}
			})
			l.gone(what+", rolled back", id, v.words)
			l.allThere(what, id)
			if _, err := l.sleep(l.store); err != nil {
				t.Fatal(err)
			}
			l.gone(what+", slept again", id, v.words)
		}
	}
	if erased < 2*len(victims) {
		t.Errorf("only %d erasures", erased)
	}
	t.Logf("%d erasures", erased)
}

// What a sleep derived is erased with its source also when it was rolled back before.
func TestWhatWasRolledBackIsErasedToo(t *testing.T) {
	l := secretLife(t)
	r, err := l.sleep(l.store)
	if err != nil || r.Derived == 0 {
		t.Fatal(r, err)
	}
	id := l.find("repaired by Tomas for 240 euros")
	l.wake(l.store, func(ctx context.Context, e *engine.Engine) {
		if _, err := e.Rollback(ctx, engine.Loopback(), r.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Forget(ctx, engine.Loopback(), engine.ForgetInput{IDs: []graph.ID{id}}); err != nil {
			t.Fatal(err)
		}
	})
	l.gone("erased behind the rollback", id, "240 euros")
	l.allThere("erased behind the rollback", id)
}

// A consolidation of one user's memories does not keep the user's name.
func TestNoNoteKeepsAUser(t *testing.T) {
	l := secretLife(t)
	l.wake(l.store, func(ctx context.Context, e *engine.Engine) {
		days := 1
		if _, err := e.Consolidate(ctx, engine.Loopback(), engine.ConsolidateInput{Strategy: engine.StrategyAge, User: "mira", OlderThanDays: &days}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Forget(ctx, engine.Loopback(), engine.ForgetInput{User: "mira"}); err != nil {
			t.Fatal(err)
		}
	})
	silent(t, "after erasing a user", l.store, "mira")
}

// gone checks that a memory is erased, and memory is sound.
func (l *life) gone(what string, id graph.ID, words string) {
	l.t.Helper()
	if s := l.statusOf(id); s != graph.Forgotten {
		l.t.Fatalf("%s: it is %s", what, s)
	}
	if words != "" {
		silent(l.t, what, l.store, words)
	}
	if _, err := l.shelf.Read(l.t.Context(), loopScope, id); err == nil {
		l.t.Fatalf("%s: its engram is there", what)
	}
	sound(l.t, what, l.store)
}

// allThere checks that everything is ACTIVE again that nobody erased.
func (l *life) allThere(what string, but graph.ID) {
	l.t.Helper()
	err := l.store.View(l.t.Context(), loopScope, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		for _, m := range all {
			if m.ID != but && m.SourceKind != graph.FromConsolidation && m.Status() != graph.Active && m.Status() != graph.Forgotten {
				l.t.Errorf("%s: %q is %s", what, m.Content, m.Status())
			}
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
}
