package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/predicates"
)

// Undeclared says that two statements give one subject different values of a predicate that the
// table does not declare single-valued.
type Undeclared struct {
	Predicate      string // as Predicate returns it
	Known          bool   // the table has it, as one with many values or as undecided
	Acts           bool   // it is an active verb of which both values are names or things, and no measured ones
	Earlier, Later int    // indexes of the claims, in the order of Read
}

// Undeclared finds the first pair of claims of p and a later statement that assert different values
// of one predicate outside the table, about one subject, without qualifiers. Which of these
// predicates have one value is known to the policy of a namespace, or learned from corrections.
func (p *Prepared) Undeclared(later *Prepared) (u Undeclared, ok bool) {
	if !p.english || !later.english || p.code || later.code {
		return Undeclared{}, false
	}
	for i := range p.clauses {
		a, ok := p.plain(i)
		if !ok {
			continue
		}
		for j := range later.clauses {
			b, ok := later.plain(j)
			if ok && a.subject == b.subject && a.predicate == b.predicate && otherValue(a.object, b.object) {
				l, _ := compareWords(scan(a.object), scan(b.object))
				return Undeclared{a.predicate, a.known, a.acts && b.acts && l != overlapping && !later.tellsChange(), i, j}, true
			}
		}
	}
	return Undeclared{}, false
}

// plain is a claim without qualifiers on a predicate that the table does not declare single-valued.
type plain struct {
	subject, predicate, object string
	known, acts                bool
}

// plain returns the claim of a clause; ok is false if it is none of this kind.
func (p *Prepared) plain(i int) (out plain, ok bool) {
	s := &p.statement
	subject, predicate, object := s.Subject, s.Predicate, s.Object
	if !p.triple() {
		c, ok := p.Claim(i)
		if !ok || c.Negated || c.Modality != Asserted || len(c.Qualifiers) > 0 || c.Subject == "" || c.Object == "" {
			return plain{}, false
		}
		subject, predicate, object, out.acts = c.Subject, c.Predicate, c.Object, p.clauses[i].acts()
	}
	if out.predicate, out.known, ok = UndeclaredPredicate(predicate); !ok && out.acts && p.clauses[i].slot() == nil {
		out.predicate, _ = predicates.Names(predicate) // "coaches", which is no noun here
		ok = true
	}
	if out.subject, out.object = extract.Canonical(subject), object; FirstPerson(out.subject) {
		out.subject = strings.ToLower(s.Speaker)
	}
	return out, ok && out.subject != ""
}

// tellsChange reports a word of change or of correction in any clause of a statement.
func (p *Prepared) tellsChange() bool {
	return slices.ContainsFunc(p.clauses, func(c clause) bool {
		return c.changes || c.cues&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect|cueFinally) != 0
	})
}

// acts reports a clause with an active verb other than "be", without a word of change and without a measured value.
func (c *clause) acts() bool {
	if c.verb < 0 || c.verbLemma == "be" || c.passive || c.setting || c.changes || c.imperative || c.states(preferenceFrame) || c.states(nameFrame) {
		return false
	}
	for i := c.verb + 1; i < len(c.words); i++ {
		if w := &c.words[i]; measured(w.class) && w.class != classCode && !(w.class == classNumber && c.words[i-1].text != c.words[i-1].low) {
			return false
		}
	}
	return true
}

// OtherValue reports whether two objects name different things: not the same in other words, and not
// one in more words than the other.
func OtherValue(a, b string) bool { return otherValue(a, b) }

func otherValue(a, b string) bool {
	if strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) {
		return false
	}
	switch l, _ := compareWords(scan(a), scan(b)); l {
	case equal, narrower, wider, bothEmpty, onlyEarlier, onlyLater:
		return false
	}
	return true
}
