package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A question about what was believed at a time is answered as of the end of that time.
func TestWhatWasBelieved(t *testing.T) {
	w := enginetest.New(t)
	since := func(day int) { w.Clock.Advance(enginetest.Start.AddDate(0, 0, day).Sub(w.Clock.Now())) } // Start is a Monday in March
	by := func(in *engine.RememberInput) { in.User, in.Type = "ana", graph.Semantic }
	oslo := w.Remember("I live in Oslo.", by).Memory.ID
	since(40)
	bergen := w.Remember("I moved to Bergen.", by)
	if len(bergen.Revised) != 1 {
		t.Fatalf("revised %v", bergen.Revised)
	}
	since(80)
	first := func(query string, with ...func(*engine.SearchInput)) (graph.ID, int) {
		r := w.Search(query, append(with, func(in *engine.SearchInput) { in.User = "ana" })...)
		if len(r.Hits) == 0 {
			return "", 0
		}
		return r.Hits[0].Memory.ID, len(r.Hits)
	}
	for query, want := range map[string]graph.ID{
		"Where did we think I lived in March?":              oslo,
		"What did you believe in March about where I live?": oslo,
		"Where was I thought to live in April?":             bergen.Memory.ID,
		"Where do I live?":                                  bergen.Memory.ID,
	} {
		if got, n := first(query); got != want || n != 1 && want == oslo {
			t.Errorf("%s: %s of %d, want %s", query, got, n, want)
		}
	}
	if got, n := first("What did we believe in March?"); got != oslo || n != 1 {
		t.Errorf("without a matter: %s of %d, want %s", got, n, oslo)
	}
	w.Remember("Always answer in Dutch.", func(in *engine.RememberInput) { in.User, in.Type = "ana", graph.Procedural })
	prompt, err := w.Engine.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s", User: "ana", Query: "Where did we think I lived in March?"})
	if err != nil || !strings.Contains(prompt.Text, "I live in Oslo") || !strings.Contains(prompt.Text, "changed since") || !strings.Contains(prompt.Text, "Always answer in Dutch") {
		t.Errorf("context: %+v, %v", prompt, err)
	}
	asOf := func(in *engine.SearchInput) { in.Access.AsOf.Recorded = w.Clock.Now() }
	if got, _ := first("Where did we think I lived in March?", asOf); got != bergen.Memory.ID {
		t.Errorf("an instant of the caller: %s", got)
	}
}

// A history that was imported later was recorded in one go: what was believed is what held at the time.
func TestWhatWasBelievedInAnImportedHistory(t *testing.T) {
	w := enginetest.New(t)
	at := func(day int) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) {
			in.User, in.Type, in.OccurredAt = "ana", graph.Semantic, time.Date(2026, 1, day, 9, 0, 0, 0, time.UTC)
		}
	}
	oslo := w.Remember("I live in Oslo.", at(5)).Memory.ID
	w.Remember("I moved to Bergen.", at(40))
	r := w.Search("Where did we think I lived in January?", func(in *engine.SearchInput) { in.User = "ana" })
	if len(r.Hits) != 1 || r.Hits[0].Memory.ID != oslo {
		t.Errorf("found %+v", r.Hits)
	}
}
