package evaluation

import (
	"context"
	"errors"
	"math"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// forgetting erases a fifth of the facts and measures the others.
var forgetting = Measure{
	Name:  "forgetting",
	About: "A fifth of the facts is erased, half by id and half by subject. Measures the change of the recall of the others, and counts erased facts that are still returned.",
	run:   runForgetting,
}

// ScoreForgetting is the change of recall, in [0,1].
func ScoreForgetting(before, after []Answer) float64 {
	return math.Abs(ScoreRecall(before).At10 - ScoreRecall(after).At10)
}

func runForgetting(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	w := NewWorld(lexicon, o.Seed+6, 4, 3)
	facts := w.Facts[:min(len(w.Facts), o.size(140, 40))]
	sim, err := openSimulation(ctx, o, w, "forgetting")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close(ctx)) }()
	told, err := sim.tellFacts(ctx, facts, noSubject)
	if err != nil {
		return err
	}
	if err := sim.days(ctx, 2, o.size(40, 10)); err != nil {
		return err
	}
	erase := map[graph.ID]bool{}
	var ids []graph.ID
	subject := ""
	for i, f := range facts {
		if i%10 == 0 {
			ids = append(ids, told[i].id)
			erase[told[i].id] = true
		}
		if subject == "" && f.Kind.About == Person {
			subject = f.Of
		}
	}
	// By subject: everything about one person.
	receipt, err := sim.engine().Forget(ctx, sim.caller, engine.ForgetInput{Subject: subject, DryRun: true})
	if err != nil {
		return err
	}
	bySubject := receipt.Count
	asked := func() (others []Answer, erased int, err error) {
		for i, f := range facts {
			a, err := sim.answer(ctx, f.Ask(i), told[i], f)
			if err != nil {
				return nil, 0, err
			}
			switch {
			case erase[told[i].id] && a.Rank > 0:
				erased++
			case !erase[told[i].id] && f.Of != subject:
				others = append(others, a)
			}
		}
		return others, erased, nil
	}
	before, _, err := asked()
	if err != nil {
		return err
	}
	if _, err := sim.engine().Forget(ctx, sim.caller, engine.ForgetInput{IDs: ids}); err != nil {
		return err
	}
	if _, err := sim.engine().Forget(ctx, sim.caller, engine.ForgetInput{Subject: subject}); err != nil {
		return err
	}
	if err := sim.days(ctx, 1, 0); err != nil {
		return err
	}
	after, answered, err := asked()
	if err != nil {
		return err
	}
	out.figure("recall of the others moved by", ScoreForgetting(before, after), len(before), Goal{"<=", 0.05}, "")
	out.figure("erased and still answered", float64(answered), len(ids)+bySubject, Goal{"<=", 0}, "hits")
	return nil
}
