package cluster

import (
	"cmp"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// DuplicateAbove is the cosine above which two memories may be duplicates.
const DuplicateAbove = 0.92

// Item is a memory that may be merged with others.
type Item struct {
	ID         graph.ID
	Vector     []float32
	Confidence float64 // [0,1]
	Owner      string  // namespace and user; memories of different owners never merge
	Trust      graph.Trust
	Type       graph.Type
	Session    string
	At         time.Time // when it happened; only the UTC day is compared
}

// Group is a set of duplicates.
type Group struct {
	Members  []int     // indices of the items, in the order of their ids; at least two
	Survivor int       // index of the item that stays: of the greatest trust, then the most confident, on ties the lowest id
	Centroid []float32 // mean of the members with the trust of the survivor, weighted by confidence, unit length
}

// Mergeable reports whether two memories may merge, apart from cosine, conflict and facts. They
// must have the same owner and the same type (an episode says that something happened, a fact
// that it is so). At least one consent must be EXPLICIT, the other EXPLICIT or IMPLICIT. The trust
// of one must be at least that of the other, so that the one that stays is shown to everyone to
// whom the other was. Two episodes must be from the same session and UTC day: an episode that is
// told again later is evidence, not a duplicate.
func Mergeable(a, b Item) bool {
	if a.Owner != b.Owner || a.Type != b.Type || !consents(a.Trust.Consent, b.Trust.Consent) || !a.Trust.AtLeast(b.Trust) && !b.Trust.AtLeast(a.Trust) {
		return false
	}
	return a.Type != graph.Episodic || a.Session == b.Session && graph.Day(a.At) == graph.Day(b.At)
}

func consents(a, b graph.Consent) bool {
	if a != graph.ConsentExplicit {
		a, b = b, a
	}
	return a == graph.ConsentExplicit && (b == graph.ConsentExplicit || b == graph.ConsentImplicit)
}

// Duplicates groups memories by complete linkage: every two members of a group are above
// DuplicateAbove, mergeable and compatible, so that two different memories are never joined
// through a third one. Merging is greedy and starts with the most similar pair; ties are broken
// by id. pairs are the indices of candidates, in any order and direction. Pairs at or below the
// threshold are ignored. compatible reports whether conflict and facts allow two items to
// merge; it is called at most once for each pair. Groups are ordered by the id of their first
// member.
//
// A group of n equal texts costs n²/2 comparisons. The size of a group is not limited, because
// a second run over the remaining memories must not find anything left to merge.
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
		for _, r := range members {
			x := places[r]
			g.Members = append(g.Members, x)
			if best := items[g.Survivor]; items[x].Trust != best.Trust && items[x].Trust.AtLeast(best.Trust) ||
				items[x].Trust == best.Trust && items[x].Confidence > best.Confidence {
				g.Survivor = x
			}
		}
		var c mean
		for _, x := range g.Members {
			if items[x].Trust == items[g.Survivor].Trust {
				c.add(items[x].Vector, items[x].Confidence)
			}
		}
		if g.Centroid = c.unit(); g.Centroid == nil {
			g.Centroid = slices.Clone(items[g.Survivor].Vector) // all confidences are 0
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(x, y Group) int { return cmp.Compare(rank[x.Members[0]], rank[y.Members[0]]) })
	return out
}

// partition is the current set of groups. A group is named by one of its members.
type partition struct {
	groupOf []int // the group of each rank
	members [][]int
	// incompatible holds, for each group, the groups that it can't be joined with. Groups that
	// contain them can't be joined either.
	incompatible []map[int]bool
}

func newPartition(n int) *partition {
	p := &partition{groupOf: make([]int, n), members: make([][]int, n), incompatible: make([]map[int]bool, n)}
	for i := range n {
		p.groupOf[i], p.members[i] = i, []int{i}
	}
	return p
}

// tryMerge joins two groups if every pair across them is compatible.
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
