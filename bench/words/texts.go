package main

import (
	"math/rand/v2"
	"strings"
)

// corpus returns texts of 12 to 36 words and questions of 4 to 8, with words of the same Zipf
// distribution (Zipf, 1949). The words are unknown to the stemmers and stop lists of all three
// engines, so that all index the same terms.
func corpus(seed uint64, n, q int) (texts, questions []string) {
	r := rand.New(rand.NewPCG(seed, 2))
	law := rand.NewZipf(r, 1.1, 20, 30_000)
	sentence := func(least, most int) string {
		words := make([]string, least+r.IntN(most-least+1))
		for i := range words {
			words[i] = spell(law.Uint64())
		}
		return strings.Join(words, " ")
	}
	for range n {
		texts = append(texts, sentence(12, 36))
	}
	for range q {
		questions = append(questions, sentence(4, 8))
	}
	return texts, questions
}

// spell returns a made-up word for a number. It ends in k, which no English stemmer removes.
func spell(n uint64) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	word := []byte{consonants[n%14], vowels[n/14%5]}
	for n /= 70; n > 0; n /= 70 {
		word = append(word, consonants[n%14], vowels[n/14%5])
	}
	return string(append(word, 'z', 'u', 'k'))
}
