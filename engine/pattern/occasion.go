package pattern

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
)

// leastOccasion is the number of workflows that name an occasion before it is that of all.
const leastOccasion = 2

// occasionOf returns the occasion of workflows: what at least two and a quarter of them name with a word in common, in the wording of most
// of these and, of several, in the one that names nobody and has fewest words. A name or a number is none of the words, unless most
// workflows have it: "For Ben" is the occasion of one of them, and "Release day" and "Release 2.4" have one.
func occasionOf(all []*workflow) string {
	words, texts := map[string]int{}, map[string]int{}
	of := make([]map[string]bool, len(all))
	named := map[string]bool{}
	for i, w := range all {
		if w.trigger == "" {
			continue
		}
		texts[w.trigger]++
		var particular map[string]bool
		of[i], particular = occasionWords(w.trigger)
		for x := range of[i] {
			words[x]++
			named[x] = named[x] || particular[x]
		}
	}
	common := ""
	for _, x := range sortedKeys(words) {
		if n := words[x]; n >= leastOccasion && 4*n >= len(all) && (!named[x] || 2*n > len(all)) && n > words[common] {
			common = x
		}
	}
	best, least := "", 0
	for i, w := range all {
		if common == "" || !of[i][common] {
			continue
		}
		_, particular := occasionWords(w.trigger)
		for x := range particular {
			if 2*words[x] > len(all) {
				delete(particular, x)
			}
		}
		cost := 100*len(particular) - 10*texts[w.trigger] + len(strings.Fields(w.trigger))
		if best == "" || cost < least || cost == least && w.trigger < best {
			best, least = w.trigger, cost
		}
	}
	return best
}

// occasionWords returns the words of an occasion, and those of them that are a name or a number.
func occasionWords(text string) (all, particular map[string]bool) {
	all, particular = map[string]bool{}, map[string]bool{}
	first := true
	for _, s := range extract.Sentences(text) {
		for _, w := range s.Words {
			stem := stemOf(w)
			if w.Number != "" {
				stem = w.Number
			}
			if stem != "" {
				all[stem] = true
				if w.Number != "" || !first && capital(w) {
					particular[stem] = true
				}
			}
			first = false
		}
	}
	return all, particular
}

func sortedKeys(count map[string]int) []string {
	out := make([]string, 0, len(count))
	for x := range count {
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}
