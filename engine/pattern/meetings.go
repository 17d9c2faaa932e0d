package pattern

import (
	"math"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
)

const (
	byChance  = 0.05 // probability below which words meet by more than chance
	oftenWord = 4    // sources with a word from which on its company counts
	// matterOfOwn is the number of other sources in the same clusters from which on a word is a matter of its own.
	matterOfOwn = 2
)

// meetings says in which sources words meet.
type meetings struct {
	sources []Source
	of      map[string][]int32 // sources with a word, ascending; see wordOf
	tested  float64            // pairs of words that occur often enough to be compared
	one     bool               // the sources are those of one pattern: what most of them have does not meet by chance
	known   map[[2]string]bool
}

// meetingsIn reads the words of sources.
func meetingsIn(sources []Source) *meetings {
	m := &meetings{sources: sources, of: map[string][]int32{}, known: map[[2]string]bool{}}
	for i, s := range sources {
		for _, x := range extract.Sentences(s.Text) {
			for _, w := range x.Words {
				if word := wordOf(w); word != "" {
					if in := m.of[word]; len(in) == 0 || in[len(in)-1] != int32(i) {
						m.of[word] = append(in, int32(i))
					}
				}
			}
		}
	}
	often := 0.0
	for _, in := range m.of {
		if len(in) >= oftenWord {
			often++
		}
	}
	m.tested = max(1, often*(often-1)/2)
	return m
}

// wordOf returns the stem of a content word, or a number after "="; empty for any other word.
func wordOf(w extract.Word) string {
	if w.Number != "" {
		return "=" + w.Number
	}
	return stemOf(w)
}

// bound reports whether two words meet in more sources than they would by chance: the number of meetings of words that have nothing to do
// with each other has a hypergeometric distribution, and its tail times the number of pairs (Bonferroni) is below byChance. Words that mostly
// stand side by side are one name ("kitchen table"), and say nothing of it.
func (m *meetings) bound(a, b string) bool {
	x, y := m.of[a], m.of[b]
	if m.one {
		return 2*len(meet(x, y)) >= len(m.sources)
	}
	if len(x) < oftenWord || len(y) < oftenWord {
		return false
	}
	k := [2]string{min(a, b), max(a, b)}
	is, done := m.known[k]
	if !done {
		both := meet(x, y)
		is = tailOf(len(both), len(x), len(y), len(m.sources))*m.tested < byChance && !m.beside(a, b, both)
		m.known[k] = is
	}
	return is
}

// beside reports whether two words stand side by side in most of some sources.
func (m *meetings) beside(a, b string, in []int32) bool {
	n := 0
	for _, i := range in {
		for _, x := range extract.Sentences(m.sources[i].Text) {
			if adjoin(x.Words, a, b) {
				n++
				break
			}
		}
	}
	return 2*n > len(in)
}

// adjoin reports two words that follow each other.
func adjoin(words []extract.Word, a, b string) bool {
	for i := range len(words) - 1 {
		x, y := wordOf(words[i]), wordOf(words[i+1])
		if words[i].SignAfter == 0 && (x == a && y == b || x == b && y == a) {
			return true
		}
	}
	return false
}

// elsewhere counts the sources with a word that are none of some, in the clusters of those.
func (m *meetings) elsewhere(word string, in map[int]bool, clusters map[graph.ID]bool) (n int) {
	for _, i := range m.of[word] {
		if !in[int(i)] && clusters[m.sources[i].Cluster] {
			n++
		}
	}
	return n
}

// meet returns what two ascending lists have in common.
func meet(x, y []int32) (both []int32) {
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			both, i, j = append(both, x[i]), i+1, j+1
		}
	}
	return both
}

// boundIn reports whether two sets share two words that are bound, and most of the smaller one.
func (m *meetings) boundIn(a, b map[string]bool) bool {
	var both []string
	for w := range a {
		if b[w] {
			both = append(both, w)
		}
	}
	return 2*len(both) >= min(len(a), len(b)) && m.boundAmong(both)
}

// boundAmong reports whether two of some words are bound.
func (m *meetings) boundAmong(words []string) bool {
	for i, a := range words {
		for _, b := range words[i+1:] {
			if m.bound(a, b) {
				return true
			}
		}
	}
	return false
}

// tailOf is the probability that two words of x and y among n sources meet in at least k of them if they have nothing to do with each
// other: the tail of a hypergeometric distribution.
func tailOf(k, x, y, n int) float64 {
	x, y = min(x, y), max(x, y)
	choose := func(n, k int) float64 { // logarithm
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return a - b - c
	}
	sum := 0.0
	for ; k <= x; k++ {
		if x-k <= n-y {
			sum += math.Exp(choose(y, k) + choose(n-y, x-k) - choose(n, x))
		}
	}
	return sum
}
