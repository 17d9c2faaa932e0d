// Package lexicon holds what the reader knows of single words: which ones say the same (synonyms.txt), which ones are
// of one kind and which exclude each other (sets.txt, kinds.txt), which verbs are alike, and in which words somebody
// says that something has ended (ends.txt).
package lexicon

import (
	_ "embed"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/internal/english"
)

//go:embed sets.txt
var setsFile string

//go:embed kinds.txt
var kindsFile string

//go:embed synonyms.txt
var synonymsFile string

// Member is the place of a word in a set of words of one kind.
type Member = wording.Member

// Sides of a word in a set.
const (
	NoSide   = 255 // the set has no sides
	KindSide = 254 // what the words of a set without sides are kinds of
)

// Idiom is several words that are read as one.
type Idiom struct {
	Words []string
	As    string
}

// Idioms are the idioms of synonyms.txt, by the first word.
var Idioms = map[string][]Idiom{}

// canonical maps the lemma of a word to that of its synonym.
var canonical = readSynonyms()

// Sets are the places of words in the sets, by lemma.
var Sets = readSets()

// Texts are the files of the sets.
func Texts() string { return setsFile + kindsFile }

// Lines yields the lines of a table that are neither empty nor comments.
func Lines(file string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(file) {
			line = strings.TrimSpace(line)
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// Lemma returns english.Lemma of a word, or that of its synonym.
func Lemma(low string) string {
	l := english.Lemma(low)
	if c, ok := canonical[l]; ok {
		return c
	}
	return l
}

// Lemmas returns the lemmas of words.
func Lemmas(words map[string]bool) map[string]bool {
	m := make(map[string]bool, len(words))
	for w := range words {
		m[Lemma(w)] = true
	}
	return m
}

// readSynonyms returns the synonyms of single words, and adds those of several words to Idioms.
func readSynonyms() map[string]string {
	m := map[string]string{}
	for line := range Lines(synonymsFile) {
		as, list, _ := strings.Cut(line, ": ")
		for s := range strings.SplitSeq(list, ", ") {
			if ws := strings.Fields(s); len(ws) > 1 {
				Idioms[ws[0]] = append(Idioms[ws[0]], Idiom{ws, as})
			} else {
				m[english.Lemma(s)] = english.Lemma(as)
			}
		}
	}
	return m
}

// readSets reads sets.txt and kinds.txt.
func readSets() map[string][]Member {
	m := map[string][]Member{}
	n := uint16(0)
	add := func(list string, side int) {
		for w := range strings.FieldsSeq(list) {
			lem := Lemma(strings.ReplaceAll(w, "_", " "))
			m[lem] = append(m[lem], Member{Set: n, Side: uint8(side)})
		}
	}
	for line := range Lines(setsFile + kindsFile) {
		kinds, list, alike := strings.Cut(line, ":")
		if alike {
			add(kinds, KindSide)
			add(list, NoSide)
		} else {
			for side, words := range strings.Split(line, "|") {
				add(words, side)
			}
		}
		n++
	}
	return m
}
