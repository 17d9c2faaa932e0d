package prompt

import (
	"strings"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/invisible"
)

// Maximum lengths of a speaker's name and of a mark in characters.
const (
	maxNameRunes = 40
	maxMarkRunes = 160
)

// Clean is a text as it may reach a model: without what a reader does not see.
func Clean(text string) string { return clean(text) }

// clean makes text safe to quote: what is visible of it, without surrounding space.
func clean(text string) string { return strings.TrimSpace(Visible(text)) }

// Visible is a text without what a reader does not see. The result is valid UTF-8 without control
// characters (except tabs) and invisible characters (see dropInvisible). Every kind of line break
// becomes \n, and what only looks like a space becomes one.
func Visible(text string) string {
	if !isPlainASCII(text) {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, string(utf8.RuneError)), "\r\n", "\n")
		text = strings.Map(func(r rune) rune {
			switch {
			case r == '\n' || r == '\t':
				return r
			case r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
				return '\n'
			case invisible.Blank(r):
				return ' '
			case invisible.Control(r):
				return -1
			}
			return r
		}, text)
		text = dropInvisible(text)
	}
	return text
}

// isPlainASCII reports whether text is printable ASCII with line breaks and tabs.
func isPlainASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f })
}

// cleanName puts a name on one line and cuts it if it is long.
func cleanName(who string) string { return oneLine(who, maxNameRunes) }

// cleanMark does the same with a mark.
func cleanMark(mark string) string { return oneLine(mark, maxMarkRunes) }

func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}
