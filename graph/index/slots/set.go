package slots

import "math/bits"

// bitmap is a set of slots.
type Set []uint64

func NewSet(n int) Set { return make(Set, (n+63)/64) }

func (b Set) Add(slot uint32) { b[slot>>6] |= 1 << (slot & 63) }

// has reports whether the slot is in the set; slots behind the end are not.
func (b Set) Has(slot uint32) bool {
	w := int(slot >> 6)
	return w < len(b) && b[w]&(1<<(slot&63)) != 0
}

// each calls fn for every slot of the set, ascending.
func (b Set) Each(fn func(slot uint32)) {
	for i, w := range b {
		for w != 0 {
			fn(uint32(i<<6 + bits.TrailingZeros64(w)))
			w &= w - 1
		}
	}
}

// count is how many slots the set holds.
func (b Set) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
