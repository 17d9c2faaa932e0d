// Package lexicon knows which English words are written for one another: those that
// mean nearly the same (buy, purchase), irregular forms (went, gone), and what stands
// under a common head (instrument: guitar, piano). Recall asks it what else may stand
// where a question says a word. The list, english.txt, was written for this package; it
// is small, about everyday life and work, and silent about what it does not know.
package lexicon

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/internal/english"
)

//go:embed english.txt
var list string

// synonymGroup is a line of the list.
type synonymGroup struct {
	heads   []string // words that mean the same
	members []string // what is a kind or a part of it
}

// groups are the lines that a word is a head of, by its stem.
var groups = sync.OnceValue(func() map[string][]synonymGroup {
	byStem := map[string][]synonymGroup{}
	for line := range strings.Lines(list) {
		line, _, _ = strings.Cut(line, "#")
		heads, members, _ := strings.Cut(line, ":")
		g := synonymGroup{strings.Fields(heads), strings.Fields(members)}
		var seen []string
		for _, h := range g.heads {
			if s := english.Stem(h); !slices.Contains(seen, s) {
				seen = append(seen, s)
				byStem[s] = append(byStem[s], g)
			}
		}
	}
	return byStem
})

// Related answers the words that may stand where a text says word, which must be in
// lower case: those of its meaning and, where it is a head, what stands under it; never
// the other way, for who asks about a violin is not answered by a piano. Each is named
// once, in the order of the list, without word itself; nil for an unknown word.
func Related(word string) []string {
	var out []string
	for _, g := range groups()[english.Stem(word)] {
		for _, words := range [...][]string{g.heads, g.members} {
			for _, w := range words {
				if w != word && !slices.Contains(out, w) {
					out = append(out, w)
				}
			}
		}
	}
	return out
}
