package pattern

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

// Find finds the patterns in sources of one owner, and the candidates that it refused, each sorted by
// kind and text. known are the patterns of the owner that were stored before. If a pattern found is
// about the matter of a known one, Known names it, and evidence against the known pattern is weighed
// by its share of the sources on the matter:
//
//   - below 20 % it changes nothing. It makes a pattern of its own only under a condition that the
//     other sources do not have, and if it stands apart, see standsApart;
//   - from 20 to 80 % it splits the matter: what contradicts the known pattern becomes a second
//     one, whose sources are checked among themselves, and the two conflict;
//   - above 80 % it replaces the known pattern.
//
// Where nothing is known of a matter and two sides contradict each other, each with at least 45 % of the sources, both
// become patterns that conflict, if each passes among its own sources: a person decides between them. A smaller side keeps
// the other from being a pattern, as long as it has a fifth of the sources.
//
// The order of the sources makes no difference.
//
// A known pattern that is found no more, because most of what speaks of its matter says otherwise or was superseded, is refused as
// Lapsed. If another side of the matter is a pattern, it replaces the known one, whatever its share.
func Find(sources []Source, known []Known) (found []Found, refused []Refused) {
	sources = sortedSources(sources)
	known = slices.Clone(known)
	slices.SortFunc(known, func(a, b Known) int { return cmp.Compare(a.ID, b.ID) })
	f, matters := newFinder(sources, known, false)
	for _, views := range matters {
		f.judge(views)
	}
	f.relate()
	slices.SortFunc(f.refused, func(a, b Refused) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Occurrences, a.Occurrences), slices.Compare(a.Sources, b.Sources))
	})
	return f.found, f.refused
}

// finder is a run of Find.
type finder struct {
	sources  []Source
	known    []Known
	compared compared
	words    *meetings
	found    []Found
	refused  []Refused
	needed   int // occasions, see occasionsFor
}

// view is one of the things that sources say of a matter.
type view struct {
	kind    graph.PatternKind
	sources []int       // that say so, ascending; superseded ones only if what holds in their place says so too
	moved   []int       // that said otherwise of the matter, and were superseded by sources that say so
	gone    []int       // that said so, and were superseded by what does not speak of the matter
	known   []int       // stored patterns that say so
	founds  bool        // it can be a pattern; false: it only permits, or says that nothing fails
	against []*view     // that contradict it
	places  map[int]int // of each source, the sentence that says so
	close   float64     // mean likeness of its statements to the one that leads, [0,1]
	bound   bool        // its statements share words that do not meet by chance
	own     []string    // stems of conditions that all of its sources name and those of the other views do not
	write   func(f *Found)
}

// maxVoters is the number of statements that choose the one that leads.
const maxVoters = 64

// views divides the statements of a matter by what they say. A statement belongs to the view of the
// most statements with which it agrees.
func (f *finder) views(m *matter) []*view {
	type side struct {
		lead *statement
		all  []*statement
		not  []*side // that have an opposite of one of its statements, though both agree with its lead
	}
	order := slices.Clone(m.all)
	naming := names(order)
	for _, st := range order {
		st.values = slices.DeleteFunc(st.values, func(v value) bool { return naming[v.unit] })
	}
	// The statement that agrees with most others leads: values and direction are then those of most.
	votes := map[*statement]int{}
	for _, a := range order {
		for _, b := range order[:min(len(order), maxVoters)] {
			if b.source >= 0 && f.compared.agree(a, b) {
				votes[a]++
				if a.bound != 0 && a.bound == b.bound || len(a.values) > 0 && len(b.values) > 0 {
					votes[a]++ // it says as much
				}
			}
		}
	}
	slices.SortStableFunc(order, func(a, b *statement) int { return cmp.Compare(votes[b], votes[a]) })
	var sides []*side
	for _, st := range order {
		var not []*side
		at := slices.IndexFunc(sides, func(s *side) bool {
			if !f.compared.agree(s.lead, st) {
				return false
			}
			if slices.ContainsFunc(s.all[:min(len(s.all), maxVoters)], func(o *statement) bool { return o.opposed(st) && f.compared.against(o, st) }) {
				not = append(not, s)
				return false
			}
			return true
		})
		if at < 0 {
			sides = append(sides, &side{lead: st})
			at = len(sides) - 1
		}
		sides[at].not = append(sides[at].not, not...)
		sides[at].all = append(sides[at].all, st)
	}
	var out []*view
	taken := map[int]bool{}
	for _, s := range sides {
		v := &view{kind: m.kind, places: map[int]int{}}
		var mine []*statement
		for _, st := range s.all {
			switch {
			case st.source < 0:
				v.known = append(v.known, -1-st.source)
			case !taken[st.source]:
				taken[st.source] = true
				v.places[st.source] = st.from.place
				v.sources = append(v.sources, st.source)
			}
			v.founds = v.founds || !st.may && !st.weak
			mine = append(mine, st)
		}
		for _, st := range mine {
			v.close += likeness(s.lead.stems, st.stems) / float64(len(mine))
		}
		for _, st := range m.seconds {
			if slices.Contains(mine, st.with) && !taken[st.source] {
				taken[st.source] = true
				v.places[st.source] = st.from.place
				v.sources = append(v.sources, st.source)
			}
		}
		v.bound = f.bound(mine)
		slices.Sort(v.sources)
		v.own = ownConditions(mine, order)
		v.write = func(out *Found) { describe(out, mine) }
		out = append(out, v)
	}
	for i, v := range out {
		for j, o := range out {
			if i != j && (f.compared.against(sides[i].lead, sides[j].lead) || slices.Contains(sides[i].not, sides[j]) || slices.Contains(sides[j].not, sides[i])) {
				v.against = append(v.against, o)
			}
		}
	}
	return out
}

// bound reports whether statements share words that do not meet by chance, and what they say besides is no matter of its own: in "the camera
// can't be carried this week" and "the goldfish can't be carried this week" it is, if the sources of their clusters speak of both.
func (f *finder) bound(all []*statement) bool {
	common := sharedWords(all)
	if !f.words.boundAmong(append(slices.Clone(common), holderWords(all)...)) {
		return false
	}
	if f.words.one {
		return true
	}
	in, clusters := map[int]bool{}, map[graph.ID]bool{}
	for _, st := range all {
		if st.source >= 0 {
			in[st.source], clusters[f.sources[st.source].Cluster] = true, true
		}
	}
	for _, i := range f.words.with(common) {
		in[i] = true // it speaks of the matter, in whatever form
	}
	others := 0
	several := len(placesOf(all)) > 0
	for _, st := range all {
		var place map[string]bool
		if several {
			place = st.from.placeStems()
		}
		for w := range st.stems {
			if _, shared := slices.BinarySearch(common, w); !shared && !place[w] && f.words.elsewhere(w, in, clusters) >= matterOfOwn {
				others++
				break
			}
		}
	}
	return 3*others <= len(all)
}

// holderWords returns the words for who prefers something: "black coffee" is one name, and "Rosa" and "coffee" do not meet by chance.
func holderWords(all []*statement) []string {
	for _, st := range all {
		if st.kind == graph.StatedPreference && st.holder != "" {
			return strings.Fields(st.holder)
		}
	}
	return nil
}

// sharedWords returns the words that sharedBy of statements have, ascending.
func sharedWords(all []*statement) (out []string) {
	count := map[string]int{}
	for _, st := range all {
		for w := range st.said() {
			count[w]++
		}
	}
	for w, n := range count {
		if float64(n) >= sharedBy*float64(len(all)) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// describe writes the text, the conditions and the actions of what statements say: those of the
// statement that has most of their common words and least besides.
func describe(out *Found, all []*statement) {
	count := map[string]int{}
	values := map[value]int{}
	n, bare, opinions := 0, 0, 0
	for _, st := range all {
		if st.source < 0 {
			continue
		}
		if n++; st.from.opening() == 0 {
			bare++
		}
		if st.from.opinion >= 0 {
			opinions++
		}
		for w := range st.stems {
			count[w]++
		}
		for _, x := range st.values {
			values[x]++
		}
	}
	var best *statement
	top := 0.0
	for _, st := range all {
		if st.source < 0 || st.may {
			continue
		}
		score := 0.0
		for w := range st.stems {
			score += 2*float64(count[w])/float64(n) - 0.9
		}
		for _, x := range st.values {
			score += 2*float64(values[x])/float64(n) - 0.9
		}
		score -= 0.02 * float64(len(st.from.words))
		if (st.from.opinion >= 0) != (2*opinions > n) {
			score -= float64(len(st.stems)) // what one person thinks is not what all say, and the other way round
		}
		if best == nil || score > top {
			best, top = st, score
		}
	}
	if best == nil {
		return
	}
	from := best.from
	rare := func(w extract.Word) bool { return stemOf(w) == "" || 2*count[stemOf(w)] < n }
	if opens := from.opening(); opens > 0 && 2*bare >= n && !slices.ContainsFunc(from.words[:opens], func(w extract.Word) bool { return !rare(w) }) {
		from = from.withoutOpening(opens) // "At night" is no condition of what others say without it
	}
	out.Text = from.whole()
	out.Conditions = bounded(from.condTexts())
	out.Actions = bounded([]string{cmp.Or(from.mainText(), strings.TrimRight(out.Text, "."))})
	if len(best.lack) > 0 { // "beans without sprays" is what is preferred, under no condition
		out.Conditions = bounded(slices.DeleteFunc(from.condTexts(), func(c string) bool { return strings.HasPrefix(strings.ToLower(c), "without ") }))
		out.Actions = bounded([]string{strings.TrimRight(out.Text, ".")})
	}
	if places := placesOf(all); len(places) > 0 && from.placeAt() > 0 {
		out.Text = plainSentence(from.span(0, from.placeAt()) + " " + listOf(places))
		out.Conditions = bounded(append(places, out.Conditions...))
		out.Actions = bounded([]string{from.span(from.main[0], from.placeAt())})
	}
	if from.opinion >= 0 && 2*opinions > n {
		out.Text = from.wholeFrom(from.opinion)
	}
	if best.kind == graph.FailureSignature && len(out.Conditions) == 0 {
		if cause, effect, ok := best.from.causeAndEffect(); ok && len(cause) > 0 && len(effect) > 0 {
			out.Conditions = bounded([]string{best.from.span(cause[0], cause[len(cause)-1]+1)})
			out.Actions = bounded([]string{best.from.span(effect[0], effect[len(effect)-1]+1)})
		}
	}
}

// bounded cuts parts to what a stored pattern may hold.
func bounded(parts []string) []string {
	var out []string
	for _, p := range parts {
		if p = strings.Trim(p, " .,;:"); p != "" && len(p) <= graph.MaxPatternPart && len(out) < graph.MaxPatternParts {
			out = append(out, p)
		}
	}
	return out
}

// judge decides which views of a matter become patterns.
func (f *finder) judge(views []*view) {
	made, apart := map[*view]int{}, map[*view]bool{}
	refused := len(f.refused)
	for _, v := range views {
		apart[v] = f.standsApart(v, views)
	}
	for _, v := range views {
		rivals := v.against
		if f.ended(v) {
			if len(v.sources) > 1 {
				f.refuse(v, "a person ended this pattern", 0)
			}
			continue
		}
		if len(v.known) > 0 { // a person kept it, or nobody has objected
			rivals = slices.DeleteFunc(slices.Clone(rivals), f.ended)
		}
		all, half := v.weight(), false
		var stored []int // patterns that it contradicts
		out := Found{Kind: v.kind}
		for _, o := range rivals {
			all += o.weight()
			if apart[v] || apart[o] { // what holds under another condition says nothing against it
				continue
			}
			if !f.ended(o) {
				stored = append(stored, o.known...)
			}
			out.Against = append(append(out.Against, f.ids(o.sources)...), f.ids(o.moved)...)
		}
		if all == 0 {
			continue
		}
		share := float64(v.weight()) / float64(all)
		among := append([]*view{v}, rivals...)
		if len(v.known) > 0 {
			out.Known = f.known[v.known[0]].ID
		}
		switch {
		case apart[v]:
			among, all = among[:1], v.weight()
		case len(v.known) > 0:
			if share >= minorShare && share <= majorShare {
				among = among[:1] // a split: each side is checked among its own
			}
		case len(stored) == 1 && share > majorShare:
			out.Known, out.Replaces = f.known[stored[0]].ID, true
		case len(stored) > 0 && share >= minorShare:
			among = among[:1]
		case len(stored) == 0 && v.halves(rivals):
			// Two sides from the start: each is checked among its own, and a person decides between them. Without the other one, neither stands.
			o := rivals[0]
			if half = f.lacks(o, among[1:], &Found{}, v.weight()+o.weight(), true) == ""; half {
				among = among[:1]
			}
		}
		for _, k := range stored {
			if id := f.known[k].ID; id != out.Known {
				out.Conflicts = append(out.Conflicts, id)
			}
		}
		if f.accept(v, among, &out, all, half) {
			made[v] = len(f.found)
			f.found = append(f.found, out)
		}
	}
	for _, v := range views {
		if _, also := made[v]; !also && !apart[v] && f.lapse(v, made, apart) {
			for i := range f.refused[refused:] {
				if x := &f.refused[refused+i]; slices.Equal(x.Sources, f.holding(v.sources)) {
					x.Reason += "; the pattern that is stored holds"
				}
			}
		}
	}
	for v, i := range made {
		for _, o := range v.against {
			if j, also := made[o]; also && !apart[v] && !apart[o] {
				f.found[i].Rivals = append(f.found[i].Rivals, j)
			}
		}
	}
}

// halves reports whether a view and a single rival, neither of which was stored before, have about as many sources each.
func (v *view) halves(rivals []*view) bool {
	if len(rivals) != 1 || len(v.known)+len(rivals[0].known) > 0 || !v.founds || !rivals[0].founds {
		return false
	}
	mine, theirs := float64(len(v.sources)), float64(len(rivals[0].sources))
	return min(mine, theirs) >= leastHalf*(mine+theirs) && min(mine, theirs) >= minOccurrences
}

// ended reports whether a person ended a pattern that says what a view says.
func (f *finder) ended(v *view) bool {
	return slices.ContainsFunc(v.known, func(k int) bool { return f.known[k].Ended })
}

// accept checks a view and completes what was found, see lacks. What it refuses, it records.
func (f *finder) accept(v *view, among []*view, out *Found, all int, half bool) bool {
	if !v.founds || len(v.sources) == 0 {
		return false
	}
	reason := f.lacks(v, among, out, all, half)
	if reason != "" && len(v.sources) > 1 { // said once: no candidate
		f.refuse(v, reason, out.Confidence)
	}
	return reason == ""
}

// lacks completes what was found, and says why it is no pattern; "" if it is one. among are the views whose sources are kept aside;
// all is the number of sources on the matter; half is set for one of two sides of about as many sources, of which a person is asked
// however freely each is worded.
func (f *finder) lacks(v *view, among []*view, out *Found, all int, half bool) string {
	held := f.heldOut(v, among)
	out.HeldOut = held
	against := all - v.weight()
	out.Confidence = confidenceOf(len(v.sources), against, held)
	out.Sources = f.holding(v.sources)
	out.Former = len(v.sources) - len(out.Sources)
	for _, i := range v.sources {
		if f.sources[i].Holder == "" {
			out.Sentence = v.places[i]
		}
	}
	where := f.maturityOf(v)
	out.Clusters = where.clusters[:min(len(where.clusters), graph.MaxPatternClusters)]
	v.write(out)
	slices.Sort(out.Against)
	slices.Sort(out.Conflicts)
	n := len(v.sources)
	switch { // the first one decides: what stays true with more members, then what more members change
	case n < 2:
		return "it is said once"
	case out.Text == "" || len(out.Actions) == 0:
		return "no sentence of its sources says it"
	case held <= HeldOutAbove && against > 0:
		return fmt.Sprintf("%d of the %d members that speak of the matter say something else; compared with each other, %.0f %% agree, and more than %.0f %% must", against, all, 100*held, 100*HeldOutAbove)
	case where.lacks() != "":
		return where.lacks()
	case v.close < closeFrom(n) && !half && !v.bound:
		return fmt.Sprintf("its %d members say it too differently", n)
	case held <= HeldOutAbove:
		return fmt.Sprintf("compared with each other, %.0f %% of its members agree, and more than %.0f %% must", 100*held, 100*HeldOutAbove)
	case out.Confidence < MinConfidence:
		return fmt.Sprintf("its confidence is %.2f, below %.1f", out.Confidence, MinConfidence)
	}
	return ""
}

func (f *finder) refuse(v *view, reason string, confidence float64) {
	f.refused = append(f.refused, Refused{Kind: v.kind, Reason: reason, Confidence: confidence, Occurrences: len(v.sources), Sources: f.holding(v.sources)})
}

// holding returns the ids of the sources that were not superseded.
func (f *finder) holding(sources []int) []graph.ID {
	return f.ids(slices.DeleteFunc(slices.Clone(sources), func(i int) bool { return f.sources[i].Holder != "" }))
}

func (f *finder) ids(sources []int) []graph.ID {
	out := make([]graph.ID, len(sources))
	for i, s := range sources {
		out[i] = f.sources[s].ID
	}
	return out
}

// heldOut returns the share of sources that agree with a view when they are kept aside: the sources
// are divided into fifths by a hash of their ids, and a source of one fifth agrees if it has the
// view that most sources of the other four have.
func (f *finder) heldOut(v *view, among []*view) float64 {
	type said struct {
		hash uint64
		view int
	}
	var all []said
	me := -1
	for i, o := range among {
		if o == v {
			me = i
		}
		for _, some := range [][]int{o.sources, o.moved} {
			for _, s := range some {
				h := fnv.New64a()
				h.Write([]byte(f.sources[s].ID))
				all = append(all, said{h.Sum64(), i})
			}
		}
	}
	slices.SortFunc(all, func(a, b said) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.view, b.view)) })
	agree := 0
	for fold := range folds {
		count := make([]int, len(among))
		for i, x := range all {
			if i%folds != fold {
				count[x.view]++
			}
		}
		most := 0
		for i, n := range count {
			if n > count[most] {
				most = i
			}
		}
		if most != me || count[most] == 0 {
			continue // the rest says otherwise
		}
		for i, x := range all {
			if i%folds == fold && x.view == me {
				agree++
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	return float64(agree) / float64(len(all))
}

// relate sorts the patterns by kind and text, and removes those that another one says as well.
func (f *finder) relate() {
	order := make([]int, len(f.found))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := f.found[a], f.found[b]
		return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Text, y.Text), slices.Compare(x.Sources, y.Sources))
	})
	place := make([]int, len(order))
	for to, from := range order {
		place[from] = to
	}
	out := make([]Found, len(order))
	for to, from := range order {
		out[to] = f.found[from]
		for i, r := range out[to].Rivals {
			out[to].Rivals[i] = place[r]
		}
		slices.Sort(out[to].Rivals)
	}
	f.found = out
}
