// Package cueset finds in sentences the words and phrases that tell how what is said is meant: "no longer", "instead", "as of today", "if".
package cueset

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/tables"
)

// Set is a set of the classes of cues.txt, by their order in the file.
type Set uint32

// The classes of cues.
const (
	Now Set = 1 << iota
	NoLonger
	Instead
	Changed
	Finally
	Correct
	Also
	Sometimes
	Actually
	Used
	Dated
	Bounded
	Future
	From
	If
	Wish
	Fiction
	Quoted
	Reported
	Attempt
	Condition
	Filler
	// Count is the number of classes.
	Count = iota
)

// Of returns the cue that a phrase is.
func Of(p tables.Phrase) Set { return 1 << p.Class }

// Find returns the cues in words in lower case. date reports a word that is a date, with which no cue begins.
func Find(words []string, date func(i int) bool) (found Set) {
	since := 0 // the words before it say from when: "as of today" has no bound
	for i := range words {
		if date(i) {
			continue
		}
		for _, p := range tables.Phrases[words[i]] {
			c := Of(p)
			if found&c != 0 && c != Now || c == Bounded && i < since || !Begin(words[i:], p.Words) {
				continue
			}
			found |= c
			if c == Now {
				since = i + len(p.Words)
			}
		}
		if i+1 < len(words) {
			for _, p := range tables.Phrases["~"] {
				if c := Of(p); found&c == 0 && Begin(words[i:], p.Words) {
					found |= c
				}
			}
		}
	}
	return found
}

// Begin reports words that begin with a phrase, in which "~" stands for any word.
func Begin(words, phrase []string) bool {
	if len(phrase) > len(words) {
		return false
	}
	for i, w := range phrase {
		if w != "~" && words[i] != w {
			return false
		}
	}
	return true
}

// Opener returns the number of words of the longest opener at the beginning of words: "by the way".
func Opener(words []string) int {
	n := 0
	for _, p := range tables.Phrases[words[0]] {
		if Of(p) == Filler && len(p.Words) > n && Begin(words, p.Words) {
			n = len(p.Words)
		}
	}
	return n
}

// WithoutAdverbials returns the indexes of the words in lower case that are left without the phrases that only say "now" or "no longer", and those
// that say nothing, as "after all". denied reports a "no longer" among them.
func WithoutAdverbials(words []string) (kept []int, denied bool) {
	for i := 0; i < len(words); {
		n := 0
		for _, p := range tables.Phrases[words[i]] {
			c := Of(p)
			drops := c == Now || c == Filler && i > 0 && words[i-1] != "what" && words[i-1] != "everything" || c == NoLonger && strings.Contains(adverbialEnds, p.Words[len(p.Words)-1])
			if drops && len(p.Words) > n && Begin(words[i:], p.Words) {
				n = len(p.Words)
			}
		}
		switch {
		case n == 0:
			kept = append(kept, i)
			n = 1
		case words[i] == "no" && words[i+n-1] == "longer", words[i] == "not":
			denied = true
		}
		i += n
	}
	return kept, denied
}

// adverbialEnds are the last words of "no longer", "any more", "anymore".
const adverbialEnds = "longer more anymore"
