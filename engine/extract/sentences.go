package extract

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence is a sentence of a text, or a line of it.
type Sentence struct {
	Start, End int // bytes; signs and quotes around it belong to it, white space does not
	Question   bool
	Words      []Word // one at least
}

// Word is a word of a sentence: letters and digits with what holds them together.
type Word struct {
	Text       string // as written, without a possessive
	Low        string // lower case, straight apostrophes, without a possessive
	Start, End int    // bytes in the text
	Possessive bool   // had a possessive
	Number     string // its value where it is a number ("two", "2", "2.0", "1,000"), as SameFacts compares it
	Negates    bool   // turns the sentence around: not, never, isn't
	SignBefore rune   // the last sign since the word before, 0: none
	SignAfter  rune   // the sign right behind it, 0: none
}

// Sentences cuts a text into sentences and words, the same ones that everything here
// reads.
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
			// What stands between two sentences goes to the first one up to a space.
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

// value is the number that a word says; empty where it says none.
func value(w word) string {
	if r, _ := utf8.DecodeRuneInString(w.low); isNumber(w.low) || unicode.IsDigit(r) {
		return normalisedNumber(w.low)
	}
	if v := numberOf(w.low); v != 0 {
		return strconv.Itoa(v)
	}
	return ""
}
