package network

import "math"

// Constants of PageRank. Each step shrinks the change by at least the damping, so the tolerance
// is reached within the bound for every graph: 2·0.85^149 < 1e-9.
const (
	Damping       = 0.85 // d, the probability of following an edge instead of restarting
	Tolerance     = 1e-9 // Σ |change| of a step at which the iteration stops
	MaxIterations = 150  // steps
)

// PageRank is how central each node is: the share of time that a random walk spends at it. The
// walk follows an edge, chosen by weight, with probability 0.85 and otherwise restarts at a
// random node. At a node without outgoing edges it restarts. The ranks are > 0 and sum to 1.
// The error, summed over all nodes, is below 6e-9.
//
// Page, Brin, Motwani, Winograd: The PageRank Citation Ranking: Bringing Order to the Web,
// Stanford InfoLab 1999; solved by the power method.
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

// Normalised divides ranks by their maximum. If all are 0 they stay 0.
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
