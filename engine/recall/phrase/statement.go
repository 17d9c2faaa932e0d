package phrase

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// IsNameAt reports whether the i-th word of a question is a name or a number, as far as its first character
// shows it.
func IsNameAt(w string, i int) bool {
	initial, _ := utf8.DecodeRuneInString(w)
	return unicode.IsDigit(initial) || i > 0 && unicode.IsUpper(initial) && w != "I"
}

// Sentences counts the sentences of a text, at least 1.
func Sentences(text string) int {
	n, open := 0, false
	for i := range len(text) {
		switch text[i] {
		case '.', '!', '?':
			if open && english.EndsSentence(text, i) {
				n, open = n+1, false
			}
		case ' ', '\n':
		default:
			open = true
		}
	}
	if open {
		n++
	}
	return max(1, n)
}

// SaysAskedNoun reports whether a text says the noun after "which" or "what" in a question: "room" in "In which room is the
// meeting?".
func SaysAskedNoun(question, text string) bool {
	words := Words(question)
	for i, w := range words[:max(0, len(words)-1)] {
		if noun := words[i+1]; (w == "which" || w == "what") && !english.StopWord(noun) {
			return slices.ContainsFunc(Words(text), func(said string) bool { return english.Lemma(said) == english.Lemma(noun) })
		}
	}
	return false
}

// BothName reports whether each of two texts says the same name or number of a question.
func BothName(question, a, b string) bool {
	i := -1
	for t := range english.Tokens(question, english.Parts) {
		if !t.IsWord() {
			continue
		}
		if i++; IsNameAt(t.Text, i) && WordsOf(a)[english.Lemma(t.Lower())] && WordsOf(b)[english.Lemma(t.Lower())] {
			return true
		}
	}
	return false
}
