package frames

import (
	"slices"
	"sync"

	"github.com/somnograph/somnograph/internal/english"
)

// Word is a word of the name of a predicate: in lower case, and its lemma.
type Word struct{ Low, Lem string }

// Named returns the predicate that words name, which written is in lower case: "lives in", "residence"; empty if the table has none.
func Named(written string, words []Word) string {
	if names()[written] {
		return written
	}
	if name := byVerb(words); name != "" {
		return name
	}
	if nouns := Nouns[words[len(words)-1].Lem]; len(nouns) > 0 && nounOnly(words) {
		return All[nouns[0].Frame].Name
	}
	return ""
}

// CardinalityOf returns the cardinality of a predicate.
func CardinalityOf(name string) Cardinality {
	for _, f := range All {
		if f.Name == name {
			return f.Cardinality
		}
	}
	return Many
}

// names are the names of the predicates.
var names = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, f := range All {
		names[f.Name] = true
	}
	return names
})

// MeantByObject reports a predicate that means something else with another kind of object: "moved to" is a residence before "Oslo" and none before
// "decaf".
func MeantByObject(words []Word) bool {
	return slices.ContainsFunc(Verbs[words[verbOf(words)].Lem], func(s Form) bool { return s.byValue() })
}

// byValue reports a form that asks for a kind of value.
func (s *Form) byValue() bool {
	return slices.ContainsFunc(s.Takes, func(x Condition) bool {
		return !slices.ContainsFunc(x.Kinds, func(kind string) bool { return ofClause[kind] })
	})
}

// ofClause are the kinds that are about a clause, whatever the value is.
var ofClause = english.WordSet("alone definite some own passive term person offer")

// verbOf returns the index of the verb among the words of a predicate: the first one that is no copula, if there is one.
func verbOf(words []Word) int {
	at := 0
	for at < len(words)-1 && words[at].Lem == "be" {
		at++
	}
	return at
}

// byVerb returns the predicate of the first form that a verb and its preposition match. A
// verb without a preposition must have forms of one predicate: what "runs" and "moved to" say depends on the
// object, and so does what "goes to" and "switched to" say.
func byVerb(words []Word) string {
	at, alone := verbOf(words), ""
	for _, s := range Verbs[words[at].Lem] {
		name := All[s.Frame].Name
		switch {
		case s.Use == Change && (words[at].Lem == "switch" || words[at].Lem == "chang"), words[at].Lem == "go":
		case s.Prep != "":
			if at+2 == len(words) && words[at+1].Low == s.Prep && !s.Inverse && s.Noun == "" && !s.Direct {
				if s.byValue() {
					return ""
				}
				return name
			}
		case at+1 < len(words) || s.Noun != "" || s.Passive != (at > 0):
		case s.byValue(), alone != "" && alone != name || s.Inverse:
			return ""
		default:
			alone = name
		}
	}
	return alone
}

// nounOnly reports whether words are a noun with at most "has", "is" or an article before it:
// a noun that is compounded ("deploy target") is another attribute.
func nounOnly(words []Word) bool {
	for _, w := range words[:len(words)-1] {
		switch w.Lem {
		case "be", "hav", "have", "the", "a", "an", "of":
		default:
			return false
		}
	}
	return true
}
