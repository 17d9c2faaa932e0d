package cluster

import (
	"cmp"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// DuplicateAbove is the cosine above which two memories may say the same (SPEC section
// 9, N3).
const DuplicateAbove = 0.92

// Item is a memory that may be merged with others.
type Item struct {
	ID         graph.ID
	Vector     []float32
	Confidence float64 // [0,1]
	Owner      string  // namespace and user: nothing merges across
	Consent    graph.Consent
	Type       graph.Type
	Session    string
	At         time.Time // when it happened; its UTC day counts
}

// Group is a set of memories that say the same.
type Group struct {
	Members  []int     // places of the items, by id; two at least
	Survivor int       // place of the one that stays: the most confident, the lower id of equals
	Centroid []float32 // of the members by confidence, unit length
}

// Mergeable reports whether SPEC section 9 lets two memories merge, but for cosine,
// conflict and facts: one circle, one type (an episode says that it happened, a fact
// that it is so), consent EXPLICIT with EXPLICIT or IMPLICIT, and episodes of one
// session and UTC day only: told again later they corroborate.
func Mergeable(a, b Item) bool {
	if a.Owner != b.Owner || a.Type != b.Type || !consents(a.Consent, b.Consent) {
		return false
	}
	return a.Type != graph.Episodic || a.Session == b.Session && day(a.At) == day(b.At)
}

func consents(a, b graph.Consent) bool {
	if a != graph.ConsentExplicit {
		a, b = b, a
	}
	return a == graph.ConsentExplicit && (b == graph.ConsentExplicit || b == graph.ConsentImplicit)
}

// day counts UTC days.
func day(t time.Time) int64 {
	s := t.Unix()
	if s < 0 {
		s -= 86399
	}
	return s / 86400
}

// Duplicates groups memories so that every two of a group are above DuplicateAbove, may
// merge, and are compatible: complete linkage, so that two unlike ones never meet
// through a third between them. It goes greedily from the most alike pair on, ties by
// id. pairs are the places of candidates, in any order and direction; pairs that are
// not above the threshold are ignored. compatible says of two places that conflict and
// facts allow it; it is asked at most once for two items. Groups come by the id of
// their first member.
//
// A family of n equal texts costs n²/2 likenesses: no group has a bound, since a second
// run over what is left must find nothing more to merge.
func Duplicates(items []Item, pairs [][2]int, compatible func(a, b int) bool) []Group {
	places, rank := idOrder(len(items), func(i int) graph.ID { return items[i].ID })
	type edge struct {
		a, b int // ranks, a < b
		cos  float64
	}
	edges := make([]edge, 0, len(pairs))
	for _, p := range pairs {
		a, b := rank[p[0]], rank[p[1]]
		if a == b {
			continue
		}
		if cos := Cosine(items[p[0]].Vector, items[p[1]].Vector); cos > DuplicateAbove {
			edges = append(edges, edge{min(a, b), max(a, b), cos})
		}
	}
	slices.SortFunc(edges, func(x, y edge) int {
		return cmp.Or(cmp.Compare(y.cos, x.cos), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	p := newPartition(len(items))
	passes := func(a, b int) bool {
		x, y := places[a], places[b]
		return Mergeable(items[x], items[y]) && Cosine(items[x].Vector, items[y].Vector) > DuplicateAbove && compatible(x, y)
	}
	for _, e := range edges {
		p.tryMerge(p.groupOf[e.a], p.groupOf[e.b], passes)
	}
	var out []Group
	for first, members := range p.members {
		if len(members) < 2 || p.groupOf[members[0]] != first {
			continue
		}
		slices.Sort(members)
		g := Group{Survivor: places[members[0]]}
		var c mean
		for _, r := range members {
			x := places[r]
			g.Members = append(g.Members, x)
			if items[x].Confidence > items[g.Survivor].Confidence {
				g.Survivor = x
			}
			c.add(items[x].Vector, items[x].Confidence)
		}
		if g.Centroid = c.unit(); g.Centroid == nil {
			g.Centroid = slices.Clone(items[g.Survivor].Vector) // nobody is confident of anything
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(x, y Group) int { return cmp.Compare(rank[x.Members[0]], rank[y.Members[0]]) })
	return out
}

// partition is groups under way. Groups are named by one of their members.
type partition struct {
	groupOf []int // the group of each rank
	members [][]int
	// incompatible holds the groups that a group can not be joined with. What two groups
	// could not, larger ones with them inside can not either.
	incompatible []map[int]bool
}

func newPartition(n int) *partition {
	p := &partition{groupOf: make([]int, n), members: make([][]int, n), incompatible: make([]map[int]bool, n)}
	for i := range n {
		p.groupOf[i], p.members[i] = i, []int{i}
	}
	return p
}

// tryMerge makes one group of two if every pair across passes.
func (p *partition) tryMerge(a, b int, compatible func(a, b int) bool) {
	if a == b || p.incompatible[a][b] {
		return
	}
	for _, x := range p.members[a] {
		for _, y := range p.members[b] {
			if !compatible(min(x, y), max(x, y)) {
				p.markIncompatible(a, b)
				return
			}
		}
	}
	if len(p.members[a]) < len(p.members[b]) {
		a, b = b, a
	}
	for _, x := range p.members[b] {
		p.groupOf[x] = a
	}
	p.members[a] = append(p.members[a], p.members[b]...)
	p.members[b] = nil
	for other := range p.incompatible[b] {
		delete(p.incompatible[other], b)
		p.markIncompatible(a, other)
	}
	p.incompatible[b] = nil
}

func (p *partition) markIncompatible(a, b int) {
	for _, x := range [][2]int{{a, b}, {b, a}} {
		if p.incompatible[x[0]] == nil {
			p.incompatible[x[0]] = map[int]bool{}
		}
		p.incompatible[x[0]][x[1]] = true
	}
}
