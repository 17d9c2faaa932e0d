package evaluation

import (
	"context"
	"errors"
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
	n, should, r, w, m, f := len(all), 0, 0, 0, 0, 0
	for _, x := range all {
		if x.Right() {
			r++
		}
		if x.Wrong() {
			w++
		}
		if x.Should == gate.Replaced {
			should++
			if !x.Right() {
				m++
			}
		}
		if x.Did == gate.Merged && !x.Right() {
			f++
		}
	}
	return share(r, n), share(w, n), share(m, should), share(f, n)
}

func runAdjudication(ctx context.Context, o Options, lexicon *Lexicon, out *Outcome) (err error) {
	development, heldOut, err := ReadWorlds()
	if err != nil {
		return err
	}
	sim, err := openSimulation(ctx, o, NewWorld(lexicon, o.Seed, 1, 1), "adjudication")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close(ctx)) }()
	first, err := sim.rulings(ctx, o, "development", development, out)
	if err != nil {
		return err
	}
	second, err := sim.rulings(ctx, o, "kept", heldOut, out)
	if err != nil {
		return err
	}
	both := slices.Concat(first, second)
	_, wrong, _, _ := ScoreRulings(both)
	out.figure("wrong updates", wrong, len(both), Goal{"<=", 0.01}, "a belief was replaced that should not be")
	for _, part := range []struct {
		name string
		all  []Ruled
	}{{"development worlds", first}, {"held-out worlds", second}} {
		right, wrong, missed, merged := ScoreRulings(part.all)
		n := len(part.all)
		out.figure("… "+part.name+": right decisions", right, n, Goal{}, "the decision and the belief")
		out.figure("… wrong updates", wrong, n, Goal{}, "")
		out.figure("… updates missed", missed, n, Goal{}, "of the expected ones")
		out.figure("… merged wrongly", merged, n, Goal{}, "merged into a belief that does not say it")
	}
	return nil
}

// rulings submits the facts of labelled worlds to the gate.
func (sim *Simulation) rulings(ctx context.Context, o Options, name string, worlds *Worlds, out *Outcome) ([]Ruled, error) {
	var all []Ruled
	for i, r := range worlds.Rulings {
		if o.Quick && i%5 != 0 {
			continue
		}
		ruled, told, err := sim.rule(ctx, fmt.Sprintf("%s%d", name, i), worlds.Beliefs[r.World], r)
		if err != nil {
			return nil, err
		}
		all = append(all, ruled)
		if !ruled.Right() {
			out.miss(figureOf(ruled), fmt.Sprintf("%s %s, should be %s %s", ruled.Did, ruled.BeliefTouched, ruled.Should, ruled.Belief), told, r.Text)
		}
	}
	return all, nil
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
func (sim *Simulation) rule(ctx context.Context, namespace string, beliefs []Belief, r Ruling) (Ruled, string, error) {
	ruled := Ruled{Should: r.Decision, Belief: r.Belief}
	var in []engine.RememberInput
	about := ""
	for _, b := range beliefs {
		in = append(in, engine.RememberInput{Content: b.Text, Subject: b.Subject, Namespace: namespace, Consent: graph.ConsentExplicit})
		if b.Name == r.Belief {
			about = b.Text
		}
	}
	ids, err := sim.remember(ctx, in)
	if err != nil {
		return ruled, "", err
	}
	a, err := sim.engine().Adjudicate(ctx, sim.caller, engine.AdjudicateInput{
		Fact: r.Text, Subject: r.Subject, Namespace: namespace, Consent: graph.ConsentExplicit, Evidence: evidence[r.Evidence],
	})
	if err != nil {
		return ruled, "", fmt.Errorf("adjudicate %q: %w", r.Text, err)
	}
	ruled.Did = a.Decision
	touched := a.Current.ID
	if a.Previous != nil {
		touched = a.Previous.ID
	}
	for i, id := range ids {
		if id == touched {
			ruled.BeliefTouched = beliefs[i].Name
		}
	}
	return ruled, about, nil
}
