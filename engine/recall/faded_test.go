package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

func TestWhatHasFadedIsFoundWhenNothingElseAnswers(t *testing.T) {
	w := enginetest.New(t)
	will := w.Remember("The will is kept in the blue tin under the stairs.").Memory.ID
	w.Clock.Advance(180 * 24 * time.Hour)
	w.Remember("The bakery opens at seven.")
	ask := func(with ...func(*engine.SearchInput)) *engine.SearchResult {
		return w.Search("Where is the will kept?", with...)
	}
	r := ask()
	if r.NoMatch || len(r.Hits) != 1 || r.Hits[0].Memory.ID != will || r.Hits[0].Label != engine.Faded {
		t.Fatalf("noMatch %v, hits %+v", r.NoMatch, r.Hits)
	}
	if _, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(will)
		if err != nil {
			return err
		}
		m.SetState(w.Clock.Now(), func(s *graph.State) { s.Status = graph.Archived })
		return tx.PutMemory(m, graph.EventArchived)
	}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if r = ask(func(in *engine.SearchInput) { in.Track = true }); len(r.Hits) != 1 || r.Hits[0].Label != engine.Faded {
		t.Fatalf("archived: %+v", r.Hits)
	}
	w.Clock.Advance(time.Hour)
	if r = ask(); len(r.Hits) != 1 || r.Hits[0].Label != engine.Current || r.Hits[0].Memory.Status() != graph.Active {
		t.Errorf("after its use: %+v", r.Hits)
	}
}

func TestAContextShowsWhatHasFadedIfNothingElseMatches(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The will is kept in the blue tin under the stairs.")
	w.Clock.Advance(180 * 24 * time.Hour)
	w.Remember("The bakery opens at seven.")
	prompt := func(question string) string {
		r, err := w.Engine.Context(t.Context(), w.Caller, engine.ContextInput{Session: "now", Query: question, Preview: true})
		if err != nil {
			t.Fatal(err)
		}
		return r.Text
	}
	for question, want := range map[string][2]bool{ // the will, the bakery
		"Where is the will kept?":    {true, false},
		"When does the bakery open?": {false, true},
		"Where is the cunowluz?":     {false, false},
	} {
		text := prompt(question)
		if got := [2]bool{strings.Contains(text, "blue tin"), strings.Contains(text, "at seven")}; got != want {
			t.Errorf("%q: %v, want %v:\n%s", question, got, want, text)
		}
	}
}
