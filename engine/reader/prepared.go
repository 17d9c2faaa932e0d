package reader

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// FirstPerson reports whether a statement contains a pronoun of the first person, so that its
// meaning depends on who said it.
func (p *Prepared) FirstPerson() bool {
	for i := range p.clauses {
		for j := range p.clauses[i].words {
			if w, ok := english.PronounOf(p.clauses[i].words[j].low); ok && w.Person == 1 {
				return true
			}
		}
	}
	return false
}

// Claim returns the claim with an index of a Relation; ok is false for a triple that a caller
// gave and for an index out of range.
func (p *Prepared) Claim(i int) (c Claim, ok bool) {
	s := &p.statement
	if s.Subject != "" && s.Predicate != "" && s.Object != "" || i < 0 || i >= len(p.clauses) {
		return Claim{}, false
	}
	return p.clauses[i].claim(bounded(s.Text), Hints{Speaker: s.Speaker, User: s.User, At: s.At}), true
}

// Facts returns the number of clauses that state what is so: assertions, events, and rules at
// the start of a sentence. An adjunct such as "close to the river" counts as none. Facts is 1
// for a triple that a caller gave.
func (p *Prepared) Facts() int {
	n := 0
	text := bounded(p.statement.Text)
	for i := range p.clauses {
		c := &p.clauses[i]
		if !c.modality.Holds() && (c.due.IsZero() || !c.until.IsZero()) || c.verb < 0 && !c.setting && !c.imperative {
			continue
		}
		if c.imperative && i > 0 && !strings.ContainsAny(text[p.clauses[i-1].start:c.start], ".!?;:\n") {
			continue
		}
		n++
	}
	return n
}

// Text returns the text of a statement.
func (p *Prepared) Text() string { return p.statement.Text }

// Modality returns how the clause with an index of a Relation is presented; Asserted for an
// index out of range.
func (p *Prepared) Modality(i int) Modality {
	if i < 0 || i >= len(p.clauses) {
		return Asserted
	}
	return p.clauses[i].modality
}
