package reader

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/graph"
)

// Predicate returns the name by which predicates are compared: the name in the table for
// "lives in", "lives_in" and "residence", and otherwise the lemmas of the words, without "be"
// and articles. Predicates with many values that share a name in the table, such as "likes" and
// "hates", keep their own. It is empty only if the predicate has no word.
func Predicate(predicate string) string {
	name, shared := predicateNames(predicate)
	if shared != "" && cardinalityOf(shared) != Many {
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

// cardinalityOf returns the cardinality of a name of the table.
func cardinalityOf(name string) Cardinality {
	for _, f := range tables.frames {
		if f.name == name {
			return f.cardinality
		}
	}
	return Many
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
	for _, w := range words {
		if w.lem == "be" || w.low == "the" || w.low == "a" || w.low == "an" {
			continue
		}
		kept = append(kept, strings.TrimSuffix(w.lem, "e")) // "like" is a stop word and keeps its ending
	}
	if lemmas = strings.Join(kept, " "); lemmas == "" {
		lemmas = folded
	}
	switch nouns := tables.nouns[words[len(words)-1].lem]; {
	case frameNames()[folded]:
		shared = folded
	case verbFrame(words) != "":
		shared = verbFrame(words)
	case len(nouns) > 0 && nounOnly(words):
		shared = tables.frames[nouns[0].frame].name
	}
	return lemmas, shared
}

// frameNames are the names of the table.
var frameNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, f := range tables.frames {
		names[f.name] = true
	}
	return names
})

// verbFrame returns the predicate of the first form that a verb and its preposition match. A
// verb without a preposition must have forms of one predicate: what "runs" says depends on its
// object, and so does what "goes to" and "switched to" say.
func verbFrame(words []word) string {
	at := 0
	for at < len(words)-1 && words[at].lem == "be" {
		at++
	}
	alone := ""
	for _, s := range tables.verbs[words[at].lem] {
		name := tables.frames[s.frame].name
		switch {
		case s.use == useChange && (words[at].lem == "switch" || words[at].lem == "chang"), words[at].lem == "go":
		case s.prep != "":
			if at+2 == len(words) && words[at+1].low == s.prep && !s.inverse && s.noun == "" && !s.direct {
				return name
			}
		case at+1 < len(words) || s.noun != "" || s.passive != (at > 0):
		case alone != "" && alone != name || s.inverse:
			return ""
		default:
			alone = name
		}
	}
	return alone
}

// nounOnly reports whether words are a noun with at most "has", "is" or an article before it:
// a noun that is compounded ("deploy target") is another attribute.
func nounOnly(words []word) bool {
	for _, w := range words[:len(words)-1] {
		switch w.lem {
		case "be", "hav", "have", "the", "a", "an", "of":
		default:
			return false
		}
	}
	return true
}

// SubjectKey is the key of all claims about a subject, in any namespace. Subjects are compared
// by the names under which entities are linked.
func SubjectKey(subject string) uint64 { return hashed(extract.Canonical(subject), "") }

// SlotKey is the key of the claims about a subject with a predicate, in any namespace.
func SlotKey(subject, predicate string) uint64 {
	return hashed(extract.Canonical(subject), slotPredicate(predicate))
}

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
			predicate := slotPredicate(s.Predicate)
			for _, name := range ClaimNames(m, s.Subject) {
				keys = append(keys, hashed(name, ""), hashed(name, predicate))
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
const keyRules = 4

// Sum identifies the table of predicates and the rules for the keys.
func (ClaimKeys) Sum() uint64 { return keySum() }

var keySum = sync.OnceValue(func() uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.AppendUvarint(nil, keyRules))
	_, _ = h.Write([]byte(framesFile))
	return h.Sum64()
})
