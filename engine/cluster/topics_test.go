package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/kernel"
)

// topicWorld are memories on known topics.
type topicWorld struct {
	ids     []graph.ID
	texts   []string
	topics  []int // −1: about nothing in particular
	vectors [][]float32
}

// teller makes texts. topic −1 asks for a text about nothing in particular.
type teller interface {
	topics() int
	tell(r *rand.Rand, topic int) string
}

// noiseShare is the share of memories about nothing in particular.
const noiseShare = 0.15

// add appends n memories with ids from the given number on. The sizes of topics differ by up
// to a factor of four.
func (w *topicWorld) add(tb testing.TB, r *rand.Rand, by teller, n, from int) {
	tb.Helper()
	var texts []string
	for i := range n {
		topic := -1
		if r.Float64() >= noiseShare {
			u := r.Float64()
			topic = int(float64(by.topics()) * (0.4*u + 0.6*u*u))
		}
		texts = append(texts, by.tell(r, topic))
		w.topics = append(w.topics, topic)
		w.ids = append(w.ids, name(from+i))
	}
	vectors, err := hashed.New().Embed(context.Background(), texts, models.Passage)
	if err != nil {
		tb.Fatal(err)
	}
	w.texts, w.vectors = append(w.texts, texts...), append(w.vectors, vectors...)
}

// nearest lists the k nearest others of each vector, exactly.
func nearest(vectors [][]float32, k int) listed {
	type hit struct {
		to     int
		cosine float32
	}
	lists := make(listed, len(vectors))
	hits := make([]hit, 0, len(vectors))
	for i, v := range vectors {
		hits = hits[:0]
		worst := float32(-2)
		for j, o := range vectors {
			x := kernel.Dot(v, o)
			if j == i || len(hits) >= 4*k && x < worst {
				continue
			}
			if hits = append(hits, hit{j, x}); len(hits) == 8*k {
				slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.to, b.to)) })
				hits = hits[:4*k]
				worst = hits[k-1].cosine
			}
		}
		slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.to, b.to)) })
		for _, h := range hits[:min(k, len(hits))] {
			lists[i] = append(lists[i], h.to)
		}
	}
	return lists
}

// settle settles a world, with its nouns.
func (w *topicWorld) settle(before []Former, night int) Settlement {
	in := SettleInput{IDs: w.ids, Vectors: w.vectors, Near: nearest(w.vectors, 16), Before: before,
		NewID: func(n int) graph.ID { return graph.ID(fmt.Sprintf("c%d-%d", night, n)) }}
	if len(w.texts) < NounsBelow {
		in.Nouns, in.Proper = Nouns(w.texts)
	}
	return Settle(in)
}

// labels returns the cluster of each point; points in none get a label of their own.
func labelsOf(s Settlement, n int) []int {
	labels := make([]int, n)
	for i := range labels {
		labels[i] = -1 - i
	}
	for k, c := range s.Clusters {
		for _, m := range c.Members {
			labels[m] = k
		}
	}
	return labels
}

// truth returns the topic of each memory; memories about nothing are singletons.
func (w *topicWorld) truth() []int {
	labels := slices.Clone(w.topics)
	for i, t := range labels {
		if t < 0 {
			labels[i] = -1 - i
		}
	}
	return labels
}

// adjustedRand is the adjusted Rand index (Hubert, Arabie, "Comparing Partitions", Journal of
// Classification 2, 1985).
func adjustedRand(a, b []int) float64 {
	both, left, right := map[[2]int]float64{}, map[int]float64{}, map[int]float64{}
	for i := range a {
		both[[2]int{a[i], b[i]}]++
		left[a[i]]++
		right[b[i]]++
	}
	pairs := func(n float64) float64 { return n * (n - 1) / 2 }
	index, sumA, sumB := 0.0, 0.0, 0.0
	for _, n := range both {
		index += pairs(n)
	}
	for _, n := range left {
		sumA += pairs(n)
	}
	for _, n := range right {
		sumB += pairs(n)
	}
	expected := sumA * sumB / pairs(float64(len(a)))
	return (index - expected) / ((sumA+sumB)/2 - expected)
}

// covered is the share of memories on a topic that are in a cluster.
func (w *topicWorld) covered(s Settlement) float64 {
	in, all := 0, 0
	labels := labelsOf(s, len(w.ids))
	for i, t := range w.topics {
		if t >= 0 {
			all++
			if labels[i] >= 0 {
				in++
			}
		}
	}
	return float64(in) / float64(all)
}

// syllableTeller makes sentences from invented words. Every topic has words of its own; the
// sentences share English function words and a vocabulary of invented common words.
type syllableTeller struct {
	words  [][]string // by topic
	common []string
	least  int // minimum clauses of a sentence after the first
}

func newSyllableTeller(r *rand.Rand, topics int) *syllableTeller {
	syllables := strings.Fields("ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu bran clem dorf ell fint gar hol ist jun kor")
	seen := map[string]bool{}
	word := func() string {
		for {
			w := ""
			for range 2 + r.IntN(3) {
				w += syllables[r.IntN(len(syllables))]
			}
			if !seen[w] {
				seen[w] = true
				return w
			}
		}
	}
	t := &syllableTeller{least: 1}
	for range topics {
		var words []string
		for range 10 + r.IntN(6) {
			words = append(words, word())
		}
		t.words = append(t.words, words)
	}
	for range 1500 {
		t.common = append(t.common, word())
	}
	return t
}

func (t *syllableTeller) topics() int { return len(t.words) }

func (t *syllableTeller) tell(r *rand.Rand, topic int) string {
	own := t.common
	if topic >= 0 {
		own = t.words[topic]
	}
	clauses := []string{
		"the %o of the %o was %c", "we have %o and %o for the %o", "there is a %o %o on the %o", "%o with %o is %c",
		"a %o %o should be at the %o", "our %o %c the %o", "no %o without %o", "the %o and its %o are %c",
	}
	links := []string{", and ", ", but ", " because ", " if ", "; "}
	shape := clauses[r.IntN(len(clauses))]
	for range t.least + r.IntN(2) {
		shape += links[r.IntN(len(links))] + clauses[r.IntN(len(clauses))]
	}
	shape += "."
	var b strings.Builder
	for i := 0; i < len(shape); i++ {
		if shape[i] == '%' {
			i++
			from := own
			if shape[i] == 'c' {
				from = t.common
			}
			b.WriteString(from[r.IntN(len(from))])
			continue
		}
		b.WriteByte(shape[i])
	}
	return b.String()
}
