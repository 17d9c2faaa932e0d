package patterns_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/erasure"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/graph"
)

// daily has Ana say each text on a day of its own, so that later ones may revise earlier ones.
func (w *world) daily(all ...string) (ids []graph.ID) {
	w.Helper()
	for _, text := range all {
		ids = append(ids, w.remember("loose", text, func(in *ingest.RememberInput) { in.User, in.OnDuplicate, in.Type = "ana", "", "" }))
		w.clock.Advance(24 * time.Hour)
	}
	return ids
}

// alone returns the pattern that answers a FAST search alone; empty: none does.
func (w *world) alone(question string) string {
	w.Helper()
	r, err := w.recall.Search(w.Context(), w.caller, recall.SearchInput{Query: question, User: "ana", Effort: recall.EffortFast})
	if err != nil {
		w.Fatal(err)
	}
	if len(r.Hits) == 1 && r.Hits[0].Tier == recall.TierPattern {
		return r.Hits[0].Memory.Content
	}
	return ""
}

var (
	mustStop = []string{"The shuttle must stop at the mill.", "In the morning the shuttle must stop at the mill.", "Dispatcher: the shuttle must stop at the mill.", "The shuttle must stop at the mill on Mondays too.", "The shuttle must always stop at the mill."}
	mustNot  = []string{"The shuttle must not stop at the mill.", "In the morning the shuttle must not stop at the mill.", "Dispatcher: the shuttle must not stop at the mill.", "The shuttle must not stop at the mill on Mondays.", "The shuttle must no longer stop at the mill."}
	tea      = []string{"I prefer tea for breakfast.", "At the hotel I prefer tea for breakfast.", "Told the waiter I prefer tea for breakfast.", "I prefer tea for breakfast on Sundays too.", "I always prefer tea for breakfast."}
	cocoa    = []string{"I prefer cocoa for breakfast.", "At the hotel I prefer cocoa for breakfast.", "Told the waiter I prefer cocoa for breakfast.", "I prefer cocoa for breakfast on Sundays too.", "I always prefer cocoa for breakfast now."}
)

// A pattern whose sources were superseded answers no longer alone. The next sleep replaces it by what they say now.
func TestWhatSupersedesTheSourcesReplacesThePattern(t *testing.T) {
	for _, x := range []struct {
		question, word, after string
		before, later         []string
	}{
		{"Must the shuttle stop at the mill?", "must stop", "must not stop", mustStop, mustNot},
		{"I prefer tea for breakfast?", "tea", "cocoa", tea, cocoa},
	} {
		w := newWorld(t)
		w.daily(x.before...)
		w.night()
		first := w.one()
		if !strings.Contains(first.Content, x.word) || w.alone(x.question) != first.Content {
			t.Fatalf("%q, alone %q", first.Content, w.alone(x.question))
		}
		w.clock.Advance(48 * time.Hour)
		w.daily(x.later...)
		if got := w.alone(x.question); got != "" {
			t.Errorf("%q answers alone after its sources were superseded", got)
		}
		if p, err := w.patterns.ValidatePattern(t.Context(), w.caller, first.ID); err != nil || p.Memory.Pattern.HeldOut > 0.5 {
			t.Errorf("validated: %+v, %v", p, err)
		}
		report := w.night()
		next := w.one()
		if !strings.Contains(next.Content, x.after) || next.Memory.Pattern.Occurrences < 4 || next.Version != 2 || next.Supersedes != first.ID {
			t.Fatalf("%q, version %d, %+v", next.Content, next.Version, next.Memory.Pattern)
		}
		sources, err := w.patterns.Sources(t.Context(), w.caller, next.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sources {
			if s.State.Status == graph.Superseded || strings.Contains(s.Content, x.word) {
				t.Errorf("%s %q is a source of %q", s.State.Status, s.Content, next.Content)
			}
		}
		if len(w.all()) != 1 {
			t.Errorf("%s", texts(w.all()))
		}
		if _, err := w.sleep.Rollback(t.Context(), w.caller, sleep.RollbackInput{ID: report.ID}); err != nil {
			t.Fatal(err)
		}
		if back := w.one(); back.ID != first.ID {
			t.Errorf("after the rollback: %q", back.Content)
		}
		w.night()
		again := w.one()
		if again.Content != next.Content {
			t.Errorf("the night after the rollback: %q", again.Content)
		}
		if w.night(); w.one().ID != again.ID {
			t.Errorf("the next night made version %d without a change", w.one().Version)
		}
	}
}

// Where nothing replaces it, the pattern ends with the next sleep. It is drawn again when it is said again.
func TestAPatternWithoutSourcesThatHoldEnds(t *testing.T) {
	w := newWorld(t)
	ids := w.daily(mustStop...)
	w.night()
	first := w.one()
	for i, id := range ids[:4] {
		if _, err := w.ingest.Supersede(t.Context(), w.caller, ingest.SupersedeInput{ID: id, Content: strings.Replace("The mill of # is a museum.", "#", said[i], 1)}); err != nil {
			t.Fatal(err)
		}
	}
	report := w.night()
	if got := w.all(); len(got) != 0 {
		t.Fatalf("%s", texts(got))
	}
	old, err := w.patterns.Pattern(t.Context(), w.caller, first.ID)
	if err != nil || old.Status != patterns.Ended {
		t.Fatalf("%+v, %v", old, err)
	}
	steps, err := w.sleep.SleepSteps(t.Context(), w.caller, report.ID, 0)
	if err != nil || !slices.ContainsFunc(steps, func(s sleep.Step) bool {
		return s.Verb == sleep.StepPattern && slices.Equal(s.From, []graph.ID{first.ID}) && s.To == "" && strings.Contains(s.Why(), "superseded")
	}) {
		t.Errorf("%+v, %v", steps, err)
	}
	w.daily("The mill is closed today.", "At the mill the shuttle must stop.", "Emil said that the shuttle must stop at the mill.", "Rolf: the shuttle must stop at the mill again.", "By the plan the shuttle must stop at the mill.")
	w.night()
	if again := w.one(); !strings.Contains(again.Content, "must stop") {
		t.Errorf("%q", again.Content)
	}
}

// An erasure leaves no mark of what it erased, so what the sources still say is drawn again. A pattern that expired is not, and the
// error of supersede says so.
func TestAForgottenPatternIsDrawnAgainAndAnExpiredOneIsNot(t *testing.T) {
	w := newWorld(t)
	w.daily(mustStop...)
	w.night()
	first := w.one()
	_, err := w.ingest.Supersede(t.Context(), w.caller, ingest.SupersedeInput{ID: first.ID, Content: "The shuttle may stop."})
	if graph.CodeOf(err) != graph.CodeForbidden || !strings.Contains(err.Error(), "expire ends it") || !strings.Contains(err.Error(), "draw it again") {
		t.Errorf("supersede: %v", err)
	}
	if _, err := w.erasure.Forget(t.Context(), w.caller, erasure.ForgetInput{IDs: []graph.ID{first.ID}}); err != nil {
		t.Fatal(err)
	}
	w.night()
	again := w.one()
	if again.ID == first.ID || again.Content != first.Content {
		t.Errorf("%q", again.Content)
	}
	if _, err := w.ingest.Expire(t.Context(), w.caller, again.ID); err != nil {
		t.Fatal(err)
	}
	if w.night(); len(w.all()) != 0 {
		t.Errorf("drawn again after it expired: %s", texts(w.all()))
	}
}
