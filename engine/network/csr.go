package network

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Edge is a directed edge between two nodes of a Graph.
type Edge struct {
	From, To int32
	Weight   float64 // finite, ≥ 0; 0 means no edge
}

// Graph is a directed, weighted graph over the nodes 0 … n−1, stored as compressed sparse rows
// of the incoming edges of each node. It is immutable.
type Graph struct {
	start []int     // the row of node v is start[v]:start[v+1]
	from  []int32   // source of an edge, ascending in a row
	share []float64 // weight ÷ total weight of the outgoing edges of the source, (0,1]
}

// New makes a graph of n nodes. The order of the edges does not matter; parallel edges add up.
// An edge to an unknown node, or with a negative or non-finite weight, is an error.
func New(n int, edges []Edge) (*Graph, error) {
	if n < 0 || n > math.MaxInt32 {
		return nil, fmt.Errorf("network: %d nodes, must be 0 to %d", n, math.MaxInt32)
	}
	g := &Graph{start: make([]int, n+1)}
	maxWeight := make([]float64, n) // largest weight out of each node; weights are divided by it so that sums don't overflow
	for i, e := range edges {
		if e.From < 0 || int(e.From) >= n || e.To < 0 || int(e.To) >= n {
			return nil, fmt.Errorf("network: edge %d from %d to %d, nodes must be 0 to %d", i, e.From, e.To, n-1)
		}
		if !(e.Weight >= 0) || math.IsInf(e.Weight, 1) {
			return nil, fmt.Errorf("network: edge %d has the weight %v", i, e.Weight)
		}
		if e.Weight > 0 {
			g.start[e.To+1]++
			maxWeight[e.From] = max(maxWeight[e.From], e.Weight)
		}
	}
	for v := range n {
		g.start[v+1] += g.start[v]
	}
	rows := make([]Edge, g.start[n])
	next := slices.Clone(g.start[:n])
	for _, e := range edges {
		if e.Weight > 0 {
			rows[next[e.To]] = e
			next[e.To]++
		}
	}
	for v := range n {
		slices.SortFunc(rows[g.start[v]:g.start[v+1]], func(a, b Edge) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Weight, b.Weight))
		})
	}
	sum := make([]float64, n)
	for _, e := range rows {
		sum[e.From] += e.Weight / maxWeight[e.From]
	}
	g.from, g.share = make([]int32, len(rows)), make([]float64, len(rows))
	for i, e := range rows {
		g.from[i], g.share[i] = e.From, e.Weight/maxWeight[e.From]/sum[e.From]
	}
	return g, nil
}

// Nodes is the number of nodes.
func (g *Graph) Nodes() int { return len(g.start) - 1 }
