package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
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
	if p.ordersAnother() {
		return true
	}
	if p.verb != verbSame || p.subject != equal || p.onlyLater > 0 || p.onlyEarlier > 0 || p.unmatched[0] > 2 || p.unmatched[1] > 2 || wild(b.subject.pronoun) {
		return false
	}
	one := a.verbLemma == "be" || p.slot.found && p.slot.cardinality == frames.One && p.slot.holder == equal && (p.slot.value == kindred || p.slot.value == opposed)
	if one && (p.object == kindred || p.object == opposed) && p.differ == 0 {
		return true
	}
	if one && lexicon.Located[p.phrasePrep] && (p.phrase == kindred || p.phrase == opposed) && (p.object == equal || p.object == bothEmpty) {
		return true
	}
	if a.passive && b.passive && !a.past && !b.past && p.objectsAgree() && p.differ == 1 && p.same == 0 && !measured(p.phraseKind) && p.phraseKind != classPart && b.subject.pronoun == "" && p.phrase != overlapping && p.phrase != narrower && p.phrase != wider {
		return true
	}
	if a.object.empty() && b.object.empty() && p.differ == 1 && p.same == 0 && lexicon.Located[p.phrasePrep] && lexicon.Rests[a.verbLemma] && !b.subject.plural && b.subject.pronoun == "" && !b.subject.named() {
		return p.phrase != overlapping && p.phrase != narrower && p.phrase != wider
	}
	return false
}

// ordersAnother reports two rules with one verb that give one thing values of one kind: "always answer in Dutch", "always answer in
// English".
func (p *pair) ordersAnother() bool {
	a, b := p.earlier, p.later
	if !a.imperative || !b.imperative || p.verb != verbSame || p.onlyEarlier > 0 || p.onlyLater > 0 || p.unmatched[0] > 1 || p.unmatched[1] > 1 {
		return false
	}
	one := func(l likeness) bool { return l == kindred || l == opposed }
	return one(p.object) && p.differ == 0 || p.objectsAgree() && p.differ == 1 && one(p.phrase)
}

// permits reports a permission of what an earlier rule forbids, without a limit that the rule does not have: "don't call me at work",
// "you can call me at work"; "never use emojis", "emojis are fine again".
func (p *pair) permits() bool {
	a, b := p.earlier, p.later
	if !a.imperative || !a.negated || b.negated || p.onlyLater > 0 {
		return false
	}
	if b.subject.pronoun == "@you" && (b.hasWord("can") || b.hasWord("may")) {
		return p.verb == verbSame && p.objectsAgree() && p.differ == 0 && p.onlyEarlier == 0
	}
	return p.inverseBack == equal && b.verbLemma == "be" && len(a.phrases) == 0 && slices.ContainsFunc(b.words, func(w word) bool { return lexicon.Allowed[w.low] })
}

// habits reports two changes that happen again and again: "the cooperative delivers the beans". Each leaves things as they are.
func (p *pair) habits() bool {
	again := func(c *clause, s *slot) bool {
		return s.use == frames.Change && !c.past && !c.perfect && !c.passive && !c.ing && !c.imperative
	}
	return again(p.earlier, p.slot.earlier) && again(p.later, p.slot.later)
}

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
	return !n.empty() && n.pronoun == "" && len(n.words) > 0 && !n.named() && !lexicon.Shared[n.head] && n.words[0].low != "a" && n.words[0].low != "an"
}

// fills reports a name, the speaker, or somebody of the speaker's family.
func (n *nounPhrase) fills() bool {
	if len(n.words) > 0 && n.owner == "" && !slices.ContainsFunc(n.words, func(w word) bool { return w.content() && !startsUpper(w.text) }) {
		return true // "Mr Reeve"
	}
	return n.pronoun != "" && n.pronoun != "?" || n.owner != "" && tables.Family[n.head]
}
