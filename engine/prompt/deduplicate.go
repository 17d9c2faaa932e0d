package prompt

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// duplicateCosine is the cosine above which two texts are near duplicates.
const duplicateCosine = 0.85

// deduplicator collects entries and counts near duplicates at the first of them.
type deduplicator struct {
	kept  []*entry
	texts map[string]*entry // the entry at which each text is counted
	words map[*entry][]string
}

// newDeduplicator starts with the pinned entries.
func newDeduplicator(kept []*entry) *deduplicator {
	f := &deduplicator{kept: kept, texts: map[string]*entry{}, words: map[*entry][]string{}}
	for _, e := range kept {
		f.texts[e.text] = e
	}
	return f
}

// add keeps e, or counts it at its duplicate.
func (d *deduplicator) add(e *entry) {
	k := d.duplicateOf(e)
	if k == nil {
		d.kept = append(d.kept, e)
		k = e
	} else if !k.Core { // core memories are written unchanged
		k.count++
	}
	if k != e {
		e.left = "says the same as " + cmp.Or(k.ID, "another item")
	}
	d.texts[e.text] = k
}

// duplicateOf returns the kept entry that e duplicates, or nil.
func (d *deduplicator) duplicateOf(e *entry) *entry {
	if k := d.texts[e.text]; k != nil {
		return k
	}
	for _, k := range d.kept {
		if cosine(k.Vector, e.Vector) > duplicateCosine && slices.Equal(d.distinctive(k), d.distinctive(e)) && extract.SameOrder(k.text, e.text) {
			return k
		}
	}
	return nil
}

func (d *deduplicator) distinctive(e *entry) []string {
	m, ok := d.words[e]
	if !ok {
		m = distinctiveWords(e.text)
		d.words[e] = m
	}
	return m
}

// cosine of two vectors of unit length; 0 if one is missing or of another dimension.
func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// distinctiveWords are the words that change the meaning of a text however similar two texts
// are: numbers, names and negations, in lower case, sorted, each once. A capitalised word at
// the start of a sentence counts as a name unless it is a common opener. Errors are on the safe
// side: a duplicate that is missed costs tokens, a false duplicate loses content.
func distinctiveWords(text string) []string {
	var out []string
	start := true
	for _, w := range strings.Fields(text) {
		word := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		lower := strings.ToLower(word)
		first := []rune(word + " ")[0]
		switch {
		case strings.ContainsFunc(word, unicode.IsDigit),
			unicode.IsUpper(first) && len(word) > 1 && !(start && sentenceOpeners[lower]),
			negations[lower], strings.HasSuffix(lower, "n't"), strings.HasSuffix(lower, "n’t"):
			out = append(out, lower)
		}
		start = strings.ContainsAny(w[len(w)-1:], ".!?:")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var negations = english.WordSet(`
no not never none nobody nothing neither nor without cannot dont doesnt didnt isnt wasnt wont cant
`)

// sentenceOpeners are words that often begin a sentence and are not names.
var sentenceOpeners = english.WordSet(`
a an the this that these those there here it its i i'm i've i'd i'll we we're we've he he's she she's they they're you your my our his her their
and but or so if when while after before since until because though although as then now later first finally next also even just only still
in on at of for from with by to into over under about during between every each all some any most many both another
today yesterday tomorrow tonight last
what who where when why how which whose is are was were do did does has have had will would can could should may might must let
please yes ok okay well maybe perhaps
`)
