package cluster

import (
	"math"
	"slices"
	"sort"
)

// TagMark is the start of the names of marks that are tags.
const TagMark = "tag "

// Mark is something that memories may share besides words: a tag, an entity, a session.
type Mark struct {
	Name string // unique among all kinds
	// Weight is how much of its surprise counts, (0,1]: less for kinds that memories of several topics
	// share more often.
	Weight float64
	// Topic reports that it says what a memory is about, as a tag does, and not who, where or when.
	Topic bool
}

const (
	// markedPoints is the number of points below which marks count. Among more points, words alone
	// find the topics.
	markedPoints = 2000
	// commonMark is the share of the points, at least leastCommon, above which a mark says nothing.
	commonMark  = 0.3
	leastCommon = 3
	// mostShared and mostWords limit the surprise of the marks and of the words of a pair.
	mostShared, mostWords = 2.0, 3.0
	// byMarks is the weight of the agreement with marks beside the modularity of groups.
	byMarks = 1.5
)

// numberedMark is a mark of a point.
type numberedMark struct {
	number   int32
	surprise float64
}

// marking is what the marks of points say.
type marking struct {
	of     [][]numberedMark // by rank, by number
	points [][]int32        // by number: the ranks with the mark, ascending
	weight []float64        // by number
}

// newMarking numbers the marks that at least two points have and that are not common; nil if there are
// none or many points.
func (s *settling) newMarking() *marking {
	n := len(s.places)
	if n >= markedPoints || len(s.in.Marks) != n {
		return nil
	}
	count := map[string]int{}
	for _, list := range s.in.Marks {
		for _, m := range list {
			count[m.Name]++
		}
	}
	marks := &marking{of: make([][]numberedMark, n)}
	numbers := map[string]int32{}
	for r, p := range s.places {
		for _, m := range s.in.Marks[p] {
			c := count[m.Name]
			if c < 2 || float64(c) > max(leastCommon, commonMark*float64(n)) {
				continue
			}
			k, known := numbers[m.Name]
			if !known {
				k = int32(len(marks.points))
				numbers[m.Name] = k
				marks.points, marks.weight = append(marks.points, nil), append(marks.weight, m.Weight)
			}
			// Two random points have the mark with the probability (c/n)².
			marks.of[r] = append(marks.of[r], numberedMark{k, m.Weight * 2 * math.Log10(float64(n)/float64(c))})
			marks.points[k] = append(marks.points[k], int32(r))
		}
		slices.SortFunc(marks.of[r], func(a, b numberedMark) int { return int(a.number) - int(b.number) })
	}
	if len(marks.points) == 0 {
		return nil
	}
	return marks
}

// shared is the surprise of the marks that two points share.
func (m *marking) shared(a, b int32) float64 {
	if m == nil {
		return 0
	}
	sum := 0.0
	x, y := m.of[a], m.of[b]
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i].number < y[j].number:
			i++
		case x[i].number > y[j].number:
			j++
		default:
			sum += x[i].surprise
			i++
			j++
		}
	}
	return min(sum, mostShared)
}

// agreement is how much more often than by chance points that share a mark are in one group, [0,1]. Each
// point with a mark has the same weight, times that of the mark and the logarithm of how rare it is.
func (m *marking) agreement(s *settling) float64 {
	if m == nil {
		return 0
	}
	n := float64(len(s.of))
	chance := 0.0
	for _, members := range s.members {
		chance += float64(len(members)) * float64(len(members)) / (n * n)
	}
	inside, all := 0.0, 0.0
	for k, points := range m.points {
		w := m.weight[k] * math.Log(n/float64(len(points))) / float64(len(points)-1)
		for i, a := range points {
			for _, b := range points[:i] {
				all += w
				if s.of[a] >= 0 && s.of[a] == s.of[b] {
					inside += w
				}
			}
		}
	}
	if all == 0 || chance >= 1 {
		return 0
	}
	return max(0, (inside/all-chance)/(1-chance))
}

// bond is how surprising it is that two points are as alike as they are and share the marks that they
// share: −log10 of the probability of both among random pairs, as far as they are independent. Unrelated
// points have 0.43 on average. It reads ranks of cosines, so the embedder's scale has no influence.
func (s *settling) bond(a, b int32) float64 {
	above := len(s.pairs) - sort.SearchFloat64s(s.pairs, s.space.cosine(a, b))
	words := -math.Log10((float64(above) + 0.5) / (float64(len(s.pairs)) + 0.5))
	return min(words, mostWords) + s.marks.shared(a, b)
}
