package reader

import (
	"strings"
	"testing"
)

// Outcomes, verbs whose past is their base form and "has" behind "'s" are read.
func TestOutcomesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"We ended up buying a boat.":        "Ana|ended up buying|boat",
		"My doctor upped my dose to 40 mg.": "my dose|is|40 mg",
		"The bank cut my limit to 2,000.":   "my limit|is|2,000",
		"My sister's moved to Leeds.":       "My sister|lives in|Leeds",
		"He's left Acme.":                   "He|has left|Acme",
		"The meeting's been moved to 4.":    "meeting|is|4",
	} {
		c := Read(text, Hints{Speaker: "Ana"})
		if len(c) != 1 {
			t.Errorf("%q: %+v", text, c)
			continue
		}
		if got := strings.Join([]string{c[0].Subject, c[0].Predicate, c[0].Object}, "|"); got != want || c[0].Negated {
			t.Errorf("%q: %q (negated %t), want %q", text, got, c[0].Negated, want)
		}
	}
}
