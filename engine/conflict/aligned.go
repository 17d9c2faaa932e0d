package conflict

import (
	"slices"
	"strings"
)

// alignedClause is a sentence as a row of cells. Two sentences that differ in one cell or one run
// of cells are compared there.
type alignedClause struct {
	cells    []cell
	verb     int  // index of the verb in cells
	past     bool // the verb is in a past form
	person   bool // the subject is a person: I, we, a name
	definite bool // the subject is one definite thing or person
}

// cell is a word, or a value of any number of words.
type cell struct {
	low, lem string
	upper    bool
	verb     bool
	val      *value
}

func (c cell) equal(o cell) bool {
	if c.val != nil || o.val != nil {
		return c.val != nil && o.val != nil && c.val.kind == o.val.kind && c.val.unit == o.val.unit && c.val.num == o.val.num && c.val.text == o.val.text && c.val.year == o.val.year
	}
	return c.lem == o.lem
}

// profile holds the parts of a text that a repetition must have too.
type profile struct {
	vals  []value
	words []profileWord
}

// profileWord is a word of a text. name is set for names.
type profileWord struct {
	lem  string
	name bool
}

// maxAligned is the maximum length, in tokens, of a sentence that is aligned.
const maxAligned = 24

// readSentences reads the sentences of a text for alignment, and its profile. It also notes their
// measurements, channels and roles.
func (a *Analysis) readSentences(t []token, d *scratch) (out []alignedClause, g profile) {
	for said, question := range sentences(t) {
		if len(said) > maxAligned || len(out) == 4 {
			continue
		}
		s := append(d.copied[:0], said...) // values are marked in a copy
		vals := values(s, a.statement.At)
		g.vals = append(g.vals, vals...)
		if g.words == nil {
			g.words = make([]profileWord, 0, len(t))
		}
		for _, x := range s {
			if !x.punctuation {
				g.words = append(g.words, profileWord{x.lem, x.upper && !x.used})
			}
		}
		if question || isDoubtful(s) {
			continue
		}
		if p, ok := measurementOf(s, vals); ok {
			a.measurements = append(a.measurements, p)
		}
		if m, ok := channelOf(s, vals); ok {
			a.channels = append(a.channels, m)
		}
		a.roles = append(a.roles, rolesOf(s)...)
		if f, ok := alignedClauseOf(s, vals); ok {
			out = append(out, f)
		}
	}
	return out, g
}

func alignedClauseOf(t []token, vals []value) (alignedClause, bool) {
	for len(t) > 2 && (t[0].punctuation || t[0].is(interjection) || t[0].is(adverb)) && !t[0].used {
		t = t[1:]
		for i := range vals {
			vals[i].index--
		}
	}
	v := findVerb(t, false)
	if v < 1 {
		return alignedClause{}, false
	}
	f := alignedClause{verb: -1, cells: make([]cell, 0, len(t))}
	next := 0
	for i := 0; i < len(t); i++ {
		x := t[i]
		if i == v {
			f.verb = len(f.cells)
		}
		if next < len(vals) && vals[next].index == i {
			c := cell{low: x.low, lem: x.lem, val: &vals[next]}
			next++
			for i+1 < len(t) && t[i+1].used && !(next < len(vals) && vals[next].index == i+1) {
				i++
			}
			f.cells = append(f.cells, c)
			continue
		}
		if x.punctuation || i != v && x.is(adverb) || x.low == "the" {
			continue
		}
		f.cells = append(f.cells, cell{low: x.low, lem: x.lem, upper: x.upper, verb: x.verb || x.strong})
	}
	if f.verb < 1 || t[v].is(modal) {
		return alignedClause{}, false
	}
	first := t[0].low
	f.past = t[v].past
	f.person = first == "i" || first == "we" || t[v-1].upper || v == 1 && t[0].raw[0] <= 'Z' && !determiners[first] || (first == "my" || first == "our") && relatives[t[v-1].lem]
	switch first {
	case "a", "an", "some", "every", "each", "any", "it", "he", "she", "they", "there", "this", "that", "these", "those", "you", "people", "many", "most", "all":
	default:
		f.definite = !pluralSubject(t[:v]) || first == "i" || first == "we"
	}
	return f, true
}

// multiObjectVerbs are verbs that may have several objects at a time, and acts that are repeated.
var multiObjectVerbs = lemmaSet("multiObjectVerbs")

// multiSubjectPassives are participles that may hold for several things at a time.
var multiSubjectPassives = lemmaSet("multiSubjectPassives")

// singleObjectVerbs are verbs with one object at a time.
var singleObjectVerbs = lemmas("live work reside belong report settle stem originate hail descend park anchor moor dock deal")

var departVerbs = lemmas("leave depart start go sail")

// namedNouns are nouns whose value is a name and not a quality: the colour is green, the venue is
// Rome.
var namedNouns = lemmaSet("namedNouns")

// compareAligned compares the sentences of two statements word by word.
func compareAligned(a, b *Analysis) Result {
	return firstPair(a.aligned, b.aligned, func(x, y *alignedClause) Result {
		if a.self != "" && b.self != "" && a.self != b.self && slices.ContainsFunc(x.cells[:x.verb], func(c cell) bool { return pronoun(c.low) == "@i" }) {
			return Result{}
		}
		return alignedDifference(x, y)
	})
}

// alignedDifference compares two sentences that differ in one place after their verb.
func alignedDifference(a, b *alignedClause) Result {
	if a.verb != b.verb || a.past != b.past || !a.definite || !b.definite {
		return Result{}
	}
	n := 0
	for n < len(a.cells) && n < len(b.cells) && a.cells[n].equal(b.cells[n]) {
		n++
	}
	if n <= a.verb {
		return Result{}
	}
	i, j := len(a.cells), len(b.cells)
	for i > n && j > n && a.cells[i-1].equal(b.cells[j-1]) {
		i, j = i-1, j-1
	}
	x, y := a.cells[n:i], b.cells[n:j]
	if len(x) == 0 || len(y) == 0 || len(x) > 5 || len(y) > 5 {
		return Result{}
	}
	before := a.cells[a.verb:n]
	hit := Result{scoreValue, KindObject}
	if hasValue(x) && hasValue(y) {
		if !measureDiffers(x, y) || !hasOneMeasure(a, before) {
			return Result{}
		}
		hit.Kind = KindNumber
		return hit
	}
	if a.past || len(x) > 4 || len(y) > 4 || !wordsOnly(x) || !wordsOnly(y) || mayRefine(x, y) {
		return Result{}
	}
	if isCode(x) && isCode(y) && (!multiObjectVerbs[a.cells[a.verb].lem] || len(before) > 1 && prepositions[before[len(before)-1].low]) {
		return hit
	}
	if hasOneObject(a, before, x, y) {
		return hit
	}
	return Result{}
}

func hasValue(c []cell) bool {
	return slices.ContainsFunc(c, func(x cell) bool { return x.val != nil })
}

// wordsOnly reports cells without values, other verbs and conjunctions.
func wordsOnly(c []cell) bool {
	return !slices.ContainsFunc(c, func(x cell) bool { return x.val != nil || joiners[x.low] || x.verb && isIng(x.low) })
}

// mayRefine reports two objects of which one may be a refinement of the other.
func mayRefine(x, y []cell) bool {
	has := func(c []cell, w string) bool {
		return slices.ContainsFunc(c, func(o cell) bool { return o.lem == w })
	}
	for _, c := range x {
		if !stopWords[c.low] && has(y, c.lem) {
			return true
		}
	}
	nx, ny := joinWords(x), joinWords(y)
	hx, hy := x[len(x)-1].lem, y[len(y)-1].lem
	return samePlace(nx, ny) || isRegion(nx) != isRegion(ny) || isAcronym(nx, ny) || isAcronym(ny, nx) || isA(hx, hy) || isA(hy, hx) || generic[hx] || generic[hy]
}

func joinWords(c []cell) string {
	var w []string
	for _, x := range c {
		if !determiners[x.low] {
			w = append(w, x.low)
		}
	}
	return strings.Join(w, " ")
}

func isCode(c []cell) bool {
	return len(c) == 1 && strings.ContainsAny(c[0].low, "0123456789")
}

// measureDiffers reports that two runs of cells have the same form and differ in a value.
func measureDiffers(x, y []cell) bool {
	if len(x) != len(y) {
		return false
	}
	found := false
	for i := range x {
		v, w := x[i].val, y[i].val
		switch {
		case v == nil && w == nil && x[i].lem == y[i].lem:
		case v == nil || w == nil || v.kind != w.kind || v.unit != w.unit:
			return false
		case !v.same(*w):
			found = true
		}
	}
	return found
}

// hasOneMeasure reports whether what a clause measures has one value at a time.
func hasOneMeasure(f *alignedClause, before []cell) bool {
	verb := before[0].lem
	indefinite := slices.ContainsFunc(before, func(c cell) bool { return c.low == "a" || c.low == "an" || c.low == "another" })
	rest := f.cells[f.verb+1:]
	habit := slices.ContainsFunc(rest, func(c cell) bool { return c.val != nil && c.val.recurring })
	days := 0
	for _, c := range rest {
		if c.val != nil && c.val.kind >= valueWeekday && c.val.kind <= valueYear {
			days++
		}
	}
	clock := slices.ContainsFunc(rest, func(c cell) bool { return c.val != nil && c.val.kind == valueTime })
	switch {
	case f.past && f.person && !onceVerbs[verb], f.past && days > 0, f.past && indefinite:
		return false
	case f.person && (multiObjectVerbs[verb] && !(verb == "wear" || verb == "need") || habit || days > 0 || indefinite):
		return false
	case (verb == "open" || verb == closeKey || verb == startKey || verb == "end") && days > 0 && clock:
		return false
	}
	return !multiObjectVerbs[verb] || verb == "have" && !indefinite && !f.person || verb == "wear" || verb == "need"
}

// hasOneObject reports whether only one thing at a time can be in the place that differs.
func hasOneObject(f *alignedClause, before []cell, x, y []cell) bool {
	verb := before[0]
	plain := func(c []cell) bool { // without a prepositional phrase
		return !slices.ContainsFunc(c[1:], func(o cell) bool { return prepositions[o.low] })
	}
	if !plain(x) || !plain(y) {
		return false
	}
	if x[0].upper != y[0].upper && !f.past && !(verb.lem == "be" && len(before) > 1) {
		return false
	}
	if singleObjectVerbs[verb.lem] {
		// lives in, reports to; works nights
		return len(before) > 1 && prepositions[before[len(before)-1].low] && before[len(before)-1].low != "on" && before[len(before)-1].low != "with" && before[len(before)-1].low != "by" ||
			verb.lem == "deal" && len(before) == 2 && !f.person || verb.lem == "work" && (qualifierWords[x[len(x)-1].lem] && qualifierWords[y[len(y)-1].lem])
	}
	if departVerbs[verb.lem] && len(before) > 1 && before[len(before)-1].low == "from" {
		return !f.person // a bus leaves from one stop
	}
	if verb.lem != "be" {
		return false
	}
	if len(before) == 1 {
		// "the colour of the gate is ochre"
		for k := f.verb - 1; k >= 0; k-- {
			if (k == f.verb-1 || f.cells[k+1].low == "of" || f.cells[k+1].low == "for") && namedNouns[f.cells[k].lem] {
				return true
			}
		}
		return false
	}
	part, last := before[1], before[len(before)-1]
	switch {
	case part.low == "about" && len(before) == 2:
		return !f.person
	case isPast(part.low) && part.verb && !multiSubjectPassives[part.lem]:
		return f.definite && last.low != "for" && last.low != "with" && last.low != "of" && (len(before) > 2 || part.lem == "paint" || part.lem == namesKey || part.lem == "call" || placePrepositions[x[0].low] && placePrepositions[y[0].low])
	}
	return false
}

// Differ reports that two statements give different values or names, so that neither is a
// repetition of the other: numbers, amounts or times of the same kind without a common value,
// names on both sides that the other side lacks, or different words in one place of otherwise
// equal sentences. It is symmetric, and false if the statements agree.
func Differ(a, b Analysis) bool {
	others := a.profile.namesOthers(b.profile)
	if _, agree := compareClaims(&a, &b); agree && !others || sameClause(&a, &b) {
		return false
	}
	for i := range a.aligned {
		for j := range b.aligned {
			if a.aligned[i].divergesAfterVerb(&b.aligned[j]) {
				return true
			}
		}
	}
	return a.profile.differsInOnePlace(b.profile) || a.profile.hasOtherValues(b.profile) || b.profile.hasOtherValues(a.profile) || others
}

// namesOthers reports that each of two texts has names that the other one lacks: "is a pupil of Larkfield", "is a pupil of Saint
// Brannock".
func (g profile) namesOthers(o profile) bool { return g.hasOtherNames(o) && o.hasOtherNames(g) }

// differsInOnePlace reports that two texts are equal except in one place, where each has words
// that the other lacks.
func (g profile) differsInOnePlace(o profile) bool {
	x, y := g.words, o.words
	for len(x) > 0 && len(y) > 0 && x[0].lem == y[0].lem {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1].lem == y[len(y)-1].lem {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	if 2*len(x) > len(g.words) || 2*len(y) > len(o.words) {
		return false
	}
	only := func(x, y []profileWord) bool {
		return slices.ContainsFunc(x, func(w profileWord) bool {
			return !stopWords[w.lem] && !slices.ContainsFunc(y, func(v profileWord) bool { return v.lem == w.lem })
		})
	}
	return only(x, y) && only(y, x)
}

// divergesAfterVerb reports that two sentences are the same up to one word after the verb, and
// that each then has words that the other lacks.
func (f *alignedClause) divergesAfterVerb(o *alignedClause) bool {
	n := 0
	for n < len(f.cells) && n < len(o.cells) && f.cells[n].equal(o.cells[n]) {
		n++
	}
	if f.verb != o.verb || n <= f.verb {
		return false
	}
	only := func(x, y []cell) bool {
		return slices.ContainsFunc(x, func(c cell) bool {
			return c.val == nil && !stopWords[c.low] && !slices.ContainsFunc(y, func(d cell) bool { return c.lem == d.lem })
		})
	}
	return only(f.cells[n:], o.cells[n:]) && only(o.cells[n:], f.cells[n:])
}

// hasOtherValues reports a kind of value that both have, without a common value.
func (g profile) hasOtherValues(o profile) bool {
	for _, v := range g.vals {
		met, shared := false, false
		for _, w := range o.vals {
			if v.kind == w.kind && (v.unit == w.unit || v.kind == valueQuantity) {
				met = true
				shared = shared || v.unit == w.unit && v.same(w)
			}
		}
		if met && !shared {
			return true
		}
	}
	return false
}

func (g profile) hasOtherNames(o profile) bool {
	return slices.ContainsFunc(g.words, func(w profileWord) bool {
		return w.name && !slices.ContainsFunc(o.words, func(x profileWord) bool { return x.lem == w.lem })
	})
}
