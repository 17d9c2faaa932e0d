package network

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Link is an undirected edge between two nodes of any kind: a relation between entities, or a
// mention of an entity in a memory.
type Link struct {
	A, B   graph.ID
	Weight float64 // finite, ≥ 0
}

// Centrality is the normalised PageRank of the linked nodes, in (0,1]. Links count in both
// directions: a memory mentions its entities, but nothing points back at it. Nodes without
// links are not in the result; their centrality is 0.
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

// undirected is the normalised PageRank over edges in both directions.
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

// numberNodes turns links into edges between numbers, and returns the id of each number.
// Numbers follow the order of ids, so the order of the links does not matter.
func numberNodes(ties []Link) ([]graph.ID, []Edge) {
	seen := map[graph.ID]int32{} // in order of appearance
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
