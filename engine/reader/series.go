package reader

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

// Statements of one form are often about several things of one kind: "flight 3 landed", "flight 6
// landed". This file tells them from other values of one thing: "the room is 3", "the room is 6".

// numbersOther reports that both clauses number one noun differently where the number tells things
// apart: in the subject, in what happened, or before the end of what is said. At the end of a state the
// number is a value: "we meet in room 3", "we meet in room 5".
func (p *pair) numbersOther() bool {
	a, b := p.earlier, p.later
	if p.verb != verbSame && !a.past {
		return false
	}
	differ := false
	for i := range a.words {
		if !labels(a.words, i) {
			continue
		}
		for j := range b.words {
			if !labels(b.words, j) || b.words[j-1].lem != a.words[i-1].lem {
				continue
			}
			if a.words[i].lem == b.words[j].lem {
				return false // the same one is named
			}
			differ = differ || !a.endsWith(i) || !b.endsWith(j)
		}
	}
	return differ && p.fresh&(cueInstead|cueCorrect) == 0
}

// labels reports a number, a code or a letter after a noun: "pier 4", "ticket OPS-3", "patient B".
func labels(words []word, i int) bool {
	if i == 0 || words[i].sign != 0 {
		return false
	}
	w, noun := &words[i], &words[i-1]
	letter := len(w.text) == 1 && startsUpper(w.text) && w.low != "i"
	return (w.class == classNumber || w.class == classCode || letter) && noun.class == classNoun
}

// endsWith reports that the word at i ends what is said of the subject in a state or change: it is in the
// object, or in the only phrase. "In week 3" is an occasion.
func (c *clause) endsWith(i int) bool {
	if c.verb < 0 || i <= c.verb || tables.Unit[c.words[i-1].low] || c.imperative || c.past && !c.changes && c.verbLemma != "be" {
		return false
	}
	at := c.words[i].start
	if n := len(c.phrases); n > 0 && !c.phrases[n-1].leading {
		words := c.phrases[n-1].noun.words
		return len(words) > 0 && words[0].start <= at && n == 1 && c.object.empty()
	}
	return true
}

// happens reports that both clauses tell what happened, in one verb, and that neither says that a state
// changed: "rain closed the field on day 5", "rain closed the field on day 8".
func (p *pair) happens() bool {
	a, b := p.earlier, p.later
	done := func(c *clause) bool { return c.past && !c.perfect && c.verbLemma != "be" }
	if !done(a) || !done(b) || p.verb != verbSame || p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect|cueFinally) != 0 || p.flip || b.negated {
		return false
	}
	return !p.sameSlot()
}

// thatDay reports when something began or ended on one day: "yesterday practice started at 19:40".
func (p *pair) thatDay() bool {
	a, b := p.earlier, p.later
	if !b.past || b.cues&cueDated == 0 || !lexicon.Dated[b.verbLemma] || p.fresh&cueCorrect != 0 {
		return false
	}
	i, j := onlyMeasured(a.words, b.words), onlyMeasured(b.words, a.words)
	return i >= 0 && j >= 0 && a.words[i].class == b.words[j].class
}

// elsewhere reports opposite states in two places: "the lamp is on in the hall", "the lamp is off in the shed".
func (p *pair) elsewhere() bool {
	a, b := p.earlier, p.later
	switched := a.hasWord("on") && b.hasWord("off") || a.hasWord("off") && b.hasWord("on")
	if p.verb != verbSame || a.verbLemma != "be" || p.crossKind != opposed && p.phrase != opposed && !switched {
		return false
	}
	for i := range b.phrases {
		y := &b.phrases[i]
		if y.prep != "in" && y.prep != "at" {
			continue
		}
		if x := a.phrase(y.prep, &y.noun); x != nil {
			if l, _ := compareNouns(&x.noun, &y.noun); l != equal && l != bothEmpty && l != opposed {
				return p.object != bothEmpty || len(a.phrases) > 1
			}
		}
	}
	return false
}

// assorted reports other objects of a verb that takes several, without a word of change: "we stock red thread", "we
// stock green thread".
func (p *pair) assorted() bool {
	if p.verb != verbSame || p.subject != equal || !many(p.earlier) || has(p.earlier) || p.sameSlot() || p.flip || !p.later.denied.empty() || p.sourced {
		return false
	}
	return p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect|cueFinally) == 0 && (p.object == opposed || p.object == kindred || p.object == alike || p.object == other || p.object == overlapping || p.object == modified) && !measured(p.objectKind)
}

// carries reports a change of something else than where the subject lives: "I live in Ghent", "I moved my accounts to Nordea".
func (p *pair) carries() bool {
	a, b := p.earlier, p.later
	if p.common > 0 || !b.subject.personal() || lastOf(a.complement()) != classPlace && a.verbLemma != liveLemma {
		return false
	}
	return lexicon.Carried[b.verbLemma] && !b.object.empty() || b.as()
}

var liveLemma = lexicon.Lemma("lives")

// as reports that a clause names the attribute of the speaker that it gives a value of: "as my browser".
func (c *clause) as() bool {
	for i := range c.phrases {
		if q := &c.phrases[i]; q.prep == "as" && q.noun.owner != "" {
			return true
		}
	}
	return false
}

// occasions reports that the two clauses differ in a phrase of time besides the first one that differs, or besides
// their objects: "opens at 9 on weekdays", "opens at 11 on Sundays".
func (p *pair) occasions() bool {
	differ := 0
	for i := range p.later.phrases {
		y := &p.later.phrases[i]
		x := p.earlier.phrase(y.prep, &y.noun)
		if x == nil {
			continue
		}
		switch l, kind := compareNouns(&x.noun, &y.noun); {
		case l == equal || l == bothEmpty:
		case kind == classWeekday || kind == classDate || kind == classPart || kind == classClock:
			differ++
		}
	}
	values := 1
	if p.object != equal && p.object != bothEmpty || p.differ > differ {
		values = 0
	}
	return differ > values && p.verb == verbSame
}

// narrowsSubject reports a phrase after the subject of the later clause that the earlier one lacks, which
// names another thing: "the store", "the store at the airport".
func (p *pair) narrowsSubject() bool {
	b := p.later
	if p.verb != verbSame || p.subject != equal || b.imperative || len(b.subject.words) == 0 || b.subject.pronoun != "" {
		return false
	}
	for i := range b.phrases {
		q := &b.phrases[i]
		if !q.leading || q.noun.empty() || q.kind() == "interval" || q.prep == "of" || len(q.noun.words) == 0 || q.noun.words[0].start < b.subject.words[0].start {
			continue
		}
		known := false
		for k := range q.noun.words {
			known = known || q.noun.words[k].content() && (hasWord(p.earlier.words, &q.noun.words[k]) || strings.HasPrefix(q.noun.pronoun, "@"))
		}
		if !known && q.noun.pronoun == "" {
			return true
		}
	}
	return false
}

// otherPredicate reports that the table reads both clauses by predicates with one value, and not by the same
// one: who owns a project, and what it is called.
func (p *pair) otherPredicate() bool {
	x, y := p.earlier.slot(), p.later.slot()
	return x != nil && y != nil && !p.slot.found && p.verb != verbSame && !p.sourced
}

// OneForm reports that two statements are of one form, see wording.OneForm.
func OneForm(a, b *Prepared) bool { return wording.OneForm(a.tokens, b.tokens) }
