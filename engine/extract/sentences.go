package extract

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence is a sentence or a line of a text.
type Sentence struct {
	Start, End int // byte offsets, including signs and quotes around the sentence, without white space
	Question   bool
	Words      []Word // at least one
}

// Word is a word of a sentence: letters and digits, with the signs inside.
type Word struct {
	Text       string // as written, without a possessive
	Low        string // lower case, straight apostrophes, without a possessive
	Start, End int    // byte offsets in the text
	Possessive bool   // it had a possessive
	Number     string // its value if it is a number ("two", "2", "2.0", "1,000"), in the form that SameFacts compares
	Negates    bool   // it negates the sentence: not, never, isn't
	SignBefore rune   // the last sign since the word before; 0 if there is none
	SignAfter  rune   // the sign directly after the word; 0 if there is none
}

// Sentences cuts a text into sentences and words, in the way that all functions of this package
// use.
func Sentences(text string) []Sentence {
	all := sentences(text)
	out := make([]Sentence, len(all))
	for i, s := range all {
		o := Sentence{Question: s.question, Words: make([]Word, len(s.words))}
		for k, w := range s.words {
			o.Words[k] = Word{Text: w.text, Low: w.low, Start: w.start, End: w.end, Possessive: w.possessive, Number: value(w), Negates: negates(s.words, k), SignBefore: w.signBefore, SignAfter: w.signAfter}
		}
		if i == 0 {
			o.Start = len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
		} else {
			// The text between two sentences belongs to the first one, up to a space.
			end, next := out[i-1].Words[len(out[i-1].Words)-1].End, s.words[0].start
			if gap := strings.IndexFunc(text[end:next], unicode.IsSpace); gap >= 0 {
				next = end + gap
			}
			out[i-1].End = next
			o.Start = next + len(text[next:]) - len(strings.TrimLeftFunc(text[next:], unicode.IsSpace))
		}
		o.End = len(strings.TrimRightFunc(text, unicode.IsSpace))
		out[i] = o
	}
	return out
}

// value returns the number that a word says, empty if none.
func value(w word) string {
	if r, _ := utf8.DecodeRuneInString(w.low); isNumber(w.low) || unicode.IsDigit(r) {
		return normalisedNumber(w.low)
	}
	if v := numberOf(w.low); v != 0 {
		return strconv.Itoa(v)
	}
	return ""
}
