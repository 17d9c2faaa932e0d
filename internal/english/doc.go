// Package english holds what the readers of text in this module share: where words and
// sentences begin and end, contractions, the forms of a word, pronouns, months and
// weekdays, numbers in words, and stop words.
//
// Its functions are pure and safe for concurrent use. They take words in lower case with
// straight apostrophes, as [Lower] and [Token.Lower] return them. [Tokens] works on any
// script; the word lists and the rules about endings are for English only.
package english

import "strings"

// WordSet returns the set of the words of a list. White space separates the words.
func WordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
