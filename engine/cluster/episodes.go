package cluster

import (
	"cmp"
	"container/heap"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Episode is a memory of an event that may be distilled with others.
type Episode struct {
	ID       graph.ID
	Vector   []float32
	Entities []graph.ID // entities that it mentions, in any order
	Owner    string     // namespace and user; episodes of different owners are never grouped
	At       time.Time  // when it happened
}

// EpisodeOptions are the thresholds of Episodes.
type EpisodeOptions struct {
	Cosine       float64 // at or above it two episodes are related by themselves, [0,1]
	Jaccard      float64 // Jaccard index of the entities at or above which they may be related, with at least two in common, (0,1]
	EntityCosine float64 // minimum cosine for episodes that are related by their entities, [0,1]
	RelatedShare float64 // share of related pairs that two groups need to merge, (0,1]
	MaxSize      int     // maximum members of a group, ≥ 2
}

// EpisodeDefaults are the thresholds in use. Texts on one topic reach a cosine of 0.35; texts
// that only share two speakers do not. Sixteen short episodes are about what a summary of 200
// words can hold.
func EpisodeDefaults() EpisodeOptions {
	return EpisodeOptions{Cosine: 0.85, Jaccard: 0.5, EntityCosine: 0.35, RelatedShare: 0.6, MaxSize: 16}
}

const (
	sharedEntities = 2   // minimum entities in common
	maxPosting     = 100 // an entity that more episodes mention is too common to find candidates
	maxLinks       = 32  // strongest links that one episode contributes
)

// EpisodeGroup is a set of episodes on one topic.
type EpisodeGroup struct {
	Members  []int     // indices, by time, then id; at least two
	Centroid []float32 // unit length
	Cohesion float64   // mean strength of its pairs, [0,1]; unrelated pairs count as 0
}

// Episodes groups episodes on one topic. Two are related if their cosine reaches o.Cosine, or
// if they share at least two entities, the Jaccard index of their entities reaches o.Jaccard
// and the cosine reaches o.EntityCosine.
//
// Groups grow by average linkage: the two groups with the highest mean strength across merge,
// as long as o.RelatedShare of the pairs across are related. Connected components would chain
// topics together through episodes between them. Complete linkage would split a story that
// develops. The mean asks that a new member fits most of the group. The strength of a pair is
// its cosine, or the mean of cosine and Jaccard index if that is larger; unrelated pairs have
// strength 0.
//
// near finds candidates; rare entities find more. Memory use is O(n·maxLinks). Groups are
// ordered by the lowest id of their members.
func Episodes(items []Episode, near Neighbours, o EpisodeOptions) []EpisodeGroup {
	places, rank := idOrder(len(items), func(i int) graph.ID { return items[i].ID })
	e := &grouping{o: o, places: places, items: items, entities: entitySets(items, places)}
	e.link(near, rank)
	e.agglomerate()
	groups := slices.DeleteFunc(e.groups, func(g group) bool { return !g.alive || len(g.members) < 2 })
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.first, b.first) })
	out := make([]EpisodeGroup, 0, len(groups))
	for _, g := range groups {
		slices.Sort(g.members)
		x := EpisodeGroup{Cohesion: e.cohesion(g.members)}
		var c mean
		for _, r := range g.members {
			x.Members = append(x.Members, places[r])
			c.add(items[places[r]].Vector, 1)
		}
		x.Centroid = c.unit()
		slices.SortStableFunc(x.Members, func(a, b int) int { return items[a].At.Compare(items[b].At) })
		out = append(out, x)
	}
	return out
}

// grouping is the state of Episodes. It refers to episodes by their rank in id order.
type grouping struct {
	o        EpisodeOptions
	places   []int
	items    []Episode
	entities [][]int32 // of each rank: sorted, the rarest first
	groups   []group
	queue    mergeQueue
}

// group is a set of ranks with its links to other groups.
type group struct {
	alive   bool
	first   int // lowest rank
	members []int
	links   map[int]link
}

// link is the relation of two groups.
type link struct {
	strength float64 // sum over the related pairs
	related  int     // number of related pairs
}

// entitySets numbers the entities, the rarest first, ties by id.
func entitySets(items []Episode, places []int) [][]int32 {
	count := map[graph.ID]int{}
	sets := make([][]graph.ID, len(items))
	for r, p := range places {
		ids := slices.Clone(items[p].Entities)
		slices.Sort(ids)
		sets[r] = slices.Compact(ids)
		for _, id := range sets[r] {
			count[id]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b graph.ID) int { return cmp.Or(cmp.Compare(count[a], count[b]), cmp.Compare(a, b)) })
	number := make(map[graph.ID]int32, len(all))
	for i, id := range all {
		number[id] = int32(i)
	}
	out := make([][]int32, len(items))
	for r, ids := range sets {
		out[r] = make([]int32, len(ids))
		for i, id := range ids {
			out[r][i] = number[id]
		}
		slices.Sort(out[r])
	}
	return out
}

// pairStrength is the strength of a pair of ranks; 0 if they are unrelated.
func (e *grouping) pairStrength(a, b int) float64 {
	x, y := &e.items[e.places[a]], &e.items[e.places[b]]
	if x.Owner != y.Owner {
		return 0
	}
	cos := Cosine(x.Vector, y.Vector)
	if cos < min(e.o.EntityCosine, e.o.Cosine) {
		return 0
	}
	shared, jaccard := overlap(e.entities[a], e.entities[b])
	if cos < e.o.Cosine && (cos < e.o.EntityCosine || shared < sharedEntities || jaccard < e.o.Jaccard) {
		return 0
	}
	return max(cos, (cos+jaccard)/2)
}

// overlap counts the elements that two sorted sets share, and returns their Jaccard index.
func overlap(a, b []int32) (shared int, jaccard float64) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			shared++
			i++
			j++
		}
	}
	if shared == 0 {
		return 0, 0
	}
	return shared, float64(shared) / float64(len(a)+len(b)-shared)
}

// prefix is the number of its rarest entities that an episode is indexed by: two sets with the
// required overlap share at least one of these.
func (e *grouping) prefix(n int) int {
	need := sharedEntities
	for float64(need) < e.o.Jaccard*float64(n) {
		need++
	}
	return max(0, n-need+1)
}

// link finds the related pairs.
func (e *grouping) link(near Neighbours, rank []int) {
	postings := map[int32][]int{}
	for r, set := range e.entities {
		for _, entity := range set[:e.prefix(len(set))] {
			postings[entity] = append(postings[entity], r)
		}
	}
	e.groups = make([]group, len(e.items), 2*len(e.items))
	for r := range e.groups {
		e.groups[r] = group{alive: true, first: r, members: []int{r}, links: map[int]link{}}
	}
	seen := make([]int, len(e.items)) // rank + 1 of the last episode that each candidate was compared with
	type candidate struct {
		rank     int
		strength float64
	}
	var found []candidate
	consider := func(r, other int) {
		if other == r || seen[other] == r+1 {
			return
		}
		seen[other] = r + 1
		if s := e.pairStrength(min(r, other), max(r, other)); s > 0 {
			found = append(found, candidate{other, s})
		}
	}
	for r, set := range e.entities {
		found = found[:0]
		for _, place := range near.Near(e.places[r]) {
			consider(r, rank[place])
		}
		for _, entity := range set[:e.prefix(len(set))] {
			if list := postings[entity]; len(list) <= maxPosting {
				for _, other := range list {
					consider(r, other)
				}
			}
		}
		slices.SortFunc(found, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.strength, a.strength), cmp.Compare(a.rank, b.rank))
		})
		for _, c := range found[:min(len(found), maxLinks)] {
			e.groups[r].links[c.rank] = link{c.strength, 1}
			e.groups[c.rank].links[r] = link{c.strength, 1}
		}
	}
}

// agglomerate merges groups until no two fit.
func (e *grouping) agglomerate() {
	for r := range e.groups {
		for other, l := range e.groups[r].links {
			if r < other {
				e.enqueue(r, other, l)
			}
		}
	}
	heap.Init(&e.queue)
	for e.queue.Len() > 0 {
		o := heap.Pop(&e.queue).(mergeCandidate)
		if e.groups[o.a].alive && e.groups[o.b].alive {
			e.merge(o.a, o.b)
		}
	}
}

// enqueue adds two groups that may merge; the caller restores the heap.
func (e *grouping) enqueue(a, b int, l link) bool {
	x, y := &e.groups[a], &e.groups[b]
	pairs := float64(len(x.members) * len(y.members))
	if float64(l.related) < e.o.RelatedShare*pairs {
		return false
	}
	e.queue = append(e.queue, mergeCandidate{
		a: a, b: b, strength: l.strength / pairs,
		low: min(x.first, y.first), high: max(x.first, y.first),
	})
	return true
}

// merge replaces two groups by their union.
func (e *grouping) merge(a, b int) {
	x, y := e.groups[a], e.groups[b]
	e.groups[a], e.groups[b] = group{}, group{}
	c := len(e.groups)
	g := group{alive: true, first: min(x.first, y.first), members: slices.Concat(x.members, y.members), links: map[int]link{}}
	others := slices.AppendSeq(slices.Collect(maps.Keys(x.links)), maps.Keys(y.links))
	slices.Sort(others)
	e.groups = append(e.groups, g)
	for _, other := range slices.Compact(others) {
		z := &e.groups[other]
		if !z.alive {
			continue // one of the two
		}
		delete(z.links, a)
		delete(z.links, b)
		if len(g.members)+len(z.members) > e.o.MaxSize {
			continue // they can never merge
		}
		l := addLinks(e.linkTo(x, other, z.members), e.linkTo(y, other, z.members))
		g.links[other] = l
		z.links[c] = l
		if e.enqueue(other, c, l) {
			heap.Fix(&e.queue, e.queue.Len()-1)
		}
	}
}

func addLinks(a, b link) link { return link{a.strength + b.strength, a.related + b.related} }

// linkTo is the link of a group to another. If it is unknown, its pairs are compared, because
// only the nearest neighbours were candidates.
func (e *grouping) linkTo(x group, other int, members []int) link {
	if l, known := x.links[other]; known {
		return l
	}
	var l link
	for _, a := range x.members {
		for _, b := range members {
			if s := e.pairStrength(min(a, b), max(a, b)); s > 0 {
				l = addLinks(l, link{s, 1})
			}
		}
	}
	return l
}

// cohesion is the mean strength of all pairs.
func (e *grouping) cohesion(members []int) float64 {
	s := 0.0
	for i, a := range members {
		for _, b := range members[i+1:] {
			s += e.pairStrength(a, b)
		}
	}
	return s / float64(len(members)*(len(members)-1)/2)
}

// mergeCandidate is a pair of groups that may merge.
type mergeCandidate struct {
	strength  float64 // mean
	low, high int     // their lowest ranks
	a, b      int
}

// mergeQueue is a heap of candidates, the strongest first, ties by id.
type mergeQueue []mergeCandidate

func (q mergeQueue) Len() int { return len(q) }
func (q mergeQueue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].strength, q[i].strength), cmp.Compare(q[i].low, q[j].low), cmp.Compare(q[i].high, q[j].high)) < 0
}
func (q mergeQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *mergeQueue) Push(x any)   { *q = append(*q, x.(mergeCandidate)) }
func (q *mergeQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
