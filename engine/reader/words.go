package reader

import (
	_ "embed"

	"github.com/somnograph/somnograph/engine/reader/request"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

// tokens returns the words of a text as the weights of the wording see them.
func tokens(text string, words []word) []wording.Token {
	out := make([]wording.Token, 0, min(len(words), wording.MaxTokens))
	end := 0
	for i := range words[:min(len(words), wording.MaxTokens)] {
		w := &words[i]
		first := i == 0
		for ; end < w.start && !first; end++ {
			c := text[end]
			first = c == '!' || c == '?' || c == '\n' || c == '.' && end+1 < len(text) && text[end+1] == ' '
		}
		end = max(end, w.end)
		out = append(out, wording.Token{
			Low: wording.Hash(w.low), Lem: w.hash, Class: byte(w.class), Value: isValue(w.class), Verb: w.class == classVerb, Content: w.content(), First: first,
			Possessive: w.possessive, Sets: w.sets,
		})
	}
	return out
}

// WordingOf returns the features of the words of two statements.
func WordingOf(earlier, later *Prepared) Features { return wording.Of(earlier.tokens, later.tokens) }

// requested returns the words of a request.
func requested(words []word) []request.Word {
	out := make([]request.Word, len(words))
	for i := range words {
		w := &words[i]
		out[i] = request.Word{
			Text: w.text, Low: w.low, Lem: w.lem, Sign: w.sign, Value: w.value, Weekday: w.class == classWeekday, Possessive: w.possessive,
			Preposition: tables.preposition[w.low], Determiner: tables.determiner[w.low],
		}
	}
	return out
}
