package cluster

import (
	"math/rand/v2"
	"slices"
	"sort"
)

const (
	densityPairs = 512 // sampled pairs within a cluster, and across its border
	nearShare    = 8   // one in so many pairs across is with a neighbour of a member
)

// density is γ of a cluster, clamped to [0,1]; see Settle. The pairs of a cluster of more
// than four fifths of all points are compared with orthogonal vectors.
func (s *settling) density(ranks []int32, inside func(r int32) bool) float64 {
	within, beyond := s.pairsWithin(ranks), s.pairsAcross(ranks, inside)
	if len(beyond) == 0 {
		beyond = []float64{0}
	}
	slices.Sort(beyond)
	concordant, discordant := 0, 0
	for _, x := range within {
		concordant += sort.SearchFloat64s(beyond, x)
		discordant += len(beyond) - sort.Search(len(beyond), func(i int) bool { return beyond[i] > x })
	}
	if concordant <= discordant {
		return 0
	}
	return float64(concordant-discordant) / float64(concordant+discordant)
}

// pairsWithin returns cosines of pairs of members: all, or a sample.
func (s *settling) pairsWithin(ranks []int32) []float64 {
	n := len(ranks)
	var out []float64
	if n*(n-1)/2 <= densityPairs {
		for a := range n {
			for b := range a {
				out = append(out, s.space.cosine(ranks[a], ranks[b]))
			}
		}
		return out
	}
	r := rand.New(rand.NewPCG(2, uint64(n)))
	for len(out) < densityPairs {
		if a, b := r.IntN(n), r.IntN(n); a != b {
			out = append(out, s.space.cosine(ranks[a], ranks[b]))
		}
	}
	return out
}

// pairsAcross returns cosines of members with points outside of the cluster, from a sample.
func (s *settling) pairsAcross(ranks []int32, inside func(r int32) bool) []float64 {
	if 5*len(ranks) > 4*len(s.of) {
		return nil
	}
	r := rand.New(rand.NewPCG(3, uint64(len(ranks))))
	var out []float64
	for try := 0; len(out) < densityPairs && try < 8*densityPairs; try++ {
		member := ranks[r.IntN(len(ranks))]
		other := int32(r.IntN(len(s.of)))
		if to, _ := s.links.of(int(member)); try%nearShare == 0 && len(to) > 0 {
			other = to[r.IntN(len(to))]
		}
		if !inside(other) {
			out = append(out, s.space.cosine(member, other))
		}
	}
	return out
}

// modularity is the share of neighbours that are in the group of the point whose neighbours they
// are, less what it would be by chance: the sum of the squared shares of the groups.
func (s *settling) modularity() float64 {
	inside, chance := 0, 0.0
	for r, g := range s.of {
		to, _ := s.links.of(r)
		for _, o := range to {
			if g >= 0 && s.of[o] == g {
				inside++
			}
		}
	}
	for _, m := range s.members {
		share := float64(len(m)) / float64(len(s.of))
		chance += share * share
	}
	return float64(inside)/float64(max(1, len(s.links.to))) - chance
}
