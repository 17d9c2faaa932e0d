// Package excerpt shortens texts for prompts: to the sentences that have words of a question, or to a quotation.
package excerpt

import (
	"strings"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/internal/english"
)

const elided = "[…]"

// Of returns the sentences of a text with one of some words, each whole; an elision stands for those
// between. Without any, it returns at most n bytes of the beginning of the first sentence.
func Of(text string, asked map[string]bool, n int) string {
	var b strings.Builder
	kept, gap := 0, false
	all := extract.Sentences(text)
	for _, s := range all {
		said := strings.TrimSpace(text[s.Start:s.End])
		if !Shares(said, asked) {
			gap = true
			continue
		}
		if gap {
			appendPart(&b, elided)
		}
		appendPart(&b, said)
		kept, gap = kept+1, false
	}
	if kept == 0 && len(all) > 0 {
		first := strings.TrimSpace(text[all[0].Start:all[0].End])
		return beginningOf(first, n) + " " + elided
	}
	if gap {
		appendPart(&b, elided)
	}
	return b.String()
}

func appendPart(b *strings.Builder, part string) {
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(part)
}

// beginningOf cuts a text after a word, at n bytes at most.
func beginningOf(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	if at := strings.LastIndexByte(text[:n], ' '); at > 0 {
		n = at
	}
	return text[:n]
}

// Words returns the stems of the words of a text that are no stop words.
func Words(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range phrase.Parts(text) {
		if low := english.Lower(w); !english.StopWord(low) {
			words[english.Stem(english.Lemma(low))] = true
		}
	}
	return words
}

// Shares reports whether a text has one of some words of Words.
func Shares(text string, words map[string]bool) bool {
	for w := range Words(text) {
		if words[w] {
			return true
		}
	}
	return false
}
