package distil

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// onDays makes a source of each text, one a day.
func onDays(texts ...string) (out []Source) {
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for i, text := range texts {
		out = append(out, Source{ID: graph.ID(fmt.Sprintf("00000000-0000-7000-8000-%012d", i)), Text: text, Session: fmt.Sprint(i), At: start.AddDate(0, 0, i)})
	}
	return out
}

// The heading of steps is one that several occasions share, and a first step that all have in other words is one of them.
func TestStepsOfSeveralOccasions(t *testing.T) {
	contract := "1. Printed the contract. 2. Signed the contract. 3. Filed the copy."
	for name, c := range map[string]struct {
		texts []string
		text  string
	}{
		"of three people": {[]string{"For Ben: " + contract, "For Ada: " + contract, "For Kofi: " + contract}, "1. Printed the contract. 2. Signed the contract. 3. Filed the copy."},
		"of one person":   {[]string{contract, contract, "For Ben: " + contract}, "1. Printed the contract. 2. Signed the contract. 3. Filed the copy."},
		"of one kind":     {[]string{"New tenant: " + contract, "For the new tenant: " + contract, contract}, "For the new tenant: 1. Printed the contract. 2. Signed the contract. 3. Filed the copy."},
		"another verb": {[]string{
			"1. Stirred the batter. 2. Rested the batter. 3. Fried the batter in butter. 4. Served the pancakes with jam.", "1. Mixed the batter. 2. Rested the batter. 3. Fried the batter in butter. 4. Served the pancakes with jam.",
			"1. Whisked the batter. 2. Rested the batter. 3. Fried the batter in butter. 4. Served the pancakes with jam.", "1. Beat the batter. 2. Rested the batter. 3. Fried the batter in butter. 4. Served the pancakes with jam.",
		}, "1. Beat the batter. 2. Rested the batter. 3. Fried the batter in butter. 4. Served the pancakes with jam."},
		"another thing": {[]string{
			"1. Bought eggs. 2. Rested the batter. 3. Fried the batter in butter. 4. Served the pancakes with jam.", "1. Called Tim. 2. Rested the batter. 3. Fried the batter in butter. 4. Served the pancakes with jam.",
			"1. Cleaned the stove. 2. Rested the batter. 3. Fried the batter in butter. 4. Served the pancakes with jam.",
		}, "1. Rested the batter. 2. Fried the batter in butter. 3. Served the pancakes with jam."},
	} {
		found := Procedures(onDays(c.texts...))
		if len(found) != 1 || !strings.EqualFold(strings.TrimSuffix(found[0].Text, "."), strings.TrimSuffix(c.text, ".")) {
			t.Errorf("%s: %+v, want %q", name, found, c.text)
		}
	}
}
