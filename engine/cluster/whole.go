package cluster

import (
	"cmp"
	"slices"
)

const (
	// oneMatter is how alike random pairs are at least relative to neighbours, if all points are
	// about one matter. Points on two matters of one size reach about 0.33.
	oneMatter = 0.42
	// explained is the mean density of all points, 0 for those in no group, from which on the
	// groups explain the points.
	explained = 0.6
	// linked is the share of the points that nouns must link if fewer than half have the name of all.
	linked = 0.8
)

// gatherAll makes one group of nearly all points if they are about one matter. HDBSCAN can't find
// it, because density needs surroundings: it returns a few loose fragments or nothing. The mean
// cosine of all pairs is compared with that of neighbours, both counted from the least alike pairs
// (the twentieth quantile), so that the scale of the embedder has no influence. Among more than a
// few hundred points neighbours are so alike that this finds nothing; then parts of the matter
// remain clusters. It reports whether it made the group.
func (s *settling) gatherAll() bool {
	var whole body
	var points []int32
	near, sum := 0, 0.0
	for r := range s.of {
		to, cosines := s.links.of(r)
		if len(to) == 0 {
			continue
		}
		points = append(points, int32(r))
		whole.add(s.space.at(int32(r)))
		if at := min(len(to), 3) - 1; at >= 0 {
			near++
			sum += float64(cosines[at])
		}
	}
	if len(points) < MinSize || s.explained() >= explained {
		return false
	}
	least := s.least
	if whole.within()-least < oneMatter*(sum/float64(near)-least) {
		return false
	}
	if !s.haveOneName(points, &whole) {
		return false
	}
	s.regroup(points, &whole)
	return true
}

// haveOneName reports whether half of the points have what names them all, or nouns link most. It is not asked of large sets.
func (s *settling) haveOneName(points []int32, whole *body) bool {
	if s.in.Names == nil || len(s.of) >= markedPoints {
		return true
	}
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b int32) int {
		return cmp.Compare(whole.fitOfMember(s.space.at(b)), whole.fitOfMember(s.space.at(a)))
	})
	members := make([]int, len(points))
	for i, r := range points {
		members[i] = s.places[r]
	}
	names := s.in.Names([][]int{members})
	return len(names) != 1 || names[0].Share >= dominated || names[0].Linked >= linked
}

// explained is the mean density of the groups, weighted by size, over all points.
func (s *settling) explained() float64 {
	sum := 0.0
	for g, members := range s.members {
		if len(members) > 0 {
			sum += float64(len(members)) * s.densityOf(int32(g))
		}
	}
	return sum / float64(len(s.of))
}

// regroup replaces all groups by one of the points that are half as near to the others as
// the median.
func (s *settling) regroup(points []int32, whole *body) {
	fits := make([]float64, len(points))
	for i, r := range points {
		s.of[r] = -1
		fits[i] = whole.fitOfMember(s.space.at(r))
	}
	sorted := slices.Clone(fits)
	slices.Sort(sorted)
	edge := s.least + homeDepth*(quantile(sorted, 0.5)-s.least)
	s.groups, s.members = make([]body, 1), make([][]int32, 1)
	for i, r := range points {
		if fits[i] >= edge {
			s.put(r, 0)
		}
	}
}
