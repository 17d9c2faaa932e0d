package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Canonical returns the name by which entities are linked: Unicode NFKC, case folded, without
// accents, possessives, punctuation and leading articles, words separated by one space. Plus signs
// and a number sign at the end of a word stay (C++, C#). It is empty if the name has no letter and
// no digit. Canonical of a canonical name is the same name.
func Canonical(name string) string {
	s := strings.ToLower(name)
	if ascii(name) {
		if plainWord(s) {
			return s
		}
	} else {
		s = strings.ToLower(cases.Fold().String(norm.NFKC.String(name))) // Fold alone maps small Cherokee letters to capitals
		s = norm.NFD.String(strings.ReplaceAll(s, "’", "'"))
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r), unicode.IsDigit(r):
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(r)
		case (r == '+' || r == '#') && i > 0 && (unicode.IsLetter(runes[i-1]) || runes[i-1] == '+') && b.Len() > 0 && !space:
			b.WriteRune(r)
		case r == '\'' && !space && possessive(runes[i:]):
			runes[i+1] = ' ' // drops the s after the apostrophe
			space = true
		case r == '\'' && !space:
			// o'brien, don't: an apostrophe inside a word is dropped
		default:
			space = true
		}
	}
	out := norm.NFC.String(b.String())
	for {
		first, rest, found := strings.Cut(out, " ")
		if !found || first != "the" && first != "a" && first != "an" {
			return out
		}
		out = rest
	}
}

// ascii reports a text that Unicode normalisation does not change.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plainWord reports one word of letters and digits, which Canonical returns as it is.
func plainWord(low string) bool {
	for i := range len(low) {
		if c := low[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// possessive reports whether rest begins with an apostrophe and an s that end a word.
func possessive(rest []rune) bool {
	return len(rest) > 1 && rest[1] == 's' && (len(rest) == 2 || !unicode.IsLetter(rest[2]) && !unicode.IsDigit(rest[2]))
}
