package extract

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// cut writes the words of a text, with a bar between sentences.
func cut(text string) string {
	var out []string
	for _, s := range sentences(text) {
		var ws []string
		for _, w := range s.Words {
			ws = append(ws, w.Text)
		}
		out = append(out, strings.Join(ws, " "))
	}
	return strings.Join(out, " | ")
}

func TestSentences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"One. Two! Three? Four… five", "One | Two | Three | Four | five"},
		{"One\ntwo\n\nthree", "One | two | three"},
		{"Dr. Okafor met Mr. J. Smith, e.g. here.", "Dr Okafor met Mr J Smith e.g here"},
		{"It costs 3.50 at 14:30, or 1,000 for ten.", "It costs 3.50 at 14:30 or 1,000 for ten"},
		{"See main.go and config.yaml. Then stop.", "See main.go and config.yaml | Then stop"},
		{"We stopped.Then it rained.", "We stopped | Then it rained"},
		{"1. Open the hatch\n2. Close it", "1 Open the hatch | 2 Close it"},
		{"It was I. Then he left.", "It was I | Then he left"},
		{"Ana's dog, the boys' room, don't", "Ana dog the boys room don't"},
		{"well-known e-mail bob@acme.com a/b/c /etc/hosts", "well-known e-mail bob@acme.com a/b/c /etc/hosts"},
		{"C++, C# and F#.", "C++ C# and F#"},
		{"R&D at AT&T; Lark & Co", "R&D at AT&T Lark Co"},
		{"Wow!!! Really?!", "Wow | Really"},
		{"", ""}, {"...", ""}, {" \t\n", ""}, {"é", "é"},
		{"He said \"no.\" She left.", "He said no | She left"},
	} {
		if got := cut(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestPunctuationAroundWords(t *testing.T) {
	s := sentences("Yes: Ana's dog, Rex (old) & Bo!")[0]
	var after, before, own, first []string
	for _, w := range s.Words {
		if w.SignAfter != 0 {
			after = append(after, w.Low+string(w.SignAfter))
		}
		if w.SignBefore != 0 {
			before = append(before, string(w.SignBefore)+w.Low)
		}
		if w.Possessive {
			own = append(own, w.Low)
		}
		if w.first {
			first = append(first, w.Low)
		}
	}
	for what, c := range map[string][2][]string{
		"after":  {after, {"yes:", "dog,", "old)", "bo!"}},
		"before": {before, {":ana", ",rex", "(old", "&bo"}},
		"own":    {own, {"ana"}},
		"first":  {first, {"yes"}},
	} {
		if !slices.Equal(c[0], c[1]) {
			t.Errorf("%s: %q, want %q", what, c[0], c[1])
		}
	}
	if s.Question {
		t.Error("an exclamation is a question")
	}
	for text, want := range map[string]bool{"Really?": true, "Really?!": true, "Really!?": true, "Really.": false, "Who? Me": true} {
		if got := sentences(text)[0].Question; got != want {
			t.Errorf("%q: question %v", text, got)
		}
	}
}

func TestCase(t *testing.T) {
	for text, want := range map[string][3]bool{ // capital, allCapitals, mixedCase
		"Ana": {true, false, false}, "NASA": {true, true, false}, "GitHub": {true, false, true}, "iPhone": {false, false, true},
		"A": {true, false, false}, "42": {false, false, false}, "É": {true, false, false}, "x": {false, false, false}, "B2B": {true, true, false},
	} {
		w := sentences(text)[0].Words[0]
		if got := [3]bool{w.capital(), w.allCapitals(), w.mixedCase()}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Words are in order inside the text and not empty, and every letter and digit is part of one (but
// for the s of a possessive).
func TestTokensCoverTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([A-Za-z0-9é.,'’/&@:+# \n!?-]{0,40})`)).Draw(t, "text")
		end, letters := 0, 0
		for _, s := range sentences(text) {
			if len(s.Words) == 0 {
				t.Fatalf("%q: an empty sentence", text)
			}
			for i, w := range s.Words {
				if w.Start < end || w.End <= w.Start || text[w.Start:w.End] != w.Text || w.first != (i == 0) {
					t.Fatalf("%q: %+v behind %d", text, w, end)
				}
				end = w.End
				letters += strings.Count(w.Low, "")
			}
		}
		if letters == 0 && strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz0123456789") {
			t.Fatalf("%q has no words", text)
		}
	})
}
