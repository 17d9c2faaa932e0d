package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// The patterns that are kept, and all ranks, are those of a search that knows the sources of all patterns, though the sources of few are
// read.
func TestTheSourcesOfFewPatternsDecide(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 19))
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	read, patterns := 0, 0
	for round := range 200 {
		all := lifecycle.Drawn{}
		fusion := []Fusion{FusionWeighted, FusionRRF}[round%2]
		var candidates []index.Candidate
		for i := range 30 {
			d := &index.Doc{
				ID: graph.ID(fmt.Sprintf("%d-%d", round, i)), Ownership: &index.Ownership{}, Timestamps: &index.Timestamps{RecordedAt: at.Add(time.Duration(rnd.IntN(5)) * time.Hour)},
				Treatment: &index.Treatment{Authority: .8, Type: graph.Semantic}, Lineage: &index.Lineage{}, AboutUser: rnd.IntN(3) == 0, Importance: rnd.Float64(), OccurredAt: at,
				History: []graph.State{{Status: graph.Active}},
			}
			if rnd.IntN(2) == 0 {
				d.Pattern = graph.Constraint
				all[d.ID] = lifecycle.Sources{AboutUser: rnd.IntN(2) == 0}
				patterns++
			}
			candidates = append(candidates, index.Candidate{Doc: d, Semantic: float64(rnd.IntN(8)) / 8, Keyword: float64(rnd.IntN(4)) / 4})
		}
		facts := map[graph.ID]bool{candidates[rnd.IntN(30)].Doc.ID: true}
		want := fakeQuery(at.Add(24*time.Hour), fusion, facts)
		want.drawn = all
		want.rank(candidates)
		want.keepPatterns()
		got := fakeQuery(at.Add(24*time.Hour), fusion, facts)
		got.drawn = lifecycle.Drawn{}
		err := got.rankKnowing(candidates, func(few []*index.Doc) error {
			for _, d := range few {
				if _, known := got.drawn[d.ID]; !known && d.Pattern != "" {
					got.drawn[d.ID] = all[d.ID]
					read++
				}
			}
			return nil
		})
		same := func(a, b scored) bool { return a.Doc == b.Doc && a.score == b.score }
		if err != nil || !slices.EqualFunc(got.kept, want.kept, same) || !slices.EqualFunc(got.unlike, want.unlike, same) {
			t.Fatalf("round %d: %d candidates instead of %d, error %v", round, len(got.kept), len(want.kept), err)
		}
	}
	if 2*read > patterns {
		t.Errorf("the sources of %d of %d patterns were read", read, patterns)
	}
}

// fakeQuery is a question about the user.
func fakeQuery(at time.Time, fusion Fusion, facts map[graph.ID]bool) *query {
	q := &query{at: at, now: at, facts: facts, in: SearchInput{Fusion: fusion, TierPreference: TiersAuto, TopK: 10, Query: "what do I like?"}, asked: asked{kind: graph.FromUser}}
	q.ask.Texts = []string{q.in.Query}
	q.weights.Semantic, q.weights.Keyword, q.weights.Importance = .5, .3, .2
	return q
}
