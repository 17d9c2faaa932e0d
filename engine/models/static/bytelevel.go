package static

import (
	"strings"
	"unicode/utf8"
)

// letters are the signs that stand for bytes in vocabularies of the byte level: the
// printable ones of Latin-1 for themselves, the others from U+0100 on, in order (Radford
// et al., "Language models are unsupervised multitask learners", 2019, section 2.2).
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

// spelt writes each byte of a text as its letter.
func spelt(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/4)
	for i := range len(text) {
		b.WriteString(letters[text[i]])
	}
	return b.String()
}

// words2019 parts a text as the byte-level vocabularies expect it: short endings behind
// an apostrophe; letters, digits, or other signs with one space before them; white space,
// whose last sign goes to the word that follows.
const words2019 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// byteLevel parts a text into words and writes their bytes as letters.
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
