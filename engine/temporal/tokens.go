package temporal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word or a number with what stands between two digits ("13:56").
type token struct {
	text       string // as written
	low        string // lower case, without a trailing 's
	start, end int    // bytes
	joined     bool   // only space or a comma separates it from the token before
}

// tokenize cuts a text into words and numbers.
func tokenize(text string) []token {
	var tokens []token
	start := -1
	flush := func(end int) {
		if start < 0 {
			return
		}
		t := token{text: text[start:end], start: start, end: end}
		t.low = strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(t.text), "’", "'"), "'s")
		if n := len(tokens); n > 0 {
			gap := text[tokens[n-1].end:start]
			t.joined = len(gap) <= 4 && strings.Trim(gap, " ,\t\n-–") == ""
		}
		tokens = append(tokens, t)
		start = -1
	}
	prev := rune(0)
	for i, r := range text {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			if start < 0 {
				start = i
			}
		case start >= 0 && holds(prev, r, text[i:]):
		default:
			flush(i)
		}
		prev = r
	}
	flush(len(text))
	return tokens
}

// holds reports whether r, with which rest begins, keeps what is before and behind it
// together: an apostrophe between letters, or a sign between digits.
func holds(prev, r rune, rest string) bool {
	_, size := utf8.DecodeRuneInString(rest)
	next, _ := utf8.DecodeRuneInString(rest[size:])
	switch r {
	case '\'', '’':
		return unicode.IsLetter(prev) && unicode.IsLetter(next)
	case '-', ':', '/', '.':
		return unicode.IsDigit(prev) && unicode.IsDigit(next)
	}
	return false
}
