package importer

import (
	"strings"
	"unicode/utf8"
)

// Split cuts a text into parts of at most limit ≥ 4 bytes, at the last paragraph,
// line, sentence or word that ends in the second half of a part, and inside a word
// only where there is no other place. Joined, the parts are the text but for white
// space around the cuts.
func Split(text string, limit int) []string {
	if len(text) <= limit {
		return []string{text}
	}
	var parts []string
	for len(text) > limit {
		at := place(text[:limit])
		if part := strings.TrimSpace(text[:at]); part != "" {
			parts = append(parts, part)
		}
		text = strings.TrimLeft(text[at:], " \t\r\n")
	}
	if rest := strings.TrimSpace(text); rest != "" || len(parts) == 0 {
		parts = append(parts, rest)
	}
	return parts
}

// place is where a full part is best cut.
func place(part string) int {
	for _, end := range []string{"\n\n", "\n", ". ", " "} {
		if i := strings.LastIndex(part, end); i >= len(part)/2 {
			return i + len(end)
		}
	}
	// Not inside a character: step back over the bytes that begin one.
	for i := len(part); i > 0 && i > len(part)-utf8.UTFMax; i-- {
		if endsRune(part[:i]) {
			return i
		}
	}
	return len(part) // not UTF-8 at all; the server says so
}

// endsRune reports whether the last character of s is whole.
func endsRune(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	return r != utf8.RuneError || n > 1
}
