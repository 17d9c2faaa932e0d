package network

import "math"

// PageRank's constants. The change of a step shrinks by the damping at least, so the
// tolerance is reached before the bound whatever the graph: 2·0.85^149 < 1e-9.
const (
	Damping       = 0.85 // d, the chance to follow an edge instead of starting anew
	Tolerance     = 1e-9 // Σ |change| of a step below which the ranks stand
	MaxIterations = 150  // steps
)

// PageRank answers how central each node is: the share of its time that a random walk
// spends there which follows an edge with chance 0.85, by weight, and else starts anew
// anywhere. The ranks are > 0 and sum to 1. From a node without a way out the walk
// starts anew. Within 6e-9 of the exact ranks, summed over all nodes.
//
// Page, Brin, Motwani, Winograd: The PageRank Citation Ranking: Bringing Order to the
// Web, Stanford InfoLab 1999; solved by the power method.
func (g *Graph) PageRank() []float64 {
	n := g.Nodes()
	restart := 1 / float64(n)
	rank, next := make([]float64, n), make([]float64, n)
	for v := range rank {
		rank[v] = restart
	}
	for range MaxIterations {
		carried := 0.0
		for v := range n {
			in := 0.0
			for i := g.start[v]; i < g.start[v+1]; i++ {
				in += rank[g.from[i]] * g.share[i]
			}
			next[v] = Damping * in
			carried += next[v]
		}
		change := 0.0
		for v := range n {
			next[v] += (1 - carried) * restart
			change += math.Abs(next[v] - rank[v])
		}
		rank, next = next, rank
		if change < Tolerance {
			break
		}
	}
	return rank
}

// Normalised divides ranks by their maximum: the most central node has 1. Where all
// are 0 they stay 0.
func Normalised(rank []float64) []float64 {
	largest := 0.0
	for _, x := range rank {
		largest = max(largest, x)
	}
	out := make([]float64, len(rank))
	if largest > 0 {
		for v, x := range rank {
			out[v] = x / largest
		}
	}
	return out
}
