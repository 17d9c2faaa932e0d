package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A period that contains the day of the earlier statement is a range: what that statement says holds until the period ends, or until the later
// statement was made in it. A time before the earlier statement leaves it its beginning. The order of arrival changes nothing.
func TestAChangeWithinAPeriodEndsAfterWhatWasSaidInIt(t *testing.T) {
	for _, x := range []struct{ first, then, said, later, from string }{
		{"2029-05-05", "2029-05-25", "I live in Rome.", "I moved to Milan in May.", "2029-05-25"},
		{"2029-05-05", "2029-05-25", "I live in Rome.", "I moved to Milan this month.", "2029-05-25"},
		{"2029-05-25", "2029-12-11", "Nina lives in Oslo.", "Nina moved to Bodø this year.", "2029-12-11"},
		{"2029-12-05", "2030-06-10", "The shop is in Ghent.", "The shop moved to Leuven in 2029.", "2030-01-01"},
		{"2029-05-05", "2029-06-25", "My sister lives in Rome.", "My sister moved to Milan in May.", "2029-06-01"},
		{"2029-04-05", "2029-05-25", "I live in Rome.", "I moved to Milan in May.", "2029-05-01"},
		{"2029-04-05", "2029-05-25", "I live in Rome.", "I moved to Milan on 3 May.", "2029-05-03"},
	} {
		first, then := day(t, x.first), day(t, x.then)
		for _, late := range []bool{false, true} {
			w := enginetest.New(t)
			w.Clock.Advance(then.AddDate(1, 0, 0).Sub(w.Clock.Now()))
			say := func(text string, at time.Time) graph.ID {
				return w.Remember(text, func(in *engine.RememberInput) { in.User, in.OccurredAt = "ana", at }).Memory.ID
			}
			var old, new graph.ID
			if late {
				new = say(x.later, then)
				w.Clock.Advance(time.Hour)
				old = say(x.said, first)
			} else {
				old = say(x.said, first)
				w.Clock.Advance(time.Hour)
				new = say(x.later, then)
			}
			a, b := view(w, old).Memory, view(w, new).Memory
			from := day(t, x.from)
			if a.Status() != graph.Superseded || !a.ValidFrom.Equal(first) || !a.State().ValidTo.Equal(from) {
				t.Errorf("late %v: %q is %s, %s to %s", late, x.said, a.Status(), a.ValidFrom, a.State().ValidTo)
			}
			if claim := b.Claims[0].State(); !b.ValidFrom.Equal(from) || !claim.ValidFrom.Equal(from) {
				t.Errorf("late %v: %q is valid from %s, its claim from %s", late, x.later, b.ValidFrom, claim.ValidFrom)
			}
		}
	}
}

// A year long before the earlier statement does not make a move a rival: the later statement holds, and the earlier one keeps its beginning.
func TestAMoveOfAnEarlierYearRevises(t *testing.T) {
	for _, x := range []struct{ said, later string }{
		{"The office is in Ghent.", "The office moved to Leuven in 2025."},
		{"My sister lives in Rome.", "My sister moved to Milan in 2020."},
		{"I live in Rome.", "I moved to Milan in 2020."},
	} {
		w := enginetest.New(t)
		w.Clock.Advance(day(t, "2029-05-05").Sub(w.Clock.Now()))
		old := w.Remember(x.said, func(in *engine.RememberInput) { in.User = "ana" }).Memory
		w.Clock.Advance(30 * 24 * time.Hour)
		new := w.Remember(x.later, func(in *engine.RememberInput) { in.User = "ana" }).Memory
		a, b := view(w, old.ID).Memory, view(w, new.ID).Memory
		if a.Status() != graph.Superseded || b.Status() != graph.Active || b.Conflict > contestedAbove {
			t.Errorf("%q then %q: %s, %s with conflict %.2f", x.said, x.later, a.Status(), b.Status(), b.Conflict)
		}
		if !a.ValidFrom.Equal(old.ValidFrom) || !a.State().ValidTo.After(a.ValidFrom) {
			t.Errorf("%q holds from %s to %s", x.said, a.ValidFrom, a.State().ValidTo)
		}
	}
}

func day(t *testing.T, text string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
