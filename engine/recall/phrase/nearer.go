package phrase

import (
	"slices"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// Nearer reports which of two texts a question is about: above 0 the first one, below 0 the second one, 0 if nothing tells. The
// text with more of the content words of the question is nearer; of two with as many the one with more related words, and then
// the one with more of its topics.
func Nearer(question, a, b string) int {
	inA, inB := bagOf(a), bagOf(b)
	words, related, topics := 0, 0, 0
	for _, w := range Words(question) {
		if english.StopWord(w) || AsksWhat[w] {
			continue
		}
		words += of(inA.words[english.Lemma(w)]) - of(inB.words[english.Lemma(w)])
		for _, other := range lexicon.Related(w) {
			related += of(inA.words[english.Lemma(other)]) - of(inB.words[english.Lemma(other)])
		}
		shares := func(bag *bag) bool {
			return slices.ContainsFunc(lexicon.Topics{}.Of(english.Stem(w)), func(t uint16) bool { return bag.topics[t] })
		}
		topics += of(shares(inA)) - of(shares(inB))
	}
	switch {
	case words != 0:
		return words
	case related != 0:
		return related
	}
	return topics
}

// bag is what a text says, without order.
type bag struct {
	words  map[string]bool // lemmas
	topics map[uint16]bool
}

func bagOf(text string) *bag {
	x := &bag{map[string]bool{}, map[uint16]bool{}}
	for _, w := range Words(text) {
		x.words[english.Lemma(w)] = true
		if !english.StopWord(w) {
			for _, t := range (lexicon.Topics{}).Of(english.Stem(w)) {
				x.topics[t] = true
			}
		}
	}
	return x
}

func of(is bool) int {
	if is {
		return 1
	}
	return 0
}
