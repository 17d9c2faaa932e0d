package reader

import (
	"cmp"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
)

// Predicate returns the name by which predicates are compared: the name in the table for
// "lives in", "lives_in" and "residence", and otherwise the lemmas of the words, without "be"
// and articles. Predicates with many values that share a name in the table, such as "likes" and
// "hates", keep their own. It is empty only if the predicate has no word.
func Predicate(predicate string) string {
	name, shared := predicateNames(predicate)
	if shared != "" && frames.CardinalityOf(shared) != frames.Many {
		return shared
	}
	return name
}

// SlotPredicate returns the name of the slot of a predicate: the name in the table, if there is
// one, otherwise that of Predicate. A statement may revise another one in the same slot.
func SlotPredicate(predicate string) string {
	name, shared := predicateNames(predicate)
	return cmp.Or(shared, name)
}

// ClaimPredicate returns the name of the slot of a predicate with an object, which may decide what it means.
func ClaimPredicate(predicate, object string) string {
	name, shared := predicateNames(predicate)
	if words := scan("x " + predicate); shared == "" && len(words) > 1 {
		named := make([]frames.Word, len(words)-1)
		for i, w := range words[1:] {
			named[i] = frames.Word{Low: w.low, Lem: w.lem}
		}
		text := "I " + predicate + " " + object
		if frames.MeantByObject(named) {
			for _, c := range clauses(text, scan(text), me("")) {
				if s := c.stated(); s != nil && s.specific {
					shared = frames.All[s.frame].Name
				}
			}
		}
	}
	return cmp.Or(shared, name)
}

// predicateNames returns the lemmas of a predicate, and its name in the table; empty: none.
func predicateNames(predicate string) (lemmas, shared string) {
	spaced := strings.Join(strings.Fields(strings.NewReplacer("_", " ", "-", " ").Replace(predicate)), " ")
	folded := strings.ToLower(spaced)
	words := scan("x " + folded + " y")
	if len(words) < 3 {
		return folded, ""
	}
	words = words[1 : len(words)-1]
	var kept []string
	named := make([]frames.Word, len(words))
	for i, w := range words {
		named[i] = frames.Word{Low: w.low, Lem: w.lem}
		if w.lem == "be" || w.low == "the" || w.low == "a" || w.low == "an" {
			continue
		}
		kept = append(kept, strings.TrimSuffix(w.lem, "e")) // "like" is a stop word and keeps its ending
	}
	if lemmas = strings.Join(kept, " "); lemmas == "" {
		lemmas = folded
	}
	return lemmas, frames.Named(folded, named)
}

// User is the subject of claims about a user without a name.
const User = "user"

// FirstPerson reports whether a canonical subject is the first person: "i", "me", "we".
func FirstPerson(canonical string) bool { return lexicon.FirstPersons[canonical] }
