package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNameRunes is the characters of a speaker's name that are shown.
const maxNameRunes = 40

// clean makes text fit to be quoted: valid UTF-8, every kind of line break a \n, no
// control characters (a tab stays), no invisible characters that turn the direction
// of writing around, no space at the ends.
func clean(text string) string {
	if !isPlainASCII(text) {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, string(utf8.RuneError)), "\r\n", "\n")
		text = strings.Map(func(r rune) rune {
			switch {
			case r == '\n' || r == '\t':
				return r
			case r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
				return '\n'
			case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
				return -1
			}
			return r
		}, text)
	}
	return strings.TrimSpace(text)
}

// isPlainASCII reports whether text is printable ASCII with line breaks and tabs.
func isPlainASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// cleanName is a name on one line, cut where it is long.
func cleanName(who string) string {
	who = strings.Join(strings.Fields(clean(who)), " ")
	if runes := []rune(who); len(runes) > maxNameRunes {
		who = string(runes[:maxNameRunes]) + "…"
	}
	return who
}
