package lexicon

import (
	"slices"
	"strings"
)

// Others returns the words of sets.txt that may stand in the place of a word, by its lemma, and exclude it: the other languages for "english".
func Others(lem string) (out []string) {
	is := func(w string) bool { return Lemma(w) == lem }
	for line := range Lines(setsFile) {
		if _, list, alike := strings.Cut(line, ":"); alike {
			if words := strings.Fields(list); slices.ContainsFunc(words, is) {
				out = append(out, slices.DeleteFunc(words, is)...)
			}
			continue
		}
		sides := strings.Split(line, "|")
		if at := slices.IndexFunc(sides, func(side string) bool { return slices.ContainsFunc(strings.Fields(side), is) }); at >= 0 {
			for _, side := range slices.Delete(sides, at, at+1) {
				out = append(out, strings.Fields(side)...)
			}
		}
	}
	return slices.DeleteFunc(out, func(w string) bool { return strings.Contains(w, "_") })
}
