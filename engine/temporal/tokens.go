package temporal

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// token is a word or a number.
type token struct {
	text       string // as written
	low        string // lower case, without a possessive 's
	start, end int    // byte offsets
	adjacent   bool   // at most spaces, a comma and a hyphen separate it from the token before
}

// tokenize cuts a text into words and numbers. A sign between two digits is part of a
// number ("13:56").
func tokenize(text string) []token {
	var tokens []token
	for t := range english.Tokens(text, english.Words) {
		if !t.IsWord() {
			continue
		}
		k := token{text: t.Text, low: strings.TrimSuffix(t.Lower(), "'s"), start: t.Start, end: t.End}
		if n := len(tokens); n > 0 {
			gap := text[tokens[n-1].end:k.start]
			k.adjacent = len(gap) <= 4 && strings.Trim(gap, " ,\t\n-–") == ""
		}
		tokens = append(tokens, k)
	}
	return tokens
}
