package static

import (
	"strings"
	"unicode/utf8"
)

// letters are the characters that represent bytes in byte-level vocabularies. Printable
// Latin-1 characters represent themselves, the other bytes map to U+0100 and up, in order
// (Radford et al., "Language models are unsupervised multitask learners", 2019, section 2.2).
var letters = func() (of [256]string) {
	next := rune(256)
	for b := range of {
		r := rune(b)
		if !(r >= '!' && r <= '~' || r >= '¡' && r <= '¬' || r >= '®' && r <= 'ÿ') {
			r, next = next, next+1
		}
		of[b] = string(r)
	}
	return of
}()

// spelt converts each byte of a text to its letter.
func spelt(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/4)
	for i := range len(text) {
		b.WriteString(letters[text[i]])
	}
	return b.String()
}

// words2019 is the pre-tokenization pattern of byte-level vocabularies: English contractions;
// runs of letters, digits or other characters, each with an optional leading space; white
// space, whose last character belongs to the next word.
const words2019 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// byteLevel splits a text into words and converts their bytes to letters.
func byteLevel(steps []splitter, c component) ([]splitter, error) {
	if c.AddPrefixSpace == nil || *c.AddPrefixSpace {
		steps = append(steps, func(text string, part func(string)) {
			if r, _ := utf8.DecodeRuneInString(text); r != ' ' {
				text = " " + text
			}
			part(text)
		})
	}
	if c.UseRegex == nil || *c.UseRegex {
		words, err := matcher(words2019)
		if err != nil {
			return nil, err
		}
		steps = append(steps, isolated(words))
	}
	return append(steps, func(text string, part func(string)) { part(spelt(text)) }), nil
}
