package network

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Tie is an undirected edge between two nodes of whatever kind: a relation between
// entities, a mention of an entity in a memory.
type Tie struct {
	A, B   graph.ID
	Weight float64 // finite, ≥ 0
}

// Centrality is the normalised PageRank of what is tied together, in (0,1], walked in
// both directions: a memory points at its entities and nothing points back, and it
// would stand outside otherwise. Nodes without ties are not in the answer: 0.
func Centrality(ties []Tie) (map[graph.ID]float64, error) {
	ids := make([]graph.ID, 0, 2*len(ties))
	for _, t := range ties {
		ids = append(ids, t.A, t.B)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	node := numbered(ids)
	edges := make([]Edge, 0, 2*len(ties))
	for _, t := range ties {
		a, b := node[t.A], node[t.B]
		edges = append(edges, Edge{a, b, t.Weight}, Edge{b, a, t.Weight})
	}
	g, err := New(len(ids), edges)
	if err != nil {
		return nil, err
	}
	central := make(map[graph.ID]float64, len(ids))
	for v, x := range Normalised(g.PageRank()) {
		central[ids[v]] = x
	}
	return central, nil
}

// numbered gives each id its place.
func numbered(ids []graph.ID) map[graph.ID]int32 {
	node := make(map[graph.ID]int32, len(ids))
	for i, id := range ids {
		node[id] = int32(i)
	}
	return node
}
