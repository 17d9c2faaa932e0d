package grouping

import (
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
