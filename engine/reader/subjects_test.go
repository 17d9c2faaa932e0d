package reader

import (
	"fmt"
	"slices"
	"testing"
)

// TestClaimsOfSubjectsThatHideTheVerb reads sentences in which another verb, a range or a pair of names stands before or after the verb.
func TestClaimsOfSubjectsThatHideTheVerb(t *testing.T) {
	for text, want := range map[string][]string{
		"The standup runs at 2 and lasts an hour.": {"standup|runs at|2", "standup|lasts|hour"},
		"The alert sent at midnight woke me.":      {"alert sent|woke|me"},
		"Whoever is on call carries the pager.":    {"Whoever is on call|carries|pager"},
		"Whoever arrives first opens the gate.":    {"Whoever arrives first|opens|gate"},
		"I work nine to five.":                     {"ana|works|nine to five"},
		"Ana and Tom run the shop.":                {"shop|is led by|Ana and Tom"},
		"The film lasted two hours.":               {"film|lasted|two hours"},
	} {
		var got []string
		for _, c := range Read(text, Hints{Speaker: "ana"}) {
			got = append(got, fmt.Sprintf("%s|%s|%s", c.Subject, c.Predicate, c.Object))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
