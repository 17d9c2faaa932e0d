package phrase

import (
	"slices"

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
			for _, part := range Parts(w.Low) {
				words[english.Lemma(part)] = true
			}
		}
	}
	return words
}

// SaysValue reports whether a statement says the value in which another one differs from a third: its numbers, times and names,
// or if it has none one of its objects. It is about a matter of its own, and does not, if it says a word of the question that the
// other two do not say.
func SaysValue(question, statement, other, third string, objects []string) bool {
	asked, told, known := WordsOf(question), WordsOf(statement), WordsOf(other+"\n"+third)
	for w := range asked {
		if told[w] && !known[w] && !english.StopWord(w) {
			return false
		}
	}
	for w := range WordsOf(third) {
		asked[w] = true
	}
	for _, x := range extract.Particulars(third) {
		asked[x] = true
	}
	for _, x := range extract.Particulars(statement) {
		told[x] = true
	}
	particulars := false
	for _, x := range extract.Particulars(other) {
		switch {
		case asked[x]:
		case !told[x]:
			return false
		default:
			particulars = true
		}
	}
	return particulars || slices.ContainsFunc(objects, func(object string) bool {
		share, news := SaidOf(object, told, asked)
		return share == 1 && news > 0
	})
}
