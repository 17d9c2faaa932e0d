package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verbgroup"
)

// Ground is what the words of two clauses show by themselves: the later one gives another value of what the earlier
// one states. With a ground a lower certainty of the trees is enough, because the two seldom err on one pair.
type Ground uint8

// Grounds.
const (
	NoGround  Ground = iota
	Attribute        // one measured value in each clause, of one class and unit, of a thing that both name
	Ended            // the later statement says that the earlier value has ended: "I sold the Mazda"
	Frame            // one thing, role or preference in one frame with another value of one form: "my assistant is Noor"
	Turned           // a verb of change acts on what the earlier clause is about: "the printer was moved to the hall"
	Reversed         // the later clause denies the earlier one: "I no longer work at Acme", "I never worked at Acme"
	Mistaken         // the later statement says that the earlier one was wrong: "it's platform 14, not 4"
)

// grounded is the least certainty of a pair of clauses with a ground, and groundFrom the certainty of the trees that
// the pair needs besides. What is called new, and an age or a weight, need Rivals only.
const grounded, groundFrom = 0.75, 0.5

// ground returns the ground on which the later clause revises the earlier one.
func (p *pair) ground(s statements) Ground {
	a, b := p.earlier, p.later
	if a.modality != Asserted && a.modality != Imperative || a.past && !a.perfect && !a.passive && !a.changes || a.verb < 0 {
		return NoGround
	}
	if b.modality != Asserted && b.modality != Imperative && b.modality != Event || b.verb < 0 || b.modal && !b.hasWord("must") && !b.hasWord("can") && !b.hasWord("may") || p.qualifier > 0 || p.occasionsLater() || p.specifies() || p.carriesThing() || p.classesDiffer() {
		return NoGround
	}
	switch {
	case p.attribute():
		return Attribute
	case p.ended(s) && !p.endsAnother(s), p.isNew():
		return Ended
	case p.frame(), p.prefersAnother():
		return Frame
	case p.turned():
		return Turned
	case p.reversed(), p.permits():
		return Reversed
	case p.mistaken():
		return Mistaken
	}
	return NoGround
}

// passesOn reports that a thing, or a role in it, went from the person of whom the earlier clause says that they have it to another
// person: "Priya owns the billing service", "ownership of the billing service went from Priya to Dmitri", "Dmitri took over the billing
// service from Priya". A value can pass on too: "the newsletter goes out on Mondays", "the newsletter moved from Monday to Friday".
func (p *pair) passesOn() bool {
	a, b := p.earlier, p.later
	from, to, theme := headOf(b.governed("from")), headOf(b.governed("to")), b.subject.words
	if !b.passive && !b.object.empty() {
		theme = b.object.words
	}
	if b.verbLemma == takeLemma && b.hasWord("over") && b.verb > 0 && !slices.ContainsFunc(b.words, func(w word) bool { return lexicon.Temporary[w.low] }) {
		to = headOf(b.subject.words)
		if over := b.governed("over"); len(over) > 0 {
			theme = over
		} else if b.object.empty() {
			theme = b.governed("as")
		}
	}
	if from == nil || to == nil || a.modality != Asserted || a.past || b.modality != Asserted && b.modality != Event || a.negated || b.negated || hasWord(a.words, to) || lexicon.Attitudes[a.verbLemma] {
		return false
	}
	if value := isValue(from.class) && !isName(from.class); value && (from.class != to.class || !b.changesValue(from) || !a.hasValue(from)) || !value && (!startsUpper(from.text) || !startsUpper(to.text) || !a.holds(from)) {
		return false
	}
	named := 0
	for i := range theme {
		w := &theme[i]
		switch {
		case !w.content():
		case hasWord(a.words, w):
			named++
		case a.verbLemma == "be" || !strings.HasPrefix(w.low, a.words[a.verb].lem):
			return false
		}
	}
	return named > 0
}

var takeLemma = lexicon.Lemma("take")

// changesValue reports a clause that says that a value was changed, or that an amount went up or down.
func (c *clause) changesValue(value *word) bool {
	return c.shifts() || c.verbLemma == goLemma && (c.past || c.perfect) && value.class != classWeekday && value.class != classDate && value.class != classClock
}

// hasValue reports that the complement of a clause has a value: "Monday" of "goes out on Mondays".
func (c *clause) hasValue(value *word) bool {
	return !c.past && hasWord(c.words[c.verb+1:], value)
}

// holds reports that a word is the subject of a clause, or that the clause says with whom its subject is: "the keys are with Otto".
func (c *clause) holds(w *word) bool {
	return hasWord(c.subject.words, w) && c.subject.head == w.lem || c.verbLemma == "be" && hasWord(c.governed("with"), w)
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

// ended reports that the later statement ends the value of the earlier clause.
func (p *pair) ended(s statements) bool {
	a := p.earlier
	old := a.complement()
	if b := p.later; len(old) == 0 || article(b) && b.object.head != "" && slices.ContainsFunc(old, func(w word) bool { return w.lem == b.object.head }) || (tables.StopLemma[b.verbLemma] || lexicon.Endings[b.verbLemma]) && !b.stopped && !b.negated && !b.isOver() || b.handles(a) || lexicon.PartsWith[b.verbLemma] && a.employs() || p.keepsLiking() {
		return false // "I'm selling the boat" tells of a boat that is still there, and "I sold a boat" of another one
	}
	if p.sourced && (p.subject == equal || p.later.passive || p.later.subject.empty() || sameHolder(&p.later.subject, &a.subject)) && (p.later.changes && !lexicon.Improves[p.later.verbLemma] || p.later.shifts() && p.later.governed("to") != nil || !p.later.denied.empty()) {
		return !p.keepsTheme()
	}
	return p.partsWithTheme() || slices.ContainsFunc(s.later, func(c clause) bool { return c.ends(a, old) })
}

// partsWithTheme reports that somebody parted with the thing of which the earlier clause says what it is: "my car is a Skoda", "I sold the car".
func (p *pair) partsWithTheme() bool {
	return lexicon.PartsWith[p.later.verbLemma] && p.inverse == equal && p.earlier.verbLemma == "be" && !p.later.negated
}

// keepsTheme reports that the later clause changes what the earlier one states another value of: "we run the relay on port 587",
// "we upgraded the relay to 2.7".
func (p *pair) keepsTheme() bool {
	a, b := p.earlier, p.later
	return !a.object.empty() && !b.object.empty() && b.denied.empty() && a.object.head == b.object.head &&
		slices.ContainsFunc(a.phrases, func(q prepositional) bool {
			return !q.leading && slices.ContainsFunc(q.noun.words, func(w word) bool { return isValue(w.class) && !isName(w.class) })
		})
}

// ends reports that a clause ends what another one states: its verb is one of ending, and it names the value.
func (c *clause) ends(a *clause, old []word) bool {
	if c.verb < 0 || c.verbLemma == a.verbLemma && !c.negated || c.modality != Asserted && c.modality != Event || c.negated && c.cues&cueNoLonger == 0 && !c.stopped {
		return false
	}
	head := headOf(old)
	if head == nil || measured(head.class) {
		return false
	}
	ends := tables.StopLemma[c.verbLemma] || lexicon.Endings[c.verbLemma] || c.stopped || c.negated && c.cues&cueNoLonger != 0
	if particle := lexicon.Phrasal[c.verbLemma]; particle != "" && hasWord(upToAnd(c.governed(particle)), head) && within(upToAnd(c.governed(particle)), a, head) {
		return c.subject.empty() || sameHolder(&c.subject, &a.subject) || c.subject.pronoun == "?"
	}
	switch {
	case ends && hasWord(c.object.words, head) && c.object.owner != "?" && within(c.object.words, a, head):
		return c.subject.empty() || c.passive || sameHolder(&c.subject, &a.subject) || c.subject.pronoun == "?"
	case (ends || tables.MovesLemma[c.verbLemma] && verbgroup.Moves(viewed(c.words), c.verb, c.verbLemma)) && hasWord(c.subject.words, head) && (isName(head.class) || c.passive && !a.object.empty()) && c.subject.owner == "" && within(c.subject.words, a, head):
		return c.object.empty() || lexicon.Leaves[c.verbLemma]
	}
	return false
}

// within reports that a phrase names nothing but what another clause has: "my streaming subscription" is not the
// "subscription to the Times".
func within(words []word, a *clause, head *word) bool {
	if isName(head.class) {
		if last := headWord(words); last != nil && last.low != head.low && !hasWord(a.words, last) && lexicon.Wrappers[last.lem] == "" && !startsUpper(last.text) {
			return false // "the Netflix gift card"
		}
		return slices.ContainsFunc(words, func(w word) bool { return w.low == head.low && startsUpper(w.text) })
	}
	return !slices.ContainsFunc(words, func(w word) bool { return w.content() && !hasWord(a.words, &w) })
}

// keepsLiking reports that a thing of which the earlier clause says what somebody thinks has ended, or left.
func (p *pair) keepsLiking() bool {
	b := p.later
	return lexicon.Attitudes[p.earlier.verbLemma] && !b.stopped && b.verbLemma != p.earlier.verbLemma && !b.negated && (tables.StopLemma[b.verbLemma] || lexicon.Endings[b.verbLemma] || b.ending() != nil)
}

// employs reports a clause that says where somebody works: "I work for Nokia" does not end with "I sold my Nokia".
func (c *clause) employs() bool {
	return slices.ContainsFunc(c.slots, func(s slot) bool { return frames.All[s.frame].Name == "work" && s.use == frames.State && !s.byNoun })
}

// headWord returns the last word with content.
func headWord(words []word) (last *word) {
	for i := range upToAnd(words) {
		if words[i].content() {
			last = &words[i]
		}
	}
	return last
}

// handles reports a clause that tells where something was put or taken from: "I dropped the pills on the floor".
func (c *clause) handles(a *clause) bool {
	return lexicon.Handled[c.verbLemma] && lexicon.Ends.Relations["take"].Words[a.verbLemma] && a.verbLemma != "be" && slices.ContainsFunc(c.phrases, func(q prepositional) bool {
		return lexicon.Located[q.prep] && q.kind() != "interval" && !q.timely() && !lexicon.Decides[q.noun.head] && slices.ContainsFunc(q.noun.words, func(w word) bool { return w.content() && !hasWord(a.words, &w) }) ||
			q.prep == "off" && !q.noun.empty() && !c.object.empty() && c.object.pronoun == ""
	})
}

// sameHolder reports that who ends something is whom it belongs to.
func sameHolder(x, owner *nounPhrase) bool {
	if owner.owner != "" && tables.Family[owner.head] {
		return x.key() == owner.key() // what my son plays is not mine
	}
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

// upToAnd returns the words before "and".
func upToAnd(words []word) []word {
	if i := slices.IndexFunc(words, func(w word) bool { return w.low == "and" }); i >= 0 {
		return words[:i]
	}
	return words
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
	if head := headOf(old); about.bare() && (a.verbLemma != "be" || !a.object.empty()) && (head == nil || !isValue(head.class)) {
		return false // it may be a name that no table has
	}
	if theme.empty() || about.empty() || theme.pronoun != "" || theme.head != about.head || subsetOf(about.mods, theme.mods) == other || len(old) == 0 {
		return false
	}
	x, y := headOf(old), headOf(value)
	return x != nil && y != nil && isValue(x.class) == isValue(y.class) && (a.object.empty() || isValue(x.class))
}

// reversed reports that the later clause denies the earlier one with a word that says that it was so until then, or never.
func (p *pair) reversed() bool {
	b := p.later
	if p.withdraws() || p.turnsAround() {
		return true
	}
	if !p.flip || !b.negated || b.cues&cueNoLonger == 0 && !b.stopped || p.verb != verbSame || p.subject != equal || wild(b.subject.pronoun) {
		return false
	}
	return (p.object == equal || p.object == bothEmpty || p.object == wider || p.object == onlyEarlier) && (p.differ == 0 || p.differ == 1 && (p.phrase == wider || p.phrase == modified)) && p.onlyLater == 0
}

// turnsAround reports that somebody thinks the opposite of one thing: "I hate coriander", "I love coriander".
func (p *pair) turnsAround() bool {
	a, b := p.earlier, p.later
	return p.verb == verbOpposed && lexicon.Attitudes[a.verbLemma] && lexicon.Attitudes[b.verbLemma] && p.subject == equal && !wild(b.subject.pronoun) && p.object == equal && !p.flip && !a.object.empty() && p.differ == 0 && p.onlyLater == 0
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
