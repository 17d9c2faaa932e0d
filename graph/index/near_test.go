package index

import "slices"

// nearest scans one view for queries, by all goroutines that it is worth.
func (v *scanView) nearest(queries [][]float32, pass bitmap, k int, floor float32, first order) [][]hit {
	hits := [][][]hit{make([][]hit, len(queries))}
	s := newSweep(k, floor, len(queries))
	s.add(v, pass, queries, 0)
	s.run(v.workers)
	for i := range queries {
		s.settle(i, floor, hits, []order{first})
	}
	return hits[0]
}

// nearest asks one channel as a recall does.
func (v *channelView) nearest(queries [][]float32, pass bitmap, w wanted) [][]hit {
	hits, rest, walked := v.walk(queries, pass, w, slices.Repeat([]float32{w.floor}, len(queries)))
	if !walked {
		return v.scanView.nearest(queries, pass, w.k, w.floor, w.first)
	}
	if rest != nil {
		for i, more := range v.scanView.nearest(queries, rest, w.k, w.floor, w.first) {
			best := newTop(w.k, w.first)
			for _, h := range append(hits[i], more...) {
				best.offer(h.slot, h.score)
			}
			hits[i] = best.hits
		}
	}
	return hits
}
