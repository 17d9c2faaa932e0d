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

func TestWhatHasFadedAnswersForItsTime(t *testing.T) {
	w := enginetest.New(t)
	june := w.Clock.Now()
	fence := w.Remember("We painted the fence green.").Memory.ID
	w.Clock.Advance(150 * 24 * time.Hour)
	garage := w.Remember("We painted the garage grey.").Memory.ID
	w.Clock.Advance(20 * 24 * time.Hour)
	r := w.Search("What did we paint in " + june.Format("January 2006") + "?")
	if len(r.Hits) == 0 || r.Hits[0].Memory.ID != fence || r.Hits[0].Label != engine.Faded {
		t.Errorf("that month: %v, want %s first", enginetest.IDs(r), fence)
	}
	// Nothing is known of another month; what there is answers.
	r = w.Search("What did we paint in " + june.AddDate(0, -3, 0).Format("January 2006") + "?")
	if len(r.Hits) == 0 || r.Hits[0].Memory.ID != garage || r.Hits[0].Label != engine.Current {
		t.Errorf("another month: %v, want %s first", enginetest.IDs(r), garage)
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
		if strings.Contains(text, "(faded) ") != want[0] {
			t.Errorf("%q: marks of\n%s", question, text)
		}
	}
}
