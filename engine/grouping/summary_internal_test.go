package grouping

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestSummaryOf(t *testing.T) {
	terms := []Term{{Text: "Winch"}, {Text: "winches"}, {Text: "hawser"}, {Text: "anchor chain"}, {Text: "chain"}, {Text: "bollard"}, {Text: "pier"}, {Text: "capstan"}, {Text: "fender"}, {Text: "buoy"}}
	long := strings.Repeat("The winch hums ", 20)
	for _, c := range []struct {
		what, medoid string
		terms        []Term
		want         string
	}{
		{"terms that the medoid has are left out", "The winch\non the pier  hums", terms, "The winch on the pier hums. Also mentioned: hawser, anchor chain, bollard, capstan and fender."},
		{"two terms", "The winch hums!", terms[:4], "The winch hums! Also mentioned: hawser and anchor chain."},
		{"no other term", "Does the winch hum?", terms[:2], "Does the winch hum?"},
		{"no text", "", terms[:1], "Mentioned: Winch."},
		{"neither", " \n", nil, ""},
		{"whole sentences only", "The winch hums. " + long, nil, "The winch hums."},
		{"a long sentence is cut after a word", long, nil, strings.TrimSpace(strings.Repeat("The winch hums ", 15)) + " The winch…"},
		{"another script", "ウインチが鳴る。", nil, "ウインチが鳴る。"},
	} {
		if got := summaryOf(c.terms, c.medoid); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestNounsOfTerms(t *testing.T) {
	terms := []Term{{Text: "winches"}, {Text: "dry"}, {Text: "anchor chains"}, {Text: "Heron manual"}, {Text: "chain saw"}}
	var got []string
	for _, x := range nounsOf(terms, []string{"winch", "anchor chain", "manual"}) {
		got = append(got, x.Text)
	}
	if want := []string{"winches", "anchor chains", "Heron manual"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What may be taken for a person has words that are in no name.
func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"Professor Lindqvist": "lindqvist professor", "Grandma's hip operation": "grandma", "Bruno and eats rye flour": "bruno", "ana": "ana", "Vincent van Gogh": "gogh vincent",
	} {
		people := map[string]bool{}
		addName(people, name)
		if got := strings.Join(slices.Sorted(maps.Keys(people)), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
