package evaluation

import (
	"context"
	"errors"
	"fmt"
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

// Answer is the rank of the answer to a question.
type Answer struct {
	Rank   int     // from 1; 0: not among the hits
	Shared float64 // share of the content words of the question that the memory has too, [0,1]
}

// RecallScore summarises answers.
type RecallScore struct{ At1, At5, At10, MRR float64 }

// ScoreRecall returns the shares of questions answered within the first 1, 5 and 10 hits, and
// the mean reciprocal rank within 10 (Voorhees, TREC-8).
func ScoreRecall(answers []Answer) RecallScore {
	var s RecallScore
	for _, a := range answers {
		if a.Rank < 1 || a.Rank > 10 {
			continue
		}
		s.At10++
		s.MRR += 1 / float64(a.Rank)
		if a.Rank <= 5 {
			s.At5++
		}
		if a.Rank == 1 {
			s.At1++
		}
	}
	if n := float64(len(answers)); n > 0 {
		s.At1, s.At5, s.At10, s.MRR = s.At1/n, s.At5/n, s.At10/n, s.MRR/n
	}
	return s
}

func runRecall(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	w := NewWorld(lexicon, o.Seed, o.size(6, 1), o.size(4, 1))
	sim, err := openSimulation(ctx, o, w, "recall")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close(ctx)) }()
	told, err := sim.tellFacts(ctx, w.Facts, noSubject)
	if err != nil {
		return err
	}
	day := 0
	for i, g := range recallGoals {
		o.Note(fmt.Sprintf("recall: simulating until day %d", g.day))
		if err := sim.days(ctx, g.day-day, o.size(60, 12)); err != nil {
			return err
		}
		day = g.day
		name := fmt.Sprintf("recall at day %d", day)
		parts := map[string][]Answer{}
		var shared, bare [2][]float64
		for j, f := range w.Facts {
			// Statement j was told, so the rule uses one of the two others.
			for by, question := range []string{f.Ask(i + j), f.Echo(j + 1 + i%2)} {
				a, err := sim.answer(ctx, question, told[j], f)
				if err != nil {
					return err
				}
				how := []string{"by hand", "by rule"}[by]
				whom := "about the user"
				if f.Of != "" {
					whom = "about people and things"
				}
				for _, part := range []string{"all", how, how + ", " + whom} {
					parts[part] = append(parts[part], a)
				}
				shared[by], bare[by] = append(shared[by], Overlap(question, told[j].text)), append(bare[by], Overlap(question, told[j].text, f.Of))
				if a.Rank > 0 {
					continue
				}
				why, err := sim.whyNot(ctx, question, told[j], f)
				if err != nil {
					return err
				}
				out.miss(name, how+", "+whom+": "+why, told[j].text, question)
			}
		}
		s := ScoreRecall(parts["all"])
		out.figure(name, s.At10, len(parts["all"]), Goal{">=", g.goal}, fmt.Sprintf("first %.3f, first five %.3f, MRR %.3f", s.At1, s.At5, s.MRR))
		for by, how := range []string{"by hand", "by rule"} {
			out.figure("… "+how, ScoreRecall(parts[how]).At10, len(parts[how]), Goal{},
				fmt.Sprintf("the questions share %.0f %% of their content words with the memory, %.0f %% without names", 100*mean(shared[by]), 100*mean(bare[by])))
			for _, whom := range []string{", about people and things", ", about the user"} {
				out.figure("… "+how+whom, ScoreRecall(parts[how+whom]).At10, len(parts[how+whom]), Goal{}, "")
			}
		}
	}
	return nil
}

// toldFact is a text and its memory.
type toldFact struct {
	id   graph.ID
	text string
}

// tellFacts remembers facts over the first day, ten per session, in changing statements. Those
// that named selects are written with their subject; for the others the engine infers it.
func (sim *Simulation) tellFacts(ctx context.Context, facts []Fact, named func(i int) bool) ([]toldFact, error) {
	var told []toldFact
	for from := 0; from < len(facts); from += 10 {
		var in []engine.RememberInput
		for j, f := range facts[from:min(from+10, len(facts))] {
			x := sim.said(fmt.Sprintf("%s-%d", sim.now().Format("2006-01-02"), from/10), f.Say(from+j))
			if named(from + j) {
				x.Subject = f.Subject()
			}
			in = append(in, x)
		}
		ids, err := sim.remember(ctx, in)
		if err != nil {
			return nil, err
		}
		for j, id := range ids {
			told = append(told, toldFact{id, in[j].Content})
		}
		if err := sim.wait(10 * time.Minute); err != nil {
			return nil, err
		}
	}
	return told, nil
}

// noSubject selects none.
func noSubject(int) bool { return false }

// answer asks a question and returns the rank of its answer.
func (sim *Simulation) answer(ctx context.Context, question string, told toldFact, f Fact) (Answer, error) {
	hits, err := sim.ask(ctx, question)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Rank: rankOf(hits, told.id, f.Of, f.Value), Shared: Overlap(question, told.text)}, nil
}

// rankOf is the rank of the first hit that answers for a fact, from 1; 0: none does.
func rankOf(hits []engine.Hit, told graph.ID, keys ...string) int {
	for i, h := range hits {
		if answersFor(h.Memory, told, keys...) {
			return i + 1
		}
	}
	return 0
}

// whyNot returns the reason of a miss.
func (sim *Simulation) whyNot(ctx context.Context, question string, told toldFact, f Fact) (string, error) {
	m, err := sim.memory(ctx, told.id)
	if err != nil {
		return "", err
	}
	folded := ""
	for m.State.Status == graph.Consolidated && m.Consolidated != "" {
		if m, err = sim.memory(ctx, m.Consolidated); err != nil {
			return "", err
		}
		if folded = "merged, "; !contains(m.Content, f.Of) || !contains(m.Content, f.Value) {
			return "merged into a memory that lacks the value", nil
		}
	}
	switch {
	case m.State.Status != graph.Active:
		return folded + "the memory is " + string(m.State.Status), nil
	case m.Retention < 0.05:
		return folded + "it has faded", nil
	}
	hits, err := sim.ask(ctx, question, func(in *engine.SearchInput) { in.TopK = 100 })
	if err != nil {
		return "", err
	}
	rank, why := rankOf(hits, m.ID, f.Of, f.Value), folded
	if Overlap(question, m.Content) == 0 {
		why += "no shared word, "
	}
	switch {
	case rank == 0:
		why += "not among the first 100"
	case rank <= topK:
		why += "pushed out of the first 10 by diversity"
	default:
		why += "ranked below 10"
	}
	return why, nil
}
