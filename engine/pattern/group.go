package pattern

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/graph"
)

// matter is what statements of one kind are about.
type matter struct {
	kind  graph.PatternKind
	all   []*statement
	count map[string]int // statements with a stem
	core  map[string]bool
	said  map[string]bool   // its words that as many of its statements have, with numbers
	heard map[string]int    // statements with a word or a number
	ends  map[string]string // of its statements

	seconds []*statement // of sources that second them, see second
}

const (
	alikeFrom  = 0.6  // likeness from which two statements are about one matter
	nearlyFrom = 0.5  // with at least three words in common
	apart      = 4    // statements in which each of two words occurs that never occur together
	coreShare  = 0.34 // of the statements of a matter that have a word of its core
)

// add adds a statement and computes the core again.
func (m *matter) add(st *statement) {
	m.all = append(m.all, st)
	for w := range st.stems {
		m.count[w]++
	}
	if m.heard == nil {
		m.heard = map[string]int{}
	}
	for w := range st.said() {
		m.heard[w]++
	}
	m.said = map[string]bool{}
	for w, n := range m.heard {
		if float64(n) >= coreShare*float64(len(m.all)) {
			m.said[w] = true
		}
	}
	if m.ends == nil {
		m.ends = map[string]string{}
	}
	maps.Copy(m.ends, st.ends)
	m.core = map[string]bool{}
	for w, n := range m.count {
		if float64(n) >= coreShare*float64(len(m.all)) {
			m.core[w] = true
		}
	}
}

// vocabulary counts the statements that have a word, and two words together.
type vocabulary struct {
	count map[string]int
	pairs map[[2]string]int
	words *meetings // of the sources
}

func vocabularyOf(all []*statement, of func(*statement) map[string]bool) vocabulary {
	v := vocabulary{count: map[string]int{}, pairs: map[[2]string]int{}}
	for _, st := range all {
		words := sorted(of(st))
		for i, a := range words {
			v.count[a]++
			for _, b := range words[i+1:] {
				v.pairs[[2]string{a, b}]++
			}
		}
	}
	return v
}

func sorted(words map[string]bool) []string {
	out := make([]string, 0, len(words))
	for w := range words {
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}

// alternatives reports whether two sets differ by words that exclude each other: each occurs in
// several statements, and never together. "Backups must be encrypted" and "backups must be verified"
// are two matters. Opposites in the place of one are none: "the gate must stay open" and "the gate must stay closed" contradict each
// other. aEnds and bEnds are the words that opposites would contradict, see endsOf.
func (v vocabulary) alternatives(a, b map[string]bool, aEnds, bEnds map[string]string) bool {
	for x := range a {
		if b[x] || v.count[x] < apart {
			continue
		}
		for y := range b {
			if a[y] || v.count[y] < apart {
				continue
			}
			if v.pairs[[2]string{min(x, y), max(x, y)}] == 0 && !(aEnds[x] != "" && bEnds[y] != "" && opposite(aEnds[x], bEnds[y])) {
				return true
			}
		}
	}
	return false
}

// same reports whether a statement is about the matter of others.
func (v vocabulary) same(m *matter, st *statement) bool {
	if m.kind != st.kind {
		return false
	}
	if m.kind == graph.StatedPreference {
		return slices.ContainsFunc(m.all, func(o *statement) bool { return sameTaste(o, st) })
	}
	if v.words.boundIn(m.said, st.said()) {
		return !v.alternatives(m.core, st.stems, m.ends, st.ends)
	}
	if m.kind == graph.Constraint && slices.ContainsFunc(m.all, func(o *statement) bool { return sameElsewhere(o, st) }) {
		return true
	}
	n := shared(m.core, st.stems)
	small := min(len(m.core), len(st.stems))
	switch l := likeness(m.core, st.stems); {
	case n == small && n > 2: // one says more than the other
	case n < 2 && small > 1 || n == 0:
		return false
	case l >= alikeFrom, l >= nearlyFrom && n >= 3:
	default:
		return false
	}
	return !v.alternatives(m.core, st.stems, m.ends, st.ends)
}

// sameTaste reports two preferences of one holder about the same things: what one prefers, the
// other prefers or avoids, or both choose under the same condition.
func sameTaste(a, b *statement) bool {
	if a.holder != b.holder && a.holder != "" && b.holder != "" {
		return false
	}
	apart := len(a.plus) > 0 && len(b.plus) > 0 && shared(a.plus, b.plus) == 0
	if likeness(a.plus, b.plus) >= alikeFrom || !apart && likeness(a.minus, b.minus) >= alikeFrom || max(likeness(a.plus, b.minus), likeness(a.minus, b.plus)) >= alikeFrom {
		return true
	}
	if !apart && likeness(a.stems, b.stems) >= alikeFrom {
		return true
	}
	return a.choice && b.choice && len(a.when) > 0 && likeness(a.when, b.when) >= 0.8
}

// mattersOf groups statements by what they are about, in their order.
func mattersOf(all []*statement, words *meetings) []*matter {
	var out []*matter
	for _, kind := range graph.PatternKinds {
		var some []*statement
		for _, st := range all {
			if st.kind == kind {
				some = append(some, st)
			}
		}
		out = append(out, groupsOf(kind, some, words)...)
	}
	return out
}

func groupsOf(kind graph.PatternKind, all []*statement, words *meetings) []*matter {
	v := vocabularyOf(all, func(st *statement) map[string]bool { return st.stems })
	v.words = words
	var out []*matter
	by := map[string][]int{} // matters by a stem of their statements
	for _, st := range all {
		best, score := -1, -1.0
		tried := map[int]bool{}
		for w := range st.stems {
			for _, i := range by[w] {
				if tried[i] {
					continue
				}
				tried[i] = true
				if l := likeness(out[i].core, st.stems); (l > score || l == score && i < best) && v.same(out[i], st) {
					best, score = i, l
				}
			}
		}
		if best < 0 {
			out = append(out, &matter{kind: kind, count: map[string]int{}})
			best = len(out) - 1
		}
		out[best].add(st)
		for w := range st.stems {
			if !slices.Contains(by[w], best) {
				by[w] = append(by[w], best)
			}
		}
	}
	return merged(v, out)
}

// merged joins matters whose cores are alike: which statement came first makes no difference.
func merged(v vocabulary, all []*matter) []*matter {
	slices.SortStableFunc(all, func(a, b *matter) int { return cmp.Compare(len(b.all), len(a.all)) })
	var out []*matter
	for _, m := range all {
		at := slices.IndexFunc(out, func(o *matter) bool {
			return slices.ContainsFunc(m.all, func(st *statement) bool { return v.same(o, st) }) && (likeness(o.core, m.core) >= nearlyFrom || m.kind == graph.Constraint && slices.ContainsFunc(m.all, func(st *statement) bool {
				return slices.ContainsFunc(o.all, func(x *statement) bool { return sameElsewhere(x, st) })
			}) || v.words.boundIn(o.said, m.said)) &&
				(m.kind == graph.StatedPreference || !v.alternatives(o.core, m.core, o.ends, m.ends) || slices.ContainsFunc(m.all, func(st *statement) bool { return sameElsewhere(o.all[0], st) }))
		})
		if at < 0 {
			out = append(out, m)
			continue
		}
		for _, st := range m.all {
			out[at].add(st)
		}
	}
	return out
}

// opposes reports whether two statements on one matter contradict each other.
func opposes(a, b *statement) bool {
	switch a.kind {
	case graph.StatedPreference:
		if a.opposed(b) && a.avoids() != b.avoids() {
			return false // "likes an open window" and "does not like a shut window" say the same
		}
		if a.sideOf(b) || b.sideOf(a) {
			return true
		}
		same := max(shared(a.plus, b.plus), shared(a.minus, b.minus))
		if a.differs(b, a.plus, b.minus) > same || a.differs(b, a.minus, b.plus) > same {
			return true
		}
		if a.opposed(b) && (len(a.plus) > 0) == (len(b.plus) > 0) {
			return true
		}
		return a.choice && b.choice && len(a.plus) > 0 && len(b.plus) > 0 && shared(a.plus, b.plus) == 0 && len(a.when) > 0 && likeness(a.when, b.when) >= 0.8
	case graph.Constraint:
		if a.bound != 0 && a.bound == b.bound && otherValue(a.values, b.values) {
			return true
		}
		if a.bound != 0 && b.bound != 0 && a.bound != b.bound {
			// "must be approved above 500" and "must not be approved above 500"; of other values both may hold.
			return len(a.values) > 0 && len(b.values) > 0 && !otherValue(a.values, b.values)
		}
		// "must not be on" and "must be off" say the same, "no phones" and "phones off" too
		differ, opposed := a.signFor(b) != b.signFor(a), a.opposed(b)
		switch {
		case otherValue(a.values, b.values):
			return true
		case differ && !opposed && (a.order == 0 && b.order == 0 && a.from.removes() != b.from.removes() || a.upTo(b) || b.upTo(a)):
			return false
		case differ != opposed:
			return true
		}
		return a.order*b.order < 0 && a.sameCondition(b)
	}
	if a.weak && b.denied || b.weak && a.denied { // "it crackles", "it does not crackle"
		return true
	}
	return a.sign != b.sign || otherValue(a.values, b.values)
}

// sideOf reports that one prefers what the other one denies: "afternoons without meetings", "meetings in the afternoon".
func (st *statement) sideOf(o *statement) bool {
	return shared(st.plus, o.lack) > 0 && shared(st.minus, o.lack) == 0
}

// differs counts the words of one side of a preference that the other side of another one has, without those that have another word
// before them there: who hates late shifts may like early shifts.
func (st *statement) differs(o *statement, a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			if x, y := st.from.modifier(w, a), o.from.modifier(w, b); x == "" || y == "" || x == y {
				n++
			}
		}
	}
	return n
}

// modifier returns the word directly before a stem, if it is one of some; empty for none.
func (s *sentence) modifier(stem string, of map[string]bool) string {
	for i := 1; i < len(s.words); i++ {
		if before := s.words[i-1]; stemOf(s.words[i]) == stem && before.SignAfter == 0 && of[stemOf(before)] {
			return before.Low
		}
	}
	return ""
}

// otherwise reports that one avoids the opposite of what the other prefers: "loves early shifts", "hates late shifts".
func (st *statement) otherwise(o *statement, a, b map[string]bool) bool {
	for w := range a {
		if b[w] && conflict.Opposed(st.from.modifier(w, a), o.from.modifier(w, b)) {
			return true
		}
	}
	return false
}

// upTo reports that one demands something before a time after which the other one forbids something: "must leave before nine" and "nobody
// is allowed after nine" do not contradict each other.
func (st *statement) upTo(o *statement) bool {
	return st.sign > 0 && st.order < 0 && o.sign < 0 && o.order > 0 && st.sameCondition(o)
}

// acts returns the verbs of a demand: the words directly after those that lead to one.
func (st *statement) acts() map[string]bool {
	out := map[string]bool{}
	for k := range st.from.main {
		if stem := stemOf(st.from.words[st.from.main[k]]); k > 0 && stem != "" && demandLeads[st.from.low(k-1)] {
			out[stem] = true
		}
	}
	return out
}

// signFor returns the sign of a statement compared with another one, which may speak of what is done instead.
func (st *statement) signFor(o *statement) int {
	if st.turnsTo(o) {
		return 1
	}
	return st.sign
}

// turnsTo reports that a statement says to be done instead what another one speaks of. What it shares with a prohibition may be a reason
// ("it catches fire"), so there only what is to be done counts ("put them into the vault", "they go into the yard").
func (st *statement) turnsTo(o *statement) bool {
	for w, asked := range st.turn {
		if o.stems[w] && (o.sign > 0 || asked && !o.when[w]) {
			return true
		}
	}
	return false
}

// permits reports a statement that only permits, under no condition and without a limit.
func (st *statement) permits() bool {
	return st.may && st.bound == 0 && len(st.values) == 0 && len(st.from.conds) == 0
}

// avoids reports a preference that only says what is avoided.
func (st *statement) avoids() bool { return len(st.plus) == 0 }

// compared is a statement with its reading by package conflict.
type compared struct {
	read    map[*statement]*conflict.Analysis
	pairs   map[[2]*statement]bool
	objects vocabulary // of what is preferred
	words   *meetings  // of the sources
}

// rivals reports two preferences whose objects differ by words that never occur together in one: "window seats" and
// "aisle seats". often reports that each of the two words occurs in several statements.
func (c *compared) rivals(a, b *statement) (rivals, often bool) {
	for x := range a.object {
		if b.object[x] {
			continue
		}
		for y := range b.object {
			if !a.object[y] && c.objects.pairs[[2]string{min(x, y), max(x, y)}] == 0 {
				rivals, often = true, often || min(c.objects.count[x], c.objects.count[y]) >= apart
			}
		}
	}
	return rivals, often
}

// against reports whether two statements on one matter contradict each other, also by the words of
// package conflict: "must stay open" and "must stay closed".
func (c *compared) against(a, b *statement) bool {
	if opposes(a, b) {
		return true
	}
	if a.kind == graph.StatedPreference && a.choice && b.choice {
		_, often := c.rivals(a, b)
		return often && shared(a.object, b.object) > 0
	}
	if a.kind == graph.StatedPreference || a.bound != 0 || b.bound != 0 || likeness(a.stems, b.stems) == 1 {
		return false
	}
	k := [2]*statement{a, b}
	if known, done := c.pairs[k]; done {
		return known
	}
	r := conflict.Compare(*c.analysis(a), *c.analysis(b))
	// Direction, order and numbers were read above; conflict knows words that exclude each other.
	c.pairs[k] = r.Score >= 0.7 && (r.Kind == conflict.KindAntonym || r.Kind == conflict.KindObject)
	return c.pairs[k]
}

// agree reports whether two statements on one matter say the same.
func (c *compared) agree(a, b *statement) bool {
	if c.against(a, b) {
		return false
	}
	if a.kind == graph.StatedPreference {
		if rivals, _ := c.rivals(a, b); rivals {
			return false
		}
		if a.opposed(b) && a.avoids() != b.avoids() {
			return likeness(a.stems, b.stems) >= nearlyFrom
		}
		if a.otherwise(b, a.plus, b.minus) || a.otherwise(b, a.minus, b.plus) {
			return true
		}
		return likeness(a.plus, b.plus) >= nearlyFrom || likeness(a.minus, b.minus) >= nearlyFrom || shared(a.plus, b.plus)+shared(a.minus, b.minus) > 0 && likeness(a.stems, b.stems) >= alikeFrom
	}
	if a.permits() != b.permits() && a.kind == graph.Constraint {
		return false // what may be done need not be done
	}
	if a.kind == graph.Constraint && a.may != b.may && a.sign > 0 && b.sign > 0 && a.bound == 0 && b.bound == 0 {
		return false // also under a condition
	}
	if a.kind == graph.Constraint && (a.upTo(b) || b.upTo(a)) && shared(a.acts(), b.acts()) > 0 {
		return false // "must be taken before nine" and "never taken after nine": neither follows from the other
	}
	if a.kind == graph.FailureSignature && a.opposed(b) {
		return false // it fails under another condition
	}
	n := shared(a.stems, b.stems)
	return likeness(a.stems, b.stems) >= nearlyFrom || n > 1 && n == min(len(a.stems), len(b.stems)) || c.words.boundIn(a.said(), b.said())
}

func (c *compared) analysis(st *statement) *conflict.Analysis {
	if x := c.read[st]; x != nil {
		return x
	}
	x := conflict.Analyse(conflict.Statement{Text: strings.TrimSpace(st.from.whole())})
	c.read[st] = &x
	return &x
}
