package cluster

const (
	// leastBond is the mean bond of a member with the others below which it is none, if that is also less than
	// half of what the members have on average. The members of a group of nearly all points have no more than random pairs.
	leastBond = 0.6
	// firmBond is the mean bond across two groups of the rest from which on they are one.
	firmBond = 1.5
	// restPoints is the number of points in no group up to which small groups are looked for.
	restPoints = 1000
)

// leastOfRest returns the minimum size of a group of the rest among n points. Among more points more
// groups of few are alike by chance.
func leastOfRest(n int) int {
	switch {
	case n < 200:
		return LeastMembers
	case n < 500:
		return 4
	}
	return MinSize
}

// trim takes out of their groups the members of small sets that words and marks bind weakly to the
// others. In spaces with damped directions a few points have neighbours that share nothing with them.
func (s *settling) trim() {
	if len(s.of) >= markedPoints {
		return
	}
	for g, members := range s.members {
		bonds, mean := make([]float64, len(members)), 0.0
		for i, a := range members {
			for j, b := range members[:i] {
				x := s.bond(a, b) / float64(len(members)-1)
				bonds[i] += x
				bonds[j] += x
				mean += 2 * x / float64(len(members))
			}
		}
		var keep []int32
		for i, r := range members {
			if bonds[i] >= min(leastBond, mean/2) {
				keep = append(keep, r)
			}
		}
		if len(keep) == len(members) {
			continue
		}
		if len(keep) < LeastMembers {
			keep = nil
		}
		for _, r := range members {
			s.of[r] = -1
		}
		s.groups[g], s.members[g] = body{}, nil
		for _, r := range keep {
			s.put(r, int32(g))
		}
	}
}

// gatherRest makes small groups of the points of small sets that are in none: by average linkage over
// bonds (Sokal, Michener, "A Statistical Method for Evaluating Systematic Relationships", 1958).
// Density can't find them, because a topic of four memories is no denser than what chance makes of words alone.
// Groups that share marks only, and are loose by their words, are dropped.
func (s *settling) gatherRest() {
	n := len(s.of)
	if n >= markedPoints {
		return
	}
	var free []int32
	for r, g := range s.of {
		if g < 0 && s.space.inverse[r] > 0 {
			free = append(free, int32(r))
		}
	}
	if len(free) < LeastMembers || len(free) > restPoints {
		return
	}
	for _, group := range averageLinkage(free, s.bond, firmBond) {
		if len(group) < leastOfRest(n) {
			continue
		}
		in := make(map[int32]bool, len(group))
		for _, r := range group {
			in[r] = true
		}
		if s.density(group, func(r int32) bool { return in[r] }) < looseBelow {
			continue
		}
		s.groups, s.members = append(s.groups, body{}), append(s.members, nil)
		for _, r := range group {
			s.put(r, int32(len(s.groups)-1))
		}
	}
}

// dissolveNameless empties the groups of small sets that have no name, or few members and a weak one, see named. Names
// set groups apart from each other, so it looks again at those that are left.
func (s *settling) dissolveNameless() {
	if s.in.Names == nil || len(s.of) >= markedPoints {
		return
	}
	for range passes {
		if !s.dissolveNamelessOnce() {
			return
		}
	}
}

// dissolveNamelessOnce reports whether it has emptied any group.
func (s *settling) dissolveNamelessOnce() (emptied bool) {
	numbers, groups := s.groupsByNumber()
	if len(groups) == 0 {
		return false
	}
	names := s.in.Names(groups)
	for i, g := range numbers {
		if len(names) != len(groups) || s.named(names[i], s.members[g]) {
			continue
		}
		s.giveBack(g)
		emptied = true
	}
	return emptied
}

// giveBack empties a group, and makes the former clusters again of which it has most points: clusters that merge into a group without
// a name go on as they were, if each has a name.
func (s *settling) giveBack(g int) {
	members := s.members[g]
	var parts [][]int32
	for _, points := range s.former {
		var part []int32
		for _, r := range points {
			if s.of[r] == int32(g) {
				part = append(part, r)
			}
		}
		if len(part) >= LeastMembers && 2*len(part) > len(points) && len(part) < len(members) && (!s.byNouns || s.topics().covers(part)) {
			parts = append(parts, part)
		}
	}
	s.empty(g)
	for _, part := range parts {
		s.groups, s.members = append(s.groups, body{}), append(s.members, nil)
		for _, r := range part {
			s.put(r, int32(len(s.groups)-1))
		}
	}
}

// named reports a name that is enough for a group. Where nouns made the groups, a third of the members of a new one must have
// it; of few members three, or two of three, and that of a person is not enough.
func (s *settling) named(name Name, members []int32) bool {
	n := len(members)
	if name.Share == 0 || s.byNouns && name.Share < covering && !s.goesOn(members) {
		return false
	}
	return n >= 2*MinSize || !name.Weak && (!s.byNouns || name.Matter >= min(LeastMembers, n/2+1) && s.hasMatter(members))
}

// goesOn reports a group that has most points of a former cluster, of which it mostly consists.
func (s *settling) goesOn(members []int32) bool {
	g := s.of[members[0]]
	for _, points := range s.former {
		in := 0
		for _, r := range points {
			if s.of[r] == g {
				in++
			}
		}
		if 2*in > max(len(points), len(members)) {
			return true
		}
	}
	return false
}

// groupsByNumber returns the groups that have members, as lists of indices.
func (s *settling) groupsByNumber() (numbers []int, groups [][]int) {
	for g, members := range s.members {
		if len(members) > 0 {
			numbers, groups = append(numbers, g), append(groups, s.settled(members).Members)
		}
	}
	return numbers, groups
}

// empty takes all points out of a group.
func (s *settling) empty(g int) {
	for _, r := range s.members[g] {
		s.of[r] = -1
	}
	s.groups[g], s.members[g] = body{}, nil
}

// averageLinkage merges the two groups with the highest mean bond across, until no mean is above
// least; ties go to the first ones. It returns the groups in the order of their first points. It takes
// O(n²) memory and at most O(n³) time.
func averageLinkage(points []int32, bond func(a, b int32) float64, least float64) [][]int32 {
	n := len(points)
	mean := make([][]float64, n)
	groups := make([][]int32, n)
	for i, a := range points {
		mean[i], groups[i] = make([]float64, n), []int32{a}
		for j := range i {
			x := bond(a, points[j])
			mean[i][j], mean[j][i] = x, x
		}
	}
	for {
		best, into, from := least, -1, -1
		for i := range groups {
			for j := range i {
				if groups[i] != nil && groups[j] != nil && mean[i][j] > best {
					best, into, from = mean[i][j], j, i
				}
			}
		}
		if into < 0 {
			break
		}
		a, b := float64(len(groups[into])), float64(len(groups[from]))
		for o := range groups {
			x := (a*mean[into][o] + b*mean[from][o]) / (a + b)
			mean[into][o], mean[o][into] = x, x
		}
		groups[into], groups[from] = append(groups[into], groups[from]...), nil
	}
	out := groups[:0]
	for _, g := range groups {
		if g != nil {
			out = append(out, g)
		}
	}
	return out
}
