package attribute

import (
	"encoding/binary"
	"hash/fnv"
	"sync"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/graph"
)

// Keys gives the index the keys of claims: those of claimkey.Keys, and of the attributes that
// the claims state, and of the names that they introduce.
type Keys struct{}

// Of returns the keys of all states of the claims of a memory.
func (Keys) Of(m *graph.Memory) []uint64 {
	keys := claimkey.Keys{}.Of(m)
	for i := range m.Claims {
		for _, s := range m.Claims[i].History {
			keys = append(keys, introducedKeys(s)...)
			for _, x := range Of(m, &m.Claims[i], s) {
				for _, name := range x.Names {
					keys = append(keys, Key(name, x.Attribute))
				}
			}
		}
	}
	return keys
}

// Key is the key of the claims that state an attribute of whom a canonical name names.
func Key(name, attribute string) uint64 { return claimkey.Subject(name + " ? " + attribute) }

// Sum identifies the tables and the rules for the keys.
func (Keys) Sum() uint64 { return keySum() }

// keyRules is the version of the rules besides the table.
const keyRules = 5

var keySum = sync.OnceValue(func() uint64 {
	h := fnv.New64a()
	for _, sum := range []uint64{keyRules, claimkey.Keys{}.Sum(), lexicon.Topics{}.SumOfGroups()} {
		_, _ = h.Write(binary.AppendUvarint(nil, sum)) // a hash never fails
	}
	_, _ = h.Write([]byte(tableFile))
	return h.Sum64()
})
