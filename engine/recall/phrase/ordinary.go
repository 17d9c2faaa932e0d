package phrase

import (
	"strings"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// vocabulary counts the words of a question that English knows.
type vocabulary struct {
	known   int  // content words of the lexicon, irregular past forms, weekdays and months
	light   int  // light verbs ("tell", "begin")
	content int  // all words with content, without light verbs
	grammar bool // it has a function word
}

func vocabularyOf(question string) (v vocabulary) {
	for _, w := range Words(question) {
		_, weekday := english.Weekday(w)
		switch {
		case english.StopWord(w), AsksWhat[w]:
			v.grammar = true
			continue
		case LightVerbs[w] || LightVerbs[english.Lemma(w)]:
			v.light++
			continue
		case (lexicon.Topics{}).Of(english.Stem(w)) != nil, lexicon.Related(w) != nil, english.IrregularPast(w), weekday, english.Month(w) != 0:
			v.known++
		}
		v.content++
	}
	return v
}

// Ordinary reports whether at least half of the content words of a question are English words of
// the lexicon, and it has a function word; light verbs count only where every word is known. A text without
// meaning has hardly any such words. A question in ordinary words may have its answer in other
// words, so it is not refused for lack of common ones.
func Ordinary(question string) bool {
	v := vocabularyOf(question)
	if v.content == 0 {
		return v.grammar && v.light > 0
	}
	return v.grammar && v.known > 0 && 2*v.known >= v.content
}

// Strange reports whether no word of a question is known but function words.
func Strange(question string) bool {
	v := vocabularyOf(question)
	return v.known == 0 && v.light == 0
}

// quantifiers say how many are asked for, and nothing about what.
var quantifiers = english.WordSet("all any both each either every few many most much neither several some")

// Matter is a question without quantifiers.
func Matter(question string) string {
	var words []string
	for t := range english.Tokens(question, english.Parts) {
		if t.IsWord() && !quantifiers[strings.ToLower(t.Text)] {
			words = append(words, t.Text)
		}
	}
	return strings.Join(words, " ")
}

// Empty reports whether a question has no words with content, nor light verbs.
func Empty(question string) bool {
	v := vocabularyOf(question)
	return v.content+v.light == 0
}
