package recall_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// A hit that states what is asked of another person, or in a novel or under a condition, answers nothing surely.
func TestWhatIsStatedElsewhereIsNoSureAnswer(t *testing.T) {
	for _, x := range []struct {
		said, question string
		sure           bool
	}{
		{"Suppose my name is Zed.", "What is my name?", false},
		{"In my novel I am called Zed and I'm married to a baron.", "Am I married?", false},
		{"Amy's sister lives in York.", "Where does Amy live?", false},
		{"If I lived in York, I'd cycle to work.", "Where do I live?", false},
		{"My cousin Mia works as a nurse.", "What is the user's job?", false},
		{"My brother works as a carpenter.", "What do I do for a living?", false},
		{"My sister lives in York.", "Where does the user live?", false},
		{"My wife is a vegan.", "What is my diet?", false},
		{"My son goes to Elm School.", "Which school does the user go to?", false},
		{"My friend Tom drives a Golf.", "Which car does the user drive?", false},
		{"My aunt plays the cello.", "Which instrument do I play?", false},
		{"My nephew is eleven years old.", "How old is the user?", false},
		{"I work as a nurse.", "What is the user's job?", true},
		{"My husband is called Emil.", "Who is my husband?", true},
		{"My daughter is called Liv.", "What is my daughter called?", true},
		{"My cousin Mia works as a nurse.", "What is my cousin's job?", true},
		{"My son goes to Elm School.", "Which school does my son go to?", true},
		{"My boss is Dana.", "Who is my boss?", true},
		{"The user works as a nurse.", "What is the user's job?", true},
		{"I play the cello.", "Which instrument do I play?", true},
		{"My name is Ana Berg.", "What is my name?", true},
		{"I'm married to Tom.", "Am I married?", true},
		{"Amy lives in York.", "Where does Amy live?", true},
		{"Amy Berg lives in York.", "Where does Amy live?", true},
		{"My sister lives in York.", "Where does my sister live?", true},
		{"Amy's sister lives in York.", "Where does Amy's sister live?", true},
		{"User lives in Ghent", "Where does the user live?", true},
		{"I live in Ghent.", "Where does the user live?", true},
		{"The user's shoe size is 42.", "What is the user's shoe size?", true},
		{"My shoe size is 42.", "What is the user's shoe size?", true},
	} {
		w := enginetest.New(t)
		m := w.Remember(x.said, by("ana")).Memory
		w.Remember("The user wants the report on Friday.", by("ana"))
		w.Remember("The ferry to the island leaves at nine.", by("ana"))
		r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		if sure := len(r.Hits) > 0 && r.Hits[0].Memory.ID == m.ID && !r.Unsure; sure != x.sure {
			t.Errorf("%q for %q: %d hits, unsure %v", x.said, x.question, len(r.Hits), r.Unsure)
		}
	}
}

// An agent asks about "the user" in other words than the user does, and gets the same answer.
func TestTheUserIsTheSpeaker(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"User prefers the quiet carriage.", "The user wants the report on Friday.", "The user asked for a shorter summary."} {
		w.Remember(text, by("ana"))
	}
	r := w.Search("what is the user's shoe size?", func(in *engine.SearchInput) { in.User = "ana" })
	if !r.NoMatch && !r.Unsure {
		t.Errorf("%d hits answer surely, the first one %q", len(r.Hits), r.Hits[0].Memory.Content)
	}
}
