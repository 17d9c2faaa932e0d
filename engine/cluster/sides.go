package cluster

import (
	"slices"
)

const (
	sidesOverlap   = 0.1 // largest share of the members with one of two nouns that have both, if these may be two matters
	sidesCover     = 0.6 // least share of the members that have one of them
	sidesUnrelated = 0.4 // mean bond across the sides from which on they are one matter; that of unrelated points is 0.43, see bond
	sidesDenser    = 0.2 // how much denser two groups must be than the one that they were
	oneMatterDense = 0.7 // density from which on a group is about one matter, see Settle
)

// Linked returns the share of texts in the largest set that nouns link: two texts with one noun are in one set. It is 0
// for no texts.
func Linked(texts, nouns []string) float64 {
	set := make([]int, len(texts)) // by text: a text of its set, itself for the first one
	for at := range set {
		set[at] = at
	}
	root := func(at int) int {
		for set[at] != at {
			at = set[at]
		}
		return at
	}
	for _, having := range havingNouns(texts, nouns) {
		for _, at := range having {
			a, b := root(having[0]), root(at)
			set[max(a, b)] = min(a, b)
		}
	}
	size, largest := map[int]int{}, 0
	for at := range set {
		r := root(at)
		size[r]++
		largest = max(largest, size[r])
	}
	return float64(largest) / float64(max(1, len(texts)))
}

// havingNouns returns, by noun, the places of the texts that have it.
func havingNouns(texts, nouns []string) [][]int {
	having := make([][]int, len(nouns))
	for at, text := range texts {
		t := NewTerms()
		t.Add(text)
		for k, noun := range nouns {
			if t.terms[noun] != nil {
				having[k] = append(having[k], at)
			}
		}
	}
	return having
}

// Sides returns the places of the texts that have the first of some nouns, and of those that have the noun that most of the
// others have, see ClusterLabel.Nouns. It is nil if fewer than LeastMembers of the others have one.
func Sides(texts, nouns []string) [][]int {
	if len(nouns) < 2 {
		return nil
	}
	having := havingNouns(texts, nouns)
	first := make([]bool, len(texts)) // texts that have the first noun
	for _, at := range having[0] {
		first[at] = true
	}
	best, most := 0, LeastMembers-1
	for k := 1; k < len(nouns); k++ {
		n := 0
		for _, at := range having[k] {
			if !first[at] {
				n++
			}
		}
		if n > most {
			best, most = k, n
		}
	}
	if best == 0 {
		return nil
	}
	return [][]int{having[0], having[best]}
}

// divideByName divides the groups of small sets that are two matters: hardly a member has both of two nouns, the members with each
// noun are much closer to each other than all are, and those with different nouns are no closer than unrelated memories.
// Members with neither go with the side to which they are bound more.
func (s *settling) divideByName() {
	if s.in.Names == nil || len(s.of) >= markedPoints {
		return
	}
	numbers, groups := s.groupsByNumber()
	if len(groups) == 0 {
		return
	}
	names := s.in.Names(groups)
	if len(names) != len(groups) {
		return
	}
	for i, g := range numbers {
		if len(names[i].Sides) != 2 {
			continue
		}
		if a, b := s.sides(g, names[i].Sides); a != nil && s.meanBondAcross(a, b) < sidesUnrelated && s.denser(g, a, b) {
			s.empty(g)
			for _, side := range [][]int32{a, b} {
				s.groups, s.members = append(s.groups, body{}), append(s.members, nil)
				for _, r := range side {
					s.put(r, int32(len(s.groups)-1))
				}
			}
		}
	}
}

// sides returns the members of a group by the noun that they have; nil if the nouns make no two sides.
func (s *settling) sides(g int, of [][]int) (a, b []int32) {
	part := map[int32]int{} // 1, 2; 3: both
	for k, members := range of {
		for _, at := range members {
			part[int32(s.rank[at])] |= k + 1
		}
	}
	var rest []int32
	both := 0
	for _, r := range s.members[g] {
		switch part[r] {
		case 1:
			a = append(a, r)
		case 2:
			b = append(b, r)
		case 3:
			both++
			rest = append(rest, r)
		default:
			rest = append(rest, r)
		}
	}
	if named := len(a) + len(b) + both; float64(both) > sidesOverlap*float64(named) || float64(named) < sidesCover*float64(len(s.members[g])) || min(len(a), len(b)) < LeastMembers {
		return nil, nil
	}
	coreA, coreB := slices.Clone(a), slices.Clone(b)
	for _, r := range rest {
		if s.meanBond(r, coreA) >= s.meanBond(r, coreB) {
			a = append(a, r)
		} else {
			b = append(b, r)
		}
	}
	return a, b
}

// meanBond is the mean bond of a point with others.
func (s *settling) meanBond(r int32, with []int32) float64 {
	sum := 0.0
	for _, o := range with {
		sum += s.bond(r, o) / float64(len(with))
	}
	return sum
}

// meanBondAcross is the mean bond of pairs across two groups.
func (s *settling) meanBondAcross(a, b []int32) float64 {
	sum := 0.0
	for _, r := range a {
		sum += s.meanBond(r, b) / float64(len(a))
	}
	return sum
}

// denser reports whether two parts of a group that is not about one matter are much denser than it.
func (s *settling) denser(g int, a, b []int32) bool {
	whole := s.densityOf(int32(g))
	parts := 0.0
	for _, side := range [][]int32{a, b} {
		parts += s.density(side, func(r int32) bool { return slices.Contains(side, r) }) * float64(len(side)) / float64(len(a)+len(b))
	}
	return whole < oneMatterDense && parts >= whole+sidesDenser
}
