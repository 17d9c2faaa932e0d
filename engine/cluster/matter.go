package cluster

import "strings"

const (
	// leastFit is how well a word must fit a group of nouns, see hasMatter: the harmonic mean of the share of the members with it and
	// of the share of those with it that are members.
	leastFit = 0.5
	// widelyNamed is the share of the members from which on a name may be what they are about.
	widelyNamed = 0.6
	// leastOwn is the share of the memories with a word that must be in a group of three, if it ties two of them.
	leastOwn = 1. / 3
)

// topic is a word or a mark by which memories may be about one matter.
type topic struct {
	text  string
	named bool // the name of a person, a place or a thing, which has many matters
}

// topicsOf returns the topics of a point: its nouns and names, and the marks that say what it is about.
func (s *settling) topicsOf(r int32) (out []topic) {
	p := s.places[r]
	for _, w := range s.in.Nouns[p] {
		out = append(out, topic{w, s.in.Proper[w]})
	}
	if s.in.Marks == nil {
		return out
	}
	for _, m := range s.in.Marks[p] {
		if m.Topic {
			out = append(out, topic{text: "mark " + strings.ToLower(m.Name)})
		}
	}
	return out
}

// topics returns the number of points with each topic.
func (s *settling) topics() map[topic]int {
	if s.topical == nil {
		s.topical = map[topic]int{}
		for r := range s.of {
			for _, t := range s.topicsOf(int32(r)) {
				s.topical[t]++
			}
		}
	}
	return s.topical
}

// hasMatter reports whether a topic fits a small group of nouns. Otherwise its members have only words in common that are in many
// matters. A name counts if most members have it. Three members must also be tied by topics that are no names and not frequent
// elsewhere: of two about a shear pin and one about who made it, the third is about something else.
func (s *settling) hasMatter(members []int32) bool {
	having := map[topic][]int{}
	for at, r := range members {
		for _, t := range s.topicsOf(r) {
			having[t] = append(having[t], at)
		}
	}
	fits, tied := false, 0 // tied are bits of members, those that one topic ties to another member
	for t, at := range having {
		share, all := float64(len(at))/float64(len(members)), s.topics()[t]
		if 2*float64(len(at)) >= leastFit*float64(len(members)+all) && len(at) > 1 && (!t.named || share >= widelyNamed) {
			fits = true
		}
		if len(members) == LeastMembers && len(at) > 1 && !t.named && float64(len(at)) >= leastOwn*float64(all) {
			for _, k := range at {
				tied |= 1 << k
			}
		}
	}
	return fits && (len(members) > LeastMembers || tied == 1<<LeastMembers-1)
}
