package hashed

import (
	"math"
	"math/bits"
)

// entry is a distinct feature of a text.
type entry struct {
	hash   uint64
	first  int     // index of its first word
	count  int     // number of occurrences
	weight float64 // highest weight given
}

// total returns the weight of the entry with its term frequency: weight·(1+ln tf).
func (e entry) total() float64 {
	if e.count == 1 {
		return e.weight
	}
	return e.weight * (1 + math.Log(float64(e.count)))
}

// tally counts features by hash in the order of their first occurrence, so that sums over them
// are reproducible.
type tally struct {
	items []entry
	slots []int32 // item index by hash, open addressing; -1: free
}

// reset empties the tally and allocates space for n features.
func (t *tally) reset(n int) {
	t.items = t.items[:0]
	size := 1 << bits.Len(uint(2*n|15))
	if cap(t.slots) < size {
		t.slots = make([]int32, size)
	}
	t.slots = t.slots[:size]
	for i := range t.slots {
		t.slots[i] = -1
	}
}

// add counts a feature and returns its index in items.
func (t *tally) add(hash uint64, first int, weight float64) int32 {
	mask := uint64(len(t.slots) - 1)
	slot := hash & mask
	for t.slots[slot] >= 0 && t.items[t.slots[slot]].hash != hash {
		slot = (slot + 1) & mask
	}
	if t.slots[slot] < 0 {
		t.slots[slot] = int32(len(t.items))
		t.items = append(t.items, entry{hash: hash, first: first})
	}
	e := &t.items[t.slots[slot]]
	e.count++
	e.weight = max(e.weight, weight)
	return t.slots[slot]
}
