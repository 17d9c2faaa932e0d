package reader

import (
	"slices"
	"strings"
)

// Supports reports whether p says what another statement says: for each of its clauses p has an assertion,
// equally denied or not, and the words of p contain all of its words with content, apart from verbs
// and from the words that name the speaker of p. What a clause of p says is over, or denies in contrast to
// its value, does not count. "I moved to Bergen last week" supports "The user lives in Bergen".
func (p *Prepared) Supports(other *Prepared) bool {
	found := false
	for i := range other.clauses {
		c := &other.clauses[i]
		needed := slices.DeleteFunc(slices.Clone(c.words), func(w word) bool {
			return !w.content() || w.class == classVerb || w.lem == User || w.low == "user's" || p.names(&w)
		})
		if len(needed) == 0 {
			continue
		}
		if !p.says(needed, c.negated) {
			return false
		}
		found = true
	}
	return found
}

// names reports whether a word is part of the name of the speaker.
func (p *Prepared) names(w *word) bool {
	for part := range strings.FieldsSeq(strings.ToLower(p.statement.Speaker)) {
		if w.low == part || w.low == part+"'s" {
			return true
		}
	}
	return false
}

// says reports whether an assertion of p, denied or not, has one of some words, and the assertions
// around it have the others.
func (p *Prepared) says(needed []word, negated bool) bool {
	var said []word
	states := false
	for i := range p.clauses {
		c := &p.clauses[i]
		if !c.modality.Holds() || c.stopped {
			continue
		}
		words := c.affirmed()
		said = append(said, words...)
		states = states || c.negated == negated && slices.ContainsFunc(needed, func(w word) bool { return hasWord(words, &w) })
	}
	return states && !slices.ContainsFunc(needed, func(w word) bool { return !hasWord(said, &w) })
}

// affirmed returns the words of a clause without those of the value that it replaces: "from Oslo" of "moved
// from Oslo to Bergen", "not on 3 May".
func (c *clause) affirmed() []word {
	replaced := c.denied.words
	if c.governed("to") != nil {
		replaced = slices.Concat(replaced, c.governed("from"))
	}
	return slices.DeleteFunc(slices.Clone(c.words), func(w word) bool {
		return slices.ContainsFunc(replaced, func(x word) bool { return x.start == w.start })
	})
}
