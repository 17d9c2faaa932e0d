package evaluation

import (
	"math"
	"slices"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// forgetting erases a fifth of the facts and measures the others.
var forgetting = Measure{
	Name:  "forgetting",
	About: "A fifth of the facts is erased, half by id and half by subject. Measures the change of the recall of the others, and counts erased facts that are still returned.",
	run:   runForgetting,
}

// ScoreForgetting is the change of recall, in [0,1], by the ranks of the answers.
func ScoreForgetting(before, after []int) float64 {
	return math.Abs(ScoreRecall(before).At10 - ScoreRecall(after).At10)
}

func runForgetting(m *measurement) {
	w := NewWorld(m.lexicon, m.Seed+6, 4, 3)
	facts := w.Facts[:min(len(w.Facts), m.size(140, 40))]
	sim := m.simulate(w)
	told := sim.tellFacts(facts, nil)
	sim.days(2, m.size(40, 10))
	var ids []graph.ID
	for i := 0; i < len(told); i += 10 {
		ids = append(ids, told[i].id)
	}
	// By subject: everything about one person.
	subject := ""
	if i := slices.IndexFunc(facts, func(f Fact) bool { return f.Kind.About == Person }); i >= 0 {
		subject = facts[i].Of
	}
	forget := func(in engine.ForgetInput) int { return must(sim.engine().Forget(sim.ctx, sim.caller, in)).Count }
	bySubject := forget(engine.ForgetInput{Subject: subject, DryRun: true})
	asked := func() (others []int, erased int) {
		for i, f := range facts {
			rank := sim.answer(f.Ask(i), told[i], f)
			switch {
			case i%10 == 0 && rank > 0:
				erased++
			case i%10 != 0 && f.Of != subject:
				others = append(others, rank)
			}
		}
		return others, erased
	}
	before, _ := asked()
	forget(engine.ForgetInput{IDs: ids})
	forget(engine.ForgetInput{Subject: subject})
	sim.days(1, 0)
	after, answered := asked()
	m.figure("recall of the others moved by", ScoreForgetting(before, after), len(before), Goal{"<=", 0.05}, "")
	m.figure("erased and still returned", float64(answered), len(ids)+bySubject, Goal{"<=", 0}, "hits")
}
