package token

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// SentenceEnd returns the number of words of the first sentence of a text. span returns where in the text a word begins and ends.
func SentenceEnd[W any](text string, words []W, span func(*W) (start, end int)) int {
	for i := 1; i < len(words); i++ {
		_, from := span(&words[i-1])
		to, _ := span(&words[i])
		for j := from; j < to; j++ {
			if strings.IndexByte(".!?\n", text[j]) >= 0 && english.EndsSentence(text, j) || strings.HasPrefix(text[j:], "…") {
				return i
			}
		}
	}
	return len(words)
}

// Span returns where in the text a word begins and ends.
func (w *Word) Span() (start, end int) { return w.Start, w.End }
