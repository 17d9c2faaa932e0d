package cluster

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// SettleInput is what Settle clusters.
type SettleInput struct {
	IDs     []graph.ID      // unique
	Vectors [][]float32     // by index, unit length; a zero vector and one of a rare dimension are in no cluster
	Near    Neighbours      // the nearest neighbours of item i, approximate; 16 or more for each
	Marks   [][]Mark        // by index: what a memory may share with others besides words; nil: nothing is known
	Nouns   [][]string      // by index, see Nouns; nil, or NounsBelow memories and more: they are not known
	Proper  map[string]bool // which of Nouns are names; they count where nouns make groups alone, not beside vectors
	Before  []Former        // clusters of the previous settlement, whose identities are kept; nil: none
	// Names says what groups have in common that a person would name them by. Each is a list of
	// indices, the most central first. A result of another length says nothing of any. nil: nothing is known.
	Names func(groups [][]int) []Name
	// NewID returns the id of the n-th cluster that is born, n from 0. It must be deterministic and
	// return no id twice and none of Before.
	NewID func(n int) graph.ID
	// Stop reports that the result is no longer needed. It is asked between the steps. nil: never.
	Stop func() bool
}

// Name is what a group has in common that a person would name it by.
type Name struct {
	Share float64 // of the members, [0,1]; 0: there is no name
	Weak  bool    // see ClusterLabel
	// Matter is the number of members that have a part of the name that is not a person's.
	Matter int
	// Linked is the share of the members in the largest set that nouns link, see Linked.
	Linked float64
	// Sides are the indices of the members with each of two nouns, see Sides; nil: there are no two.
	Sides [][]int
}

// Former is a cluster of the previous settlement.
type Former struct {
	ID      graph.ID
	Members []graph.ID // those that are not in SettleInput.IDs any more do no harm
}

// Settlement is the result of Settle.
type Settlement struct {
	Clusters []Settled // the largest first, ties by id
	Events   []Event   // what changed against SettleInput.Before
}

// Settled is a cluster.
type Settled struct {
	ID       graph.ID
	Members  []int     // indices, the strongest first, ties by id; at least LeastMembers
	Strength []float64 // in the same order, [0,1]: 1 is the medoid, ½ is at the edge of its core
	Medoid   int       // index of the member that is most like the others
	Density  float64   // [0,1], see Settle
}

const (
	// LeastMembers is the size below which a cluster dissolves.
	LeastMembers = 3
	// mergeAbove is the likeness of two groups above which they are one. Leaves are denser than
	// the topics that they are part of, so two parts of one topic are less alike than 1.
	mergeAbove = 0.5
	// looseBelow is the density below which a group has no matter of its own.
	looseBelow = 0.35
	// nested is the mean share of a group that is in one group of another grouping, from which on
	// the one is a part of the other.
	nested = 0.5
	// crossingModularity is the share of the modularity without damping that groups with damping
	// must have.
	crossingModularity = 0.5
	// alongModularity is that share for groups that do not cross them.
	alongModularity = 0.92
	// shuffles is the number of random groupings that nested is corrected by.
	shuffles = 4
	// stability is how much more the modularity of groups counts if all former clusters are in them.
	stability = 0.2
	// exactPoints is the number of points up to which neighbours are found anew in a space with
	// damped directions. Lists among more points contain texts of every form.
	exactPoints = 4096
	// passes bounds how often points are given to clusters and clusters merge.
	passes = 5
)

// dampedDirections are the numbers of damped directions that are tried.
var dampedDirections = [...]int{4, 8, 12}

// Settle clusters points, and gives every point that has a clear home to a cluster.
//
//  1. HDBSCAN finds dense groups: the leaves of its hierarchy. The selection by excess of mass
//     fails in hundreds of dimensions, where distances differ little: it prefers one group of
//     nearly all points. The minimum size grows with the logarithm of the number of points.
//  2. Groups that are alike merge, because leaves are fragments of topics. The likeness of two groups is the cosine of their centroids
//     in the limit of many members: the mean cosine across them, divided by the geometric mean
//     of the mean cosines of the pairs within each (Spearman's correction for attenuation, "The
//     Proof and Measurement of Association between Two Things", 1904). All three are counted
//     from the cosine of unrelated points, so that the likeness is the same for embedders with
//     low and with high cosines; that is the median of random pairs. A merge must not make a
//     loose group.
//  3. A point in no group joins the group that most of its neighbours with a group are in, and at
//     least a fifth of all, if it is half as near to the members as the median member.
//  4. Steps 2 and 3 are repeated until nothing changes, at most five times. Groups of fewer
//     than LeastMembers points and loose groups dissolve.
//  5. How much the groups explain is the mean density of all points, 0 for those in none. If
//     they explain little and random pairs are nearly as alike as neighbours, all points are about
//     one matter and make one group. Random pairs of few points always are; so among fewer than 2,000 half of them
//     must have its name, or nouns must link most of them.
//  6. Else steps 1 to 4 are done again with the four, eight and twelve directions damped in which
//     all points vary most. Texts that share a form of words lie along them; so do the topics if
//     there are only a few. New groups that cross the first ones, each with members in many, are
//     topics that the forms hid: they count if their modularity (Newman, Girvan, "Finding and
//     Evaluating Community Structure in Networks", Phys. Rev. E 69, 2004) is at least half of that
//     of the first ones. New groups that do not cross them count if it is 0.92 of it. Of several,
//     those of the highest modularity count. Loose groups are left out of it, and groups that the
//     former clusters are in count up to a fifth more, so that few new points do not change all.
//     Groups that points with the same marks are in count more too.
//     If the nouns of fewer than NounsBelow points are known, the groups are then made anew, in a space in which the cosine of two
//     points is the mean of that of their vectors and that of their nouns without names, see bag. Groups that are alike by their
//     vectors merge. Among more than exactPoints points, points then move to the group that their nouns are nearest to, see moveByNouns.
//     Among leastModelled to exactPoints points, the groups are then improved by a model of their nouns, see wordModel.
//  7. A former cluster of which most members are in no group goes on, if they are no loose group.
//  8. Among fewer than 2,000 points, groups that two nouns divide into two much denser ones are two matters and divide,
//     see Sides. Members that words and marks bind weakly to the others leave their
//     group, and points in no group make groups of three or more by average linkage. The bond of two points is how
//     surprising their cosine and the marks that they share are. Groups that have
//     nothing in common by which a person would name them dissolve, and those of fewer than twice MinSize with a weak
//     name: they are alike by chance.
//     Where the nouns of fewer than 2,000 points are known, and the groups of vectors explain little, these are
//     not used: points make groups by the nouns and the marks that they share, see wording, and steps 7 and
//     8 but for the two nouns and the names are left out. One topic or two must cover such a group, see topicIndex. It may
//     be loose by its vectors, but needs a name that enough members have.
//  9. Each cluster takes over the id of the former cluster with which it shares most members.
//     See Event for what is said of the others.
//
// The density of a cluster is Goodman and Kruskal's γ as Baker and Hubert used it for clusterings
// ("Measuring the Power of Hierarchical Cluster Analysis", JASA 70, 1975): how much more often
// than not a pair of members is more alike than a pair of a member and another point, from a
// sample. An eighth of the other points are neighbours of members, the others are random. It
// compares ranks of cosines, so the embedder's scale has no influence. A cluster about one
// matter is above 0.7; one that its surroundings merge into is low.
//
// Settle takes O(n·k·log n) time and O(n·k) memory for lists of k neighbours. The result is empty if it was stopped.
func Settle(in SettleInput) (out Settlement) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(stopped); !ok {
				panic(p)
			}
			out = Settlement{}
		}
	}()
	s := newSettling(in)
	s.group()
	if s.gatherAll() {
		s.refine()
	} else {
		explains := s.explained()
		best := s.bestSpace()
		if max(explains, best.explained()) < explained && s.groupByNouns() {
			s.divideByName()
		} else {
			s = best.withNouns()
			s.refine()
		}
	}
	s.dissolveNameless()
	return s.result()
}

// stopped ends Settle from any step.
type stopped struct{}

// check ends Settle if it is to stop.
func (s *settling) check() {
	if s.in.Stop != nil && s.in.Stop() {
		panic(stopped{})
	}
}

// refine completes groups that were found by the likeness of vectors, steps 7 and 8 of Settle.
func (s *settling) refine() {
	s.dissolve()
	if s.keepFormer() {
		s.giveHomes()
	}
	for _, step := range []func(){s.divideByName, s.trim, s.gatherRest} {
		s.check()
		step()
	}
}

// bestSpace returns these groups or those of a space with damped directions, see step 6 of Settle.
func (s *settling) bestSpace() *settling {
	s.dissolve()
	own := s.favoured()
	crossing, across := s, crossingModularity*own
	along, highest := s, alongModularity*own
	for _, damped := range dampedDirections {
		s.check()
		space := s.space.flattened(damped)
		if space == nil {
			break
		}
		f := s.within(space)
		f.group()
		f.dissolve()
		q := f.favoured()
		f.shelve()
		if q >= across && f.crosses(s) {
			crossing, across = f, q
		}
		if q >= highest {
			along, highest = f, q
		}
	}
	best := along
	if crossing != s {
		best = crossing
	}
	if best != s {
		best.unshelve(s.links)
	}
	return best
}

// shelve drops the links and the bodies of many points, so that the groups of several spaces fit
// into memory at once.
func (s *settling) shelve() {
	if len(s.places) > exactPoints {
		s.links, s.groups = links{}, nil
	}
}

// unshelve makes the links and the bodies again. l are the links of the same points in another space.
func (s *settling) unshelve(l links) {
	if len(s.places) <= exactPoints {
		return
	}
	s.links, s.groups = l.under(s.space), make([]body, len(s.members))
	for g, members := range s.members {
		for _, r := range members {
			s.groups[g].add(s.space.at(r))
		}
	}
}

// favoured is the modularity, and more for groups that the former clusters are in, up to stability of it: with
// few points a single new one may decide between two spaces, and all clusters would change. Groups that
// points with the same marks are in count more as well, because forms of words have no marks.
func (s *settling) favoured() float64 {
	return s.modularity()*(1+stability*s.agreement()) + byMarks*s.marks.agreement(s)
}

// agreement is the mean share of the points of a former cluster that is in one group; 0 without former clusters.
func (s *settling) agreement() float64 {
	most, all := 0, 0
	for _, f := range s.former {
		in, largest := map[int32]int{}, 0
		for _, r := range f {
			if g := s.of[r]; g >= 0 {
				in[g]++
				largest = max(largest, in[g])
			}
		}
		most, all = most+largest, all+len(f)
	}
	if all == 0 {
		return 0
	}
	return float64(most) / float64(all)
}

// crosses reports whether the members of a group are in many groups of o: the mean share of the
// members that is in one group of o, corrected for chance, is below nested. Points in no group of o do not count.
func (s *settling) crosses(o *settling) bool {
	var in [][]int32 // by group: the groups of o that its members are in
	var pool []int32
	for _, members := range s.members {
		var list []int32
		for _, r := range members {
			if g := o.of[r]; g >= 0 {
				list = append(list, g)
			}
		}
		in, pool = append(in, list), append(pool, list...)
	}
	most := largestShares(in)
	r := rand.New(rand.NewPCG(4, uint64(len(pool))))
	chance := 0.0
	for range shuffles {
		r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		rest := pool
		for i := range in {
			in[i], rest = rest[:len(in[i])], rest[len(in[i]):]
		}
		chance += float64(largestShares(in)) / shuffles
	}
	return float64(most)-chance < nested*(float64(len(pool))-chance)
}

// largestShares is the sum of the numbers of the most frequent value of each list.
func largestShares(lists [][]int32) int {
	sum := 0
	for _, list := range lists {
		in, largest := map[int32]int{}, 0
		for _, g := range list {
			in[g]++
			largest = max(largest, in[g])
		}
		sum += largest
	}
	return sum
}

// group makes the groups of a space, steps 1 to 4.
func (s *settling) group() {
	s.dense()
	s.check()
	s.mergeAlike()
	for range passes {
		s.check()
		given := s.giveHomes()
		if merged := s.mergeAlike(); given+merged == 0 {
			break
		}
	}
}

// densityFor returns the minimum size of a dense group among n points, MinSize up to 1,000 and
// one more whenever n doubles, and the number of points within the core distance, three up to 500
// and three more whenever n is four times as large, at most 12. A larger number smooths the density; among few points it hides
// small groups.
func densityFor(n int) (minSize, corePoints int) {
	doublings := func(least float64) int { return int(math.Log2(max(1, float64(n)/least))) }
	return MinSize + doublings(1000), min(12, 3+doublings(500)*3/2)
}

// settling is the state of Settle. Points are known by their rank in the order of ids.
type settling struct {
	in        SettleInput
	places    []int // by rank: the index
	rank      []int // by index
	space     *space
	links     links
	marks     *marking    // nil: they say nothing
	pairs     []float64   // cosines of random pairs, ascending
	unrelated float64     // the median of them
	least     float64     // the twentieth quantile of them
	former    [][]int32   // ranks of the members of each former cluster
	of        []int32     // by rank: the group, −1 for none
	groups    []body      // by number
	members   [][]int32   // by number: the ranks of each group
	byNouns   bool        // nouns made the groups
	topical   *topicIndex // see topics; nil: not yet read
}

func newSettling(in SettleInput) *settling {
	s := &settling{in: in}
	s.places, s.rank = idOrder(len(in.IDs), func(i int) graph.ID { return in.IDs[i] })
	s.space = newSpace(in.IDs, in.Vectors, s.places)
	s.check()
	s.links = newLinks(in.Near, s.places, s.rank, s.space.cosine).usable(s.space.inverse)
	s.former = s.formerRanks()
	s.marks = s.newMarking()
	s.start()
	return s
}

// formerRanks returns the points of each former cluster that are still there.
func (s *settling) formerRanks() [][]int32 {
	if len(s.in.Before) == 0 {
		return nil
	}
	rankOf := make(map[graph.ID]int32, len(s.in.IDs))
	for p, id := range s.in.IDs {
		rankOf[id] = int32(s.rank[p])
	}
	out := make([][]int32, len(s.in.Before))
	for i, f := range s.in.Before {
		for _, id := range f.Members {
			if r, there := rankOf[id]; there && s.space.inverse[r] != 0 {
				out[i] = append(out[i], r)
			}
		}
	}
	return out
}

// within returns the same points in another space, in no groups.
func (s *settling) within(space *space) *settling {
	o := &settling{in: s.in, places: s.places, rank: s.rank, space: space, former: s.former, marks: s.marks}
	if len(s.places) <= exactPoints {
		o.links = space.exactLinks(s.links.longest())
	} else {
		o.links = s.links.under(space)
	}
	o.start()
	return o
}

// start takes all points out of groups, and reads how alike random pairs are.
func (s *settling) start() {
	s.of = make([]int32, len(s.places))
	for r := range s.of {
		s.of[r] = -1
	}
	s.pairs = s.space.randomPairs()
	if len(s.pairs) > 0 {
		s.unrelated, s.least = quantile(s.pairs, 0.5), quantile(s.pairs, 0.05)
	}
}

// dense makes the groups that HDBSCAN finds.
func (s *settling) dense() {
	minSize, corePoints := densityFor(len(s.of))
	if len(s.of) < minSize {
		return
	}
	found := findDense(s.links, minSize, corePoints, condensedTree.selectLeaves)
	s.groups, s.members = make([]body, len(found.stability)), make([][]int32, len(found.stability))
	for r, g := range found.of {
		if g >= 0 {
			s.put(int32(r), g)
		}
	}
}

// put adds a point that is in no group to one.
func (s *settling) put(r, group int32) {
	s.of[r] = group
	s.groups[group].add(s.space.at(r))
	s.members[group] = append(s.members[group], r)
}

// dissolve empties the groups that are too small or too loose.
func (s *settling) dissolve() {
	for g, members := range s.members {
		if len(members) < LeastMembers || s.densityOf(int32(g)) < looseBelow {
			for _, r := range members {
				s.of[r] = -1
			}
			s.groups[g], s.members[g] = body{}, nil
		}
	}
}

// densityOf is the density of a group.
func (s *settling) densityOf(g int32) float64 {
	return s.density(s.members[g], func(r int32) bool { return s.of[r] == g })
}

// result reads the groups as clusters.
func (s *settling) result() Settlement {
	members := slices.DeleteFunc(slices.Clone(s.members), func(m []int32) bool { return len(m) == 0 })
	for _, m := range members {
		slices.Sort(m)
	}
	slices.SortFunc(members, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
	})
	ids := make([][]graph.ID, len(members))
	for k, m := range members {
		for _, r := range m {
			ids[k] = append(ids[k], s.in.IDs[s.places[r]])
		}
	}
	var out Settlement
	names, events := identify(ids, s.in.Before, s.in.NewID)
	out.Events = events
	for k, m := range members {
		c := s.settled(m)
		c.ID = names[k]
		out.Clusters = append(out.Clusters, c)
	}
	slices.SortFunc(out.Clusters, func(a, b Settled) int {
		return cmp.Or(cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// settled describes one cluster by its ranks.
func (s *settling) settled(ranks []int32) Settled {
	var b body
	for _, r := range ranks {
		b.add(s.space.at(r))
	}
	fits := make([]float64, len(ranks))
	for i, r := range ranks {
		fits[i] = b.fitOfMember(s.space.at(r))
	}
	order := make([]int, len(ranks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(fits[y], fits[x]) })
	scale := newScale(fits)
	c := Settled{Medoid: s.places[ranks[order[0]]], Density: s.densityOf(s.of[ranks[0]])}
	for _, i := range order {
		c.Members = append(c.Members, s.places[ranks[i]])
		c.Strength = append(c.Strength, scale.strength(fits[i]))
	}
	return c
}
