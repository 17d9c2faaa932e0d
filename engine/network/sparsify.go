package network

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Sparsify answers the relations to drop so that no entity has more than limit (≥ 1) of
// them, by ascending id; none where no entity has more. The order of the relations makes
// no difference.
//
// A relation is worth strength(now)·2^(−c), c the lower centrality of its two ends: one
// between the two most central entities counts as if it were one half-life older, since
// they are held by much else. Kept are, each time by falling worth and as far as both
// ends have room: first bridges, without which a part of the graph would come off; then
// what joins parts that nothing kept joins yet; then the rest.
//
// An entity loses its last relation only where every entity that it was related to has
// its limit full of relations that are the last ones of their other ends. (Which tree of
// bounded degree holds a graph together is NP-hard to say; this is a good one, not the
// best one.)
func Sparsify(relations []*graph.Relation, now time.Time, limit int) ([]*graph.Relation, error) {
	if limit < 1 {
		return nil, fmt.Errorf("network: a limit of %d relations is below 1", limit)
	}
	relations = slices.Clone(relations)
	slices.SortFunc(relations, func(a, b *graph.Relation) int { return cmp.Compare(a.ID, b.ID) })
	ties := make([]Link, len(relations))
	for i, r := range relations {
		ties[i] = Link{r.Source, r.Target, Strength(r, now)}
	}
	ids, edges := numberNodes(ties)
	if !exceedsLimit(len(ids), edges, limit) {
		return nil, nil
	}
	central, err := undirected(len(ids), edges)
	if err != nil {
		return nil, err
	}
	for i, e := range edges {
		edges[i].Weight *= math.Exp2(-min(central[e.From], central[e.To]))
	}
	var drop []*graph.Relation
	for i, kept := range chooseEdges(len(ids), edges, limit) {
		if !kept {
			drop = append(drop, relations[i])
		}
	}
	return drop, nil
}

// exceedsLimit reports whether a node has more than limit edges.
func exceedsLimit(n int, edges []Edge, limit int) bool {
	return slices.Max(append(nodeDegrees(n, edges), 0)) > limit
}

// nodeDegrees counts the edges at each node; an edge from a node to itself counts once.
func nodeDegrees(n int, edges []Edge) []int {
	count := make([]int, n)
	for _, e := range edges {
		count[e.From]++
		if e.To != e.From {
			count[e.To]++
		}
	}
	return count
}

// sparsifier is a choice of edges, undirected, in the making. Weight is what they are worth.
type sparsifier struct {
	edges    []Edge
	limit    int
	order    []int32   // all edges by falling worth, ties by place
	incident [][]int32 // the edges at each node, in the same order
	keep     []bool
	degree   []int // edges kept at each node
}

// chooseEdges chooses the edges that are kept.
func chooseEdges(n int, edges []Edge, limit int) []bool {
	t := &sparsifier{edges: edges, limit: limit, keep: make([]bool, len(edges)), degree: make([]int, n)}
	t.order = make([]int32, len(edges))
	for i := range t.order {
		t.order[i] = int32(i)
	}
	slices.SortStableFunc(t.order, func(i, j int32) int { return cmp.Compare(edges[j].Weight, edges[i].Weight) })
	t.incident = incidentEdges(n, edges, t.order)

	joined := newDisjointSets(n)
	bridge := bridges(edges, t.incident)
	for _, i := range t.order {
		if bridge[i] && t.fits(i) {
			t.keepEdge(i)
			joined.union(edges[i].From, edges[i].To)
		}
	}
	for _, i := range t.order {
		if !t.keep[i] && t.fits(i) && joined.union(edges[i].From, edges[i].To) {
			t.keepEdge(i)
		}
	}
	for {
		for _, i := range t.order {
			if !t.keep[i] && t.fits(i) {
				t.keepEdge(i)
			}
		}
		if !t.reconnectIsolated() {
			return t.keep
		}
	}
}

// incidentEdges are the edges at each node, in the order given.
func incidentEdges(n int, edges []Edge, order []int32) [][]int32 {
	at := make([][]int32, n)
	for v, length := range nodeDegrees(n, edges) {
		at[v] = make([]int32, 0, length)
	}
	for _, i := range order {
		e := edges[i]
		at[e.From] = append(at[e.From], i)
		if e.To != e.From {
			at[e.To] = append(at[e.To], i)
		}
	}
	return at
}

func (s *sparsifier) fits(i int32) bool {
	return s.degree[s.edges[i].From] < s.limit && s.degree[s.edges[i].To] < s.limit
}

func (s *sparsifier) keepEdge(i int32) { s.setEdge(i, true, 1) }
func (s *sparsifier) dropEdge(i int32) { s.setEdge(i, false, -1) }

func (s *sparsifier) setEdge(i int32, keep bool, by int) {
	e := s.edges[i]
	s.keep[i] = keep
	s.degree[e.From] += by
	if e.To != e.From {
		s.degree[e.To] += by
	}
}

// reconnectIsolated gives nodes that lost every edge one back, by an exchange at a neighbour: the
// edge there that is worth least and is not the last one of its other end makes room. It
// reports whether it did anything; each time there are fewer such nodes, so it ends.
func (s *sparsifier) reconnectIsolated() (did bool) {
	exhausted := make([]bool, len(s.incident)) // has nothing to exchange, so that a hub is searched once
	for v := range s.incident {
		if s.degree[v] == 0 && s.reconnect(int32(v), exhausted) {
			did = true
		}
	}
	return did
}

func (s *sparsifier) reconnect(v int32, exhausted []bool) bool {
	for _, i := range s.incident[v] {
		if s.fits(i) { // since an exchange made room
			s.keepEdge(i)
			return true
		}
		host := s.edges[i].other(v)
		if exhausted[host] {
			continue
		}
		for _, j := range slices.Backward(s.incident[host]) {
			if s.keep[j] && s.degree[s.edges[j].other(host)] > 1 {
				s.dropEdge(j)
				s.keepEdge(i)
				return true
			}
		}
		exhausted[host] = true
	}
	return false
}

// other is the end of the edge that is not v, or v where both are.
func (e Edge) other(v int32) int32 {
	if e.From == v {
		return e.To
	}
	return e.From
}
