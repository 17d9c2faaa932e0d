package cluster

import "slices"

// nearerByNouns is how much nearer the nouns of a member must be to another group than to its own, so that it moves.
const nearerByNouns = 1.25

// groupShare is what one group has of a noun: the mean weight of it in the members.
type groupShare struct {
	group  int32
	weight float64
}

// nounShares lists, by noun, the groups that have it, ascending.
func (s *settling) nounShares() [][]groupShare {
	shares := make([][]groupShare, s.space.bag.size)
	for g := range s.groups {
		for _, w := range s.groups[g].nouns {
			shares[w.noun] = append(shares[w.noun], groupShare{int32(g), float64(w.weight) / float64(s.groups[g].size)})
		}
	}
	return shares
}

// nounFits sets the mean product of the nouns of a point with those of the other members of each group. met lists the groups whose
// fit is not 0, ascending.
func (s *settling) nounFits(r int32, shares [][]groupShare, fits []float64) (met []int32) {
	own, square := s.of[r], 0.0
	for _, w := range s.space.bag.of[r] {
		square += float64(w.weight) * float64(w.weight)
		for _, x := range shares[w.noun] {
			if fits[x.group] == 0 {
				met = append(met, x.group)
			}
			fits[x.group] += float64(w.weight) * x.weight
		}
	}
	if own >= 0 && s.groups[own].size > 1 {
		n := float64(s.groups[own].size)
		fits[own] = max(0, (n*fits[own]-square)/(n-1))
	}
	slices.Sort(met)
	return met
}

// moveByNouns moves each point to the group that its nouns are nearest to: from no group if they are half as near as those of the median
// member, and from another group if they are much nearer. Lists of neighbours have points of the same form of sentence, whose matters
// differ, so a point may have no home among them, and points of one form may be a dense group. A group that most
// members leave is such a form, and ends. It returns the number of points that moved.
func (s *settling) moveByNouns() int {
	if s.space.bag == nil {
		return 0
	}
	shares := s.nounShares()
	fits := make([]float64, len(s.groups))
	best, most, own := make([]int32, len(s.of)), make([]float64, len(s.of)), make([]float64, len(s.of))
	of := make([][]float64, len(s.groups)) // by group: the fits of its members
	for r := range s.of {
		best[r] = -1
		if s.space.inverse[r] == 0 {
			continue
		}
		met := s.nounFits(int32(r), shares, fits)
		if g := s.of[r]; g >= 0 {
			own[r] = fits[g]
			of[g] = append(of[g], fits[g])
		}
		for _, g := range met {
			if fits[g] > most[r] {
				best[r], most[r] = g, fits[g]
			}
			fits[g] = 0
		}
	}
	least := make([]float64, len(s.groups))
	for g, list := range of {
		if len(list) > 0 {
			slices.Sort(list)
			least[g] = homeDepth * quantile(list, 0.5)
		}
	}
	moved := 0
	left := make([]int, len(s.groups))
	to := slices.Clone(s.of)
	for r, g := range best {
		if g < 0 || g == s.of[r] || most[r] < least[g] || s.of[r] >= 0 && most[r] < nearerByNouns*own[r] {
			continue
		}
		if to[r] = g; s.of[r] >= 0 {
			left[s.of[r]]++
		}
		moved++
	}
	if moved == 0 {
		return 0
	}
	groups := make([][]int32, len(s.groups))
	ends := func(g int32) bool { return 2*left[g] > len(s.members[g]) }
	for r, g := range to {
		if g >= 0 && g != s.of[r] && ends(g) { // the group to which it would move ends in the same pass
			g = s.of[r]
		}
		if g >= 0 && !ends(g) {
			groups[g] = append(groups[g], int32(r))
		}
	}
	s.take(groups)
	return moved
}
