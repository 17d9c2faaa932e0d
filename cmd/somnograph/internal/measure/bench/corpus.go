// Package bench measures an instance: how fast it writes, searches and starts, and how much
// memory it uses. The data is generated from a seed, so that two runs measure the same.
package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// corpus generates texts. The frequency of the word of rank r in a topic is proportional to
// 1/r (Zipf, 1949), as in natural language.
type corpus struct {
	rnd    *rand.Rand
	topics [][]string
	names  []string
	common []string
	sum    []float64 // cumulative sums of 1/r
}

// Sizes of the generated vocabulary.
const (
	topicCount  = 200
	topicWords  = 60
	nameCount   = 400
	commonWords = 300
)

func newCorpus(seed uint64) *corpus {
	c := &corpus{rnd: rand.New(rand.NewPCG(seed, 1))}
	for range topicCount {
		c.topics = append(c.topics, c.words(topicWords, 2, 4))
	}
	for _, w := range c.words(nameCount, 2, 3) {
		c.names = append(c.names, strings.ToUpper(w[:1])+w[1:])
	}
	c.common = c.words(commonWords, 1, 2)
	total := 0.0
	for r := 1; r <= max(topicWords, commonWords); r++ {
		total += 1 / float64(r)
		c.sum = append(c.sum, total)
	}
	return c
}

// words generates n words of least to most syllables.
func (c *corpus) words(n, least, most int) []string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	words := make([]string, n)
	for i := range words {
		var b strings.Builder
		for range least + c.rnd.IntN(most-least+1) {
			b.WriteByte(consonants[c.rnd.IntN(len(consonants))])
			b.WriteByte(vowels[c.rnd.IntN(len(vowels))])
		}
		words[i] = b.String()
	}
	return words
}

// pick draws a word with the frequency of its rank.
func (c *corpus) pick(words []string) string {
	x := c.rnd.Float64() * c.sum[len(words)-1]
	for r, s := range c.sum[:len(words)] {
		if x <= s {
			return words[r]
		}
	}
	return words[len(words)-1]
}

// text generates a sentence of n words on a topic.
func (c *corpus) text(topic, n int) string {
	words := make([]string, 0, n+1)
	for range n {
		switch x := c.rnd.Float64(); {
		case x < 0.08:
			words = append(words, c.names[c.rnd.IntN(len(c.names))])
		case x < 0.11:
			words = append(words, fmt.Sprint(c.rnd.IntN(1000)))
		case x < 0.5:
			words = append(words, c.pick(c.common))
		default:
			words = append(words, c.pick(c.topics[topic]))
		}
	}
	words[0] = strings.ToUpper(words[0][:1]) + words[0][1:]
	return strings.Join(words, " ") + "."
}

// input generates the i-th memory: 8 to 40 words, sessions of 20 memories, times within a year.
func (c *corpus) input(i int, now time.Time) engine.RememberInput {
	n := 8 + int(math.Abs(c.rnd.NormFloat64())*12)
	return engine.RememberInput{
		Content: c.text(c.rnd.IntN(topicCount), min(n, 40)), Consent: graph.ConsentExplicit,
		Namespace: fmt.Sprintf("bench%d", i%4), Session: fmt.Sprintf("session-%d", i/20), Project: fmt.Sprintf("project-%d", i%9),
		OccurredAt: now.Add(-time.Duration(c.rnd.IntN(365*24)) * time.Hour),
	}
}

// question generates a query.
func (c *corpus) question() string { return c.text(c.rnd.IntN(topicCount), 4+c.rnd.IntN(5)) }
