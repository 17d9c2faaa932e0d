package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// maxUnmatched is the number of words with content that an update may leave and add, both at once, where no predicate of the table says
// that the two clauses are about one matter. Of 1,073 written updates one has more.
const maxUnmatched = 3

// related reports whether two clauses are about one matter: they meet in a predicate of the table and its holder, have a word with content in
// common, or have one subject and words of one kind. A name that both have as the subject is not enough: "Ines drinks tea" and "Ines sews
// kites" are about two matters. Nor is a change that may belong to several predicates: who moves may move to a town, a company or a shift.
func (p *pair) related() bool {
	m := &p.slot
	switch {
	case m.found && (m.holder == equal || m.holder == bothEmpty) && (p.sameSlot() || m.later.use != frames.Change || !p.namesOnly()):
		return true
	case p.subject != equal && p.amountsOnly():
		return false
	case p.crossKind != other && p.subject == equal && !wild(p.later.subject.pronoun):
		return true
	case p.unmatched[0] > maxUnmatched && p.unmatched[1] > maxUnmatched && (p.common == 0 || p.crossKind == other):
		return false
	case p.namesOnly():
		return false
	case p.subject == equal && p.later.subject.named():
		return slices.ContainsFunc(p.later.words, func(w word) bool {
			return w.content() && hasWord(p.earlier.words, &w) && !hasWord(p.later.subject.words, &w)
		})
	}
	return p.common > 0
}

// bare reports two clauses that name one thing or person and have no other word with content in common, with other verbs and
// without a common predicate of the table with one value. They may say two things of it. In a store far more of them do than in
// sets of pairs that were written to be told apart.
func (p *pair) bare() bool {
	b := p.later
	common := &b.subject
	if p.inverse == equal {
		common = &b.object
	} else if p.inverseBack != equal && p.subject != equal {
		return false
	}
	return p.verb == verbOther && common.pronoun == "" && !p.sameSlot() && !slices.ContainsFunc(b.words, func(w word) bool {
		return w.content() && hasWord(p.earlier.words, &w) && !hasWord(common.words, &w)
	})
}

// sharesSubjectOnly reports two clauses that name one person or thing as their subject and have nothing else in common: no word, no predicate of
// the table, no verb and no value of one class. They say two things of it, whoever it is: "Gwen is a midwife", "Gwen got married"; "the team is
// happy", "the team moved to Kiel". Of a subject that may be a name, all else is another matter. Of a thing it is if the earlier clause says what it
// is like, and the later one has nothing in that place. Another clause of the later statement may take up what the earlier one says.
func (p *pair) sharesSubjectOnly(s statements) bool {
	a, b := p.earlier, p.later
	if p.subject != equal || b.subject.empty() || b.subject.pronoun != "" || p.verb == verbSame || p.crossKind != other || p.flip || p.sourced || !b.denied.empty() || b.again() || p.sameSlot() || a.verbLemma == liveLemma && lexicon.Carried[b.verbLemma] && b.object.empty() || b.object.empty() && (tables.StopLemma[b.verbLemma] || lexicon.Leaves[b.verbLemma]) ||
		p.fresh&(cueNow|cueNoLonger|cueInstead|cueCorrect|cueFinally) != 0 {
		return false
	}
	takenUp := func(c clause) bool {
		return slices.ContainsFunc(c.words, func(w word) bool { return w.content() && hasWord(a.words, &w) && !hasWord(b.subject.words, &w) })
	}
	if slices.ContainsFunc(s.later, takenUp) || slices.ContainsFunc(b.words, func(w word) bool {
		return w.content() && (measured(w.class) && slices.ContainsFunc(a.words, func(v word) bool { return v.class == w.class }))
	}) {
		return false
	}
	if b.subject.mayBeName() {
		x, y := headOf(a.complement()), headOf(b.complement())
		return !a.fillsRole() && (a.tellsOfPerson() || x == nil || y == nil || !isName(x.class) || !isName(y.class))
	}
	return a.verbLemma == "be" && p.object == onlyEarlier && (len(b.governed("to")) == 0 || !tables.ChangeLemma[b.verbLemma] || b.tellsOfPerson()) // "the URL changed to"
}

// mayBeName reports a noun phrase of words with a capital and no article or possessor, as an unknown name at the beginning of a sentence is.
func (n *nounPhrase) mayBeName() bool {
	return len(n.words) > 0 && n.owner == "" && n.pronoun == "" && !slices.ContainsFunc(n.words, func(w word) bool { return !startsUpper(w.text) || tables.Function[w.low] })
}

// fillsRole reports a clause that says which role its subject fills, or what they take care of. What happens to them may end it: "Luc is head chef",
// "Luc walked out".
func (c *clause) fillsRole() bool {
	if c.verbLemma != "be" {
		return !c.object.empty() && !c.tellsOfPerson() && !c.changes
	}
	return !c.object.empty() && !article(c) && !tables.Family[c.object.head] && (len(c.object.words) > 1 || c.object.owner != "")
}

// tellsOfPerson reports a predicate that only a person has: where they live, work or study, or whom they are related to.
func (c *clause) tellsOfPerson() bool {
	return slices.ContainsFunc(c.slots, func(s slot) bool { return !s.byNoun && lastingFrames[frames.All[s.frame].Name] })
}

// namesOnly reports that the clauses have nothing in common but names in the subject of the earlier
// one: "Yorick's birthday is on 12 May", "Yorick moved upstairs".
func (p *pair) namesOnly() bool {
	found := false
	for i := range p.later.words {
		if w := &p.later.words[i]; w.content() && hasWord(p.earlier.words, w) {
			if !isName(w.class) || !hasWord(p.earlier.subject.words, w) {
				return false
			}
			found = true
		}
	}
	return found && p.crossKind == other
}

// amountsOnly reports that the clauses have nothing in common but numbers, times and dates: "the book
// club is on Tuesday at 16:00", "the dentist can see me on Tuesday at 16:00".
func (p *pair) amountsOnly() bool {
	found := false
	for i := range p.later.words {
		if w := &p.later.words[i]; w.content() && hasWord(p.earlier.words, w) {
			if !isValue(w.class) || isName(w.class) || w.class == classCode {
				return false // a code names the matter: "OPS-311"
			}
			found = true
		}
	}
	return found && p.crossKind == other
}

// named reports a noun phrase of names only.
func (n *nounPhrase) named() bool {
	return len(n.words) > 0 && n.owner == "" && !slices.ContainsFunc(n.words, func(w word) bool { return w.content() && !isName(w.class) })
}

// bare reports a noun phrase of one word with a capital and nothing else, as a name at the beginning of a sentence is.
func (n *nounPhrase) bare() bool {
	return len(n.words) == 1 && n.owner == "" && n.pronoun == "" && startsUpper(n.words[0].text)
}

// sharedPredicate reports whether two clauses have a predicate of the table in common.
func sharedPredicate(a, b *clause) bool {
	return slices.ContainsFunc(a.slots, func(x slot) bool {
		return slices.ContainsFunc(b.slots, func(y slot) bool { return x.frame == y.frame })
	})
}

// Sentences returns the number of sentences of a statement that have a verb or a setting; 1 for a
// triple that a caller gave.
func (p *Prepared) Sentences() int {
	n, text := 0, bounded(p.statement.Text)
	for i := range p.clauses {
		if i == 0 || !p.triple() && strings.ContainsAny(text[p.clauses[i-1].end:p.clauses[i].start], ".!?\n…") {
			n++
		}
	}
	return n
}

// triple reports whether the caller gave a subject, predicate and object.
func (p *Prepared) triple() bool {
	return p.statement.Subject != "" && p.statement.Predicate != "" && p.statement.Object != ""
}
