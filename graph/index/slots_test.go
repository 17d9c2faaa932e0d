package index

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestBitmap(t *testing.T) {
	b := NewSet(200)
	for _, s := range []uint32{0, 63, 64, 199} {
		b.Add(s)
	}
	var got []uint32
	b.Each(func(s uint32) { got = append(got, s) })
	expectList(t, "members", got, []uint32{0, 63, 64, 199})
	expect(t, "behind the end", b.Has(100_000), false)
	expect(t, "has", b.Has(64), true)
	expect(t, "has not", b.Has(65), false)
}

func TestTopKeepsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 200 {
		k, n := r.IntN(12), r.IntN(60)
		best := NewTopK(k, ByNumber)
		var all []Hit
		for i := range n {
			h := Hit{uint32(i), float32(r.IntN(8))}
			all = append(all, h)
			best.Offer(h.Slot, h.Score)
		}
		expectList(t, fmt.Sprintf("best %d of %d", k, n), sorted(best.Hits), sorted(all)[:min(k, n)])
	}
}
