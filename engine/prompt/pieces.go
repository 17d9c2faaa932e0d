package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nextPiece returns the length in bytes of the first piece of s, which must be valid UTF-8 and
// not empty. It splits text like the pattern of cl100k_base, without a backtracking matcher:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} |
//	 ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
func nextPiece(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	first, width := utf8.DecodeRuneInString(s)
	switch {
	case unicode.IsLetter(first):
		return scanWhile(s, 0, unicode.IsLetter)
	case unicode.IsNumber(first):
		n := 0
		for range 3 {
			r, size := utf8.DecodeRuneInString(s[n:])
			if !unicode.IsNumber(r) {
				break
			}
			n += size
		}
		return n
	case first != '\r' && first != '\n':
		if n := scanWhile(s, width, unicode.IsLetter); n > width {
			return n
		}
	}
	from := 0
	if first == ' ' {
		from = width
	}
	if n := scanWhile(s, from, isSymbol); n > from {
		return scanWhile(s, n, isNewline)
	}
	end := scanWhile(s, 0, unicode.IsSpace)
	if last := strings.LastIndexAny(s[:end], "\r\n"); last >= 0 {
		return last + 1
	}
	_, size := utf8.DecodeLastRuneInString(s[:end])
	if end < len(s) && end > size {
		return end - size // the last space belongs to the next piece
	}
	return end
}

// contraction is the length of an English contraction that starts with an apostrophe, or 0.
func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	switch s[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(s) > 2 {
		switch strings.ToLower(s[1:3]) {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

// scanWhile returns the end of the run of characters that starts at from.
func scanWhile(s string, from int, in func(rune) bool) int {
	for from < len(s) {
		r, size := utf8.DecodeRuneInString(s[from:])
		if !in(r) {
			break
		}
		from += size
	}
	return from
}

func isSymbol(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

func isNewline(r rune) bool { return r == '\r' || r == '\n' }
