package slots

import "math/bits"

// Set is a set of slots, one bit each.
type Set []uint64

// NewSet makes an empty set for slots below n.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Add adds a slot, which must be below the n of NewSet.
func (b Set) Add(slot uint32) { b[slot>>6] |= 1 << (slot & 63) }

// Has reports whether the slot is in the set; slots beyond its end are not.
func (b Set) Has(slot uint32) bool {
	w := int(slot >> 6)
	return w < len(b) && b[w]&(1<<(slot&63)) != 0
}

// Each calls fn for every slot of the set, ascending.
func (b Set) Each(fn func(slot uint32)) {
	for i, w := range b {
		for w != 0 {
			fn(uint32(i<<6 + bits.TrailingZeros64(w)))
			w &= w - 1
		}
	}
}

// Count returns the number of slots in the set.
func (b Set) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
