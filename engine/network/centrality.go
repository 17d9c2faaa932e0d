package network

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Link is an undirected edge between two nodes of whatever kind: a relation between
// entities, a mention of an entity in a memory.
type Link struct {
	A, B   graph.ID
	Weight float64 // finite, ≥ 0
}

// Centrality is the normalised PageRank of what is tied together, in (0,1], walked in
// both directions: a memory points at its entities and nothing points back, and it
// would stand outside otherwise. Nodes without ties are not in the answer: 0.
func Centrality(ties []Link) (map[graph.ID]float64, error) {
	ids, edges := numberNodes(ties)
	rank, err := undirected(len(ids), edges)
	if err != nil {
		return nil, err
	}
	central := make(map[graph.ID]float64, len(ids))
	for v, x := range rank {
		central[ids[v]] = x
	}
	return central, nil
}

// undirected is the normalised PageRank over edges that are walked both ways.
func undirected(n int, edges []Edge) ([]float64, error) {
	both := make([]Edge, 0, 2*len(edges))
	for _, e := range edges {
		both = append(both, e, Edge{e.To, e.From, e.Weight})
	}
	g, err := New(n, both)
	if err != nil {
		return nil, err
	}
	return Normalised(g.PageRank()), nil
}

// numberNodes turns ties into edges between numbers, and answers the id of each number.
// Ids are numbered in ascending order, so that the order of the ties makes no difference.
func numberNodes(ties []Link) ([]graph.ID, []Edge) {
	seen := map[graph.ID]int32{} // in the order of being seen
	var ids []graph.ID
	number := func(id graph.ID) int32 {
		v, known := seen[id]
		if !known {
			v = int32(len(ids))
			seen[id] = v
			ids = append(ids, id)
		}
		return v
	}
	edges := make([]Edge, len(ties))
	for i, t := range ties {
		edges[i] = Edge{number(t.A), number(t.B), t.Weight}
	}
	slices.Sort(ids)
	place := make([]int32, len(ids))
	for v, id := range ids {
		place[seen[id]] = int32(v)
	}
	for i, e := range edges {
		edges[i].From, edges[i].To = place[e.From], place[e.To]
	}
	return ids, edges
}
