package lexicon

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestRelated(t *testing.T) {
	for word, want := range map[string]string{
		"purchase":    "buy bought",
		"purchased":   "buy bought", // any form of a head
		"kids":        "child children son daughter",
		"instruments": "guitar violin",
		"went":        "go gone",
		"hobby":       "painting fishing",
	} {
		got := Related(word)
		for w := range strings.FieldsSeq(want) {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %v lacks %s", word, got, w)
			}
		}
		if slices.Contains(got, word) {
			t.Errorf("%s is its own synonym", word)
		}
	}
	for word, not := range map[string]string{"violin": "piano", "guitar": "instrument", "mother": "father"} {
		if slices.Contains(Related(word), not) {
			t.Errorf("%s is written for %s", not, word)
		}
	}
	for _, unknown := range []string{"", "x", "zeppelin", "ß", "bücher"} {
		if got := Related(unknown); got != nil {
			t.Errorf("%q: %v", unknown, got)
		}
	}
}

// For any word, the related words are returned once each.
func TestRelatedNamesEachOnce(t *testing.T) {
	for s := range groups() {
		got := Related(s)
		sorted := slices.Clone(got)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != len(got) {
			t.Errorf("%s: a word twice in %v", s, got)
		}
	}
}

// A line has plain words in lower case, at most one colon, and at least two words.
func TestListIsSorted(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(list) {
		line, _, _ := strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if seen[line] {
			t.Errorf("twice: %s", line)
		}
		seen[line] = true
		heads, members, _ := strings.Cut(line, ":")
		words := append(strings.Fields(heads), strings.Fields(members)...)
		if len(words) < 2 || strings.Contains(members, ":") {
			t.Errorf("nothing is related: %s", line)
		}
		for i, w := range words {
			if strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLower(r) }) {
				t.Errorf("%q is not a plain word: %s", w, line)
			}
			if slices.Contains(words[:i], w) {
				t.Errorf("%q twice: %s", w, line)
			}
		}
	}
}
