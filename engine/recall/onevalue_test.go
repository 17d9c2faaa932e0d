package recall_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// What an assistant said in two wordings comes after what the user said, though the relation is read for one of the two only.
func TestOneValueInOtherWordsComesAfterTheUsersStatement(t *testing.T) {
	for _, x := range []struct{ user, plain, other, question string }{
		{"Wiebke belongs to the grants office.", "Wiebke belongs to the field unit.", "Wiebke was moved to the field unit.", "Of what department is Wiebke a member?"},
		{"For repairs I quote contract LM-4410.", "The contract of my boiler runs under RS-7002.", "My boiler contract has the number RS-7002.", "What is my boiler contract id?"},
		{"The tent is kept in the loft.", "The tent is kept in the garage locker.", "You will find the tent in the garage locker.", "Where do I look for the tent?"},
		{"The choir meets in the boathouse.", "The choir meets in the chapel.", "We gather in the chapel for the choir.", "Where do we gather for the choir?"},
	} {
		w := enginetest.New(t)
		user := said(w, x.user, 24*time.Hour)
		for _, text := range []string{x.plain, x.other} {
			w.Remember(text, by("ana"), saidByAssistant)
			w.Clock.Advance(24 * time.Hour)
		}
		r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		if at := placeOf(r, user); at != 0 {
			t.Errorf("%s the user's statement is at %d", x.question, at)
		}
	}
}

// A statement with the same value about another matter stays where it is.
func TestOneValueOfAnotherMatterStaysFirst(t *testing.T) {
	for _, x := range []struct{ user, plain, answer, question string }{
		{"The standup is at 9:30.", "The standup is at 10:00.", "The dentist expects you at 10:00.", "When does the dentist expect me?"},
		{"The survey of Casper is due on 3 December.", "The survey of Casper is due on 17 December.", "Casper sails to Leith on 17 December.", "When does Casper sail to Leith?"},
		{"The tent is kept in the loft.", "The tent is kept in the garage locker.", "The ladder stands in the garage locker.", "Where is the ladder?"},
		{"Wiebke belongs to the grants office.", "Wiebke belongs to the field unit.", "Malte is head of the field unit.", "Who is head of the field unit?"},
	} {
		w := enginetest.New(t)
		said(w, x.user, 24*time.Hour)
		var answer graph.ID
		for _, text := range []string{x.plain, x.answer} {
			answer = w.Remember(text, by("ana"), saidByAssistant).Memory.ID
			w.Clock.Advance(24 * time.Hour)
		}
		r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		if at := placeOf(r, answer); at != 0 {
			t.Errorf("%s the answer is at %d", x.question, at)
		}
	}
}

// What the order of diverse hits left out comes first if it stands over a hit of the same form.
func TestAStatementOfTheSameFormIsNoReasonToLeaveOutTheUsers(t *testing.T) {
	w := enginetest.New(t)
	user := said(w, "You find the locker of Ottokar on the ground floor.", 24*time.Hour)
	for _, text := range []string{"You find the locker of Ottokar on the seventh floor.", "Ottokar has a room on the seventh floor."} {
		w.Remember(text, by("ana"), saidByAssistant)
		w.Clock.Advance(24 * time.Hour)
	}
	r := w.Search("At which level do I ring for Ottokar?", func(in *engine.SearchInput) { in.User = "ana" })
	if at := placeOf(r, user); at != 0 {
		t.Errorf("the user's statement is at %d", at)
	}
}
