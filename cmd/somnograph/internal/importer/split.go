package importer

import (
	"strings"
	"unicode/utf8"
)

// Split splits a text into parts of at most limit ≥ 4 bytes: after the last paragraph, line,
// sentence or word that ends in the second half of a part, or else inside a word. The parts
// together are the text without white space around the splits.
func Split(text string, limit int) []string {
	if len(text) <= limit {
		return []string{text}
	}
	var parts []string
	for len(text) > limit {
		at := splitPosition(text[:limit])
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

// splitPosition is the best position to split a part of full length.
func splitPosition(part string) int {
	for _, end := range []string{"\n\n", "\n", ". ", " "} {
		if i := strings.LastIndex(part, end); i >= len(part)/2 {
			return i + len(end)
		}
	}
	// Not inside a character.
	for i := len(part); i > 0 && i > len(part)-utf8.UTFMax; i-- {
		if endsRune(part[:i]) {
			return i
		}
	}
	return len(part) // not UTF-8, which the server refuses
}

// endsRune reports whether the last character of s is complete.
func endsRune(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	return r != utf8.RuneError || n > 1
}
