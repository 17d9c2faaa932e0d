package slots

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBitmap(t *testing.T) {
	b := NewSet(200)
	for _, s := range []uint32{0, 63, 64, 199} {
		b.Add(s)
	}
	var got []uint32
	b.Each(func(s uint32) { got = append(got, s) })
	if want := []uint32{0, 63, 64, 199}; !slices.Equal(got, want) {
		t.Errorf("members: got %v, want %v", got, want)
	}
	if b.Has(100_000) || !b.Has(64) || b.Has(65) {
		t.Errorf("has 100,000: %v, 64: %v, 65: %v", b.Has(100_000), b.Has(64), b.Has(65))
	}
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
		if got, want := byScore(best.Hits), byScore(all)[:min(k, n)]; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", fmt.Sprintf("best %d of %d", k, n), got, want)
		}
	}
}

func byScore(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Slot, b.Slot)) })
	return hits
}
