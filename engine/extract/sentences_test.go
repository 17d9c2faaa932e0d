package extract

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestSentencesOfAText(t *testing.T) {
	for text, want := range map[string][]string{
		"":          nil,
		" … ":       nil,
		"One. Two!": {"One.", "Two!"},
		"  Mr. Orrin left at 3.30 sharp.\nWe stayed.": {"Mr. Orrin left at 3.30 sharp.", "We stayed."},
		`He said "go." "No", she said.`:               {`He said "go."`, `"No", she said.`},
		"Steps:\n- tag it\n- push it":                 {"Steps:", "- tag it", "- push it"},
		"Is it on? (It is.)":                          {"Is it on?", "(It is.)"},
	} {
		var got []string
		for _, s := range Sentences(text) {
			got = append(got, text[s.Start:s.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	s := Sentences("Ana's two dogs don't eat 1,000 g?")[0]
	if !s.Question || !s.Words[0].Possessive || s.Words[1].Number != "2" || !s.Words[3].Negates || s.Words[5].Number != "1000" {
		t.Errorf("%+v", s)
	}
}

// The sentences cover everything but white space, in order and once.
func TestSentencesLoseNothing(t *testing.T) {
	squeeze := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9 .,?!\n"'()-]{0,60}`)).Draw(t, "text")
		all := Sentences(text)
		if len(all) == 0 {
			return // no word in it
		}
		var got strings.Builder
		for i, s := range all {
			if s.Start > s.Words[0].Start || s.End < s.Words[len(s.Words)-1].End || i > 0 && s.Start < all[i-1].End {
				t.Fatalf("%q: sentence %d is %d–%d", text, i, s.Start, s.End)
			}
			got.WriteString(squeeze(text[s.Start:s.End]))
		}
		if got.String() != squeeze(text) {
			t.Fatalf("%q became %q", text, got.String())
		}
	})
}
