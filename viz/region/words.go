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
	wordsEach = 3   // of a region
	inTexts   = 3   // of a region that have a typical word at least: it names nobody alone
	lift      = 2.0 // times as many of the region's texts have it as of all
	shared    = 0.1 // of the best word's weight: what is typical at all
)

// typical are the words of each cell; every step-th of its texts is read.
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

// best are the typical words of one cell: weighed by the share of its texts that have
// them, times the logarithm of how many times that is the share of all texts.
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

// akin reports whether one word is the other with an ending.
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

// tokens returns the words of a text, each once: in lower case, without digits at their
// ends, at least three letters long.
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
