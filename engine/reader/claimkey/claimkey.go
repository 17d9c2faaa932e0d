// Package claimkey gives claims the keys by which the index finds them: by their subject, and by subject and predicate.
package claimkey

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/graph"
)

// named is the predicate of frames.txt of claims that say how their subject is called.
const named = "name"

// Subject is the key of all claims about a subject, in any namespace. Subjects are compared
// by the names under which entities are linked.
func Subject(subject string) uint64 { return hashed(extract.Canonical(subject), "") }

// Slot is the key of the claims about a subject with a predicate, in any namespace.
func Slot(subject, predicate string) uint64 {
	return hashed(extract.Canonical(subject), reader.SlotPredicate(predicate))
}

// Claim is the key of the claims in the slot of a claim, in any namespace. Unlike that of Slot, the predicate follows the kind of the object.
func Claim(subject, predicate, object string) uint64 {
	return hashed(extract.Canonical(subject), reader.ClaimPredicate(predicate, object))
}

// Owned is the key of the claims about what belongs to whom a canonical name names: "ana's dog".
func Owned(owner string) uint64 { return hashed(owner, "\x00owned") }

// Renamed is the key of the claims that something is called by a name of wording.Names.
func Renamed(name string) uint64 { return hashed(name, "\x00"+named) }

// Renames reports a predicate of claims that say how their subject is called.
func Renames(predicate string) bool { return reader.SlotPredicate(predicate) == named }

func hashed(subject, predicate string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(subject)) // a hash never fails
	_, _ = h.Write([]byte{0})
	_, _ = h.Write([]byte(predicate))
	return h.Sum64()
}

// Names returns the canonical names by which the subject of a claim of a memory is found:
// those of wording.Subjects and wording.Names, and "user" for the user whose memory it is, and the name of that user for
// "user".
func Names(m *graph.Memory, subject string) []string {
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
		add(reader.User)
	case slices.Contains(names, reader.User):
		add(user)
	}
	return names
}

// Keys gives the index the keys of claims.
type Keys struct{}

// Of returns the keys of all states of the claims of a memory: of each name of the subject,
// alone, with the predicate, and with what it means with its object.
func (Keys) Of(m *graph.Memory) []uint64 {
	var keys []uint64
	for i := range m.Claims {
		for _, s := range m.Claims[i].History {
			predicate, plain := reader.ClaimPredicate(s.Predicate, s.Object), reader.SlotPredicate(s.Predicate)
			for _, name := range Names(m, s.Subject) {
				keys = append(keys, hashed(name, ""), hashed(name, predicate))
				if plain != predicate {
					keys = append(keys, hashed(name, plain))
				}
			}
			if owner, _, owned := strings.Cut(s.Subject, "'s "); owned {
				keys = append(keys, Owned(extract.Canonical(owner)))
			}
			if predicate == named {
				for _, name := range wording.Names(s.Object) {
					keys = append(keys, Renamed(name))
				}
			}
		}
	}
	return keys
}

// keyRules is the version of the rules for keys besides the table.
const keyRules = 6

// Sum identifies the table of predicates and the rules for the keys.
func (Keys) Sum() uint64 { return keySum() }

var keySum = sync.OnceValue(func() uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.AppendUvarint(nil, keyRules))
	_, _ = h.Write([]byte(frames.File))
	return h.Sum64()
})
