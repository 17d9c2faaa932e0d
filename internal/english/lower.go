package english

import (
	"strings"
	"unicode/utf8"
)

// Lower returns a word in lower case with straight apostrophes. It allocates nothing if the
// word is in lower case already, or a common English word in ASCII.
func Lower(word string) string {
	var b [24]byte
	if len(word) > len(b) {
		return lower(word)
	}
	same := true
	for i := range len(word) {
		c := word[i]
		switch {
		case c >= utf8.RuneSelf:
			return lower(word)
		case 'A' <= c && c <= 'Z':
			c, same = c|0x20, false
		}
		b[i] = c
	}
	if same {
		return word
	}
	if w, ok := common[string(b[:len(word)])]; ok {
		return w
	}
	return string(b[:len(word)])
}

func lower(word string) string {
	return strings.ToLower(strings.ReplaceAll(word, "’", "'"))
}

// common holds the words that Lower does not allocate: those that sentences often begin
// with, and those that are written with a capital.
var common = func() map[string]string {
	m := map[string]string{}
	for w := range WordSet(strings.Join([]string{Pronouns, Months, Weekdays, wordLists.Words("stopWords")}, " ")) {
		m[w] = w
	}
	return m
}()
