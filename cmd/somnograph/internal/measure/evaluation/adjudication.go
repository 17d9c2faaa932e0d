package evaluation

import (
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/graph"
)

// adjudication submits labelled facts to the gate.
var adjudication = Measure{
	Name:  "adjudication",
	About: "Labelled facts, with evidence that does or does not reach the quorum, against worlds of twelve beliefs, each fact against a fresh world. A wrong update replaces a belief that the fact does not contradict, or another than the one it contradicts, or replaces one without the quorum.",
	run:   runAdjudication,
}

// evidence holds the evidence for a fact, by the names used in the worlds.
var evidence = map[string][]engine.Evidence{
	"quorum": {{Source: "register", Weight: 0.9, Confidence: 0.9}, {Source: "witness", Weight: 0.9, Confidence: 0.9}},
	"three":  {{Source: "letter", Weight: 0.6, Confidence: 0.6}, {Source: "call", Weight: 0.6, Confidence: 0.6}, {Source: "visit", Weight: 0.6, Confidence: 0.6}},
	"one":    {{Source: "register", Weight: 0.85, Confidence: 0.85}},
	"twice":  {{Source: "register", Weight: 0.85, Confidence: 0.85}, {Source: "register", Weight: 0.8, Confidence: 0.9}},
	"weak":   {{Source: "rumour", Weight: 0.3, Confidence: 0.5}, {Source: "forum", Weight: 0.4, Confidence: 0.5}},
}

// Ruled is the decision of the gate and the expected one.
type Ruled struct {
	Should, Did           gate.Decision
	Belief, BeliefTouched string // the expected belief, and the one that the gate decided on; empty: none
}

// Right reports whether the decision and the belief are as expected.
func (r Ruled) Right() bool {
	return r.Did == r.Should && (r.Did == gate.Stored || r.Belief == r.BeliefTouched)
}

// Wrong reports a wrong update: a belief was replaced that should not be.
func (r Ruled) Wrong() bool { return r.Did == gate.Replaced && !r.Right() }

// ScoreRulings returns the share of right decisions, of wrong updates among all decisions, of
// missed updates among the expected ones, and of facts merged into a belief that says
// something else.
func ScoreRulings(all []Ruled) (right, wrong, missed, merged float64) {
	should := func(x Ruled) bool { return x.Should == gate.Replaced }
	missed = share(count(all, func(x Ruled) bool { return should(x) && !x.Right() }), count(all, should))
	return shareOf(all, Ruled.Right), shareOf(all, Ruled.Wrong), missed, shareOf(all, func(x Ruled) bool { return x.Did == gate.Merged && !x.Right() })
}

func runAdjudication(m *measurement) {
	development, heldOut, err := ReadWorlds()
	check(err)
	sim := m.simulate(NewWorld(m.lexicon, m.Seed, 1, 1))
	first, second := sim.rulings("development", development), sim.rulings("kept", heldOut)
	both := slices.Concat(first, second)
	m.figure("wrong updates", shareOf(both, Ruled.Wrong), len(both), Goal{"<=", 0.01}, "a belief was wrongly replaced")
	for _, part := range []struct {
		name string
		all  []Ruled
	}{{"development worlds", first}, {"held-out worlds", second}} {
		right, wrong, missed, merged := ScoreRulings(part.all)
		n := len(part.all)
		m.figure("… "+part.name+": right decisions", right, n, Goal{}, "the decision and the belief")
		m.figure("… wrong updates", wrong, n, Goal{}, "")
		m.figure("… updates missed", missed, n, Goal{}, "of the expected ones")
		m.figure("… merged wrongly", merged, n, Goal{}, "merged into a belief that does not say it")
	}
}

// rulings submits the facts of labelled worlds to the gate.
func (sim *Simulation) rulings(name string, worlds *Worlds) []Ruled {
	var all []Ruled
	for i, r := range worlds.Rulings {
		if sim.Quick && i%5 != 0 {
			continue
		}
		ruled, told := sim.rule(fmt.Sprintf("%s%d", name, i), worlds.Beliefs[r.World], r)
		all = append(all, ruled)
		if !ruled.Right() {
			sim.miss(figureOf(ruled), fmt.Sprintf("%s %s, should be %s %s", ruled.Did, ruled.BeliefTouched, ruled.Should, ruled.Belief), told, r.Text)
		}
	}
	return all
}

// figureOf is the figure that a wrong decision counts against.
func figureOf(r Ruled) string {
	switch {
	case r.Wrong():
		return "wrong updates"
	case r.Should == gate.Replaced:
		return "updates missed"
	case r.Did == gate.Merged:
		return "merged wrongly"
	}
	return "right decisions"
}

// rule remembers the beliefs of a world in a new namespace and submits a fact to the gate. It
// also returns the text of the belief that the fact is about.
func (sim *Simulation) rule(namespace string, beliefs []Belief, r Ruling) (ruled Ruled, about string) {
	var in []engine.RememberInput
	for _, b := range beliefs {
		in = append(in, engine.RememberInput{Content: b.Text, Subject: b.Subject, Namespace: namespace, Consent: graph.ConsentExplicit})
		if b.Name == r.Belief {
			about = b.Text
		}
	}
	sim.setPolicy(namespace)
	ids := sim.remember(in)
	a := must(sim.engine().Adjudicate(sim.ctx, sim.caller, engine.AdjudicateInput{
		Fact: r.Text, Subject: r.Subject, Namespace: namespace, Consent: graph.ConsentExplicit, Evidence: evidence[r.Evidence],
	}))
	ruled = Ruled{Should: r.Decision, Did: a.Decision, Belief: r.Belief}
	touched := a.Current.ID
	if a.Previous != nil {
		touched = a.Previous.ID
	}
	if i := slices.Index(ids, touched); i >= 0 {
		ruled.BeliefTouched = beliefs[i].Name
	}
	return ruled, about
}
