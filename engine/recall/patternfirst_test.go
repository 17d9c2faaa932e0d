package recall_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A pattern stays before what restates it, whenever that was said, and after what was weighed; a change of the rule comes before it.
func TestRestatementsDoNotComeBeforeTheirPattern(t *testing.T) {
	for _, x := range []struct {
		rule, other, change, question string
		again                         []string
	}{
		{"Guests must take off their shoes.", "Guests must keep their shoes on.", "Guests no longer have to take off their shoes.", "What must guests do with their shoes?",
			[]string{"Guests must always take off their shoes.", "Guests have to take off their shoes, please.", "All guests must take off their shoes here."}},
		{"Deploys need two reviewers.", "Deploys need one reviewer.", "From now on deploys need three reviewers instead of two.", "How many reviewers do deploys need?",
			[]string{"Every deploy needs two reviewers.", "A deploy needs two reviewers.", "Deploys to production need two reviewers."}},
	} {
		w := enginetest.New(t)
		ask := func() *engine.SearchResult {
			return w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		}
		opposite := said(w, x.other, 24*time.Hour)
		sources := []graph.ID{said(w, x.again[0], 24*time.Hour)}
		pattern := makePattern(w, x.rule, sources, by("ana"))
		if _, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error { // a pattern has the authority of its sources
			m, err := tx.Memory(pattern)
			if err != nil {
				return err
			}
			m.Authority = 0.8
			return tx.PutMemory(m, graph.EventUpdated)
		}); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(24 * time.Hour)
		for _, text := range x.again[1:] {
			sources = append(sources, said(w, text, 24*time.Hour))
		}
		r := ask()
		p := placeOf(r, pattern)
		for _, id := range append(sources, opposite) {
			if at := placeOf(r, id); p < 0 || at >= 0 && at < p && r.Hits[at].Score <= r.Hits[p].Score {
				t.Errorf("%s: the pattern is at %d with %.3f, what it was drawn from or restates it at %d with %.3f", x.question, p, r.Hits[p].Score, at, r.Hits[at].Score)
			}
		}
		change := said(w, x.change, time.Hour)
		if r = ask(); placeOf(r, change) != 0 {
			t.Errorf("%s: the change is at %d, the pattern at %d", x.question, placeOf(r, change), placeOf(r, pattern))
		}
	}
}
