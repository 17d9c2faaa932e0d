package index

import "math/bits"

// bitmap is a set of slots.
type bitmap []uint64

func newBitmap(n int) bitmap { return make(bitmap, (n+63)/64) }

func (b bitmap) add(slot uint32) { b[slot>>6] |= 1 << (slot & 63) }

// has reports whether the slot is in the set; slots behind the end are not.
func (b bitmap) has(slot uint32) bool {
	w := int(slot >> 6)
	return w < len(b) && b[w]&(1<<(slot&63)) != 0
}

// each calls fn for every slot of the set, ascending.
func (b bitmap) each(fn func(slot uint32)) {
	for i, w := range b {
		for w != 0 {
			fn(uint32(i<<6 + bits.TrailingZeros64(w)))
			w &= w - 1
		}
	}
}
