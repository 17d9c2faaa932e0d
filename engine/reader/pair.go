package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// pair is two clauses with what their alignment shows.
type pair struct {
	earlier, later *clause

	subject, object         likeness
	theme                   likeness // what the earlier clause says something of or acts on, against that of the later one
	subjectKind, objectKind class
	inverse                 likeness // the earlier subject against the later object
	inverseBack             likeness // the earlier object against the later subject
	verb                    verbRelation
	same, differ            int      // phrases with one preposition: equal, and not
	qualifier               int      // of those that differ, the ones before the verb or with a value of time
	phrase                  likeness // of the first phrases with one preposition that differ
	phraseKind              class
	phraseFrom, objectFrom  class // classes of the words in the earlier clause that phraseKind and objectKind replace
	phrasePrep              string
	membersFrom, membersTo  bool // the words that differ in those phrases are in a set of the table
	leadingLater            int  // phrases before the verb that only the later clause has
	onlyEarlier, onlyLater  int  // phrases
	slot                    slotMatch
	flip                    bool     // one is negated
	common                  int      // words with content in both
	unmatched               [2]int   // words with content in one only
	prefix, suffix          int      // words at the beginning and at the end that are equal
	crossKind               likeness // best relation of any word of one to any word of the other
	sourced                 bool     // the later clause names the earlier value as the one that ends: "from X", "replaced X"
	fresh                   cue      // cues only in the later one
}

// verbRelation is how the verbs of two clauses relate.
type verbRelation uint8

const (
	verbOther verbRelation = iota
	verbSame
	verbOpposed
	verbLaterChanges // the later verb is one of change
	verbLaterStops   // the later verb is one of ending
	verbMissing
	verbBothMissing
)

// align compares two clauses.
func align(a, b *clause) (p pair) {
	p.earlier, p.later = a, b
	p.subject, p.subjectKind = compareNouns(&a.subject, &b.subject)
	p.object, p.objectKind = compareNouns(&a.object, &b.object)
	p.theme, _ = compareNouns(a.theme(), b.theme())
	p.objectFrom = lastOf(a.object.words)
	p.inverse, _ = compareNouns(&a.subject, &b.object)
	p.inverseBack, _ = compareNouns(&a.object, &b.subject)
	p.verb = compareVerbs(a, b)
	p.flip = a.negated != b.negated
	if p.fresh = b.cues &^ a.cues; b.redone && b.verbLemma != a.verbLemma {
		p.fresh &^= cueChanged // "was written in Go", "was rewritten in Rust", but "is black", "I rebooted it"
	}
	if p.slot = matchSlots(a, b); p.slot.found && p.habits() {
		p.slot = slotMatch{}
	}
	p.comparePhrases()
	p.sourced = p.namesSource()
	p.compareAll()
	return p
}

func compareVerbs(a, b *clause) verbRelation {
	switch {
	case a.verb < 0 && b.verb < 0:
		return verbBothMissing
	case a.verb < 0 || b.verb < 0:
		return verbMissing
	case a.verbLemma == b.verbLemma:
		return verbSame
	case !a.setting && !b.setting && oppose(&a.words[a.verb], &b.words[b.verb]) == opposed:
		return verbOpposed
	case tables.StopLemma[b.verbLemma]:
		return verbLaterStops
	case b.changes:
		return verbLaterChanges
	}
	return verbOther
}

// comparePhrases compares the phrases of the two clauses by their prepositions.
func (p *pair) comparePhrases() {
	p.phrase = bothEmpty
	for i := range p.later.phrases {
		y := &p.later.phrases[i]
		x := p.earlier.phrase(y.prep, &y.noun)
		if x == nil && p.phrase == bothEmpty {
			if q := p.earlier.phrase(lexicon.OpposedPrepositions[y.prep], &y.noun); q != nil && q.noun.key() == y.noun.key() {
				p.differ++
				p.phrase, p.phraseKind, p.phrasePrep = opposed, classFunction, y.prep
				continue
			}
		}
		if x == nil {
			p.onlyLater++
			if k := y.kind(); y.leading && k != "interval" && !y.noun.empty() {
				p.leadingLater++
			}
			continue
		}
		l, kind := compareNouns(&x.noun, &y.noun)
		if l == equal || l == bothEmpty {
			p.same++
			continue
		}
		if p.later.has(x) {
			p.onlyLater++ // "in a village in Spain" against "in Spain"
			continue
		}
		p.differ++
		if x.leading && y.leading && kind != classClock && kind != classDate {
			p.qualifier++
		}
		if p.phrase == bothEmpty {
			p.phrase, p.phraseKind, p.phrasePrep, p.phraseFrom = l, kind, y.prep, lastOf(x.noun.words)
			p.membersFrom, p.membersTo = memberships(x.noun.words), memberships(y.noun.words)
		}
	}
	p.onlyEarlier = max(0, len(p.earlier.phrases)-p.same-p.differ)
}

// has reports a phrase with the preposition and the noun of x.
func (c *clause) has(x *prepositional) bool {
	return slices.ContainsFunc(c.phrases, func(q prepositional) bool { return q.prep == x.prep && q.noun.key() == x.noun.key() })
}

// phrase returns the phrase with a preposition; among several one whose head is that of like.
func (c *clause) phrase(prep string, like *nounPhrase) *prepositional {
	var found *prepositional
	for i := range c.phrases {
		q := &c.phrases[i]
		if q.prep == prep && (found == nil || q.noun.head == like.head) {
			found = q
		}
	}
	return found
}

// compareAll compares the two clauses as sequences of words.
func (p *pair) compareAll() {
	a, b := p.earlier.words, p.later.words
	for p.prefix < min(len(a), len(b)) && a[p.prefix].hash == b[p.prefix].hash {
		p.prefix++
	}
	for p.suffix < min(len(a), len(b))-p.prefix && a[len(a)-1-p.suffix].hash == b[len(b)-1-p.suffix].hash {
		p.suffix++
	}
	p.crossKind = other
	for i := range a {
		x := &a[i]
		if !x.content() {
			continue
		}
		if hasWord(b, x) {
			p.common++
			continue
		}
		p.unmatched[0]++
		if len(x.sets) == 0 || p.crossKind == opposed {
			continue
		}
		for j := range b {
			y := &b[j]
			if len(y.sets) == 0 || !y.content() || hasWord(a, y) {
				continue
			}
			switch oppose(x, y) {
			case opposed:
				p.crossKind = opposed
			case kindred:
				p.crossKind = kindred
			}
		}
	}
	for j := range b {
		if b[j].content() && !hasWord(a, &b[j]) {
			p.unmatched[1]++
		}
	}
}

// weight says how much two clauses have to do with each other; the pair of clauses with the
// highest one is compared.
func (p *pair) weight() float64 {
	w := float64(p.common)
	if p.subject == equal {
		w += 1.5
	}
	if p.object == equal {
		w++
	}
	if p.verb == verbSame {
		w += 0.7
	}
	if p.slot.found && p.slot.cardinality != frames.Many {
		switch p.slot.holder {
		case equal:
			w += 3
		case bothEmpty, onlyLater:
			w++
		}
	}
	if p.crossKind != other {
		w++
	}
	if p.crossKind == opposed {
		w++
	}
	if !p.later.modality.Holds() {
		w -= 0.5
	}
	return w
}

// lastOf returns the class of the last word with content, 0 if there is none.
func lastOf(words []word) class {
	for i := len(words) - 1; i >= 0; i-- {
		if words[i].content() {
			return words[i].class
		}
	}
	return 0
}

// theme returns the noun phrase that a clause says something of: the object of a transitive
// verb, otherwise the subject.
func (c *clause) theme() *nounPhrase {
	if c.passive || c.verbLemma == "be" || c.setting || c.object.empty() {
		return &c.subject
	}
	return &c.object
}

// memberships tells whether the last word with content of a phrase is in a set of the table.
func memberships(words []word) bool {
	for i := len(words) - 1; i >= 0; i-- {
		if words[i].content() {
			return len(words[i].sets) > 0
		}
	}
	return false
}

// namesSource reports whether the later clause gives the earlier value, or the end of the
// earlier phrase, as the one that ends: "moved from X to Y", "replaced X with Y", "not X".
func (p *pair) namesSource() bool {
	a, b := p.earlier, p.later
	old := a.complement()
	if len(old) == 0 {
		return false
	}
	isOld := func(n *nounPhrase) bool {
		l, _ := compareWords(old, n.words)
		return l == equal
	}
	if isOld(&b.denied) {
		return true
	}
	for i := range b.phrases {
		q := &b.phrases[i]
		if (q.prep == "from" || q.prep == "of" || q.prep == "," || q.prep == "than") && isOld(&q.noun) {
			return true
		}
	}
	return (b.changes || tables.StopLemma[b.verbLemma]) && !b.object.empty() && isOld(&b.object)
}
