// Package lexicon lists related English words: words with nearly the same meaning (buy, purchase),
// irregular forms (went, gone), and the members of a class (instrument: guitar, piano). Search
// uses it to find memories in other words than those of the query. The list, english.txt, was
// written for this package. It is small and about everyday life and work.
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
	heads   []string // words of the same meaning
	members []string // kinds or parts of it
}

// groups are the lines of which a word is a head, by its stem.
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

// Related returns the words that may be used for word, which must be in lower case: those of the
// same meaning and, if it names a class, the members. A class is not related to its members,
// because a question about a violin is not about a piano. Each word is returned once, in the order
// of the list, without word itself. The result is nil for an unknown word.
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
