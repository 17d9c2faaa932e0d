package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// What ends on one occasion, in one part or by announcement only goes on: "I take piano lessons" after "I cancelled the piano lesson today". This
// file tells it from what has ended.

// goesOn returns why the earlier clause still holds although the later one is about the same person or thing; empty if nothing shows it.
func (p *pair) goesOn(ground Ground, s statements) Veto {
	switch {
	case ground == NoGround && (p.sharesSubjectOnly(s) && !p.later.tellsState() || p.standsElsewhere() || p.otherAspect()):
		return vetoAttribute
	case p.onOccasion(), p.movesPartOff(), p.increments():
		return vetoOccasion
	case p.asksAgain():
		return vetoSame
	}
	return ""
}

// tellsMore reports that the later clause tells another state of the person of whom the earlier one tells one: "Mika is left back", "Mika plays in goal".
func (p *pair) tellsMore(ground Ground, s statements) bool {
	return ground == NoGround && p.later.tellsState() && p.sharesSubjectOnly(s)
}

// tellsState reports a clause that tells what is so, and not what happened or changed.
func (c *clause) tellsState() bool {
	return !c.changes && !c.past && !c.toldOnce() && c.modality != Event
}

// onOccasion reports that the later clause ends what the earlier one states on one occasion, or for a time.
func (p *pair) onOccasion() bool {
	a, b := p.earlier, p.later
	if b.verb < 0 || p.verb == verbSame && !b.stopped || !tables.StopLemma[b.verbLemma] && !lexicon.Endings[b.verbLemma] && !lexicon.Leaves[b.verbLemma] && !b.stopped && len(b.endings()) == 0 {
		return false
	}
	return b.soon() || b.forATime() || p.leavesThing() || p.endsOneOf() || b.onDay() && (b.interrupts() || b.cancelsActivity(a))
}

// onDay reports a clause that tells of one day, or of less.
func (c *clause) onDay() bool { return c.cues&(cueDated|cueBounded) != 0 }

// soon reports an end that comes before its time on one day: "left early", "closed the shop early today", but not "early in 2024".
func (c *clause) soon() bool {
	for i := c.verb + 1; i < len(c.words); i++ {
		next := ""
		if i+1 < len(c.words) {
			next = c.words[i+1].low
		}
		if lexicon.Briefly[c.words[i].low] && next != "in" && next != "this" && next != "last" && next != "next" {
			return true
		}
	}
	return false
}

// forATime reports a clause with the length of an end, or one that tells after how many minutes or hours it came, or at what time of a day: "for an
// hour", "after ten minutes", "at 3 today".
func (c *clause) forATime() bool {
	return slices.ContainsFunc(c.phrases, func(q prepositional) bool {
		switch {
		case q.noun.empty():
			return false
		case q.prep == "for":
			return !lexicon.LastingReasons[q.noun.head] && tables.Unit[lastField(&q.noun)]
		case q.prep == "after":
			return lexicon.Short[lastField(&q.noun)]
		}
		return q.prep == "at" && lastOf(q.noun.words) == classClock && (c.past || c.perfect || c.stopped) && (c.onDay() || lexicon.Departs[c.verbLemma]) && !c.habit()
	})
}

// lastField returns the last word of a noun phrase in lower case, also that of a value: "minutes" of "ten minutes".
func lastField(n *nounPhrase) string {
	if len(n.words) == 0 {
		return ""
	}
	low := n.words[len(n.words)-1].low
	return low[strings.LastIndexByte(low, ' ')+1:]
}

// leavesThing reports that somebody left something else in the place of which the earlier clause tells: "I work at Bosch", "I left my umbrella at Bosch".
func (p *pair) leavesThing() bool {
	a, b := p.earlier, p.later
	if b.verbLemma != leaveLemma || b.object.empty() || b.object.pronoun != "" || b.passive || lexicon.Wrappers[b.object.head] != "" || len(frames.Nouns[b.object.head]) > 0 && b.object.head != "key" {
		return false
	}
	inA := func(w word) bool { return w.content() && hasWord(a.words, &w) }
	return !slices.ContainsFunc(b.object.words, inA) && slices.ContainsFunc(b.phrases, func(q prepositional) bool {
		return lexicon.Located[q.prep] && slices.ContainsFunc(q.noun.words, inA)
	})
}

var leaveLemma = lexicon.Lemma("leave")

// endsOneOf reports that the later clause ends a single one of several that the earlier one names: "piano lessons", "the piano lesson".
func (p *pair) endsOneOf() bool {
	x, y := &p.earlier.object, &p.later.object
	return x.head != "" && x.head == y.head && x.several() && !x.lists() && !y.several() && y.the && len(p.later.object.words) > 1
}

// lists reports a noun phrase that names several things: "a boat and a caravan".
func (n *nounPhrase) lists() bool {
	return slices.ContainsFunc(n.words, func(w word) bool { return w.low == "and" || w.low == "&" })
}

// endsListed reports that the later clause ends one of the things that the earlier one lists: "I own a boat and a caravan", "I sold the caravan".
func (p *pair) endsListed() bool {
	x, y := &p.earlier.object, &p.later.object
	return x.lists() && !y.lists() && y.head != "" && slices.ContainsFunc(x.words, func(w word) bool { return w.lem == y.head })
}

// interrupts reports a verb that breaks what goes on again: "I broke my diet yesterday", but not "we broke up".
func (c *clause) interrupts() bool {
	return lexicon.Interrupts[c.verbLemma] && !c.object.empty()
}

// cancelsActivity reports an end of an activity without an article, which is named by its verb: "I cancelled training today".
func (c *clause) cancelsActivity(a *clause) bool {
	w := headWord(c.object.words)
	return w != nil && len(c.object.words) == 1 && (strings.HasSuffix(w.low, "ing") || w.lem == a.verbLemma)
}

// movesPartOff reports that a thing was moved away from the value of the earlier clause, which may keep the others: "we host on AWS", "we moved the
// backups off AWS".
func (p *pair) movesPartOff() bool {
	whole := slices.ContainsFunc(p.later.object.words, func(w word) bool { return lexicon.Anything[w.low] || lexicon.Whole[w.low] })
	return p.carriesThing() && !whole && p.later.object.pronoun == "" && slices.ContainsFunc(p.later.phrases, func(q prepositional) bool {
		return (q.prep == "off" || q.prep == "from") && slices.ContainsFunc(q.noun.words, func(w word) bool { return w.content() && hasWord(p.earlier.words, &w) })
	})
}

// increments reports a number in the later clause that tells how many or how much came to what the earlier one counts: "we have 15 customers",
// "we signed two more customers"; "the rent is 900 euros", "the rent went up by 50 euros".
func (p *pair) increments() bool {
	b := p.later
	j := onlyMeasured(b.words, p.earlier.words)
	if j < 0 || b.verb < 0 || !countable(b.words[j].class) {
		return false
	}
	return preposition(b.words, j) == "by" && !b.passive || j+1 < len(b.words) && lexicon.Further[b.words[j+1].low] || j > 0 && lexicon.Further[b.words[j-1].low]
}

// countable reports the classes of values to which one can add.
func countable(c class) bool {
	return c == classNumber || c == classAmount || c == classMoney || c == classPercent
}

// givesNotice reports a clause that announces an end: "I handed in my notice", "she tendered her resignation".
func (c *clause) givesNotice() bool {
	return c.verb >= 0 && !c.negated && lexicon.Announces[c.verbLemma] && slices.ContainsFunc(c.words[c.verb+1:], func(w word) bool { return w.lem == noticeLemma || w.lem == resignationLemma })
}

var noticeLemma, resignationLemma = lexicon.Lemma("notice"), lexicon.Lemma("resignation")

// asksAgain reports that the later clause asks for what the earlier one asks for already, with no word of its own: "I need you to ask before deleting
// files", "ask me before you delete anything".
func (p *pair) asksAgain() bool {
	a, b := p.earlier, p.later
	asks := a.imperative || a.object.pronoun == "@you" && a.governed("to") != nil
	return asks && b.imperative && a.negated == b.negated && p.common > 1 && !slices.ContainsFunc(b.words, func(w word) bool { return w.content() && !lexicon.Anything[w.low] && !hasWord(a.words, &w) }) && p.crossKind == other && p.phrase != opposed && p.fresh == 0
}

// otherAspect reports two attributes of one thing, of which the table has the earlier one by more than its noun: "the rent is due on the first", "the
// rent is 900 euros".
func (p *pair) otherAspect() bool {
	s := p.earlier.slot()
	return s != nil && s.specific && !s.byNoun && s.use == frames.State && p.subject == equal && p.earlier.subject.pronoun == "" && p.earlier.verbLemma == "be" && p.later.verbLemma == "be" && !p.flip && p.crossKind == other &&
		!slices.ContainsFunc(p.later.slots, func(x slot) bool { return x.frame == s.frame })
}

// actedOn returns the words before the noun of what a clause acts on, with a particle that stands for one: "the back door code".
func (c *clause) actedOn() (head string, mods []string) {
	if c.verb < 0 {
		return "", nil
	}
	if c.object.head != "" {
		return c.object.head, c.object.mods
	}
	if len(c.phrases) > 0 {
		if q := &c.phrases[0]; !q.leading && lexicon.Particles[q.prep] && !q.noun.empty() && c.verb+2 < len(c.words) && tables.Determiner[c.words[c.verb+1].low] {
			return q.noun.head, append(slices.Clone(q.noun.mods), q.prep)
		}
	}
	return "", nil
}
