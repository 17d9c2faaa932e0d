package english

import (
	"slices"
	"strings"
	"testing"
)

func TestCleft(t *testing.T) {
	for question, want := range map[string]string{
		"what is it that i do for work":           "what i do for work",
		"where was it that we met":                "where we met",
		"who is it that runs the bakery":          "who runs the bakery",
		"what it that i play":                     "what i play", // what's
		"which kind of boat is it that ana sails": "which kind of boat ana sails",
		"can you say where it is that i live":     "can you say where i live",
		"what is it exactly that he sells":        "what he sells",
		"what is it you want":                     "what you want",
		"what is it":                              "",
		"what is it that":                         "",
		"is it that cold":                         "",
		"what is it made of":                      "",
		"what is that":                            "",
		"what does it say that i like":            "",
		"where is it":                             "",
	} {
		words := strings.Fields(question)
		got := ""
		if i, j := Cleft(words); j > 0 {
			got = strings.Join(slices.Delete(words, i, j), " ")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
