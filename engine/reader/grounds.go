package reader

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// Ground is what the words of two clauses show by themselves: the later one gives another value of what the earlier
// one states. With a ground a lower certainty of the trees is enough, because the two seldom err on one pair.
type Ground uint8

// Grounds.
const (
	NoGround  Ground = iota
	Attribute        // one measured value in each clause, of one class and unit, of a thing that both name
	Ended            // the later statement says that the earlier value has ended: "I sold the Mazda"
	Frame            // one thing or role in one frame with another value of one form: "my assistant is Noor"
	Turned           // a verb of change acts on what the earlier clause is about: "the printer was moved to the hall"
	Reversed         // the later clause denies the earlier one: "I no longer work at Acme"
	Mistaken         // the later statement says that the earlier one was wrong: "it's platform 14, not 4"
)

// grounded is the least certainty of a pair of clauses with a ground, and groundFrom the certainty of the trees that
// the pair needs besides.
const grounded, groundFrom = 0.75, 0.5

// ground returns the ground on which the later clause revises the earlier one.
func (p *pair) ground(s statements) Ground {
	a, b := p.earlier, p.later
	if a.modality != Asserted && a.modality != Imperative || a.past && !a.perfect && !a.passive && !a.changes || a.verb < 0 {
		return NoGround
	}
	if b.modality != Asserted && b.modality != Imperative && b.modality != Event || b.verb < 0 || b.modal && !b.hasWord("must") && !b.hasWord("can") || p.qualifier > 0 || p.occasionsLater() {
		return NoGround
	}
	switch {
	case p.attribute():
		return Attribute
	case p.ended(s):
		return Ended
	case p.frame():
		return Frame
	case p.turned():
		return Turned
	case p.reversed():
		return Reversed
	case p.mistaken():
		return Mistaken
	}
	return NoGround
}

// occasionsLater reports a phrase before the subject of the later clause that the earlier one lacks, unless it only tells
// since when: "after the move we …".
func (p *pair) occasionsLater() bool {
	if p.leadingLater == 0 {
		return false
	}
	return slices.ContainsFunc(p.later.phrases, func(q prepositional) bool {
		return q.leading && !q.noun.empty() && q.prep != "after" && q.prep != "since" && q.kind() != "interval"
	})
}

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
	changed := b.shifts() && !dated[b.verbLemma]
	copula := a.verbLemma == "be" || b.verbLemma == "be" || light[a.verbLemma] && light[b.verbLemma] || x.class == classAddress
	if !changed && (b.cues&cueDated != 0 || b.past && !b.perfect && !b.passive || p.verb != verbSame && !copula) {
		return false
	}
	if !changed && !a.setting && !b.setting && (labels(a.words, i) && a.verbLemma != "be" || preposition(a.words, i) != preposition(b.words, j) && p.verb == verbSame) {
		return false
	}
	if (x.class == classWeekday || x.class == classDate) && !changed && !copula && !dated[a.verbLemma] {
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

// dated are verbs that say when something is.
var dated = lemmas(english.WordSet("start begin end close open expire renew happen take fall run arrive leave come meet finish last depart land"))

// light are verbs that say little besides what they govern: "have dinner", "eat dinner", "take the ferry", "catch the ferry".
var light = lemmas(english.WordSet("have eat take catch get go run come hold happen keep pay cost charge"))

func has(c *clause) bool { return c.verbLemma == "hav" || c.verbLemma == "have" }

// many reports a verb that takes several objects at once.
func many(c *clause) bool {
	return c.verb >= 0 && (tables.manyLemma[c.verbLemma] || c.verbLemma == "support") && !c.changes
}

// topical reports a word that says what a clause is about: a noun, a name or a code.
func (c *clause) topical(i int) bool {
	w := &c.words[i]
	f := verbForm(w.low)
	return i != c.verb && w.content() && !tables.unit[w.low] && (f == noVerb || f == baseForm)
}

// preposition returns the preposition before the word at i, "" if there is none.
func preposition(words []word, i int) string {
	for i--; i > 0 && atLeast[words[i].low]; i-- {
	}
	if i >= 0 && tables.preposition[words[i].low] {
		return words[i].low
	}
	return ""
}

// atLeast are words before a number that bound it.
var atLeast = english.WordSet("least most up about around only exactly roughly nearly over under almost")

// shifts reports a clause that says that a value was changed.
func (c *clause) shifts() bool {
	return c.verb >= 0 && (c.changes || shifted[c.verbLemma] && c.hasWord("to"))
}

// shifted are verbs besides those of change in the table that give a thing another value.
var shifted = lemmas(english.WordSet("set put push cap bring go get hand pass grow double slow speed move"))

// ended reports that the later statement ends the value of the earlier clause.
func (p *pair) ended(s statements) bool {
	a := p.earlier
	old := a.complement()
	if len(old) == 0 {
		return false
	}
	if p.sourced && (p.subject == equal || p.later.passive || p.later.subject.empty() || sameHolder(&p.later.subject, &a.subject)) && (p.later.changes || p.later.shifts() || !p.later.denied.empty()) {
		return true
	}
	for i := range s.later {
		if s.later[i].ends(a, old) {
			return true
		}
	}
	return false
}

// ends reports that a clause ends what another one states: its verb is one of ending, and it names the value.
func (c *clause) ends(a *clause, old []word) bool {
	if c.verb < 0 || c.modality != Asserted && c.modality != Event || c.negated && c.cues&cueNoLonger == 0 && !c.stopped {
		return false
	}
	head := headOf(old)
	if head == nil || measured(head.class) {
		return false
	}
	ends := tables.stopLemma[c.verbLemma] || endings[c.verbLemma] || c.stopped || c.negated && c.cues&cueNoLonger != 0
	if particle := phrasal[c.verbLemma]; particle != "" && hasWord(c.governed(particle), head) && within(c.governed(particle), a, head) {
		return c.subject.empty() || sameHolder(&c.subject, &a.subject) || c.subject.pronoun == "?"
	}
	switch {
	case ends && hasWord(c.object.words, head) && c.object.owner != "?" && within(c.object.words, a, head):
		return c.subject.empty() || c.passive || sameHolder(&c.subject, &a.subject) || c.subject.pronoun == "?"
	case (ends || c.moves()) && hasWord(c.subject.words, head) && c.subject.owner == "" && within(c.subject.words, a, head):
		return c.object.empty() || leaves[c.verbLemma]
	}
	return false
}

// within reports that a phrase names nothing but what another clause has: "my streaming subscription" is not the
// "subscription to the Times".
func within(words []word, a *clause, head *word) bool {
	return isName(head.class) || !slices.ContainsFunc(words, func(w word) bool { return w.content() && !hasWord(a.words, &w) })
}

// sameHolder reports that who ends something is whom it belongs to.
func sameHolder(x, owner *nounPhrase) bool {
	return x.pronoun != "" && (x.pronoun == owner.pronoun || x.pronoun == owner.owner) || x.key() == owner.key() || x.head == owner.owner && x.head != ""
}

// headOf returns the last name of a phrase, or its last word with content.
func headOf(words []word) (head *word) {
	for i := range words {
		if w := &words[i]; w.content() && (head == nil || isName(w.class) || !isName(head.class)) {
			head = w
		}
	}
	return head
}

// phrasal are verbs that end what their particle governs: "gave up the trumpet".
var phrasal = map[string]string{"give": "up", "giv": "up", "throw": "out", "cancel": "out", "back": "out"}

var (
	endings = lemmas(english.WordSet("swap replace trade break die return remove archive cancel close"))
	leaves  = lemmas(english.WordSet("leave retire resign quit die hand pass stop"))
)

// frame reports one thing or role in one frame with another value of one kind and form.
func (p *pair) frame() bool {
	a, b := p.earlier, p.later
	if b.modality == Event || p.flip || a.negated || b.negated || b.past && !b.perfect && !b.passive || many(a) {
		return false
	}
	if a.verbLemma == "be" && b.verbLemma == "be" && p.differ == 0 && p.onlyEarlier == 0 && p.onlyLater <= 1 && p.refills() {
		return true
	}
	if p.verb != verbSame || p.subject != equal || p.onlyLater > 0 || p.onlyEarlier > 0 || p.unmatched[0] > 2 || p.unmatched[1] > 2 || wild(b.subject.pronoun) {
		return false
	}
	one := a.verbLemma == "be" || p.slot.found && p.slot.cardinality == One && p.slot.holder == equal && (p.slot.value == kindred || p.slot.value == opposed)
	if one && (p.object == kindred || p.object == opposed) && p.differ == 0 {
		return true
	}
	if one && located[p.phrasePrep] && (p.phrase == kindred || p.phrase == opposed) && (p.object == equal || p.object == bothEmpty) {
		return true
	}
	if a.passive && b.passive && !a.past && !b.past && p.objectsAgree() && p.differ == 1 && p.same == 0 && !measured(p.phraseKind) && p.phraseKind != classPart && b.subject.pronoun == "" && p.phrase != overlapping && p.phrase != narrower && p.phrase != wider {
		return true
	}
	if a.object.empty() && b.object.empty() && p.differ == 1 && p.same == 0 && located[p.phrasePrep] && rests[a.verbLemma] && !b.subject.plural && b.subject.pronoun == "" && !b.subject.named() {
		return p.phrase != overlapping && p.phrase != narrower && p.phrase != wider
	}
	return false
}

var (
	located = english.WordSet("in at on under behind beside inside outside above below with")
	rests   = lemmas(english.WordSet("be live sit sleep stand hang lie stay keep store park host base place rehearse meet face"))
)

func (p *pair) objectsAgree() bool { return p.object == equal || p.object == bothEmpty }

// refills reports two copulas that name one role with different holders: "Jana is our scrum master", "our scrum master is
// Milos".
func (p *pair) refills() bool {
	a, b := p.earlier, p.later
	for _, x := range [...]struct {
		same                         likeness
		role, again, holder, another *nounPhrase
	}{
		{p.subject, &a.subject, &b.subject, &a.object, &b.object},
		{p.object, &a.object, &b.object, &a.subject, &b.subject},
		{p.inverse, &a.subject, &b.object, &a.object, &b.subject},
		{p.inverseBack, &a.object, &b.subject, &a.subject, &b.object},
	} {
		if x.same == equal && x.role.role() && x.again.role() && x.holder.fills() && x.another.fills() && x.holder.key() != x.another.key() {
			return true
		}
	}
	return false
}

// role reports a definite noun phrase that one person or thing fills.
func (n *nounPhrase) role() bool {
	return !n.empty() && n.pronoun == "" && len(n.words) > 0 && !n.named() && !shared[n.head] && n.words[0].low != "a" && n.words[0].low != "an"
}

// shared are the heads of roles that several people fill.
var shared = lemmas(english.WordSet("friend colleague sister brother cousin daughter son neighbour neighbor client customer teammate aunt uncle nephew niece student member hobby"))

// fills reports a name, the speaker, or somebody of the speaker's family.
func (n *nounPhrase) fills() bool {
	if len(n.words) > 0 && n.owner == "" && !slices.ContainsFunc(n.words, func(w word) bool { return w.content() && !startsUpper(w.text) }) {
		return true // "Mr Reeve"
	}
	return n.pronoun != "" && n.pronoun != "?" || n.owner != "" && tables.family[n.head]
}

// turned reports a verb of change that acts on what the earlier clause is about and gives it a value of one form.
func (p *pair) turned() bool {
	a, b := p.earlier, p.later
	if !b.shifts() || b.negated || a.negated || many(a) || p.verb == verbSame {
		return false
	}
	value := b.governed("to")
	if value == nil {
		value = b.governed("into")
	}
	if value == nil {
		return false
	}
	if x, y := headOf(a.complement()), headOf(value); x != nil && y != nil && x.lem == y.lem && !isValue(x.class) && p.subject == equal && !wild(b.subject.pronoun) {
		return true // "I'm on the basic plan", "I upgraded to the family plan"
	}
	theme := &b.subject
	if !b.passive && !b.object.empty() {
		theme = &b.object
	}
	about := &a.subject
	if about.pronoun != "" || about.named() || theme == &b.subject && !b.passive && a.verbLemma != "be" {
		return false
	}
	old := a.complement()
	if theme.empty() || about.empty() || theme.pronoun != "" || theme.head != about.head || subsetOf(about.mods, theme.mods) == other || len(old) == 0 {
		return false
	}
	x, y := headOf(old), headOf(value)
	return x != nil && y != nil && isValue(x.class) == isValue(y.class) && (a.object.empty() || isValue(x.class))
}

// reversed reports that the later clause denies the earlier one with a word that says that it was so until then.
func (p *pair) reversed() bool {
	b := p.later
	if !p.flip || !b.negated || b.cues&cueNoLonger == 0 && !b.stopped || p.verb != verbSame || p.subject != equal || wild(b.subject.pronoun) {
		return false
	}
	return (p.object == equal || p.object == bothEmpty || p.object == wider || p.object == onlyEarlier) && (p.differ == 0 || p.differ == 1 && (p.phrase == wider || p.phrase == modified)) && p.onlyLater == 0
}

// mistaken reports that the later statement says that the earlier one was wrong and what is right of the same thing.
func (p *pair) mistaken() bool {
	a, b := p.earlier, p.later
	if !b.denied.empty() && !slices.ContainsFunc(b.denied.words, func(w word) bool { return w.content() && !hasWord(a.words, &w) }) {
		return !p.flip && b.modality != Event && (p.subject == equal || wild(b.subject.pronoun)) && p.unmatched[1] <= 2
	}
	if (p.fresh&cueCorrect == 0 || b.hasWord("no")) && b.denied.empty() || p.flip || b.modality == Event || a.verbLemma != b.verbLemma && b.verbLemma != "be" {
		return false
	}
	if p.onlyLater > 1 || p.unmatched[1] > 2 {
		return false
	}
	return p.subject == equal && !wild(b.subject.pronoun) && (a.subject.pronoun == "" || p.verb == verbSame) || p.sourced
}
