package cluster

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// NounsBelow is the number of memories below which Settle uses their nouns.
const NounsBelow = 20_000

const (
	// priorWeight is the weight of the frequencies of words among all points, in occurrences for each occurrence.
	priorWeight = 0.5
	// wordPasses bounds how often memories move between groups of nouns, and such groups merge.
	wordPasses = 6
	// looselyWorded is the gain of a member, relative to the median of its group, below which it leaves.
	looselyWorded = 0.4
	// staysWorded is that gain of a member of the former cluster.
	staysWorded = 0.2
	// sameWording is how much lower the evidence of groups that began with the former clusters may be, relative to that of
	// groups that began with single memories.
	sameWording = 0.03
)

// Nouns returns the lemmas of the nouns and names in each text, once each, ascending, and which of them are names. What is a noun is read from all
// texts. Months, weekdays, and units are left out.
func Nouns(texts []string) (nouns [][]string, names map[string]bool) {
	used := map[string]roles{}
	words := make([][]string, len(texts))
	for i, text := range texts {
		for _, run := range runsOf(prose(text)) {
			for _, w := range run {
				as := used[w.lemma]
				as.add(w.roles)
				used[w.lemma] = as
				if _, ordinal := english.OrdinalWord(w.low); !ordinal && !when(w.low) {
					words[i] = append(words[i], w.lemma)
				}
			}
		}
	}
	for i := range words {
		words[i] = slices.DeleteFunc(words[i], func(w string) bool {
			r := used[w]
			noun := r.isNoun() || r.isName() || r.noun+r.modifier > r.verb+r.quality
			return !noun || r.isUnit() || clockUnits[w]
		})
		slices.Sort(words[i])
		words[i] = slices.Compact(words[i])
	}
	names = map[string]bool{}
	for w, r := range used {
		if r.isName() {
			names[w] = true
		}
	}
	return words, names
}

// wording groups points by the nouns and marks that they share. Groups are mixtures of words (Yin, Wang, "A Dirichlet
// Multinomial Mixture Model-based Approach for Short Text Clustering", KDD 2014). The prior of each
// group is the frequency of each word among all points, so that a rare word says much and a frequent one little. Two groups
// belong together if one mixture explains their words better than two, and one topic or two cover them. So members that share no word are
// in one group if others have words of both, but a group is no chain of words.
type wording struct {
	words  [][]int32   // by rank: ascending
	length []float64   // by rank: the sum of the weights of its words
	having [][]int32   // by word: the ranks with it
	weight []float64   // by word
	rise   [][]float64 // by word and number: log of the probability of so many more occurrences
	total  float64     // of all lengths, the weight of the prior
	groups []*wordGroup
	of     []int32     // by rank: the group
	topics *topicIndex // of the points
}

// wordGroup is a group of points; without points it is empty.
type wordGroup struct {
	points []int32
	words  []wordCount // ascending
	length float64
}

type wordCount struct{ word, n int32 }

// newWording numbers the words that two points have; nil if nothing is known of words.
func (s *settling) newWording() *wording {
	n := len(s.places)
	if n >= markedPoints || len(s.in.Nouns) != n {
		return nil
	}
	count := map[string]int{}
	for _, list := range s.in.Nouns {
		for _, w := range list {
			count[w]++
		}
	}
	x := &wording{words: make([][]int32, n), length: make([]float64, n), of: make([]int32, n), topics: s.topics()}
	numbers := map[string]int32{}
	add := func(r int, name string, weight float64) {
		k, known := numbers[name]
		if !known {
			k = int32(len(x.having))
			numbers[name] = k
			x.having, x.weight = append(x.having, nil), append(x.weight, weight)
		}
		x.words[r] = append(x.words[r], k)
		x.having[k] = append(x.having[k], int32(r))
		x.length[r] += weight
		x.total += weight
	}
	for r, p := range s.places {
		if s.space.inverse[r] == 0 {
			continue
		}
		for _, w := range s.in.Nouns[p] {
			if count[w] > 1 {
				add(r, "noun "+w, 1)
			}
		}
		if s.marks != nil {
			for _, m := range s.marks.of[r] {
				add(r, fmt.Sprint("mark ", m.number), s.marks.weight[m.number])
			}
		}
		slices.Sort(x.words[r])
	}
	x.rise = make([][]float64, len(x.having))
	return x
}

// risen is the log of Γ(a+n)/Γ(a), a being the prior of a word.
func (x *wording) risen(w, n int32) float64 {
	for int32(len(x.rise[w])) <= n {
		last := len(x.rise[w]) - 1
		if last < 0 {
			x.rise[w] = append(x.rise[w], 0)
			continue
		}
		x.rise[w] = append(x.rise[w], x.rise[w][last]+math.Log(priorWeight*float64(len(x.having[w]))+float64(last)))
	}
	return x.rise[w][n]
}

// lengthened is the log of Γ(a)/Γ(a+n), a being the sum of the prior.
func (x *wording) lengthened(n float64) float64 {
	before, _ := math.Lgamma(priorWeight * x.total)
	after, _ := math.Lgamma(priorWeight*x.total + n)
	return before - after
}

// gain is how much better one group explains the words of two than two groups do, as the log of a ratio of probabilities.
func (x *wording) gain(a, b *wordGroup) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(a.words) && j < len(b.words); {
		switch p, q := a.words[i], b.words[j]; {
		case p.word < q.word:
			i++
		case p.word > q.word:
			j++
		default:
			sum += x.weight[p.word] * (x.risen(p.word, p.n+q.n) - x.risen(p.word, p.n) - x.risen(p.word, q.n))
			i++
			j++
		}
	}
	if sum == 0 {
		return 0
	}
	return sum + x.lengthened(a.length+b.length) - x.lengthened(a.length) - x.lengthened(b.length)
}

// evidence is the log of the probability of the words of all groups, but for a constant.
func (x *wording) evidence() float64 {
	sum := 0.0
	for _, g := range x.groups {
		for _, w := range g.words {
			sum += x.weight[w.word] * x.risen(w.word, w.n)
		}
		sum += x.lengthened(g.length)
	}
	return sum
}

// single is the group of one point.
func (x *wording) single(r int32) *wordGroup {
	g := &wordGroup{points: []int32{r}, length: x.length[r]}
	for _, w := range x.words[r] {
		g.words = append(g.words, wordCount{w, 1})
	}
	return g
}

// join moves the points of one group to another.
func (x *wording) join(into int32, from *wordGroup) {
	g := x.groups[into]
	for _, r := range from.points {
		x.of[r] = into
	}
	g.points = append(g.points, from.points...)
	g.length += from.length
	g.words = added(g.words, from.words, 1)
	from.points, from.words, from.length = nil, nil, 0
}

// leave takes a point out of its group.
func (x *wording) leave(r int32) (one *wordGroup, group int32) {
	one, group = x.single(r), x.of[r]
	g := x.groups[group]
	g.points = slices.DeleteFunc(g.points, func(o int32) bool { return o == r })
	g.length -= one.length
	g.words = added(g.words, one.words, -1)
	return one, group
}

// added returns a + sign·b without zeros.
func added(a, b []wordCount, sign int32) []wordCount {
	out := make([]wordCount, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b) || i < len(a) && a[i].word < b[j].word:
			out = append(out, a[i])
			i++
		case i == len(a) || b[j].word < a[i].word:
			out = append(out, wordCount{b[j].word, sign * b[j].n})
			j++
		default:
			if n := a[i].n + sign*b[j].n; n != 0 {
				out = append(out, wordCount{a[i].word, n})
			}
			i++
			j++
		}
	}
	return out
}

// sharing returns the groups that share words with a group, ascending, without the group itself.
func (x *wording) sharing(g *wordGroup, but int32) []int32 {
	var out []int32
	for _, w := range g.words {
		for _, r := range x.having[w.word] {
			if k := x.of[r]; k != but {
				out = append(out, k)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// partner is the group with which another one gains most for each point of the smaller one; −1 for none.
type partner struct {
	group int32
	gain  float64
}

// covered reports whether topics cover most points of two groups together, see topicIndex.
func (x *wording) covered(a, b *wordGroup) bool {
	return x.topics.covers(slices.Concat(a.points, b.points))
}

func (x *wording) partnerOf(k int32) partner {
	best := partner{group: -1}
	for _, o := range x.sharing(x.groups[k], k) {
		if gain := x.relativeGain(k, o); gain > best.gain && x.covered(x.groups[k], x.groups[o]) {
			best = partner{o, gain}
		}
	}
	return best
}

func (x *wording) relativeGain(a, b int32) float64 {
	return x.gain(x.groups[a], x.groups[b]) / float64(min(len(x.groups[a].points), len(x.groups[b].points)))
}

// merge merges groups, those that gain most first, and reports whether it merged any.
func (x *wording) merge() (merged bool) {
	best := make([]partner, len(x.groups))
	for k := range x.groups {
		best[k] = x.partnerOf(int32(k))
	}
	for {
		into := -1
		for k, p := range best {
			if p.group >= 0 && (into < 0 || p.gain > best[into].gain) {
				into = k
			}
		}
		if into < 0 {
			return merged
		}
		merged = true
		from := best[into].group
		x.join(int32(into), x.groups[from])
		best[from] = partner{group: -1}
		best[into] = x.partnerOf(int32(into))
		for _, o := range x.sharing(x.groups[into], int32(into)) {
			if g := best[o].group; g == int32(into) || g == from {
				best[o] = x.partnerOf(o)
			} else if gain := x.relativeGain(o, int32(into)); gain > best[o].gain && x.covered(x.groups[o], x.groups[into]) {
				best[o] = partner{int32(into), gain}
			}
		}
	}
}

// move moves each point to the group with which it gains most, and reports whether it moved any.
func (x *wording) move() (moved bool) {
	for r := range x.of {
		one, was := x.leave(int32(r))
		to, most := int32(-1), 0.0
		for _, k := range x.sharing(one, -1) {
			if len(x.groups[k].points) == 0 {
				continue
			}
			if gain := x.gain(one, x.groups[k]); (gain > most || gain == most && k == was && gain > 0) && x.covered(one, x.groups[k]) {
				to, most = k, gain
			}
		}
		if to < 0 {
			if to = was; len(x.groups[was].points) > 0 {
				to = int32(slices.IndexFunc(x.groups, func(g *wordGroup) bool { return len(g.points) == 0 }))
			}
		}
		moved = moved || to != was
		x.join(to, one)
	}
	return moved
}

// begin makes some groups, and one of each of the other points.
func (x *wording) begin(first [][]int32) {
	x.groups = make([]*wordGroup, len(x.of))
	for r := range x.of {
		x.of[r] = int32(r)
		x.groups[r] = x.single(int32(r))
	}
	for _, points := range first {
		points = x.topics.core(points)
		for _, r := range points[min(1, len(points)):] {
			x.join(x.of[points[0]], x.groups[r])
		}
	}
}

// group groups the points, beginning with some groups and each of the other points alone.
func (x *wording) group(first [][]int32) {
	x.begin(first)
	if len(first) > 0 {
		x.move()
	}
	for range wordPasses {
		if merged := x.merge(); !x.move() && !merged {
			return
		}
	}
}

// homes returns the group that most points of the former cluster of each point are in, by rank; −1 for none.
func (x *wording) homes(former [][]int32) []int32 {
	home := slices.Repeat([]int32{-1}, len(x.of))
	for _, points := range former {
		in, most := map[int32]int{}, int32(-1)
		for _, r := range points {
			in[x.of[r]]++
		}
		for k, n := range in {
			if 2*n > len(points) {
				most = k
			}
		}
		for _, r := range points {
			home[r] = most
		}
	}
	return home
}

// firm returns the points of each group of a size that its words hold together. What goes on from a former cluster may be
// as small as a cluster can be, and who was in it stays if half as much holds it.
func (x *wording) firm(least int, former [][]int32) (out [][]int32) {
	home := x.homes(former)
	for k, g := range x.groups {
		if len(g.points) < LeastMembers {
			continue
		}
		points := slices.Sorted(slices.Values(g.points))
		gains := make([]float64, len(points))
		stayed := 0
		for i, r := range points {
			one, _ := x.leave(r)
			gains[i] = x.gain(one, g)
			x.join(int32(k), one)
			if home[r] == int32(k) {
				stayed++
			}
		}
		sorted := slices.Sorted(slices.Values(gains))
		median := quantile(sorted, 0.5)
		var keep []int32
		for i, r := range points {
			if gains[i] >= looselyWorded*median || home[r] == int32(k) && gains[i] >= staysWorded*median {
				keep = append(keep, r)
			}
		}
		keep = x.topics.core(keep)
		if len(keep) >= least || stayed >= LeastMembers && len(keep) >= LeastMembers {
			out = append(out, keep)
		}
	}
	slices.SortFunc(out, func(a, b []int32) int { return cmp.Compare(a[0], b[0]) })
	return out
}

// groupByNouns makes the groups of a small set by nouns and marks. It reports whether it did: nouns must be known.
func (s *settling) groupByNouns() bool {
	x := s.newWording()
	if x == nil || len(x.having) == 0 {
		return false
	}
	x.group(nil)
	if len(s.former) > 0 {
		again := *x
		again.of = slices.Clone(x.of)
		again.group(s.former)
		if e := x.evidence(); again.evidence() >= e-sameWording*math.Abs(e) {
			x = &again
		}
	}
	s.byNouns = true
	for g := range s.members {
		s.empty(g)
	}
	for _, points := range x.firm(leastOfRest(len(s.of)), s.former) {
		s.groups, s.members = append(s.groups, body{}), append(s.members, nil)
		for _, r := range points {
			s.put(r, int32(len(s.groups)-1))
		}
	}
	return true
}
