package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/listing"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// target reads a clause that brings a thing to something: "We moved CI to GitHub Actions" states of CI that it moved to GitHub Actions, "Marek
// hands over the service to Lin" of the service that Lin owns it. s is the slot by which the clause is read, nil if there is none;
// thing is nil for any other clause, and if the slot has a value that is not the object.
func (c *clause) target(s *slot, read []word) (thing *nounPhrase, predicate string, value []word) {
	for i := range c.phrases {
		p := &c.phrases[i]
		if (p.prep == "on" || p.prep == "off") && !p.leading && lexicon.Handled[c.verbLemma] && !c.passive && !c.imperative && c.object.personal() && !wild(c.object.pronoun) && !p.noun.empty() && !p.timely() {
			return &c.object, "is " + p.prep, p.noun.words // "The doctor took me off metoprolol"
		}
	}
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
	predicate = tables.Tokens.Verbs.ThirdOf(tables.Tokens.Verbs.BaseOf(c.verbLemma))
	if slices.ContainsFunc(c.slots, func(x slot) bool { return x.byNoun && x.use == frames.Change && x.noun == thing.head }) && slices.ContainsFunc(value, func(w word) bool { return isValue(w.class) || isName(w.class) }) {
		return thing, "is", value
	} else if predicate == "" || c.past || c.perfect {
		predicate = strings.ToLower(c.words[c.verb].text)
	}
	return thing, predicate + " to", value
}

// listed returns a value with the rest of the list that it begins: "Ada, Bo and Cy", "two cats, Max and Moritz".
func (c *clause) listed(value []word) []word {
	parts, from := c.following()
	for _, p := range c.phrases[from:][:listing.List(parts)] {
		value = slices.Concat(value, p.noun.words)
	}
	return value
}

// nameOf returns the name of what somebody says to have, if it names a relation: "I've got a new dentist, Dr. Hay".
func (c *clause) nameOf() []word {
	parts, from := c.following()
	if !strings.HasPrefix(c.subject.pronoun, "@") || c.subject.pronoun == "@you" || c.negated || len(frames.Nouns[c.object.head]) == 0 || !lexicon.Gains[c.verbLemma] || !listing.Named(written(c.object.words), parts) {
		return nil
	}
	return c.phrases[from].noun.words
}

// following returns the phrases after the object, and the index of the first.
func (c *clause) following() (parts []listing.Part, from int) {
	for i := range c.phrases {
		p := &c.phrases[i]
		if p.leading {
			from = i + 1
			continue
		}
		parts = append(parts, listing.Part{Comma: p.prep == ",", Words: written(p.noun.words)})
	}
	return parts, from
}

// written returns words as they are written.
func written(words []word) (out []string) {
	for i := range words {
		out = append(out, words[i].text)
	}
	return out
}
