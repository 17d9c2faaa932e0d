package reader

import (
	"slices"
	"strings"
)

// maxUnmatched is the number of words with content that an update may leave and add, both at once,
// where no predicate of the table says that the two clauses are about one matter. Of 1,073 written
// updates one has more.
const maxUnmatched = 3

// related reports whether two clauses are about one matter: they meet in a predicate of the table
// and its holder, have a word with content in common, or have one subject and words of one kind. A
// name that both have as the subject is not enough: "Ines drinks tea" and "Ines sews kites" are
// about two matters.
func (p *pair) related() bool {
	m := &p.slot
	switch {
	case m.found && (m.holder == equal || m.holder == bothEmpty):
		return true
	case p.crossKind != other && p.subject == equal && !wild(p.later.subject.pronoun):
		return true
	case p.unmatched[0] > maxUnmatched && p.unmatched[1] > maxUnmatched && (p.common == 0 || p.crossKind == other):
		return false
	case p.subject == equal && p.later.subject.named():
		return slices.ContainsFunc(p.later.words, func(w word) bool {
			return w.content() && hasWord(p.earlier.words, &w) && !hasWord(p.later.subject.words, &w)
		})
	}
	return p.common > 0
}

// named reports a noun phrase of names only.
func (n *nounPhrase) named() bool {
	return len(n.words) > 0 && n.owner == "" && !slices.ContainsFunc(n.words, func(w word) bool { return w.content() && !isName(w.class) })
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
