package evaluation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// recall asks after 7, 14 and 30 days, each time in other words, for facts that were
// told once on the first day. In between there are noise and a deep sleep every night.
// Nothing is used meanwhile: asking does not count as use.
var recall = Measure{
	Name:  "recall",
	About: "Facts told once on day 0, a night's sleep and noise every day; asked for on day 7, 14 and 30 by two questions: one written by hand in words of its own, one made by rule from another way to state the fact. Counts where the fact, or what was distilled from it with its value, is among the first 10 hits.",
	run:   runRecall,
}

var recallGoals = []struct {
	day  int
	goal float64
}{{7, 0.92}, {14, 0.90}, {30, 0.85}}

// Answer is where the answer to one question stood among the hits.
type Answer struct {
	Rank   int     // from 1; 0: not among them
	Shared float64 // content words of the question that the memory has too, [0,1]
}

// RecallScore sums up answers.
type RecallScore struct{ At1, At5, At10, MRR float64 }

// ScoreRecall is the share of questions answered within the first 1, 5 and 10 hits,
// and the mean reciprocal rank within 10 (Voorhees, TREC-8).
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
	l, err := openLab(ctx, o, w, "recall")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close(ctx)) }()
	told, err := l.tellFacts(ctx, w.Facts, never)
	if err != nil {
		return err
	}
	day := 0
	for i, g := range recallGoals {
		o.Note(fmt.Sprintf("recall: living until day %d", g.day))
		if err := l.days(ctx, g.day-day, o.size(60, 12)); err != nil {
			return err
		}
		day = g.day
		name := fmt.Sprintf("recall at day %d", day)
		parts := map[string][]Answer{}
		var shared, bare [2][]float64
		for j, f := range w.Facts {
			// The way that it was told in is j: the rule takes one of the two others.
			for by, question := range []string{f.Ask(i + j), f.Echo(j + 1 + i%2)} {
				a, err := l.answer(ctx, question, told[j], f)
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
				why, err := l.whyNot(ctx, question, told[j], f)
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

// memo is what was told, and the memory it became.
type memo struct {
	id   graph.ID
	text string
}

// tellFacts tells facts over the first day, ten a session, each in one of the ways to
// say it. Those that named takes are written with their subject; of the others the
// engine has to find it.
func (l *Lab) tellFacts(ctx context.Context, facts []Fact, named func(i int) bool) ([]memo, error) {
	var told []memo
	for from := 0; from < len(facts); from += 10 {
		var in []engine.RememberInput
		for j, f := range facts[from:min(from+10, len(facts))] {
			x := l.said(fmt.Sprintf("%s-%d", l.now().Format("2006-01-02"), from/10), f.Say(from+j))
			if named(from + j) {
				x.Subject = f.Subject()
			}
			in = append(in, x)
		}
		ids, err := l.remember(ctx, in)
		if err != nil {
			return nil, err
		}
		for j, id := range ids {
			told = append(told, memo{id, in[j].Content})
		}
		if err := l.wait(10 * time.Minute); err != nil {
			return nil, err
		}
	}
	return told, nil
}

// never names no subject.
func never(int) bool { return false }

// answer asks a question and says where the answer stood.
func (l *Lab) answer(ctx context.Context, question string, told memo, f Fact) (Answer, error) {
	hits, err := l.ask(ctx, question)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Rank: rankOf(hits, told.id, f.Of, f.Value), Shared: Overlap(question, told.text)}, nil
}

// rankOf is the place of the first hit that answers for what was told, from 1; 0: none
// does.
func rankOf(hits []engine.Hit, told graph.ID, keys ...string) int {
	for i, h := range hits {
		if holds(h.Memory, told, keys...) {
			return i + 1
		}
	}
	return 0
}

// whyNot says which step lost an answer.
func (l *Lab) whyNot(ctx context.Context, question string, told memo, f Fact) (string, error) {
	m, err := l.memory(ctx, told.id)
	if err != nil {
		return "", err
	}
	folded := ""
	for m.State.Status == graph.Consolidated && m.Consolidated != "" {
		if m, err = l.memory(ctx, m.Consolidated); err != nil {
			return "", err
		}
		if folded = "folded, "; !contains(m.Content, f.Of) || !contains(m.Content, f.Value) {
			return "folded into what lacks the value", nil
		}
	}
	switch {
	case m.State.Status != graph.Active:
		return folded + "the memory is " + string(m.State.Status), nil
	case m.Retention < 0.05:
		return folded + "it has faded", nil
	}
	hits, err := l.ask(ctx, question, func(in *engine.SearchInput) { in.TopK = 100 })
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
		why += "ranked behind 10"
	}
	return why, nil
}
