package pattern

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// secondFlows adds to a group of workflows the sources that name most of their common steps in the same order, in whatever form: "Draft
// written, proofread by Priya, mail scheduled". They write no pattern. As in [finder.second], their writer also says it in form.
func (f *finder) secondFlows(group []*workflow) []*workflow {
	in, by := map[int]bool{}, map[string]bool{}
	known := false
	for _, w := range group {
		in[w.source] = true
		if known = known || w.source < 0; w.source >= 0 {
			by[f.sources[w.source].Principal] = true
		}
	}
	if len(in) < seeds && !known {
		return group
	}
	steps, _ := wording(group, group)
	common := boundWords(steps)
	if len(steps) < minSteps || !f.words.boundAmong(common) {
		return group
	}
	lead := &workflow{steps: steps}
	out := slices.Clip(group)
	for _, i := range f.words.with(common) {
		if s := f.sources[i]; !in[i] && by[s.Principal] {
			if w := parted(i, s, lead); w != nil {
				out = append(out, w)
			}
		}
	}
	return out
}

// boundWords returns the words of steps, ascending.
func boundWords(steps []step) []string {
	all := map[string]bool{}
	for _, x := range steps {
		for w := range x.stems {
			all[w] = true
		}
	}
	return sorted(all)
}

// parted reads a source as the steps of a workflow, at its signs and conjunctions; nil if it has not most of them in their order.
func parted(i int, s Source, lead *workflow) *workflow {
	if len(s.Text) > maxText || strings.Contains(s.Text, "?") || strings.Contains(s.Text, "```") {
		return nil
	}
	w := &workflow{source: i, seconds: true}
	for _, x := range sentencesOf(s.Text) {
		if x.denials() > lackingIn(x) {
			return nil
		}
		from := 0
		for to := 1; to <= len(x.words); to++ {
			if to < len(x.words) && x.words[to-1].SignAfter == 0 && !parting[x.words[to].Low] {
				continue
			}
			if y := stepOf(x.span(from, to)); len(y.stems) > 0 && slices.ContainsFunc(lead.steps, func(o step) bool { return sameStep(o, y) }) {
				w.steps = append(w.steps, y)
			}
			from = to
		}
	}
	if a := align(lead, w); a.matched < minSteps || float64(a.matched) < mostShared*float64(len(lead.steps)) || !a.agree() {
		return nil
	}
	return w
}

// lackingIn counts the words "before" and the like, which deny no step.
func lackingIn(s *sentence) (n int) {
	for _, w := range s.words {
		if lacking[w.Low] {
			n++
		}
	}
	return n
}

// parting are words before the next step.
var parting = english.WordSet("and then after finally afterwards")
