package reader

import "strings"

// PlacesElsewhere reports that p and a later statement say in one form where a definite thing is found: "You find the door of Ana on the third
// floor", "You find the door of Ana on the ground floor". r is their relation.
func (p *Prepared) PlacesElsewhere(later *Prepared, r Relation) bool {
	if !OneForm(p, later) || !p.OtherPlace(later, r) {
		return false
	}
	a, b := &p.clauses[r.Earlier], &later.clauses[r.Later]
	return a.subject.pronoun == "@you" && b.subject.pronoun == "@you" && !a.modal && !b.modal && definite(&a.object) && inLower(a.object.words) == inLower(b.object.words)
}

// OtherPlace reports that p and a later statement name two places of one kind, "on the seventh floor" and "on the fifth floor". r is their relation.
func (p *Prepared) OtherPlace(later *Prepared, r Relation) bool {
	if r.Earlier >= len(p.clauses) || r.Later >= len(later.clauses) {
		return false
	}
	places := func(c *clause) (all []*prepositional) {
		for i := range c.phrases {
			if q := &c.phrases[i]; atPlace[q.prep] && len(q.noun.words) > 1 {
				all = append(all, q)
			}
		}
		return all
	}
	other := false
	for _, x := range places(&p.clauses[r.Earlier]) {
		for _, y := range places(&later.clauses[r.Later]) {
			if n, m := len(x.noun.words), len(y.noun.words); x.prep == y.prep && x.noun.words[n-1].lem == y.noun.words[m-1].lem {
				if inLower(x.noun.words) == inLower(y.noun.words) {
					return false
				}
				other = true
			}
		}
	}
	return other
}

// atPlace are the prepositions of a place in a building.
var atPlace = map[string]bool{"on": true, "in": true, "at": true}

// definite reports a phrase with a definite article, a possessor or a name.
func definite(n *nounPhrase) bool {
	return n.the || len(n.words) > 0 && n.words[0].text != n.words[0].low
}

func inLower(words []word) string {
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].low
	}
	return strings.Join(texts, " ")
}
