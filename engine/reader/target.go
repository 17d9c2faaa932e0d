package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
)

// target reads a clause that brings a thing to something: "We moved CI to GitHub Actions" states of CI that it moved to GitHub Actions, "Marek
// hands over the service to Lin" of the service that Lin owns it. s is the slot by which the clause is read, nil if there is none;
// thing is nil for any other clause, and if the slot has a value that is not the object.
func (c *clause) target(s *slot, read []word) (thing *nounPhrase, predicate string, value []word) {
	value = c.governed("to")
	if c.verb < 0 || c.passive || c.imperative || c.setting || c.stopped || len(value) == 0 || verbForm(value[0].low) == baseForm && value[0].class == classVerb {
		return nil, "", nil // "started a course to learn Go"
	}
	thing = &c.object
	if s != nil && s.use == frames.Change && frames.All[s.frame].Name == "owner" && !s.byNoun {
		for i := range c.phrases {
			if p := &c.phrases[i]; thing.empty() && !p.leading && p.prep == "over" {
				thing = &p.noun
			}
		}
		if thing.empty() || wild(thing.pronoun) {
			return nil, "", nil
		}
		return thing, frames.All[s.frame].Label, value
	}
	if !c.changes && c.verbLemma != "set" || s != nil && s.thing || thing.empty() || thing.pronoun != "" || len(read) > 0 && first(read) != first(thing.words) {
		return nil, "", nil
	}
	predicate = third(tables.tokens.Verbs.BaseOf(c.verbLemma))
	if slices.ContainsFunc(c.slots, func(x slot) bool { return x.byNoun && x.use == frames.Change && x.noun == thing.head }) {
		return thing, "is", value
	} else if predicate == "" || c.past || c.perfect {
		predicate = strings.ToLower(c.words[c.verb].text)
	}
	return thing, predicate + " to", value
}
