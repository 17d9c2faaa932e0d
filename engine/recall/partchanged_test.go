package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// Of a memory that says several things, a later statement has changed one. A question about another one is answered by the memory,
// and a question about what changed by the later statement.
func TestALaterStatementLeadsOnlyForThePartThatItChanged(t *testing.T) {
	for _, x := range []struct{ said, later, other, changed string }{
		{"I live in Lisbon and my dog is called Faro", "I moved to Madrid", "What is my dog called?", "Where do I live?"},
		{"I live in Lisbon and my dog is called Faro", "I moved to Madrid", "Do I have a pet?", "Which city do I live in?"},
		{"My dog is called Biscuit, I hate olives, and I live in Oslo", "I moved to Bergen", "Which food do I hate?", "Where is my home?"},
		{"I work as a nurse and live in Bonn", "I moved to Ulm", "What is my job?", "Where do I live now?"},
		{"The API runs on port 8080 and the log level is debug", "The log level is warn now", "Which port does the API run on?", "What is the log level?"},
	} {
		w := enginetest.New(t)
		said(w, x.said, 5*24*time.Hour)
		later := said(w, x.later, time.Hour)
		for question, first := range map[string]bool{x.other: false, x.changed: true} {
			r := w.Search(question, func(in *engine.SearchInput) { in.User = "ana" })
			if len(r.Hits) == 0 || (r.Hits[0].Memory.ID == later) != first {
				t.Errorf("%q, %q, %q: the later one is at %d of %d", x.said, x.later, question, placeOf(r, later), len(r.Hits))
			}
		}
		text := contextOf(w, x.other).Text
		if head, _, _ := strings.Cut(x.later, " now"); strings.Contains(text, head) {
			if kept := x.said[strings.LastIndex(x.said, " ")+1:]; x.other == "What is my dog called?" && strings.Index(text, head) < strings.Index(text, kept) {
				t.Errorf("%q: %s", x.other, text)
			}
		}
	}
}
