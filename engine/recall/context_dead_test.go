package recall_test

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// What a prompt prints of the dead it prints with their death, and nothing of it for others.
func TestAPromptTellsTheDeathOfWhomItSpeaks(t *testing.T) {
	w := enginetest.New(t)
	say := func(user, text string) {
		t.Helper()
		if _, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: text, User: user, Consent: graph.ConsentExplicit, Session: "s-" + text}); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(user, query string) string {
		t.Helper()
		got, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "c", User: user, Query: query})
		if err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	const birthday, death = "Paul's birthday is on 3 May.", "Paul died last week."
	for _, text := range []string{"My husband Paul loves hiking.", birthday, "Nina's birthday is on 4 June.", death} {
		say("ana", text)
	}
	say("bob", birthday)
	if got := ask("ana", "Ideas for the birthday of my husband on 3 May"); !strings.Contains(got, birthday) || !strings.Contains(got, death) {
		t.Errorf("the prompt lacks the birthday or the death:\n%s", got)
	}
	if got := ask("bob", "Ideas for the birthday of my husband on 3 May"); !strings.Contains(got, birthday) || strings.Contains(got, death) {
		t.Errorf("the prompt of another user:\n%s", got)
	}
}
