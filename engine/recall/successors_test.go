package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A question in words of the superseded statement is answered by what replaced it.
func TestSuccessorsAnswer(t *testing.T) {
	for _, x := range []struct{ before, after, question string }{
		{"I bank with Argenta.", "I switched from Argenta to KBC.", "Which bank am I with?"},
		{"My dentist is Dr Ames.", "I changed from Dr Ames to Dr Boyd.", "Who is my dentist?"},
		{"Our invoices are printed with Quill.", "We moved from Quill to Papyrus.", "What are the invoices printed with?"},
	} {
		w := enginetest.New(t)
		before := w.Remember(x.before, byUser("ana")).Memory
		w.Clock.Advance(24 * time.Hour)
		w.Remember("The kettle of the office is broken.", byUser("ana"))
		then := w.Clock.Now()
		w.Clock.Advance(24 * time.Hour)
		after := w.Remember(x.after, byUser("ana"))
		if len(after.Revised) != 1 || after.Revised[0] != before.ID {
			t.Fatalf("%q revises %d", x.after, len(after.Revised))
		}
		ask := func(in engine.SearchInput) string {
			in.Query = x.question
			r, err := w.Engine.Search(t.Context(), w.Caller, in)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Hits) == 0 {
				return ""
			}
			return r.Hits[0].Memory.Content
		}
		if got := ask(engine.SearchInput{User: "ana"}); got != x.after {
			t.Errorf("%q: %q", x.question, got)
		}
		prompt, err := w.Engine.Context(t.Context(), w.Caller, engine.ContextInput{Session: "later", User: "ana", Query: x.question, Preview: true})
		if err != nil || !strings.Contains(prompt.Text, x.after) || strings.Contains(prompt.Text, x.before) {
			t.Errorf("the prompt for %q: %q, %v", x.question, prompt.Text, err)
		}
		none, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{User: "ana", Query: "Which glacier did the violin orchard moor?"})
		if err != nil || !none.NoMatch || none.Considered != 2 {
			t.Errorf("an unanswered question: no match %v, %d of 2 memories considered, %v", none.NoMatch, none.Considered, err)
		}
		if got := ask(engine.SearchInput{User: "bo"}); got != "" {
			t.Errorf("%q asked by another user: %q", x.question, got)
		}
		if got := ask(engine.SearchInput{User: "ana", Access: engine.Access{AsOf: graph.AsOf{Recorded: then}}}); got != x.before {
			t.Errorf("%q as of before: %q", x.question, got)
		}
	}
}
