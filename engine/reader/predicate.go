package reader

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/graph"
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

// slotPredicate returns the name of the slot of a predicate: the name in the table, if there is
// one, otherwise that of Predicate. A statement may revise another one in the same slot.
func slotPredicate(predicate string) string {
	name, shared := predicateNames(predicate)
	return cmp.Or(shared, name)
}

// claimPredicate returns the name of the slot of a predicate with an object, which may decide what it means.
func claimPredicate(predicate, object string) string {
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

// SubjectKey is the key of all claims about a subject, in any namespace. Subjects are compared
// by the names under which entities are linked.
func SubjectKey(subject string) uint64 { return hashed(extract.Canonical(subject), "") }

// SlotKey is the key of the claims about a subject with a predicate, in any namespace.
func SlotKey(subject, predicate string) uint64 {
	return hashed(extract.Canonical(subject), slotPredicate(predicate))
}

// ClaimKey is the key of the claims in the slot of a claim, in any namespace. Unlike that of SlotKey, the predicate follows the kind of the object.
func ClaimKey(subject, predicate, object string) uint64 {
	return hashed(extract.Canonical(subject), claimPredicate(predicate, object))
}

// OwnedKey is the key of the claims about what belongs to whom a canonical name names: "ana's dog".
func OwnedKey(owner string) uint64 { return hashed(owner, "\x00owned") }

// RenamedKey is the key of the claims that something is called by a name of wording.Names.
func RenamedKey(name string) uint64 { return hashed(name, "\x00"+nameFrame) }

// Renames reports a predicate of claims that say how their subject is called.
func Renames(predicate string) bool { return slotPredicate(predicate) == nameFrame }

func hashed(subject, predicate string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(subject)) // a hash never fails
	_, _ = h.Write([]byte{0})
	_, _ = h.Write([]byte(predicate))
	return h.Sum64()
}

// User is the subject of claims about a user without a name.
const User = "user"

// FirstPerson reports whether a canonical subject is the first person: "i", "me", "we".
func FirstPerson(canonical string) bool {
	switch canonical {
	case "i", "me", "we", "us", "myself", "ourselves":
		return true
	}
	return false
}

// ClaimNames returns the canonical names by which the subject of a claim of a memory is found:
// those of wording.Subjects and wording.Names, and "user" for the user whose memory it is, and the name of that user for
// "user".
func ClaimNames(m *graph.Memory, subject string) []string {
	var names []string
	add := func(name string) {
		if name = extract.Canonical(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, s := range wording.Subjects(subject) {
		add(s)
		for _, name := range wording.Names(s) {
			add(name)
		}
	}
	user := extract.Canonical(m.User)
	switch {
	case user != "" && slices.Contains(names, user):
		add(User)
	case slices.Contains(names, User):
		add(user)
	}
	return names
}

// ClaimKeys gives the index the keys of claims.
type ClaimKeys struct{}

// Of returns the keys of all states of the claims of a memory: of each name of the subject,
// alone and with the predicate.
func (ClaimKeys) Of(m *graph.Memory) []uint64 {
	var keys []uint64
	for i := range m.Claims {
		for _, s := range m.Claims[i].History {
			predicate := claimPredicate(s.Predicate, s.Object)
			for _, name := range ClaimNames(m, s.Subject) {
				keys = append(keys, hashed(name, ""), hashed(name, predicate))
			}
			if owner, _, owned := strings.Cut(s.Subject, "'s "); owned {
				keys = append(keys, OwnedKey(extract.Canonical(owner)))
			}
			if predicate == nameFrame {
				for _, name := range wording.Names(s.Object) {
					keys = append(keys, RenamedKey(name))
				}
			}
		}
	}
	return keys
}

// keyRules is the version of the rules for keys besides the table.
const keyRules = 5

// Sum identifies the table of predicates and the rules for the keys.
func (ClaimKeys) Sum() uint64 { return keySum() }

var keySum = sync.OnceValue(func() uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.AppendUvarint(nil, keyRules))
	_, _ = h.Write([]byte(frames.File))
	return h.Sum64()
})
