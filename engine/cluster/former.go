package cluster

import (
	"cmp"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// keepFormer keeps a former cluster of which most members are in no group now, if they are still no
// loose group. A few new points change which groups of a small set stand out; that is no reason for
// the others to end. It reports whether it kept any.
func (s *settling) keepFormer() bool {
	if len(s.in.Before) == 0 {
		return false
	}
	rankOf := make(map[graph.ID]int32, len(s.in.IDs))
	for p, id := range s.in.IDs {
		rankOf[id] = int32(s.rank[p])
	}
	before := slices.Clone(s.in.Before)
	slices.SortFunc(before, func(a, b Former) int {
		return cmp.Or(cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(a.ID, b.ID))
	})
	kept := false
	for _, f := range before {
		left := 0
		var free []int32
		for _, id := range f.Members {
			r, there := rankOf[id]
			if !there || s.space.inverse[r] == 0 {
				continue
			}
			if left++; s.of[r] < 0 {
				free = append(free, r)
			}
		}
		if len(free) < LeastMembers || 2*len(free) <= left {
			continue
		}
		slices.Sort(free)
		if s.density(free, func(r int32) bool { _, in := slices.BinarySearch(free, r); return in }) < looseBelow {
			continue
		}
		s.groups, s.members = append(s.groups, body{}), append(s.members, nil)
		for _, r := range free {
			s.put(r, int32(len(s.groups)-1))
		}
		kept = true
	}
	return kept
}
