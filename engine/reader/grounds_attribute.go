package reader

import (
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// measured reports the classes of values of which a thing has one for each attribute.
func measured(c class) bool {
	switch c {
	case classNumber, classClock, classDate, classWeekday, classMoney, classAmount, classPercent, classVersion, classCode, classAddress:
		return true
	}
	return false
}

// onlyMeasured returns the index of the only measured value in words that others lack, -1 if there is none or
// there are several. A date since when something is so does not count.
func onlyMeasured(words, others []word) int {
	at := -1
	for i := range words {
		w := &words[i]
		if !measured(w.class) || hasWord(others, w) || w.quoted || begins(words, i) {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// begins reports a date since when something is so.
func begins(words []word, i int) bool {
	if words[i].class != classDate || i == 0 {
		return false
	}
	before := words[i-1].low
	return before == "since" || before == "from" || before == "of"
}

// attribute reports one measured value in each clause, of one class and unit, of a thing that both name.
func (p *pair) attribute() bool {
	a, b := p.earlier, p.later
	i, j := onlyMeasured(a.words, b.words), onlyMeasured(b.words, a.words)
	if i < 0 || j < 0 || p.flip || b.negated || many(a) && !has(a) || many(b) && !has(b) {
		return false
	}
	x, y := &a.words[i], &b.words[j]
	if x.class != y.class || (x.class == classAmount || x.class == classMoney) && unitOf(x.lem) != unitOf(y.lem) {
		return false
	}
	changed := b.shifts() && !lexicon.Dated[b.verbLemma]
	copula := a.verbLemma == "be" || b.verbLemma == "be" || lexicon.Light[a.verbLemma] && lexicon.Light[b.verbLemma] || x.class == classAddress
	if !changed && (b.cues&cueDated != 0 || b.past && !b.perfect && !b.passive || p.verb != verbSame && !copula) {
		return false
	}
	if !changed && !a.setting && !b.setting && (labels(a.words, i) && a.verbLemma != "be" || preposition(a.words, i) != preposition(b.words, j) && p.verb == verbSame) {
		return false
	}
	if x.class == classCode && !changed && !copula && a.object.head == x.lem && b.object.head == y.lem {
		return false // two things: "coaches the under-12s"
	}
	if (x.class == classWeekday || x.class == classDate) && !changed && !copula && !lexicon.Dated[a.verbLemma] {
		return false // an occasion: "room 4 is booked on Monday"
	}
	shared, left, added := 0, 0, 0
	if p.subject == equal && a.subject.pronoun == "" {
		shared++ // "it"
	}
	for k := range a.words {
		switch w := &a.words[k]; {
		case k == i || !a.topical(k):
		case hasWord(b.words, w):
			shared++
		case isName(w.class) || measured(w.class):
			return false
		default:
			left++
		}
	}
	inSubject := false
	for k := range b.words {
		switch w := &b.words[k]; {
		case k == j || !b.topical(k) || begins(b.words, k):
		case hasWord(a.words, w):
			inSubject = inSubject || k < b.verb || b.verb == 0
		case changed && k < b.verb: // who changed it
		case isName(w.class) || measured(w.class):
			return false
		default:
			added++
		}
	}
	if !changed && !inSubject && p.subject != equal {
		return false
	}
	return shared > 0 && (left == 0 || added == 0 || changed) && left <= 1 && added <= 1
}

func has(c *clause) bool { return c.verbLemma == "hav" || c.verbLemma == "have" }

// many reports a verb that takes several objects at once.
func many(c *clause) bool {
	return c.verb >= 0 && (tables.ManyLemma[c.verbLemma] || c.verbLemma == "support") && !c.changes
}

// topical reports a word that says what a clause is about: a noun, a name or a code.
func (c *clause) topical(i int) bool {
	w := &c.words[i]
	f := verbForm(w.low)
	return i != c.verb && w.content() && !tables.Unit[w.low] && (f == noVerb || f == baseForm)
}

// preposition returns the preposition before the word at i, "" if there is none.
func preposition(words []word, i int) string {
	for i--; i > 0 && lexicon.Bounds[words[i].low]; i-- {
	}
	if i >= 0 && tables.Preposition[words[i].low] {
		return words[i].low
	}
	return ""
}

// shifts reports a clause that says that a value was changed.
func (c *clause) shifts() bool {
	return c.verb >= 0 && (c.changes || lexicon.Shifted[c.verbLemma] && c.hasWord("to"))
}
