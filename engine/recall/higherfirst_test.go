package recall_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// saidByAssistant is a source of lower standing than a user.
func saidByAssistant(in *engine.RememberInput) { in.SourceKind = graph.FromAssistant }

// Of two statements on one matter of which neither ended the other, the user's is the first hit, whichever is later.
func TestHigherStandingComesFirst(t *testing.T) {
	for _, x := range []struct{ user, other, question string }{
		{"The ferry to Arran leaves from pier four.", "Arran passengers embark at pier seven.", "At which pier do I embark for Arran?"},
		{"Casper must hand in the survey on 3 December.", "The survey of Casper is due on 17 December.", "When is the survey of Casper due?"},
		{"Vidar studies glaciology.", "Vidar has enrolled in optometry.", "What is Vidar enrolled in?"},
		{"The choir meets in the boathouse.", "We meet in the chapel for the choir.", "Where do we meet for the choir?"},
	} {
		for _, userFirst := range []bool{true, false} {
			w := enginetest.New(t)
			tell := []func() graph.ID{
				func() graph.ID { return said(w, x.user, 24*time.Hour) },
				func() graph.ID {
					id := w.Remember(x.other, by("ana"), saidByAssistant).Memory.ID
					w.Clock.Advance(24 * time.Hour)
					return id
				},
			}
			var user graph.ID
			if userFirst {
				user = tell[0]()
				tell[1]()
			} else {
				tell[1]()
				user = tell[0]()
			}
			r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
			if u := placeOf(r, user); u != 0 {
				t.Errorf("%s (user first: %v): the user's statement is at %d", x.question, userFirst, u)
			}
		}
	}
}

// The later of two statements of a user stays first beside one of lower standing.
func TestHigherStandingKeepsTheOrderOfTheUsersStatements(t *testing.T) {
	for _, x := range []struct{ first, second, other, question string }{
		{"The ferry to Arran leaves from pier four.", "The ferry to Arran leaves from pier seven.", "You embark for Arran at pier two.", "At which pier do I embark for Arran?"},
		{"The choir meets in the boathouse.", "We meet in the chapel for the choir.", "The choir meets in the crypt.", "Where do we meet for the choir?"},
		{"The survey of Casper is due on 3 December.", "Casper's survey is due on 17 December.", "Casper must hand in the survey on 9 December.", "When is the survey of Casper due?"},
	} {
		for place := range 3 { // of the assistant's statement
			w := enginetest.New(t)
			var later graph.ID
			for i := range 3 {
				switch {
				case i == place:
					w.Remember(x.other, by("ana"), saidByAssistant)
					w.Clock.Advance(24 * time.Hour)
				case i == 0 || i == 1 && place == 0:
					said(w, x.first, 24*time.Hour)
				default:
					later = said(w, x.second, 24*time.Hour)
				}
			}
			r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
			if at := placeOf(r, later); at != 0 {
				t.Errorf("%s with the assistant at %d: the later statement is at %d", x.question, place, at)
			}
		}
	}
}

// Who changes a statement needs no more authority than before; somebody else does.
func TestAnUpdateOfLessAuthorityComesFirst(t *testing.T) {
	for _, same := range []bool{true, false} {
		w := enginetest.New(t)
		with := func(authority float64, source string) func(*engine.RememberInput) {
			return func(in *engine.RememberInput) { in.Authority, in.Source = &authority, source }
		}
		other := "phone"
		if !same {
			other = "laptop"
		}
		earlier := w.Remember("The choir meets in the boathouse.", by("ana"), with(0.75, "phone")).Memory.ID
		w.Clock.Advance(24 * time.Hour)
		later := w.Remember("We meet in the chapel for the choir.", by("ana"), with(0.7, other)).Memory.ID
		w.Clock.Advance(24 * time.Hour)
		r := w.Search("Where do we meet for the choir?", func(in *engine.SearchInput) { in.User = "ana" })
		first := later
		if !same {
			first = earlier
		}
		if at := placeOf(r, first); at != 0 {
			t.Errorf("same principal: %v: the statement that counts is at %d", same, at)
		}
	}
}

// What a user said about another matter does not come before the answer, whoever gave it.
func TestLowerStandingAnswersWhatNobodyElseSaid(t *testing.T) {
	for _, x := range []struct{ user, other, question string }{
		{"The copier stands on the second floor.", "The copier prints in colour up to A3.", "Up to which size does the copier print?"},
		{"Oda plays the bassoon.", "Oda was born in Narvik.", "Where was Oda born?"},
		{"My brother has two cats.", "My brother moved to Lund in May.", "Where did my brother move?"},
		{"The meeting is on Friday.", "The meeting is in room 9.", "In which room is the meeting?"},
		{"Ragnhild drives a tram.", "Ragnhild is allergic to walnuts.", "What is Ragnhild allergic to?"},
	} {
		w := enginetest.New(t)
		said(w, x.user, 12*24*time.Hour)
		other := w.Remember(x.other, by("ana"), saidByAssistant).Memory.ID
		if r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" }); placeOf(r, other) != 0 {
			t.Errorf("%s: the answer is at %d", x.question, placeOf(r, other))
		}
	}
}
