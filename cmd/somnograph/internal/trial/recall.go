package trial

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
	About: "Facts told once on day 0, a night's sleep and noise every day; asked for in words of its own on day 7, 14 and 30. Counts where the fact, or what was distilled from it with its value, is among the first 10 hits.",
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
	w := NewWorld(lexicon, o.Seed, o.size(5, 1), o.size(4, 1))
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
		if err := l.days(ctx, g.day-day, o.size(40, 12)); err != nil {
			return err
		}
		day = g.day
		name := fmt.Sprintf("recall at day %d", day)
		var answers []Answer
		var named, own []Answer // about people and things that the question names; about the user
		var all, bare []float64
		for j, f := range w.Facts {
			question := f.Ask(i + j)
			a, err := l.answer(ctx, question, told[j], f)
			if err != nil {
				return err
			}
			all, bare = append(all, Overlap(question, told[j].text)), append(bare, Overlap(question, told[j].text, f.Of))
			answers = append(answers, a)
			if f.Of == "" {
				own = append(own, a)
			} else {
				named = append(named, a)
			}
			if a.Rank == 0 {
				why, err := l.whyNot(ctx, question, told[j], f)
				if err != nil {
					return err
				}
				out.miss(name, why+", about "+string(f.Kind.About), told[j].text, question)
			}
		}
		s := ScoreRecall(answers)
		out.figure(name, s.At10, len(answers), Goal{">=", g.goal},
			fmt.Sprintf("first %.3f, first five %.3f, MRR %.3f; the questions share %.0f %% of their content words with the memory, %.0f %% without names", s.At1, s.At5, s.MRR, 100*mean(all), 100*mean(bare)))
		out.figure("… about people and things", ScoreRecall(named).At10, len(named), Goal{}, "the question names them")
		out.figure("… about the user", ScoreRecall(own).At10, len(own), Goal{}, "nothing but synonyms leads there")
	}
	return nil
}

// never names no subject.
func never(int) bool { return false }

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
	if m.State.Status != graph.Active {
		return "the memory is " + string(m.State.Status), nil
	}
	if m.Retention < 0.05 {
		return "it has faded", nil
	}
	hits, err := l.ask(ctx, question, func(in *engine.SearchInput) { in.TopK = 100 })
	if err != nil {
		return "", err
	}
	switch rank := rankOf(hits, told.id, f.Of, f.Value); {
	case rank == 0 && Overlap(question, told.text) == 0:
		return "no shared word, not among the first 100", nil
	case rank == 0:
		return "not among the first 100", nil
	case rank <= 10:
		return "pushed out of the first 10 by diversity", nil
	case Overlap(question, told.text) == 0:
		return "no shared word, ranked behind 10", nil
	default:
		return "ranked behind 10", nil
	}
}
