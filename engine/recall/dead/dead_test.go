package dead

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// A death is told in the usual words, and only of who died.
func TestTells(t *testing.T) {
	for text, want := range map[string]bool{
		"Paul died last week.": true, "Paul has died.": true, "Paul passed away.": true, "Paul has passed away.": true, "Paul is dead.": true,
		"Paul passed the exam.": false, "Anna died.": false, "Paul's laptop died.": false, "Did Paul die?": false,
	} {
		m := &graph.Memory{Content: text, User: "ana"}
		lifecycle.ReadClaims(m, extract.Statement{}, time.Date(2031, 5, 1, 9, 0, 0, 0, time.UTC))
		if Tells(m, "paul") != want {
			t.Errorf("%q tells of Paul's death: %v", text, !want)
		}
	}
}
