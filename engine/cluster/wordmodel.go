package cluster

import (
	"cmp"
	"math"
	"slices"
)

// modelPasses bounds how often groups merge, divide and begin, and points move, by the model of words.
const modelPasses = 8

// precisions are the values that the precision of a word may have, see wordModel.
var precisions = func() (out [14]float64) {
	for k := range out {
		out[k] = math.Ldexp(1, k-2)
	}
	return out
}()

// wordModel explains the nouns of points by their groups. The number of points of a group that have a word is a Poisson variable whose
// rate is drawn for each group from a gamma distribution, so it is negative binomial (Greenwood, Yule, "An Inquiry into the Nature of
// Frequency Distributions", JRSS 83, 1920; Church, Gale, "Poisson Mixtures", Natural Language Engineering 1, 1995). The mean of the
// distribution is the share of all points that have the word. Its precision is estimated for each word from the groups (empirical Bayes):
// it is high for a word of a form of sentence, which all groups have alike, and low for a word of a matter. So a word of a form says
// nothing, a word of the matter speaks for a group, and one of another matter against it. A point in no group has each word with the
// share of all points.
type wordModel struct {
	s        *settling
	words    [][]int32                // by rank: ascending
	having   [][]int32                // by word: the ranks with it
	share    []float64                // by word
	class    []uint8                  // by word: the number of its precision
	expected [len(precisions)]float64 // by precision: the sum of the shares of its words
	groups   []modelGroup             // by number
}

// modelGroup is what the model needs of a group.
type modelGroup struct {
	words   []wordCount // ascending
	size    int
	risen   float64                  // the sum of risenBy of its words
	inClass [len(precisions)]float64 // by precision: the number of words
}

// newWordModel numbers the nouns that two points have, without names; nil if there are none.
func (s *settling) newWordModel() *wordModel {
	n := len(s.places)
	if len(s.in.Nouns) != n {
		return nil
	}
	count := map[string]int{}
	for _, list := range s.in.Nouns {
		for _, w := range list {
			count[w]++
		}
	}
	m := &wordModel{s: s, words: make([][]int32, n)}
	numbers := map[string]int32{}
	for r, p := range s.places {
		if s.space.inverse[r] == 0 {
			continue
		}
		for _, w := range s.in.Nouns[p] {
			if count[w] < 2 || s.in.Proper[w] {
				continue
			}
			k, known := numbers[w]
			if !known {
				k = int32(len(numbers))
				numbers[w] = k
				m.having, m.share = append(m.having, nil), append(m.share, float64(count[w])/float64(n))
			}
			m.words[r], m.having[k] = append(m.words[r], k), append(m.having[k], int32(r))
		}
		slices.Sort(m.words[r])
	}
	if len(m.having) == 0 {
		return nil
	}
	m.class = make([]uint8, len(m.having))
	return m
}

// groupOf counts the words of points.
func (m *wordModel) groupOf(points []int32) modelGroup {
	g := modelGroup{size: len(points)}
	var all []int32
	for _, r := range points {
		all = append(all, m.words[r]...)
	}
	slices.Sort(all)
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j] == all[i] {
			j++
		}
		g.words = append(g.words, wordCount{all[i], int32(j - i)})
		g.inClass[m.class[all[i]]] += float64(j - i)
		g.risen += m.rise(all[i], j-i)
		i = j
	}
	return g
}

// read counts the words of all groups.
func (m *wordModel) read() {
	m.groups = make([]modelGroup, len(m.s.members))
	for g, members := range m.s.members {
		m.groups[g] = m.groupOf(members)
	}
}

// estimate sets the precision of each word to the one under which the groups are most probable.
func (m *wordModel) estimate() {
	m.read()
	var without [len(precisions)]float64 // by precision: the log of the probability that no group has a word of mean 1
	type held struct{ n, size int }
	holders := make([][]held, len(m.having))
	for _, g := range m.groups {
		for k, f := range precisions {
			without[k] += f * math.Log(f/(f+float64(g.size)))
		}
		for _, w := range g.words {
			holders[w.word] = append(holders[w.word], held{int(w.n), g.size})
		}
	}
	m.expected = [len(precisions)]float64{}
	for w, list := range holders {
		most := math.Inf(-1)
		for k, f := range precisions {
			sum := m.share[w] * without[k]
			for _, h := range list {
				sum += risenBy(f*m.share[w], h.n) - float64(h.n)*math.Log(f+float64(h.size))
			}
			if sum > most {
				m.class[w], most = uint8(k), sum
			}
		}
		m.expected[m.class[w]] += m.share[w]
	}
	m.read()
}

// risenBy is the log of Γ(a+n)/Γ(a).
func risenBy(a float64, n int) float64 {
	if n <= 4 {
		product := 1.0
		for k := range n {
			product *= a + float64(k)
		}
		return math.Log(product)
	}
	after, _ := math.Lgamma(a + float64(n))
	before, _ := math.Lgamma(a)
	return after - before
}

// prior is the log of the probability that a point is in a group of n.
func (m *wordModel) prior(n int) float64 { return math.Log(float64(n) / float64(len(m.words))) }

// free is the number of points in no group.
func (m *wordModel) free() int {
	n := len(m.words)
	for _, g := range m.groups {
		n -= g.size
	}
	return n
}

// rise is risenBy for the mean of a word.
func (m *wordModel) rise(word int32, n int) float64 {
	return risenBy(precisions[m.class[word]]*m.share[word], n)
}

// evidence is the log of the probability of the words of the members of a group, and of the members being in it.
func (m *wordModel) evidence(g *modelGroup) float64 {
	return m.together(g, &modelGroup{})
}

// together is the evidence of a group of the members of two.
func (m *wordModel) together(a, b *modelGroup) float64 {
	size := a.size + b.size
	if size == 0 {
		return 0
	}
	sum := float64(size)*m.prior(size) + a.risen + b.risen
	for k, f := range precisions {
		both := math.Log(f + float64(size))
		sum += f*m.expected[k]*(math.Log(f)-both) - (a.inClass[k]+b.inClass[k])*both
	}
	for i, j := 0, 0; i < len(a.words) && j < len(b.words); {
		switch x, y := a.words[i], b.words[j]; {
		case x.word < y.word:
			i++
		case x.word > y.word:
			j++
		default:
			sum += m.rise(x.word, int(x.n+y.n)) - m.rise(x.word, int(x.n)) - m.rise(x.word, int(y.n))
			i++
			j++
		}
	}
	return sum
}

// alone is the log of the probability of the words of points in no group, and of their being in none.
func (m *wordModel) alone(points []int32, free int) float64 {
	each := m.prior(free + 1)
	for _, x := range m.expected {
		each -= x
	}
	sum := float64(len(points)) * each
	for _, r := range points {
		for _, w := range m.words[r] {
			sum += math.Log(m.share[w])
		}
	}
	return sum
}

// longer is how many more words than all points the members of a group have, in the mean that the model expects.
func (m *wordModel) longer(g *modelGroup) float64 {
	sum := 0.0
	for k, f := range precisions {
		sum += (f*m.expected[k]+g.inClass[k])/(f+float64(g.size)) - m.expected[k]
	}
	return sum
}

// fit is how much better a group explains the words of a point than none does, as the log of a ratio of probabilities. The
// words of the point itself do not count if it is a member; its length does.
func (m *wordModel) fit(r int32, g *modelGroup, member bool) float64 {
	own := 0
	if member {
		own = 1
	}
	n := g.size - own
	if n == 0 {
		return math.Inf(-1)
	}
	sum := m.prior(n) - m.longer(g)
	for _, w := range m.words[r] {
		in := 0
		if at, has := slices.BinarySearchFunc(g.words, w, func(x wordCount, w int32) int { return cmp.Compare(x.word, w) }); has {
			in = int(g.words[at].n) - own
		}
		f := precisions[m.class[w]]
		sum += math.Log((f*m.share[w] + float64(in)) / ((f + float64(n)) * m.share[w]))
	}
	return sum
}
