package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
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
