package lifecycle

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// What names a day that is to come when it is written passes; a day of every year, and one that was, does not.
func TestWhatIsInTheFutureAtItsWritePasses(t *testing.T) {
	told := time.Date(2032, 5, 4, 9, 0, 0, 0, time.UTC)
	for text, passes := range map[string]bool{
		"My dentist appointment is on 3 May 2033 at 10:00":  true,
		"The launch is on 3 September 2035":                 true,
		"The lease of the workshop ends in March 2034":      true,
		"Our anniversary is on 14 June":                     false,
		"I was born on 3 May 1990":                          false,
		"The launch was on 3 September 2031":                false,
		"The museum opens at 10:00":                         false,
		"The model 2035 pump has a brass valve":             false,
		"We meet on the first Monday of the month at 18:00": false,
	} {
		m := &graph.Memory{Content: text, RecordedAt: told, OccurredAt: told, ValidFrom: told, History: []graph.State{{From: told, Status: graph.Active}}}
		if Passes(m) != passes {
			t.Errorf("%q: passes %v", text, !passes)
		}
	}
}
