package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// specifies reports that the later clause speaks of a part of what the earlier one speaks of, or of another one beside it: "my
// phone number", "my work phone number"; "the shop opens at 9", "the shop opens at 10 on Sundays". Both may be true.
func (p *pair) specifies() bool {
	a, b := p.earlier, p.later
	if p.fresh&(cueCorrect|cueInstead) != 0 {
		return false
	}
	return b.hasWord("other") && !a.hasWord("other") || p.onSomeDays() || adds(&a.subject, &b.subject) && !a.describes(&b.subject) || p.addsPhrase()
}

// onSomeDays reports that only the later clause names days or parts of the day, besides the value that it gives.
func (p *pair) onSomeDays() bool {
	day := func(w word) bool { return w.class == classWeekday || w.class == classPart }
	b := p.later
	return !b.shifts() && b.cues&(cueFrom|cueNow) == 0 && !b.dates("from") && !b.dates("of") && !b.dates("starting") && slices.ContainsFunc(b.words, day) && !slices.ContainsFunc(p.earlier.words, day) &&
		slices.ContainsFunc(b.words, func(w word) bool { return measured(w.class) && !day(w) && !hasWord(p.earlier.words, &w) })
}

// adds reports that a noun phrase has a word before its noun, or an owner, that another phrase with that noun lacks.
func adds(x, y *nounPhrase) bool {
	if x.head != "" && x.head == y.head && x.owner == "" && y.owner != "" && y.pronoun == "" && !strings.HasPrefix(y.owner, "@") {
		return true
	}
	return x.head != "" && x.head == y.head && slices.ContainsFunc(y.mods, func(m string) bool { return !slices.Contains(x.mods, m) && !fillerContent[m] && !lexicon.Present[m] })
}

// describes reports that the phrases of the subject of a clause have the words before the noun of another subject: "the deadline for the
// Marlow report", "the Marlow report deadline".
func (c *clause) describes(n *nounPhrase) bool {
	if n.owner != "" || len(n.mods) == 0 {
		return false
	}
	for _, m := range n.mods {
		if !slices.ContainsFunc(c.phrases, func(q prepositional) bool {
			return q.leading && (q.prep == "for" || q.prep == "of" || q.prep == "on") && slices.ContainsFunc(q.noun.words, func(w word) bool { return w.lem == m })
		}) && !slices.Contains(c.subject.mods, m) && !slices.ContainsFunc(c.subject.words, func(w word) bool { return w.lem == m }) {
			return false
		}
	}
	return true
}

// addsPhrase reports that the subject of the later clause has a phrase that the earlier clause lacks, or one with another preposition:
// "the alarm code of the shed", "the flight back from Rome".
func (p *pair) addsPhrase() bool {
	a, b := p.earlier, p.later
	if a.subject.head == "" || a.subject.head != b.subject.head || len(b.subject.words) == 0 {
		return false
	}
	for i := range b.phrases {
		q := &b.phrases[i]
		if !q.leading || q.noun.empty() || q.noun.words[0].start < b.subject.words[0].start || q.kind() == "interval" {
			continue
		}
		if q.prep != "of" && q.prep != "from" {
			continue
		}
		if !slices.ContainsFunc(a.phrases, func(x prepositional) bool { return x.prep == q.prep }) && (q.prep == "from" || slices.ContainsFunc(q.noun.words, func(w word) bool { return w.content() && !hasWord(a.words, &w) })) {
			return true
		}
	}
	return false
}

// carriesThing reports a person who moved a thing: where the thing is says nothing of where the person is.
func (p *pair) carriesThing() bool {
	b := p.later
	return lexicon.Carried[b.verbLemma] && !b.passive && !b.object.empty() && b.object.pronoun == "" && b.subject.personal() && !slices.ContainsFunc(b.object.words, func(w word) bool { return w.content() && hasWord(p.earlier.words, &w) })
}

// classesDiffer reports values of two classes, such as a date and a weekday, which do not exclude each other.
func (p *pair) classesDiffer() bool {
	x, y := headOf(p.earlier.complement()), headOf(p.later.complement())
	return x != nil && y != nil && x.class != y.class && measured(x.class) && measured(y.class)
}

// improvesTheme reports a change of a thing to a value of another class than that which the earlier clause states of it.
func (p *pair) improvesTheme() bool {
	to := headOf(p.later.governed("to"))
	return to != nil && measured(to.class) && p.later.shifts() && p.keepsTheme() && !slices.ContainsFunc(p.earlier.words, func(w word) bool { return w.class == to.class })
}

// actsWithin reports an act on a thing that the earlier clause does not name, within what that is about: "dark mode is on", "I turned off sounds in dark mode".
func (p *pair) actsWithin() bool {
	a, b := p.earlier, p.later
	return p.subject != equal && p.inverse != equal && a.object.empty() && a.subject.head != "" && !b.object.empty() && b.object.pronoun == "" &&
		!slices.ContainsFunc(b.object.words, func(w word) bool { return w.content() && hasWord(a.words, &w) }) && b.phrase("in", &a.subject) != nil
}

// losesObject reports a denial without the object of a verb that says with one who leads: "I run the team", "I don't run anymore".
func (p *pair) losesObject() bool {
	s := p.earlier.slot()
	return p.flip && s != nil && !s.byNoun && frames.All[s.frame].Name == "lead" && !p.earlier.object.empty() && p.later.object.empty() && p.later.negated
}

// endsAnother reports that a later clause ends another thing of the kind that the earlier one names: "I sold my first Golf",
// "my old contract ended". What is replaced at once is the old one.
func (p *pair) endsAnother(s statements) bool {
	b := p.later
	for i := range len(b.words) - 1 {
		w, next := &b.words[i], &b.words[i+1]
		if (lexicon.OneOfSeveral[w.low] || w.low == "old" && len(s.later) == 1) && !hasWord(p.earlier.words, w) && next.content() && hasWord(p.earlier.words, next) {
			return true
		}
	}
	return false
}

// actsOnly reports an event that gives a thing no other value of the kind of its name, number or time, and is no change of it: "I dropped my
// phone" and "the gym raised its prices" say nothing against "my phone is a Pixel" and "my gym is in Elm Street".
func (p *pair) actsOnly(ground Ground) bool {
	a, b := p.earlier, p.later
	v := headOf(a.complement())
	if ground != NoGround || v == nil || !distinct(v) && !p.actsOnThing(v) || a.verbLemma != "be" || a.modality != Asserted || a.negated || a.subject.empty() || a.subject.pronoun != "" || !b.toldOnce() || b.negated || b.stopped ||
		p.fresh&(cueNow|cueNoLonger|cueInstead|cueCorrect|cueFinally) != 0 || p.fresh&cueChanged != 0 && !lexicon.Adjusts[b.verbLemma] {
		return false
	}
	switch verb := b.verbLemma; {
	case lexicon.PartsWith[verb], lexicon.Gains[verb], measured(v.class) && (lexicon.Improves[verb] || lexicon.Adjusts[verb]):
		return false
	case lexicon.Adjusts[verb], lexicon.Leaves[verb] && b.object.head == a.subject.head:
	case b.shifts(), tables.StopLemma[verb], lexicon.Endings[verb], lexicon.Leaves[verb]:
		return false
	}
	return !slices.ContainsFunc(b.words, func(w word) bool {
		return distinct(&w) && measured(w.class) == measured(v.class) && !hasWord(a.words, &w)
	})
}

// actsOnThing reports an act on the thing of which the earlier clause tells the kind or the colour, without another one: "my bike is blue", "I locked my bike".
func (p *pair) actsOnThing(v *word) bool {
	return p.inverse == equal && (v.lem == p.earlier.subject.head || slices.ContainsFunc(v.sets, func(m lexicon.Member) bool { return m.Side == lexicon.NoSide })) &&
		!slices.ContainsFunc(p.later.words, func(w word) bool { l := oppose(v, &w); return w.lem != v.lem && (l == kindred || l == opposed) })
}

// toldOnce reports a clause in the past tense, also with a verb that the table does not have: "I pitched my tent".
func (c *clause) toldOnce() bool {
	return c.verb >= 0 && !c.perfect && !c.passive && (c.past || c.aux == c.verb && verbForm(c.words[c.verb].low) == noVerb && strings.HasSuffix(c.words[c.verb].low, "ed"))
}

// distinct reports a name, a number or a time, also a name that no table has.
func distinct(w *word) bool { return isValue(w.class) || w.class == classNoun && startsUpper(w.text) }
