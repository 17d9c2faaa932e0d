package phrase

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// ours are the words for the speaker as the one for whom somebody acts.
var ours = english.WordSet("my our me us")

// actReach is how many words may lie between such a word and what is done: "does my taxes", "teaches me the cello".
const actReach = 2

// AsksWho reports whether a question asks who somebody is, or for the name.
func AsksWho(question string) bool {
	return valueAskedBy(question) == aName || slices.ContainsFunc(Words(question), func(w string) bool { return w == "name" || w == "called" })
}

// Serves reports whether a statement says that somebody does for the speaker what a role is for: "Olga does my taxes" for "accountant",
// "Vera cleans our flat" for "cleaner". The role is made of the word for it, or shares a narrow group of the lexicon with it.
func Serves(role, statement string) bool {
	words := Words(statement)
	if len(words) < 3 || slices.Contains(words, "not") || slices.Contains(words, "never") || slices.Contains(words, "no") {
		return false
	}
	by := 0 // the word for who does it
	switch {
	case words[0] == "my" || words[0] == "our":
		by = 1
	case english.StopWord(words[0]) || common(words[0]):
		return false
	}
	fields := fieldsOf(role)
	for i, w := range words {
		if i <= by || english.StopWord(w) || LightVerbs[english.Lemma(w)] {
			continue
		}
		if (makesRole(w, role) || slices.ContainsFunc(narrowGroups(w), func(g uint16) bool { return slices.Contains(fields, g) })) &&
			slices.ContainsFunc(words[max(by+1, i-actReach):min(len(words), i+actReach+1)], func(o string) bool { return ours[o] }) {
			return true
		}
	}
	return false
}

// common reports whether the lexicon knows a word.
func common(w string) bool {
	return (lexicon.Topics{}).Of(english.Stem(w)) != nil || lexicon.Related(w) != nil
}

// makesRole reports whether a role is the noun for who does something, or works at it: "teaches" or "garden" in "gardener".
func makesRole(w, role string) bool {
	for _, base := range []string{english.Lemma(w), english.Singular(w)} {
		if len(base) < 3 || len(role) <= len(base) || !strings.HasPrefix(role, base[:len(base)-1]) {
			continue
		}
		stem := strings.TrimSuffix(base, "e")
		for _, end := range []string{"er", "or", "ist"} {
			if role == stem+end || role == base+base[len(base)-1:]+end {
				return end != "ist" || worksWith(base, role)
			}
		}
	}
	return false
}

// worksWith reports that the lexicon knows a noun, and the role that is made of it, if at all, as of the same matter: "violin" in "violinist", but not
// "dent" in "dentist". Other endings make nouns of verbs.
func worksWith(noun, role string) bool {
	known, roles := (lexicon.Topics{}).Of(english.Stem(noun)), (lexicon.Topics{}).Of(english.Stem(role))
	return known != nil && (roles == nil || slices.ContainsFunc(known, func(g uint16) bool { return slices.Contains(roles, g) }))
}

// narrowGroups returns the narrow groups of a word.
func narrowGroups(w string) []uint16 {
	return slices.DeleteFunc(slices.Clone((lexicon.Topics{}).Of(english.Stem(w))), func(g uint16) bool { return !lexicon.Narrow(g) })
}

// fieldsOf returns the narrow groups of a role that are no groups of occupations.
func fieldsOf(role string) []uint16 {
	return slices.DeleteFunc(narrowGroups(role), func(g uint16) bool { return lexicon.OfOccupations(g) })
}
