package cluster

import (
	"cmp"
	"math"
	"slices"
)

// proposals is the number of words of a group by which it may divide that are looked at closely.
const proposals = 4

// leastModelled is the number of points from which on the model of words is used. Precisions of fewer rest on few groups.
const leastModelled = 500

// reassign improves the groups by the model of words, if there are neither too few points for it nor more than exactPoints: all pairs
// of groups are compared.
func (s *settling) reassign() {
	if n := len(s.places); n < leastModelled || n > exactPoints {
		return
	}
	if m := s.newWordModel(); m != nil {
		m.improve()
	}
}

// improve makes groups more probable: two groups become one, one becomes two, points in none begin one, and each point moves to where
// its words are most probable, which may be no group.
func (m *wordModel) improve() {
	for range modelPasses {
		m.s.check()
		changed := 0
		for _, step := range []func() int{m.merge, m.move, m.divide, m.begin} {
			m.estimate()
			changed += step()
		}
		if changed == 0 {
			return
		}
	}
}

// merge merges groups, those first whose evidence rises most, and returns how many it merged.
func (m *wordModel) merge() (merged int) {
	evidence := make([]float64, len(m.groups))
	for g := range m.groups {
		evidence[g] = m.evidence(&m.groups[g])
	}
	gain := func(a, b int) float64 { return m.together(&m.groups[a], &m.groups[b]) - evidence[a] - evidence[b] }
	partner, most := make([]int, len(m.groups)), make([]float64, len(m.groups))
	find := func(a int) {
		partner[a], most[a] = -1, 0
		for b := range m.groups {
			if b == a || m.groups[a].size == 0 || m.groups[b].size == 0 {
				continue
			}
			if x := gain(a, b); x > most[a] {
				partner[a], most[a] = b, x
			}
		}
	}
	for a := range m.groups {
		find(a)
	}
	members := slices.Clone(m.s.members)
	for {
		into := -1
		for a, b := range partner {
			if b >= 0 && (into < 0 || most[a] > most[into]) {
				into = a
			}
		}
		if into < 0 {
			break
		}
		from := partner[into]
		members[into], members[from] = append(slices.Clone(members[into]), members[from]...), nil
		m.groups[into], m.groups[from] = m.groupOf(members[into]), modelGroup{}
		evidence[into], evidence[from] = m.evidence(&m.groups[into]), 0
		find(into)
		find(from)
		for a := range m.groups {
			if a != into && (partner[a] == into || partner[a] == from) {
				find(a)
			} else if a != into && m.groups[a].size > 0 {
				if x := gain(a, into); x > most[a] {
					partner[a], most[a] = into, x
				}
			}
		}
		merged++
	}
	if merged > 0 {
		m.s.take(members)
	}
	return merged
}

// move moves each point to the group that explains its words best, or to none, all by the same groups. It returns how many moved.
func (m *wordModel) move() (moved int) {
	s := m.s
	type held struct {
		group int32
		n     int32
	}
	holders := make([][]held, len(m.having))
	base := make([]float64, len(m.groups)) // by group: what does not depend on the point
	var without [len(precisions)][]float64 // by precision and group: the log of how much less probable a word is that no member has
	for k := range without {
		without[k] = make([]float64, len(m.groups))
	}
	for g := range m.groups {
		x := &m.groups[g]
		if x.size == 0 {
			continue
		}
		base[g] = m.prior(x.size) - m.longer(x)
		for k, f := range precisions {
			without[k][g] = math.Log(f / (f + float64(x.size)))
		}
		for _, w := range x.words {
			holders[w.word] = append(holders[w.word], held{int32(g), w.n})
		}
	}
	free := m.free()
	fits := make([]float64, len(m.groups))
	to := slices.Clone(s.of)
	var met []int32
	for r, own := range s.of {
		if len(m.words[r]) == 0 {
			continue
		}
		met = met[:0]
		for _, w := range m.words[r] {
			a := precisions[m.class[w]] * m.share[w]
			for _, h := range holders[w] {
				if fits[h.group] == 0 {
					met = append(met, h.group)
				}
				fits[h.group] += math.Log1p(float64(h.n) / a)
			}
		}
		slices.Sort(met)
		best, most := int32(-1), m.prior(free+1)
		if own >= 0 {
			if x := m.fit(int32(r), &m.groups[own], true); x > most {
				best, most = own, x
			}
		} else {
			most = m.prior(free)
		}
		for _, g := range met {
			x := base[g] + fits[g]
			fits[g] = 0
			for _, w := range m.words[r] {
				x += without[m.class[w]][g]
			}
			if g != own && x > most {
				best, most = g, x
			}
		}
		if best != own {
			to[r] = best
			moved++
		}
	}
	if moved > 0 {
		members := make([][]int32, len(s.members))
		for r, g := range to {
			if g >= 0 {
				members[g] = append(members[g], int32(r))
			}
		}
		s.take(members)
	}
	return moved
}

// divide divides each group in two if that is more probable: those with one of its words and the others, after each member went to
// the side that explains it best. It returns how many it divided.
func (m *wordModel) divide() (divided int) {
	least, _ := densityFor(len(m.words))
	members := slices.Clone(m.s.members)
	for g, points := range m.s.members {
		if len(points) < 2*least {
			continue
		}
		whole := m.evidence(&m.groups[g])
		var best [2][]int32
		most := 0.0
		for _, w := range m.promising(points, least, func(with, others []int32) float64 {
			a, b := m.groupOf(with), m.groupOf(others)
			return m.evidence(&a) + m.evidence(&b)
		}) {
			sides := m.sides(points, w)
			if len(sides[0]) < least || len(sides[1]) < least {
				continue
			}
			a, b := m.groupOf(sides[0]), m.groupOf(sides[1])
			if x := m.evidence(&a) + m.evidence(&b) - whole; x > most {
				best, most = sides, x
			}
		}
		if most > 0 {
			members[g] = best[0]
			members = append(members, best[1])
			divided++
		}
	}
	if divided > 0 {
		m.s.take(members)
	}
	return divided
}

// promising returns the words of points by which these divide with the highest value, the highest first.
func (m *wordModel) promising(points []int32, least int, value func(with, others []int32) float64) []int32 {
	type proposal struct {
		word  int32
		value float64
	}
	var list []proposal
	for _, w := range m.groupOf(points).words {
		if int(w.n) < least || len(points)-int(w.n) < least {
			continue
		}
		m.s.check()
		with, others := m.parted(points, w.word)
		list = append(list, proposal{w.word, value(with, others)})
	}
	slices.SortStableFunc(list, func(x, y proposal) int { return cmp.Compare(y.value, x.value) })
	var out []int32
	for _, x := range list[:min(len(list), proposals)] {
		out = append(out, x.word)
	}
	return out
}

// parted returns the points with a word, and the others.
func (m *wordModel) parted(points []int32, word int32) (with, others []int32) {
	for _, r := range points {
		if _, has := slices.BinarySearch(m.words[r], word); has {
			with = append(with, r)
		} else {
			others = append(others, r)
		}
	}
	return with, others
}

// sides returns the points on two sides, beginning with those that have a word and the others.
func (m *wordModel) sides(points []int32, word int32) (sides [2][]int32) {
	sides[0], sides[1] = m.parted(points, word)
	for range passes {
		a, b := m.groupOf(sides[0]), m.groupOf(sides[1])
		var next [2][]int32
		moved := false
		for side, list := range sides {
			for _, r := range list {
				to := 0
				if m.fit(r, &b, side == 1) > m.fit(r, &a, side == 0) {
					to = 1
				}
				next[to] = append(next[to], r)
				moved = moved || to != side
			}
		}
		slices.Sort(next[0])
		slices.Sort(next[1])
		sides = next
		if !moved {
			break
		}
	}
	return sides
}

// begin makes groups of points in no group: those with a word, and the others that the group explains better than none. It looks at
// no more than restPoints. It returns how many it made.
func (m *wordModel) begin() (made int) {
	s := m.s
	least, _ := densityFor(len(m.words))
	var free []int32
	for r, g := range s.of {
		if g < 0 && len(m.words[r]) > 0 {
			free = append(free, int32(r))
		}
	}
	if len(free) > restPoints {
		return 0
	}
	none := m.free()
	gain := func(points []int32) float64 {
		g := m.groupOf(points)
		return m.evidence(&g) - m.alone(points, none)
	}
	type proposal struct {
		word int32
		gain float64
	}
	var list []proposal
	for _, w := range m.groupOf(free).words {
		if int(w.n) >= LeastMembers {
			with, _ := m.parted(free, w.word)
			list = append(list, proposal{w.word, gain(with)})
		}
	}
	slices.SortStableFunc(list, func(x, y proposal) int { return cmp.Compare(y.gain, x.gain) })
	members := slices.Clone(s.members)
	for _, x := range list {
		s.check()
		group, others := m.parted(free, x.word)
		for range passes {
			g := m.groupOf(group)
			var in []int32
			was := len(group)
			for _, r := range free {
				_, member := slices.BinarySearch(group, r)
				if m.fit(r, &g, member) > m.prior(none+1) {
					in = append(in, r)
				}
			}
			same := slices.Equal(in, group)
			if group = in; same || was == 0 {
				break
			}
		}
		if len(group) < least || gain(group) <= 0 {
			continue
		}
		others = others[:0]
		for _, r := range free {
			if _, in := slices.BinarySearch(group, r); !in {
				others = append(others, r)
			}
		}
		members, free = append(members, group), others
		none -= len(group)
		made++
	}
	if made > 0 {
		s.take(members)
	}
	return made
}
