package recall

import (
	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// ordinary reports whether at least half of the content words of a question are English words of
// the lexicon, and it has a function word; light verbs ("tell", "begin") count only where every word is known. A text without
// meaning has hardly any such words. A question in ordinary words may have its answer in other
// words, so it is not refused for lack of common ones.
func ordinary(question string) bool {
	known, light, words, grammar := 0, 0, 0, false
	for _, w := range plainWords(question) {
		_, weekday := english.Weekday(w)
		switch {
		case english.StopWord(w), asksWhat[w]:
			grammar = true
			continue
		case lightVerbs[w] || lightVerbs[english.Lemma(w)]:
			light++
			continue
		case (lexicon.Topics{}).Of(english.Stem(w)) != nil, lexicon.Related(w) != nil, english.IrregularPast(w), weekday, english.Month(w) != 0:
			known++
		}
		words++
	}
	if words == 0 {
		return grammar && light > 0
	}
	return grammar && known > 0 && 2*known >= words
}
