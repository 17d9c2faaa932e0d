package cluster

import "slices"

const (
	// leastShare is the share of a point's neighbours, weighted by how alike they are, that must
	// be in its home.
	leastShare = 0.2
	// homeDepth is how near a point must be to the members of its home, where 1 is the median
	// member and 0 an unrelated point.
	homeDepth = 0.5
)

// giveHomes gives points without a group to the group of their neighbours. All decisions of a
// call are made on the same groups, so their order has no effect. It returns the number of
// points that found a home.
func (s *settling) giveHomes() int {
	least := s.homeThresholds()
	homes := map[int]int32{}
	for r, g := range s.of {
		if g >= 0 {
			continue
		}
		if home, ok := s.voted(r); ok && s.groups[home].fit(s.space.at(int32(r))) >= least[home] {
			homes[r] = home
		}
	}
	for r := range s.of {
		if home, ok := homes[r]; ok {
			s.put(int32(r), home)
		}
	}
	return len(homes)
}

// voted returns the group that most of the neighbours of a point are in.
func (s *settling) voted(r int) (group int32, ok bool) {
	to, cosines := s.links.of(r)
	total, grouped := 0.0, 0.0
	votes := make(map[int32]float64, 4)
	group = -1
	for i, o := range to {
		weight := float64(cosines[i]) - s.unrelated
		g := s.of[o]
		if weight <= 0 {
			continue
		}
		if total += weight; g < 0 {
			continue
		}
		grouped += weight
		votes[g] += weight
		if group < 0 || votes[g] > votes[group] || votes[g] == votes[group] && g < group {
			group = g
		}
	}
	return group, group >= 0 && votes[group] > leastShare*total && 2*votes[group] > grouped
}

// homeThresholds returns the least fit of a new member for each group.
func (s *settling) homeThresholds() []float64 {
	fits := make([][]float64, len(s.groups))
	for r, g := range s.of {
		if g >= 0 {
			fits[g] = append(fits[g], s.groups[g].fitOfMember(s.space.at(int32(r))))
		}
	}
	least := make([]float64, len(s.groups))
	for g, f := range fits {
		if len(f) > 0 {
			slices.Sort(f)
			least[g] = s.unrelated + homeDepth*(quantile(f, 0.5)-s.unrelated)
		}
	}
	return least
}
