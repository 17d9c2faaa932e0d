package cluster

import (
	"cmp"
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	sampledPairs   = 8192 // random pairs that the cosine of unrelated points is read from
	allPairsGroups = 512  // up to so many groups, all pairs of groups are compared
)

// randomPairs returns the cosines of random pairs of points, ascending, from a fixed seed; of all pairs
// if there are few.
func (s *space) randomPairs() []float64 {
	n := len(s.vectors)
	if n < 2 {
		return nil
	}
	var cosines []float64
	if n*(n-1)/2 <= sampledPairs {
		for a := range int32(n) {
			for b := range a {
				cosines = append(cosines, s.cosine(a, b))
			}
		}
	} else {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		for len(cosines) < sampledPairs {
			if a, b := r.Int32N(int32(n)), r.Int32N(int32(n)); a != b {
				cosines = append(cosines, s.cosine(a, b))
			}
		}
	}
	slices.Sort(cosines)
	return cosines
}

// alike is the likeness of two groups, see Settle. Groups whose members are no more alike than
// unrelated points are like nothing.
func (s *settling) alike(a, b *body) float64 {
	in := (a.within() - s.unrelated) * (b.within() - s.unrelated)
	if a.within() <= s.unrelated || in <= 0 {
		return 0
	}
	return (across(a, b) - s.unrelated) / math.Sqrt(in)
}

// groupPair is a candidate for a merge.
type groupPair struct {
	a, b         int32 // a < b
	sizeA, sizeB int   // when alike was computed; another size means that it is outdated
	alike        float64
}

type groupPairs []groupPair

func (q groupPairs) Len() int { return len(q) }
func (q groupPairs) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].alike, q[i].alike), cmp.Compare(q[i].a, q[j].a), cmp.Compare(q[i].b, q[j].b)) < 0
}
func (q groupPairs) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *groupPairs) Push(x any)   { *q = append(*q, x.(groupPair)) }
func (q *groupPairs) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// mergeAlike merges the most similar pair of groups until no pair is above mergeAbove. It returns
// the number of merges. Candidates are groups that a neighbour list connects, and all pairs if
// there are few groups.
func (s *settling) mergeAlike() int {
	beside := s.neighbouringGroups()
	q := &groupPairs{}
	push := func(a, b int32) {
		a, b = min(a, b), max(a, b)
		if x := s.alike(&s.groups[a], &s.groups[b]); x > mergeAbove {
			heap.Push(q, groupPair{a, b, s.groups[a].size, s.groups[b].size, x})
		}
	}
	for a, others := range beside {
		for b := range others {
			if int32(a) < b {
				push(int32(a), b)
			}
		}
	}
	merged := 0
	for q.Len() > 0 {
		p := heap.Pop(q).(groupPair)
		if s.groups[p.a].size != p.sizeA || s.groups[p.b].size != p.sizeB || !s.joinable(p.a, p.b) {
			continue
		}
		merged++
		into, from := p.a, p.b
		if p.sizeA < p.sizeB {
			into, from = p.b, p.a
		}
		s.absorb(into, from)
		for o := range beside[from] {
			delete(beside[o], from)
			if o != into {
				beside[into][o], beside[o][into] = true, true
			}
		}
		beside[from] = nil
		for o := range beside[into] {
			push(into, o)
		}
	}
	return merged
}

// joinable reports whether the union of two groups would not be loose, unless one of them is.
func (s *settling) joinable(a, b int32) bool {
	union := slices.Concat(s.members[a], s.members[b])
	return s.density(union, func(r int32) bool { return s.of[r] == a || s.of[r] == b }) >= looseBelow
}

// absorb moves the members of one group into another.
func (s *settling) absorb(into, from int32) {
	for _, r := range s.members[from] {
		s.of[r] = into
	}
	s.groups[into].absorb(s.groups[from])
	s.members[into] = append(s.members[into], s.members[from]...)
	s.groups[from], s.members[from] = body{}, nil
}

// neighbouringGroups returns, for each group, the groups to compare it with.
func (s *settling) neighbouringGroups() []map[int32]bool {
	beside := make([]map[int32]bool, len(s.groups))
	var alive []int32
	for g := range s.groups {
		beside[g] = map[int32]bool{}
		if s.groups[g].size > 0 {
			alive = append(alive, int32(g))
		}
	}
	join := func(a, b int32) { beside[a][b], beside[b][a] = true, true }
	if len(alive) <= allPairsGroups {
		for i, a := range alive {
			for _, b := range alive[:i] {
				join(a, b)
			}
		}
		return beside
	}
	for r, g := range s.of {
		if g < 0 {
			continue
		}
		to, _ := s.links.of(r)
		for _, o := range to {
			if h := s.of[o]; h >= 0 && h != g {
				join(g, h)
			}
		}
	}
	return beside
}
