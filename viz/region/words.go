package region

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

const (
	wordsEach = 3   // words for a region
	inTexts   = 3   // minimum texts of a region with a typical word, so that it does not reveal a single memory
	lift      = 2.0 // minimum ratio of the word's frequency in the region to that in all texts
	shared    = 0.1 // minimum weight relative to the best word
)

// typical returns the typical words of each cell. It reads every step-th text.
func typical(cells [][]int, texts []string, step int) [][]string {
	all, total := map[string]int{}, 0
	within, read := make([]map[string]int, len(cells)), make([]int, len(cells))
	for c, members := range cells {
		within[c] = map[string]int{}
		for j := 0; j < len(members); j += step {
			read[c]++
			total++
			for _, w := range tokens(texts[members[j]]) {
				within[c][w]++
				all[w]++
			}
		}
	}
	out := make([][]string, len(cells))
	for c := range cells {
		out[c] = best(within[c], read[c], all, total)
	}
	return out
}

// best returns the typical words of one cell. The weight of a word is the share of the cell's
// texts with it, times the logarithm of the ratio to the share of all texts.
func best(within map[string]int, read int, all map[string]int, total int) []string {
	type word struct {
		text   string
		weight float64
	}
	var found []word
	for w, n := range within {
		here, anywhere := float64(n)/float64(read), float64(all[w])/float64(total)
		if n >= inTexts && here >= lift*anywhere {
			found = append(found, word{w, here * math.Log(here/anywhere)})
		}
	}
	slices.SortFunc(found, func(a, b word) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.text, b.text))
	})
	var out []string
	for _, w := range found {
		if len(out) == wordsEach || w.weight < shared*found[0].weight {
			break
		}
		if !slices.ContainsFunc(out, func(o string) bool { return akin(o, w.text) }) {
			out = append(out, w.text)
		}
	}
	return out
}

// akin reports whether two words are the same but for an ending.
func akin(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	stem := len(a)
	if stem > 4 {
		stem--
	}
	return strings.HasPrefix(b, a[:stem])
}

// tokens returns the distinct words of a text: in lower case, without digits at their ends, at
// least three letters long.
func tokens(text string) []string {
	var words []string
	for t := range english.Tokens(strings.ToLower(text), english.Parts) {
		if w := strings.TrimFunc(t.Text, unicode.IsNumber); t.Kind == english.Word && utf8.RuneCountInString(w) >= 3 && !strings.ContainsFunc(w, unicode.IsNumber) {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
