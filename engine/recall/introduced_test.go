package recall_test

import (
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// TestFactsUnderAnIntroducedName finds what was said of somebody by the noun under the name, and the other way round, for the user
// whose memories they are.
func TestFactsUnderAnIntroducedName(t *testing.T) {
	w := enginetest.New(t)
	remember := func(user string, texts ...string) {
		for _, text := range texts {
			w.Remember(text, byUser(user))
			w.Clock.Advance(24 * time.Hour)
		}
	}
	remember("ana", "My daughter is called Liv.", "My daughter is allergic to nuts.", "Liv plays the cello.")
	remember("bo", "My daughter is allergic to milk.", "My brother is called Jon.", "My other brother is called Max.", "My brother lives in Hull.")
	both := []string{"ana's daughter | is allergic to | nuts", "ana's daughter | is called | Liv", "Liv | plays | cello"}
	for _, x := range []struct {
		user, subject string
		want          []string
	}{
		{"ana", "Liv", both},
		{"ana", "my daughter", both},
		{"ana", "ana's daughter", both},
		{"bo", "my daughter", []string{"bo's daughter | is allergic to | milk"}},
		{"bo", "Liv", nil},
		{"bo", "Max", []string{"bo's other brother | is called | Max"}},
		{"bo", "Jon", []string{"bo's brother | is called | Jon"}},
	} {
		got := factsOf(w, engine.FactsInput{User: x.user, Subject: x.subject})
		if slices.Sort(got); !slices.Equal(got, sorted(x.want)) {
			t.Errorf("%s: facts of %q: %q, want %q", x.user, x.subject, got, x.want)
		}
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }
