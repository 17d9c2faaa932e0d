package reader

import (
	"cmp"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/predicates"
)

// Predicate returns the name by which predicates are compared, see predicates.Name.
func Predicate(predicate string) string { return predicates.Name(predicate) }

// SlotPredicate returns the name of the slot of a predicate, see predicates.Slot. A statement may revise another one in the same slot.
func SlotPredicate(predicate string) string { return predicates.Slot(predicate) }

// UndeclaredPredicate returns the name of a predicate that the table does not declare single-valued, see predicates.Undeclared.
func UndeclaredPredicate(predicate string) (name string, known, ok bool) {
	return predicates.Undeclared(predicate)
}

// Valued returns the cardinality of a predicate that a caller gives, see predicates.Valued.
func Valued(predicate string) Cardinality { return predicates.Valued(predicate) }

// ClaimPredicate returns the name of the slot of a predicate with an object, which may decide what it means.
func ClaimPredicate(predicate, object string) string {
	name, shared := predicates.Names(predicate)
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

// User is the subject of claims about a user without a name.
const User = "user"

// FirstPerson reports whether a canonical subject is the first person: "i", "me", "we".
func FirstPerson(canonical string) bool { return lexicon.FirstPersons[canonical] }
