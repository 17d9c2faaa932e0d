package pattern

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/graph"
)

// newFinder reads sources and stored patterns, and returns what they say of each matter.
func newFinder(sources []Source, known []Known, one bool) (f *finder, matters [][]*view) {
	f = &finder{sources: sources, known: known, words: meetingsIn(sources), compared: compared{read: map[*statement]*conflict.Analysis{}, pairs: map[[2]*statement]bool{}}}
	f.words.one = one
	f.compared.words = f.words
	var all []*statement
	var flows []*workflow
	for i, s := range sources {
		if w := workflowOf(i, s); w != nil {
			flows = append(flows, w)
			continue
		}
		all = append(all, statementsOf(i, s, sentencesOf(s.Text))...)
	}
	for i, k := range known {
		if k.Kind == graph.Workflow {
			flows = append(flows, flowOf(-1-i, k.Actions))
			continue
		}
		for _, st := range statementsOf(-1-i, Source{Text: k.Text}, sentencesOf(k.Text)) {
			if st.kind == k.Kind {
				all = append(all, st)
			}
		}
	}
	for _, group := range flowGroups(flows) {
		matters = append(matters, f.flowViews(f.secondFlows(group)))
	}
	f.compared.objects = vocabularyOf(all, func(st *statement) map[string]bool { return st.object })
	about := mattersOf(all, f.words)
	f.second(about)
	for _, m := range about {
		matters = append(matters, f.views(m))
	}
	for _, views := range matters {
		f.settle(views)
	}
	held := 0
	for _, s := range sources {
		if s.Holder == "" {
			held++
		}
	}
	f.needed = occasionsFor(held)
	return f, matters
}

// flowOf reads the steps of a stored workflow.
func flowOf(source int, steps []string) *workflow {
	w := &workflow{source: source}
	for _, s := range steps {
		w.steps = append(w.steps, stepOf(s))
	}
	return w
}

// SameWorkflow reports whether two lists of steps are one workflow: most steps are the same, in the
// same order.
func SameWorkflow(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	r := align(flowOf(0, a), flowOf(1, b))
	return r.alike() && r.agree()
}

// Say writes the pattern of a kind that a sentence of the source last states, see Found.Sentence, or if that is none of the sources, the
// one that most of them state: its text, conditions and actions. It checks nothing else. ok is false if no source states one.
func Say(kind graph.PatternKind, sources []Source, last graph.ID, sentence int) (f Found, ok bool) {
	sources = sortedSources(sources)
	x, matters := newFinder(sources, nil, true)
	var best *view
	named := false
	at := slices.IndexFunc(sources, func(s Source) bool { return s.ID == last })
	for _, views := range matters {
		for _, v := range views {
			place, says := v.places[at]
			says = says && place == sentence
			if v.kind == kind && v.founds && (best == nil || says && !named || says == named && len(v.sources) > len(best.sources)) {
				best, named = v, says
			}
		}
	}
	if best == nil {
		return Found{}, false
	}
	f = Found{Kind: kind, Sources: x.holding(best.sources)}
	best.write(&f)
	return f, f.Text != "" && len(f.Actions) > 0
}

// Check compares a stored pattern with sources again. heldOut is the share of those kept aside that
// agree; ok is false if no source speaks of its matter. As in [Find], what another stored pattern says, or one that a person ended,
// is a side of its own: its sources contradict the pattern, and are not compared with it unless one of the sides is a small minority.
func Check(k Known, others []Known, sources []Source) (heldOut float64, agree, against []graph.ID, ok bool) {
	k.Ended = false
	known := append([]Known{k}, slices.DeleteFunc(slices.Clone(others), func(o Known) bool { return o.ID == k.ID })...)
	f, matters := newFinder(sortedSources(sources), known, false)
	for _, views := range matters {
		for _, v := range views {
			if !slices.Contains(v.known, 0) {
				continue
			}
			gone := &view{sources: v.gone}
			among := []*view{v, gone}
			against = f.ids(gone.sources)
			all := v.weight()
			for _, o := range v.against {
				if !f.ended(o) {
					all += o.weight()
				}
			}
			share := float64(v.weight()) / float64(max(all, 1))
			split := share >= minorShare && share <= majorShare
			for _, o := range v.against {
				against = append(append(against, f.ids(o.sources)...), f.ids(o.moved)...)
				if !f.ended(o) && !(split && len(o.known) > 0) {
					among = append(among, o)
				}
			}
			agree = append(append(agree, f.ids(v.sources)...), f.ids(v.moved)...)
			if len(agree)+len(against) == 0 {
				continue
			}
			slices.Sort(agree)
			slices.Sort(against)
			return f.heldOut(v, among), agree, against, true
		}
	}
	return 0, nil, nil, false
}

// sortedSources returns sources by id, each once.
func sortedSources(sources []Source) []Source {
	sources = slices.Clone(sources)
	slices.SortFunc(sources, func(a, b Source) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return slices.CompactFunc(sources, func(a, b Source) bool { return a.ID == b.ID })
}
