package extract

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence is a sentence or a line of a text.
type Sentence struct {
	Start, End int // byte offsets, including signs and quotes around the sentence, without white space; set by Sentences
	Question   bool
	Words      []Word // at least one
}

// Word is a word of a sentence: letters and digits, with the signs inside.
type Word struct {
	Text       string // as written, without a possessive
	Low        string // lower case, straight apostrophes, without a possessive
	Start, End int    // byte offsets in the text
	first      bool   // it begins a sentence
	Possessive bool   // it had a possessive 's or s'
	Number     string // its value if it is a number ("two", "2", "2.0", "1,000"), in the form that SameFacts compares; set by Sentences
	Negates    bool   // it negates the sentence: not, never, isn't; set by Sentences
	SignBefore rune   // the last sign since the word before; 0 if there is none
	SignAfter  rune   // the sign directly after the word; 0 if a space follows
}

// Sentences cuts a text into sentences and words, in the way that all functions of this package
// use.
func Sentences(text string) []Sentence {
	all := sentences(text)
	for i := range all {
		s := &all[i]
		for k := range s.Words {
			s.Words[k].Number, s.Words[k].Negates = value(s.Words[k]), negates(s.Words, k)
		}
		if i == 0 {
			s.Start = len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
		} else {
			// The text between two sentences belongs to the first one, up to a space.
			before := &all[i-1]
			end, next := before.Words[len(before.Words)-1].End, s.Words[0].Start
			if gap := strings.IndexFunc(text[end:next], unicode.IsSpace); gap >= 0 {
				next = end + gap
			}
			before.End = next
			s.Start = next + len(text[next:]) - len(strings.TrimLeftFunc(text[next:], unicode.IsSpace))
		}
		s.End = len(strings.TrimRightFunc(text, unicode.IsSpace))
	}
	return all
}

// value returns the number that a word says, empty if none.
func value(w Word) string {
	if r, _ := utf8.DecodeRuneInString(w.Low); isNumber(w.Low) || unicode.IsDigit(r) {
		return normalisedNumber(w.Low)
	}
	if v := numberOf(w.Low); v != 0 {
		return strconv.Itoa(v)
	}
	return ""
}
