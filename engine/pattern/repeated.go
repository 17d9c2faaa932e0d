package pattern

import (
	"slices"

	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/graph"
)

// Repetitions are the steps of an owner by occasion. Procedures are checked against them.
type Repetitions struct {
	sources   map[graph.ID]Source
	occasions []distil.Occasion
}

// RepetitionsIn reads the steps of sources.
func RepetitionsIn(sources []Source) *Repetitions {
	r := &Repetitions{sources: map[graph.ID]Source{}}
	told := make([]distil.Source, len(sources))
	for i, s := range sources {
		r.sources[s.ID] = s
		told[i] = distil.Source{ID: s.ID, Text: s.Text, At: s.At, Session: s.Session, Speaker: s.Speaker}
	}
	r.occasions = distil.Occasions(told)
	return r
}

// Check checks a procedure as other patterns are checked: its sources must be of distil.Repeats occasions as occasionsOf counts
// them, and of the occasions on which most of its steps were done, more than HeldOutAbove of those kept aside must have its order.
func (r *Repetitions) Check(p distil.Procedure) (confidence, heldOut float64, ok bool) {
	var from []Source
	for _, id := range p.Sources {
		from = append(from, r.sources[id])
	}
	if len(p.Steps) < minSteps { // a rule
		return confidenceOf(len(from), 0, 1), 1, occasionsOf(from, false) >= distil.Repeats
	}
	f, same, other := &finder{}, &view{}, &view{}
	flow := flowOf(0, p.Steps)
	for _, o := range r.occasions {
		v := same
		if !slices.ContainsFunc(o.Sources, func(id graph.ID) bool { return slices.Contains(p.Sources, id) }) {
			theirs := flowOf(0, o.Steps)
			a := align(flow, theirs)
			switch {
			case a.matched < minSteps || float64(a.matched) < mostSteps*float64(len(flow.steps)) || recur(flow, theirs):
				continue
			case !a.agree():
				v = other
			}
		}
		v.sources = append(v.sources, len(f.sources))
		f.sources = append(f.sources, r.sources[o.Sources[0]])
	}
	agree, against := len(same.sources), len(other.sources)
	heldOut = f.heldOut(same, []*view{same, other})
	confidence = confidenceOf(agree, against, heldOut)
	contested := against > 0 && float64(against) >= minorShare*float64(agree+against)
	return confidence, heldOut, heldOut > HeldOutAbove && confidence >= MinConfidence && occasionsOf(from, contested) >= distil.Repeats
}

// recur reports whether a step of a workflow was done several times on an occasion, so that its order there says nothing.
func recur(flow, theirs *workflow) bool {
	return slices.ContainsFunc(flow.steps, func(x step) bool {
		n := 0
		for _, y := range theirs.steps {
			if sameStep(x, y) {
				n++
			}
		}
		return n > 1
	})
}

// WorkflowOf returns the pattern of a procedure.
func WorkflowOf(p distil.Procedure, sources int, confidence, heldOut float64) *graph.Pattern {
	w := &graph.Pattern{Kind: graph.Workflow, Confidence: confidence, Occurrences: sources, HeldOut: heldOut}
	if p.Trigger != "" && len(p.Trigger) <= graph.MaxPatternPart {
		w.Conditions = []string{p.Trigger}
	}
	for _, s := range p.Steps {
		if len(s) <= graph.MaxPatternPart {
			w.Actions = append(w.Actions, s)
		}
	}
	return w
}
