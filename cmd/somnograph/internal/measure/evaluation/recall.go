package evaluation

import (
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// recall asks after 7, 14 and 30 days, each time in other words, for facts that were told once
// on the first day, with noise every day and a deep sleep every night. The searches do not
// count as usage.
var recall = Measure{
	Name:  "recall",
	About: "Facts told once on day 0, noise every day and a sleep every night; searched for on days 7, 14 and 30 by two questions: one written by hand in other words, one made by rule from another statement of the fact. Counts where the fact, or a memory distilled from it with its value, is among the first 10 hits.",
	run:   runRecall,
}

var recallGoals = []struct {
	day  int
	goal float64
}{{7, 0.92}, {14, 0.90}, {30, 0.85}}

// RecallScore summarises the ranks of answers.
type RecallScore struct{ At1, At5, At10, MRR float64 }

// ScoreRecall returns the shares of questions answered within the first 1, 5 and 10 hits, and
// the mean reciprocal rank within 10 (Voorhees, TREC-8). Ranks begin at 1; 0: no hit answers.
func ScoreRecall(ranks []int) RecallScore {
	within := func(k int) float64 { return shareOf(ranks, func(rank int) bool { return rank > 0 && rank <= k }) }
	reciprocals := make([]float64, len(ranks))
	for i, rank := range ranks {
		if rank > 0 && rank <= 10 {
			reciprocals[i] = 1 / float64(rank)
		}
	}
	return RecallScore{At1: within(1), At5: within(5), At10: within(10), MRR: mean(reciprocals)}
}

func runRecall(m *measurement) {
	w := NewWorld(m.lexicon, m.Seed, m.size(6, 1), m.size(4, 1))
	sim := m.simulate(w)
	told := sim.tellFacts(w.Facts, nil)
	day := 0
	for i, g := range recallGoals {
		if m.canary && g.day > 14 {
			break
		}
		m.Note(fmt.Sprintf("recall: simulating until day %d", g.day))
		sim.days(g.day-day, m.size(60, 12))
		day = g.day
		name := fmt.Sprintf("recall at day %d", day)
		parts := map[string][]int{}
		var shared, bare [2][]float64
		for j, f := range w.Facts {
			// Statement j was told, so the rule uses one of the two others.
			for by, question := range []string{f.Ask(i + j), f.Echo(j + 1 + i%2)} {
				rank := sim.answer(question, told[j], f)
				how := []string{"by hand", "by rule"}[by]
				whom := "about the user"
				if f.Of != "" {
					whom = "about people and things"
				}
				for _, part := range []string{"all", how, how + ", " + whom} {
					parts[part] = append(parts[part], rank)
				}
				shared[by], bare[by] = append(shared[by], Overlap(question, told[j].text)), append(bare[by], Overlap(question, told[j].text, f.Of))
				if rank == 0 {
					m.miss(name, how+", "+whom+": "+sim.whyNot(question, told[j], f), told[j].text, question)
				}
			}
		}
		s := ScoreRecall(parts["all"])
		m.figure(name, s.At10, len(parts["all"]), Goal{">=", g.goal}, fmt.Sprintf("first %.3f, first five %.3f, MRR %.3f", s.At1, s.At5, s.MRR))
		for by, how := range []string{"by hand", "by rule"} {
			m.figure("… "+how, ScoreRecall(parts[how]).At10, len(parts[how]), Goal{},
				fmt.Sprintf("the questions share %.0f %% of their content words with the memory, %.0f %% without names", 100*mean(shared[by]), 100*mean(bare[by])))
			for _, whom := range []string{", about people and things", ", about the user"} {
				m.figure("… "+how+whom, ScoreRecall(parts[how+whom]).At10, len(parts[how+whom]), Goal{}, "")
			}
		}
	}
}

// toldFact is a text and its memory.
type toldFact struct {
	id   graph.ID
	text string
}

// tellFacts remembers facts over the first day, ten per session, in changing statements. Those
// that named selects are written with their subject; for the others the engine infers it. A
// nil named selects none.
func (sim *Simulation) tellFacts(facts []Fact, named func(i int) bool) []toldFact {
	var told []toldFact
	for some := range slices.Chunk(facts, 10) {
		from := len(told)
		var in []engine.RememberInput
		for j, f := range some {
			x := sim.said(fmt.Sprintf("%s-%d", sim.now().Format(time.DateOnly), from/10), f.Say(from+j))
			if named != nil && named(from+j) {
				x.Subject = f.Subject()
			}
			in = append(in, x)
		}
		for j, id := range sim.remember(in) {
			told = append(told, toldFact{id, in[j].Content})
		}
		sim.wait(10 * time.Minute)
	}
	return told
}

// answer asks a question and returns the rank of its answer.
func (sim *Simulation) answer(question string, told toldFact, f Fact) int {
	rank := rankOf(sim.ask(question), told.id, f.Of, f.Value)
	if sim.plain != nil && sim.plain.kind == Buffer {
		return min(1, rank) // all of it is read
	}
	return rank
}

// rankOf is the rank of the first hit that answers for a fact, from 1; 0: none does.
func rankOf(hits []engine.Hit, told graph.ID, keys ...string) int {
	return 1 + slices.IndexFunc(hits, func(h engine.Hit) bool { return answersFor(h.Memory, told, keys...) })
}

// whyNot returns the reason of a miss.
func (sim *Simulation) whyNot(question string, told toldFact, f Fact) string {
	if sim.plain != nil {
		return "not found by the baseline"
	}
	m, why := sim.memory(told.id), ""
	for m.State.Status == graph.Consolidated && m.Consolidated != "" {
		m, why = sim.memory(m.Consolidated), "merged, "
		if !contains(m.Content, f.Of) || !contains(m.Content, f.Value) {
			return "merged into a memory that lacks the value"
		}
	}
	switch {
	case m.State.Status != graph.Active:
		return why + "the memory is " + string(m.State.Status)
	case m.Retention < 0.05:
		return why + "it has faded"
	}
	if Overlap(question, m.Content) == 0 {
		why += "no shared word, "
	}
	hits := sim.ask(question, func(in *engine.SearchInput) { in.TopK = 100 })
	switch rank := rankOf(hits, m.ID, f.Of, f.Value); {
	case rank == 0:
		return why + "not among the first 100"
	case rank <= topK:
		return why + "pushed out of the first 10 by diversity"
	}
	return why + "ranked below 10"
}
