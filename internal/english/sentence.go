package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// EndsSentence reports whether the character at text[i:] ends a sentence: a line break, an
// exclamation or question mark, an ellipsis, or a full stop. A full stop ends no sentence
// after an abbreviation, an initial or the number of a step at the start of a line ("1."),
// nor before a small letter.
func EndsSentence(text string, i int) bool {
	r, size := utf8.DecodeRuneInString(text[i:])
	switch r {
	case '\n', '!', '?', '…':
		return true
	case '.':
	default:
		return false
	}
	if rest := text[i+size:]; rest != "" {
		next, _ := utf8.DecodeRuneInString(rest)
		if !unicode.IsSpace(next) && !unicode.IsUpper(next) && next != '"' && next != '”' && next != ')' {
			return false
		}
	}
	at := strings.LastIndexFunc(text[:i], func(r rune) bool { return unicode.IsSpace(r) || r == '(' })
	last := strings.ToLower(text[at+1 : i])
	if (at < 0 || text[at] == '\n') && len(last) < 3 && last != "" && '0' <= last[0] && last[0] <= '9' {
		return false
	}
	if len(last) == 1 && last != "i" && unicode.IsLetter(rune(last[0])) {
		return false
	}
	return !Abbreviation(last)
}

// Abbreviation reports a word in lower case, without its last full stop, that is written
// with one inside a sentence.
func Abbreviation(low string) bool { return abbreviations[low] }

var abbreviations = WordSet("mr mrs ms dr prof st mt vs etc e.g i.e a.m p.m approx no jr sr inc ltd co corp dept est fig")
