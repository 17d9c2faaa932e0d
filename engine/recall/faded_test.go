package recall_test

import (
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
		return w.Search("Where is the will kept?", append(with, byDefault)...)
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
