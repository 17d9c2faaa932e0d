package umap

import (
	"context"
	"fmt"
)

// Quality measures how well a map preserves neighbourhoods.
type Quality struct {
	// Preservation is the mean share of the k nearest vectors that are among the k nearest
	// positions, in [0,1].
	Preservation float64
	// Trustworthiness is 1 if all neighbours on the map are neighbours of the vector, and less
	// the lower false neighbours rank: T(k) of Venna and Kaski ("Neighborhood preservation in
	// nonlinear projection methods", 2001), in [0,1].
	Trustworthiness float64
}

// Evaluate compares the k nearest neighbours of each vector by cosine with those of its
// position by distance, over all pairs. k must be at least 1 and less than half the number of
// vectors.
func Evaluate(ctx context.Context, in [][]float32, places [][3]float32, k int) (Quality, error) {
	n := len(in)
	if len(places) != n || k < 1 || 2*k >= n {
		return Quality{}, fmt.Errorf("umap: %d positions for %d vectors, k %d: k must be at least 1 and less than half of them", len(places), n, k)
	}
	c := newWorkerPool(ctx, 0)
	v, err := quantise(c, in)
	if err != nil {
		return Quality{}, err
	}
	hits, beyond := make([]int, n), make([]int, n)
	if err := c.forEach(n, 8, func(i, _ int) {
		keys := make([]candidate, n)
		byVector, byPlace := make([]candidate, 0, k), make([]candidate, 0, k)
		for j := range n {
			keys[j] = candidate{key: v.key(i, j), index: int32(j)}
			if j == i {
				continue
			}
			byVector, _ = insertBest(byVector, keys[j])
			var d2 float32
			for d, x := range places[i] {
				y := x - places[j][d]
				d2 += float32(y * y)
			}
			byPlace, _ = insertBest(byPlace, candidate{key: -d2, index: int32(j)})
		}
		for _, p := range byPlace {
			if contains(byVector, p.index) {
				hits[i]++
				continue
			}
			rank := 1
			for j, o := range keys {
				if j != i && o.better(keys[p.index]) {
					rank++
				}
			}
			beyond[i] += rank - k
		}
	}); err != nil {
		return Quality{}, err
	}
	var hit, far int
	for i := range n {
		hit, far = hit+hits[i], far+beyond[i]
	}
	return Quality{
		Preservation:    float64(hit) / float64(n*k),
		Trustworthiness: 1 - 2*float64(far)/(float64(n*k)*float64(2*n-3*k-1)),
	}, nil
}
