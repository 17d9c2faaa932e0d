package phrase

import (
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// SaidOf returns the share of the content words of a text that were told, and how many of those were not asked.
func SaidOf(text string, told, asked map[string]bool) (share float64, news int) {
	words, said := 0, 0
	for w := range WordsOf(text) {
		if english.StopWord(w) || Phatic[w] {
			continue
		}
		words++
		if told[w] {
			said++
			if !asked[w] {
				news++
			}
		}
	}
	return float64(said) / float64(max(1, words)), news
}

// WordsOf returns the words of a text: as they are, their lemmas, and the values of numbers.
func WordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, s := range extract.Sentences(text) {
		for _, w := range s.Words {
			words[english.Lemma(w.Low)] = true
			if w.Number != "" {
				words[w.Number] = true
			}
			for t := range english.Tokens(w.Low, english.Parts) {
				if t.IsWord() {
					words[english.Lemma(t.Text)] = true
				}
			}
		}
	}
	return words
}
