package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// texts generates the contents of memories and the questions about them.
type texts interface {
	sentence(r *rand.Rand, n int) string
	question(r *rand.Rand) string
}

// kinds of texts by the name that -texts takes.
var kinds = map[string]texts{"varied": newVaried(), "alike": alike{}}

// varied are sentences of 8 to 40 words on 200 topics. Half of their words are of the topic and
// half are common to all. The word of rank k in its list has a frequency proportional to 1/k
// (Zipf, 1949).
type varied struct {
	common []string
	topics [][]string
	odds   []float64 // cumulative sums of 1/k
}

func newVaried() varied {
	r := rand.New(rand.NewPCG(8, 9))
	words := func(n, syllables int) []string {
		list := make([]string, n)
		for i := range list {
			var b strings.Builder
			for range 1 + r.IntN(syllables) {
				b.WriteByte("bdfgklmnprstvz"[r.IntN(14)])
				b.WriteByte("aeiou"[r.IntN(5)])
			}
			list[i] = b.String() + string("lnrst"[r.IntN(5)])
		}
		return list
	}
	v := varied{common: words(300, 2)}
	for range 200 {
		v.topics = append(v.topics, words(60, 3))
	}
	sum := 0.0
	for k := range len(v.common) {
		sum += 1 / float64(k+1)
		v.odds = append(v.odds, sum)
	}
	return v
}

func (v varied) word(r *rand.Rand, list []string) string {
	x := r.Float64() * v.odds[len(list)-1]
	for k, odds := range v.odds[:len(list)] {
		if x <= odds {
			return list[k]
		}
	}
	return list[len(list)-1]
}

func (v varied) words(r *rand.Rand, n int) string {
	topic, words := v.topics[r.IntN(len(v.topics))], make([]string, n)
	for i := range words {
		words[i] = v.word(r, topic)
		if r.IntN(2) == 0 {
			words[i] = v.word(r, v.common)
		}
	}
	return strings.Join(words, " ")
}

func (v varied) sentence(r *rand.Rand, n int) string {
	return fmt.Sprintf("On day %d %s.", n, v.words(r, 8+int(min(32, 12*r.ExpFloat64()))))
}

func (v varied) question(r *rand.Rand) string { return v.words(r, 4+r.IntN(5)) + "?" }

// alike are sentences of one form about 16 places. Each question has words of all memories and
// the name of an eighth of them.
type alike struct{}

var places = strings.Fields("Abelhouse Birchmoor Corvinhall Dunmere Elderwick Fernhollow Glasstower Hawkcroft Ivyquay Kestrelmill Larkfield Mossbank Oakhaven Rookery Saltmarsh Thornbury")

func (alike) sentence(r *rand.Rand, n int) string {
	return fmt.Sprintf("On day %d the ferry of %s carried %d crates of %s to %s.", n, places[r.IntN(len(places))], r.IntN(9000),
		[]string{"tea", "slate", "rope", "salt", "glass", "wool"}[r.IntN(6)], places[r.IntN(len(places))])
}

func (alike) question(r *rand.Rand) string {
	return "What did the ferry carry to " + places[r.IntN(len(places))] + "?"
}
