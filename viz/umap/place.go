package umap

import (
	"cmp"
	"slices"
)

const (
	placeEpochs = 30
	placeRate   = 0.125 // a quarter of the rate of Fit, as in the reference implementation
	searchWidth = 64    // candidates kept during a graph search
)

// Place returns the position of another vector on the map. It moves nothing. The result depends
// on the map and the vector only, not on earlier calls. On an empty map it is the origin.
func (m *Map) Place(vector []float32) ([3]float32, error) {
	if len(m.Places) == 0 {
		return [3]float32{}, nil
	}
	q := newVectors(m.vectors.dim, 1)
	if err := q.set(0, vector); err != nil {
		return [3]float32{}, err
	}
	noise := splitmix(mapSeed)
	for _, x := range q.row(0) {
		noise = splitmix(noise.next() ^ uint64(uint16(x)))
	}
	near := m.nearest(q, min(neighbourCount-1, len(m.Places)))
	edges := memberships(near, 0)
	at := weightedMean(edges, m.Places)
	for d := range at {
		at[d] += float32(noise.signed() * 1e-3)
	}
	walked := sampledEdges(edges, maxWeight(edges))
	for e := range placeEpochs {
		rate := placeRate * (1 - float32(e)/placeEpochs)
		at = advance(at, walked, m.Places, e, rate, seeded(uint64(noise), streamPlace, e))
	}
	return at, nil
}

// weightedMean is the weighted mean of the positions at the ends of edges.
func weightedMean(edges []edge, places [][3]float32) (at [3]float32) {
	var sum [3]float64
	var total float64
	for _, e := range edges {
		w := float64(e.weight)
		total += w
		for d, x := range places[e.to] {
			sum[d] += float64(w * float64(x))
		}
	}
	if total > 0 {
		for d := range at {
			at[d] = float32(sum[d] / total)
		}
	}
	return at
}

// nearest finds the k rows nearest to the row of q: exhaustively in a small map, else by
// best-first search in the graph, starting in the leaves of the trees.
func (m *Map) nearest(q *vectors, k int) []Neighbour {
	v := m.vectors
	key := func(i int) float32 { return float32(dot16(&q.rows[0], &v.rows[i*v.stride], v.stride)) * v.inv[i] }
	var list []candidate
	if m.forest == nil {
		list = make([]candidate, 0, k)
		for i := range v.len() {
			list, _ = insertBest(list, candidate{key: key(i), index: int32(i)})
		}
	} else {
		list = m.searchGraph(key)
		list = list[:min(k, len(list))]
	}
	out := make([]Neighbour, len(list))
	for i, c := range list {
		d := dot16(&q.rows[0], &v.rows[int(c.index)*v.stride], v.stride)
		out[i] = Neighbour{c.index, distance(d, q.square[0], v.square[c.index])}
	}
	slices.SortFunc(out, func(a, b Neighbour) int { // keys lack the last bits of a distance
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Index, b.Index))
	})
	return out
}

// searchGraph searches the graph best first. A candidate is fresh until its edges are followed.
func (m *Map) searchGraph(key func(int) float32) []candidate {
	list := make([]candidate, 0, searchWidth)
	seen := make([]uint64, (len(m.Places)+63)/64)
	first := 0 // all candidates before it have been followed
	try := func(i int32) {
		if seen[i/64]>>(i%64)&1 == 1 {
			return
		}
		seen[i/64] |= 1 << (i % 64)
		c := candidate{key(int(i)), i, true}
		var kept bool
		if list, kept = insertBest(list, c); kept {
			at, _ := slices.BinarySearchFunc(list, c, func(a, b candidate) int {
				return cmp.Or(cmp.Compare(b.key, a.key), cmp.Compare(a.index, b.index))
			})
			first = min(first, at)
		}
	}
	for _, t := range m.forest {
		for _, i := range t.leafRows(key) {
			try(i)
		}
	}
	for first < len(list) {
		if !list[first].fresh {
			first++
			continue
		}
		list[first].fresh = false
		for _, e := range m.graph.edgesOf(int(list[first].index)) {
			try(e.to)
		}
	}
	return list
}
