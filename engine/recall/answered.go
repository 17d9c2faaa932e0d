package recall

import (
	"slices"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/internal/english"
)

// says reports whether an answer says an object, a number or a name of a memory that the question
// did not say. It is the sign that an observed answer used the memory.
func (h recalled) says(question, answer string) bool {
	asked, told := wordsOf(question), wordsOf(answer)
	for _, x := range extract.Particulars(h.content) {
		if told[x] && !asked[x] && !slices.Contains(h.owners, x) {
			return true
		}
	}
	for _, object := range h.objects {
		if share, news := saidOf(object, told, asked); share == 1 && news > 0 {
			return true
		}
	}
	if len(h.objects) > 0 {
		return false
	}
	share, news := saidOf(h.content, told, asked) // no statement was read
	return share >= 0.5 && news > 1
}

// saidOf returns the share of the content words of a text that an answer says, and how many of those
// the question did not say.
func saidOf(text string, told, asked map[string]bool) (share float64, news int) {
	words, said := 0, 0
	for w := range wordsOf(text) {
		if english.StopWord(w) || phrase.Phatic[w] {
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

// wordsOf returns the words of a text: as they are, their lemmas, and the values of numbers.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, s := range extract.Sentences(text) {
		for _, w := range s.Words {
			words[english.Lemma(w.Low)] = true
			if w.Number != "" {
				words[w.Number] = true
			}
			for _, part := range queryWords(w.Low) {
				words[english.Lemma(part)] = true
			}
		}
	}
	return words
}
