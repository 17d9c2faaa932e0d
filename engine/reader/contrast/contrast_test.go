package contrast

import (
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"am in Bristol not Bath":               "am in Bristol / Bath",
		"is on Monday not on Tuesday":          "is on Monday / Tuesday",
		"drink tea , not coffee":               "drink tea / coffee",
		"drink tea instead of coffee":          "drink tea / coffee",
		"is not on Tuesday but on Wednesday":   "is on Wednesday / Tuesday",
		"is not only Tuesday but on Wednesday": "",
		"is not Bath":                          "",
		"am sure not yet":                      "",
		"know Bristol not Bath very well":      "",
	} {
		var words []Word
		sign := byte(0)
		for _, w := range strings.Fields(text) {
			if w == "," {
				sign = ','
				continue
			}
			upper := w[0] < 'a'
			words = append(words, Word{Low: w, Sign: sign, Preposition: w == "in" || w == "on", Value: upper || w == "tea" || w == "coffee"})
			sign = 0
		}
		got := ""
		if kept, from, to, ok := Cut(words, func(int) bool { return false }); ok {
			for _, i := range kept {
				got += words[i].Low + " "
			}
			got += "/"
			for _, w := range words[from:to] {
				got += " " + w.Low
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
