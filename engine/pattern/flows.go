package pattern

import (
	"cmp"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// flowGroups groups workflows with the same steps, in any order.
func flowGroups(all []*workflow) [][]*workflow {
	var out [][]*workflow
	for _, w := range all {
		at := slices.IndexFunc(out, func(g []*workflow) bool {
			like := 0
			for _, o := range g[:min(len(g), 8)] {
				if align(o, w).alike() {
					like++
				}
			}
			return 2*like >= min(len(g), 8)
		})
		if at < 0 {
			out = append(out, []*workflow{w})
			continue
		}
		out[at] = append(out[at], w)
	}
	return out
}

// flowViews divides workflows by the order of their steps.
func (f *finder) flowViews(group []*workflow) []*view {
	votes := map[*workflow]int{}
	for _, a := range group {
		for _, b := range group {
			if align(a, b).agree() {
				votes[a] += len(a.steps)
				if a.seconds {
					votes[a] = 0
				}
			}
		}
	}
	order := slices.Clone(group)
	slices.SortStableFunc(order, func(a, b *workflow) int { return cmp.Compare(votes[b], votes[a]) })
	var sides [][]*workflow
	for _, w := range order {
		at := slices.IndexFunc(sides, func(s []*workflow) bool { return align(s[0], w).agree() })
		if at < 0 {
			sides, at = append(sides, nil), len(sides)
		}
		sides[at] = append(sides[at], w)
	}
	var out []*view
	for _, s := range sides {
		v := &view{kind: graph.Workflow, founds: true}
		var mine []*workflow
		for _, w := range s {
			if w.source < 0 {
				v.known = append(v.known, -1-w.source)
				continue
			}
			v.sources = append(v.sources, w.source)
			mine = append(mine, w)
		}
		slices.Sort(v.sources)
		v.close = closeFlow(s[0], mine)
		v.bound = f.words.boundAmong(boundWords(s[0].common(mine)))
		v.write = func(out *Found) { describeFlow(out, mine) }
		out = append(out, v)
	}
	for _, v := range out { // another order contradicts it
		for _, o := range out {
			if o != v {
				v.against = append(v.against, o)
			}
		}
	}
	return out
}

// describeFlow writes a workflow: the steps that most sources have, in the words of the source with most of them and, of
// several, fewest in the past; and the occasion that is named most often.
func describeFlow(out *Found, all []*workflow) {
	if len(all) == 0 {
		return
	}
	formed := slices.DeleteFunc(slices.Clone(all), func(w *workflow) bool { return w.seconds })
	steps, by := wording(formed, all)
	if len(steps) < minSteps {
		return
	}
	trigger := occasionOf(formed)
	if trigger != "" && by.trigger != trigger && slices.ContainsFunc(steps, step.conditional) { // the two conditions are of different sources
		named := slices.DeleteFunc(slices.Clone(formed), func(w *workflow) bool { return w.trigger != trigger })
		if same, _ := wording(named, all); len(same) >= minSteps {
			steps = same
		} else {
			trigger = ""
		}
	}
	out.Text = sentenceOf(trigger, steps)
	if trigger != "" {
		out.Conditions = bounded([]string{trigger})
	}
	texts := make([]string, len(steps))
	for i, x := range steps {
		texts[i] = x.text
	}
	out.Actions = bounded(texts)
}

// usual counts the words of a step that at least half of some workflows have in the same step: "give the bottle" says more than "the bottle".
func (x step) usual(all []*workflow) (n int) {
	for w := range x.stems {
		in := 0
		for _, o := range all {
			if slices.ContainsFunc(o.steps, func(y step) bool { return y.stems[w] && sameStep(x, y) }) {
				in++
			}
		}
		if 2*in >= len(all) {
			n++
		}
	}
	return n
}

// wording returns the steps that at least half of all workflows have, in the words of the one of some with most of them and, of
// several, fewest in the past and most words that the others have too; and that workflow.
func wording(some, all []*workflow) (steps []step, by *workflow) {
	past, full := 0, 0
	for _, w := range some {
		common := w.common(all)
		n, m := 0, 0
		for _, x := range common {
			if x.past() {
				n++
			}
			m += x.usual(all)
		}
		if by == nil || len(common) > len(steps) || len(common) == len(steps) && (n < past || n == past && m > full) {
			steps, past, full, by = common, n, m, w
		}
	}
	return steps, by
}
