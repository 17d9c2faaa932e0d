package network

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Sparsify returns the relations to drop so that no entity has more than limit (≥ 1) of them,
// by ascending id; none if no entity has more. The order of the relations does not matter.
//
// The worth of a relation is strength(now)·2^(−c), where c is the lower centrality of its two
// ends. A relation between the two most central entities counts as if it were one half-life
// older, because both have many other relations. Relations are kept in three passes, each in
// order of falling worth and as long as both ends are below the limit: first bridges, whose
// removal would disconnect the graph; then relations that join parts not yet connected; then
// the rest.
//
// An entity loses its last relation only if each of its neighbours is at its limit and every
// relation of these neighbours is the last one of its other end. (A spanning tree of bounded
// degree is NP-hard to find; this is an approximation.)
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

// nodeDegrees counts the edges at each node; a loop counts once.
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

// sparsifier is a selection of undirected edges. Weight is their worth.
type sparsifier struct {
	edges    []Edge
	limit    int
	order    []int32   // all edges by falling worth, ties by index
	incident [][]int32 // the edges at each node, in the same order
	keep     []bool
	degree   []int // selected edges at each node
}

// chooseEdges selects the edges to keep.
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

// incidentEdges lists the edges at each node in the given order.
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

// reconnectIsolated gives nodes that lost every edge one back. A neighbour at its limit drops
// its edge of least worth that is not the last one of its other end. It reports whether it
// changed anything. Each change reduces the number of isolated nodes, so repetition ends.
func (s *sparsifier) reconnectIsolated() (did bool) {
	exhausted := make([]bool, len(s.incident)) // neighbours with nothing to exchange, so that a hub is searched once
	for v := range s.incident {
		if s.degree[v] == 0 && s.reconnect(int32(v), exhausted) {
			did = true
		}
	}
	return did
}

func (s *sparsifier) reconnect(v int32, exhausted []bool) bool {
	for _, i := range s.incident[v] {
		if s.fits(i) { // an earlier exchange made room
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

// other is the end of the edge that is not v, or v for a loop.
func (e Edge) other(v int32) int32 {
	if e.From == v {
		return e.To
	}
	return e.From
}
