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
	ties := make([]Tie, len(relations))
	for i, r := range relations {
		ties[i] = Tie{r.Source, r.Target, Strength(r, now)}
	}
	ids, edges := numbered(ties)
	if !crowded(len(ids), edges, limit) {
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
	for i, kept := range thin(len(ids), edges, limit) {
		if !kept {
			drop = append(drop, relations[i])
		}
	}
	return drop, nil
}

// crowded reports whether a node has more than limit edges.
func crowded(n int, edges []Edge, limit int) bool {
	return slices.Max(append(rowLengths(n, edges), 0)) > limit
}

// rowLengths counts the edges at each node; an edge from a node to itself counts once.
func rowLengths(n int, edges []Edge) []int {
	count := make([]int, n)
	for _, e := range edges {
		count[e.From]++
		if e.To != e.From {
			count[e.To]++
		}
	}
	return count
}

// thinning is a choice of edges, undirected, in the making. Weight is what they are worth.
type thinning struct {
	edges  []Edge
	limit  int
	order  []int32   // all edges by falling worth, ties by place
	at     [][]int32 // the edges at each node, in the same order
	keep   []bool
	degree []int // edges kept at each node
}

// thin chooses the edges that are kept.
func thin(n int, edges []Edge, limit int) []bool {
	t := &thinning{edges: edges, limit: limit, keep: make([]bool, len(edges)), degree: make([]int, n)}
	t.order = make([]int32, len(edges))
	for i := range t.order {
		t.order[i] = int32(i)
	}
	slices.SortStableFunc(t.order, func(i, j int32) int { return cmp.Compare(edges[j].Weight, edges[i].Weight) })
	t.at = rows(n, edges, t.order)

	joined := newSets(n)
	bridge := bridges(edges, t.at)
	for _, i := range t.order {
		if bridge[i] && t.fits(i) {
			t.put(i)
			joined.join(edges[i].From, edges[i].To)
		}
	}
	for _, i := range t.order {
		if !t.keep[i] && t.fits(i) && joined.join(edges[i].From, edges[i].To) {
			t.put(i)
		}
	}
	for {
		for _, i := range t.order {
			if !t.keep[i] && t.fits(i) {
				t.put(i)
			}
		}
		if !t.rescue() {
			return t.keep
		}
	}
}

// rows are the edges at each node, in the order given.
func rows(n int, edges []Edge, order []int32) [][]int32 {
	at := make([][]int32, n)
	for v, length := range rowLengths(n, edges) {
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

func (t *thinning) fits(i int32) bool {
	return t.degree[t.edges[i].From] < t.limit && t.degree[t.edges[i].To] < t.limit
}

func (t *thinning) put(i int32)  { t.set(i, true, 1) }
func (t *thinning) drop(i int32) { t.set(i, false, -1) }

func (t *thinning) set(i int32, keep bool, by int) {
	e := t.edges[i]
	t.keep[i] = keep
	t.degree[e.From] += by
	if e.To != e.From {
		t.degree[e.To] += by
	}
}

// rescue gives nodes that lost every edge one back, by an exchange at a neighbour: the
// edge there that is worth least and is not the last one of its other end makes room. It
// reports whether it did anything; each time there are fewer such nodes, so it ends.
func (t *thinning) rescue() (did bool) {
	spent := make([]bool, len(t.at)) // has nothing to exchange, so that a hub is searched once
	for v := range t.at {
		if t.degree[v] == 0 && t.takeIn(int32(v), spent) {
			did = true
		}
	}
	return did
}

func (t *thinning) takeIn(v int32, spent []bool) bool {
	for _, i := range t.at[v] {
		if t.fits(i) { // since an exchange made room
			t.put(i)
			return true
		}
		host := t.edges[i].other(v)
		if spent[host] {
			continue
		}
		for _, j := range slices.Backward(t.at[host]) {
			if t.keep[j] && t.degree[t.edges[j].other(host)] > 1 {
				t.drop(j)
				t.put(i)
				return true
			}
		}
		spent[host] = true
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
