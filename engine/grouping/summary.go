package grouping

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/internal/english"
)

const (
	summaryText  = 240 // bytes of the medoid in a summary
	summaryTerms = 5   // terms of a label in a summary
)

// summaryOf says in sentences what a cluster is about: what its most central memory says, and the nouns among the terms of the label that this
// memory does not have. It is empty if there are neither.
func summaryOf(terms []Term, medoid string) string {
	text := firstSentences(medoid, summaryText)
	said := map[string]bool{}
	says(said, text)
	var others []string
	for _, t := range terms {
		if len(others) < summaryTerms && says(said, t.Text) {
			others = append(others, t.Text)
		}
	}
	if len(others) == 0 {
		return text
	}
	if last := len(others) - 1; last > 0 {
		others = append(others[:last-1], others[last-1]+" and "+others[last])
	}
	list := strings.Join(others, ", ") + "."
	if text == "" {
		return "Mentioned: " + list
	}
	return text + " Also mentioned: " + list
}

// nounsOf returns the terms whose last word is a noun, of lemmas of nouns.
func nounsOf(terms []Term, nouns []string) (out []Term) {
	known := map[string]bool{}
	for _, noun := range nouns {
		for w := range strings.FieldsSeq(noun) {
			known[w] = true
		}
	}
	for _, t := range terms {
		words := strings.Fields(t.Text)
		if len(words) > 0 && known[english.Lemma(english.Lower(words[len(words)-1]))] {
			out = append(out, t)
		}
	}
	return out
}

// firstSentences returns the first sentences of a text on one line, as many as fit into n bytes. A longer first sentence is cut after a
// word. The result ends with a sign.
func firstSentences(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	end := 0
	for _, s := range extract.Sentences(text) {
		if s.End > n {
			break
		}
		end = s.End
	}
	switch {
	case text == "":
		return ""
	case end == 0 && len(text) > n:
		short := workspace.Truncate(text, n)
		if at := strings.LastIndexByte(short, ' '); at > n/2 {
			short = short[:at] + "…"
		}
		return short
	case end > 0:
		text = text[:end]
	}
	if last, _ := utf8.DecodeLastRuneInString(text); unicode.IsLetter(last) || unicode.IsNumber(last) {
		text += "."
	}
	return text
}

// says adds the lemmas of the words of a text to a set, and reports whether one of them was not in it.
func says(set map[string]bool, text string) (news bool) {
	for t := range english.Tokens(text, english.Words) {
		if !t.IsWord() {
			continue
		}
		lemma := english.Lemma(t.Lower())
		news = news || !set[lemma]
		set[lemma] = true
	}
	return news
}
