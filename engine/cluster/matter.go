package cluster

import (
	"slices"
	"strings"
)

const (
	// leastFit is how well a topic must fit a group of nouns, see fit.
	leastFit = 0.5
	// widelyCovered is the share of the members of a group of nouns that its topics must cover, of three members all, and the share from
	// which on a name alone may be what a group is about.
	widelyCovered = 0.6
	// leastOwn is the share of the memories with a topic that must be in a group of three, if it ties two of them.
	leastOwn = 1. / 3
	// tiesEach is the number of points for each of which two topics need one more member that has both: among more points, more nouns meet in
	// a sentence by chance.
	tiesEach = 300
	// leastDistinct is the number of topics from which on points with the same ones say the same.
	leastDistinct = 3
)

// topicIndex says what points may be about: their nouns and names, and the tags that say what they are about, by lemma. A noun and a tag
// with its lemma are one topic.
type topicIndex struct {
	of       [][]int32 // by rank: topics that two points or more have, ascending
	named    []bool    // by topic: the name of a person, a place or a thing, which has many matters
	filed    []bool    // by topic: most have it as a tag only, which may say of what kind they are
	points   []int     // by topic: points with it
	distinct []int     // by topic: points with it, those that say the same counted once
	same     []int32   // by rank: the first point that says the same
	having   [][]int32 // by topic: what cover counts; empty between its calls
}

// topics returns the topics of the points, whose nouns must be known.
func (s *settling) topics() *topicIndex {
	if s.topical != nil {
		return s.topical
	}
	n := len(s.places)
	x := &topicIndex{of: make([][]int32, n), same: make([]int32, n)}
	lists := make([][]string, n)
	said, points, distinct, first := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int32{}
	for r, p := range s.places {
		list := slices.Clone(s.in.Nouns[p])
		for _, w := range list {
			said[w]++
		}
		if s.in.Marks != nil {
			list = append(list, tagTopics(s.in.Marks[p])...)
		}
		slices.Sort(list)
		list = slices.Compact(list)
		lists[r], x.same[r] = list, int32(r)
		if key := strings.Join(list, "\n"); len(list) >= leastDistinct {
			if f, known := first[key]; known {
				x.same[r] = f
			} else {
				first[key] = int32(r)
			}
		}
		for _, w := range list {
			points[w]++
			if x.same[r] == int32(r) {
				distinct[w]++
			}
		}
	}
	numbers := map[string]int32{}
	for r, list := range lists {
		for _, w := range list {
			if points[w] < 2 {
				continue
			}
			k, known := numbers[w]
			if !known {
				k = int32(len(numbers))
				numbers[w] = k
				x.named, x.filed = append(x.named, s.in.Proper[w]), append(x.filed, 2*said[w] < points[w])
				x.points, x.distinct = append(x.points, points[w]), append(x.distinct, distinct[w])
			}
			x.of[r] = append(x.of[r], k)
		}
		slices.Sort(x.of[r])
	}
	x.having = make([][]int32, len(numbers))
	s.topical = x
	return x
}

// tagTopics returns the tags of a point that say what it is about, as lemmas.
func tagTopics(marks []Mark) (out []string) {
	for _, m := range marks {
		if tag, ok := strings.CutPrefix(m.Name, TagMark); ok && m.Topic {
			if key, _ := tagged(tag); key != "" {
				out = append(out, key)
			}
		}
	}
	return out
}

// fit is how well a topic tells n points, of which some have it, from others: the harmonic mean of the share of them that has it, and of the
// share of all points with it that is among them.
func fit(with, n, all int) float64 { return 2 * float64(with) / float64(n+all) }

// cover returns the largest share of some points that one topic covers, or two, and these topics; points that say the same count once. Topics
// must fit. Of two neither is a name or only a tag, a third of the points must have the first, and one point must have both, or one more for each
// tiesEach of all points: else nothing shows that they are one matter. The share of fewer than LeastMembers points is 1.
func (x *topicIndex) cover(points []int32) (share float64, topics []int32) {
	distinct := make([]int32, len(points))
	for i, r := range points {
		distinct[i] = x.same[r]
	}
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	n := len(distinct)
	if n < LeastMembers {
		return 1, nil
	}
	var met []int32
	having := x.having
	for _, r := range distinct {
		for _, k := range x.of[r] {
			if len(having[k]) == 0 {
				met = append(met, k)
			}
			having[k] = append(having[k], r)
		}
	}
	defer func() {
		for _, k := range met {
			having[k] = having[k][:0]
		}
	}()
	slices.Sort(met)
	var first, second []int32
	most := 0
	for _, k := range met {
		with := having[k]
		if len(with) < 2 || fit(len(with), n, x.distinct[k]) < leastFit {
			continue
		}
		if !x.filed[k] && !x.named[k] {
			second = append(second, k)
			most = max(most, len(with))
			if float64(len(with)) >= covering*float64(n)-rounding {
				first = append(first, k)
			}
		}
		if c := float64(len(with)) / float64(n); c > share {
			share, topics = c, []int32{k}
		}
	}
	if share >= widelyCovered-rounding && n > LeastMembers || float64(2*most) <= share*float64(n) {
		return share, topics
	}
	for _, a := range first {
		for _, b := range second {
			both, _ := overlap(having[a], having[b])
			c := float64(len(having[a])+len(having[b])-both) / float64(n)
			if both > len(x.of)/tiesEach && c > share+rounding {
				share, topics = c, []int32{a, b}
			}
		}
	}
	return share, topics
}

// enough reports whether topics cover enough of some points for a group: most, or all if there are three. Points that say the same count each.
func enough(share float64, points []int32) bool {
	return share >= widelyCovered-rounding && (len(points) > LeastMembers || share > 1-rounding)
}

// covers reports whether topics cover most of some points.
func (x *topicIndex) covers(points []int32) bool {
	share, _ := x.cover(points)
	return enough(share, points)
}

// core returns the points if topics cover most of them, else those that the best topics cover.
func (x *topicIndex) core(points []int32) []int32 {
	share, topics := x.cover(points)
	if enough(share, points) {
		return points
	}
	return slices.DeleteFunc(slices.Clone(points), func(r int32) bool {
		return !slices.ContainsFunc(topics, func(k int32) bool { return slices.Contains(x.of[r], k) })
	})
}

// hasMatter reports whether a topic fits a small group of nouns. Otherwise its members have only words in common that are in many
// matters. A name counts if most members have it. Three members must also be tied by topics that are no names and not frequent
// elsewhere: of two about a shear pin and one about who made it, the third is about something else.
func (s *settling) hasMatter(members []int32) bool {
	x := s.topics()
	having := map[int32][]int{}
	for at, r := range members {
		for _, k := range x.of[r] {
			having[k] = append(having[k], at)
		}
	}
	fits, tied := false, 0 // tied are bits of members, those that one topic ties to another member
	for k, at := range having {
		share := float64(len(at)) / float64(len(members))
		if fit(len(at), len(members), x.points[k]) >= leastFit && len(at) > 1 && (!x.named[k] || share >= widelyCovered) {
			fits = true
		}
		if len(members) == LeastMembers && len(at) > 1 && !x.named[k] && float64(len(at)) >= leastOwn*float64(x.points[k]) {
			for _, m := range at {
				tied |= 1 << m
			}
		}
	}
	return fits && (len(members) > LeastMembers || tied == 1<<LeastMembers-1)
}
