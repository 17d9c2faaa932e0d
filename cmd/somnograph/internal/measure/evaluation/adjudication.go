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

// adjudication puts labelled facts before the gate.
var adjudication = Measure{
	Name:  "adjudication",
	About: "Labelled facts, with evidence that reaches the quorum or does not, against worlds of twelve beliefs, each fact against a fresh world. A wrong update replaces a belief that the fact does not contradict, or another one than it contradicts, or without the quorum.",
	run:   runAdjudication,
}

// evidence is what speaks for a fact, by its name in the worlds.
var evidence = map[string][]engine.Evidence{
	"quorum": {{Source: "register", Weight: 0.9, Confidence: 0.9}, {Source: "witness", Weight: 0.9, Confidence: 0.9}},
	"three":  {{Source: "letter", Weight: 0.6, Confidence: 0.6}, {Source: "call", Weight: 0.6, Confidence: 0.6}, {Source: "visit", Weight: 0.6, Confidence: 0.6}},
	"one":    {{Source: "register", Weight: 0.85, Confidence: 0.85}},
	"twice":  {{Source: "register", Weight: 0.85, Confidence: 0.85}, {Source: "register", Weight: 0.8, Confidence: 0.9}},
	"weak":   {{Source: "rumour", Weight: 0.3, Confidence: 0.5}, {Source: "forum", Weight: 0.4, Confidence: 0.5}},
}

// Ruled is what the gate did with a fact, beside what it should have done.
type Ruled struct {
	Should, Did           gate.Decision
	Belief, BeliefTouched string // the belief that it is about, and the one that decided; empty: none
}

// Right reports the right decision about the right belief.
func (r Ruled) Right() bool {
	return r.Did == r.Should && (r.Did == gate.Stored || r.Belief == r.BeliefTouched)
}

// Wrong reports a wrong update: a belief was replaced that should stand.
func (r Ruled) Wrong() bool { return r.Did == gate.Replaced && !r.Right() }

// ScoreRulings are the share of right decisions, of wrong updates among all, of updates
// that should have been and were not, and of facts folded into a belief that says
// something else.
func ScoreRulings(all []Ruled) (right, wrong, missed, folded float64) {
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
	mended, kept, err := ReadWorlds()
	if err != nil {
		return err
	}
	l, err := openLab(ctx, o, NewWorld(lexicon, o.Seed, 1, 1), "adjudication")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close(ctx)) }()
	first, err := l.rulings(ctx, o, "mended", mended, out)
	if err != nil {
		return err
	}
	second, err := l.rulings(ctx, o, "kept", kept, out)
	if err != nil {
		return err
	}
	both := slices.Concat(first, second)
	_, wrong, _, _ := ScoreRulings(both)
	out.figure("wrong updates", wrong, len(both), Goal{"<=", 0.01}, "a belief was replaced that should stand")
	for _, part := range []struct {
		name string
		all  []Ruled
	}{{"worlds that rules were mended on", first}, {"worlds that no rule was mended on", second}} {
		right, wrong, missed, folded := ScoreRulings(part.all)
		n := len(part.all)
		out.figure("… "+part.name+": right decisions", right, n, Goal{}, "the decision and the belief")
		out.figure("… wrong updates", wrong, n, Goal{}, "")
		out.figure("… updates missed", missed, n, Goal{}, "of those that should have been")
		out.figure("… folded wrongly", folded, n, Goal{}, "merged into a belief that does not say it")
	}
	return nil
}

// rulings puts the facts of labelled worlds before the gate.
func (l *Lab) rulings(ctx context.Context, o Options, name string, worlds *Worlds, out *Outcome) ([]Ruled, error) {
	var all []Ruled
	for i, r := range worlds.Rulings {
		if o.Quick && i%5 != 0 {
			continue
		}
		ruled, told, err := l.rule(ctx, fmt.Sprintf("%s%d", name, i), worlds.Beliefs[r.World], r)
		if err != nil {
			return nil, err
		}
		all = append(all, ruled)
		if !ruled.Right() {
			out.miss(verdictOn(ruled), fmt.Sprintf("%s %s, should be %s %s", ruled.Did, ruled.BeliefTouched, ruled.Should, ruled.Belief), told, r.Text)
		}
	}
	return all, nil
}

func verdictOn(r Ruled) string {
	switch {
	case r.Wrong():
		return "wrong updates"
	case r.Should == gate.Replaced:
		return "updates missed"
	case r.Did == gate.Merged:
		return "folded wrongly"
	}
	return "right decisions"
}

// rule tells the beliefs of a world in a namespace of its own and puts one fact before the
// gate. It answers also what was told of the belief that the fact is about.
func (l *Lab) rule(ctx context.Context, namespace string, beliefs []Belief, r Ruling) (Ruled, string, error) {
	ruled := Ruled{Should: r.Decision, Belief: r.Belief}
	var in []engine.RememberInput
	about := ""
	for _, b := range beliefs {
		in = append(in, engine.RememberInput{Content: b.Text, Subject: b.Subject, Namespace: namespace, Consent: graph.ConsentExplicit})
		if b.Name == r.Belief {
			about = b.Text
		}
	}
	ids, err := l.remember(ctx, in)
	if err != nil {
		return ruled, "", err
	}
	a, err := l.engine().Adjudicate(ctx, l.caller, engine.AdjudicateInput{
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
