package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

var aboutAna = []string{
	"My salary is 5200", "My dog is called Biscuit", "My dentist is Dr. Petrov", "My wife Marta is a nurse", "My blood type is A positive",
	"My car is a Golf", "My landlord is Mr. Okafor", "I live in Oslo", "I'm 43", "I was born in Kiel",
}

// The facts of a user include those of what belongs to the user, and "my wife" is also who is called so with a name.
func TestFactsOfAUserIncludeWhatBelongsToTheUser(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range aboutAna {
		said(w, text, 5*time.Hour)
	}
	w.Remember("My dentist is Dr. Hale.", by("bo"))
	for _, subject := range []string{"me", "ana", "user"} {
		if got := factsOf(w, engine.FactsInput{Subject: subject, User: "ana"}); len(got) != len(aboutAna) {
			t.Errorf("%s: %d of %d: %q", subject, len(got), len(aboutAna), got)
		}
	}
	for subject, object := range map[string]string{"my wife": "nurse", "wife": "nurse", "dentist": "Petrov", "my salary": "5200", "Marta": "nurse"} {
		if got := factsOf(w, engine.FactsInput{Subject: subject, User: "ana"}); len(got) != 1 || !strings.Contains(got[0], object) {
			t.Errorf("%s: %q", subject, got)
		}
	}
	want(w, "a predicate", engine.FactsInput{Subject: "me", User: "ana", Predicate: "lives in"}, "ana | lives in | Oslo")
}

// "What do you know about me?" is answered by the facts of the user.
func TestAQuestionForAllThatIsKnownOfTheUser(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range aboutAna {
		said(w, text, 5*time.Hour)
	}
	w.Remember("My dentist is Dr. Hale.", by("bo"))
	w.Remember("The harbour opens at seven.")
	w.Clock.Advance(200 * 24 * time.Hour)
	for _, question := range []string{"What do you know about me?", "Tell me about myself", "What do you remember about me?"} {
		r := w.Search(question, func(in *engine.SearchInput) { in.User = "ana" })
		if r.NoMatch || len(r.Hits) != len(aboutAna) {
			t.Errorf("%q: noMatch %v, %d hits", question, r.NoMatch, len(r.Hits))
		}
		text := contextOf(w, question).Text
		for _, s := range aboutAna {
			if !strings.Contains(text, s) {
				t.Errorf("%q: no %q in\n%s", question, s, text)
			}
		}
		if strings.Contains(text, "Hale") {
			t.Errorf("%q: %s", question, text)
		}
	}
	for _, question := range []string{"What do you know about the harbour?", "What did Marta say about me?"} {
		if r := w.Search(question, func(in *engine.SearchInput) { in.User = "ana" }); len(r.Hits) > 5 {
			t.Errorf("%q: %d hits", question, len(r.Hits))
		}
	}
}
