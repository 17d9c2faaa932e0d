package vectors

import (
	"slices"

	"github.com/somnograph/somnograph/graph/index/slots"
)

// nearest scans one view for queries, by all goroutines that it is worth.
func (v *codeView) nearest(queries [][]float32, pass slots.Set, k int, floor float32, first slots.Order) [][]slots.Hit {
	hits := [][][]slots.Hit{make([][]slots.Hit, len(queries))}
	s := NewScan(k, floor, len(queries))
	s.add(v, pass, queries, 0)
	s.Run(v.workers)
	for i := range queries {
		s.Rescore(i, floor, hits, []slots.Order{first})
	}
	return hits[0]
}

// nearest asks one channel as a recall does.
func (v *View) nearest(queries [][]float32, pass slots.Set, w Want) [][]slots.Hit {
	hits, rest, walked := v.SearchGraph(queries, pass, w, slices.Repeat([]float32{w.Floor}, len(queries)))
	if !walked {
		return v.codeView.nearest(queries, pass, w.K, w.Floor, w.Order)
	}
	if rest != nil {
		for i, more := range v.codeView.nearest(queries, rest, w.K, w.Floor, w.Order) {
			best := slots.NewTopK(w.K, w.Order)
			for _, h := range append(hits[i], more...) {
				best.Offer(h.Slot, h.Score)
			}
			hits[i] = best.Hits
		}
	}
	return hits
}
