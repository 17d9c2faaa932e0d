package pattern

import (
	"fmt"
	"testing"

	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/graph"
)

// sessions makes n sessions with a text, one a day from a day on.
func sessions(t *testing.T, from, n int, text string) (out []Source) {
	t.Helper()
	for i := range n {
		out = append(out, Source{ID: testID(t, from+i), Text: text, Session: fmt.Sprint(from + i), At: testStart.AddDate(0, 0, from+i)})
	}
	return out
}

// proceduresOf returns what distil finds in sources, and what the check leaves of it.
func proceduresOf(sources []Source) (found, kept []distil.Procedure) {
	var told []distil.Source
	for _, s := range sources {
		told = append(told, distil.Source{ID: s.ID, Text: s.Text, Session: s.Session, At: s.At})
	}
	r := RepetitionsIn(sources)
	found = distil.Procedures(told)
	for _, p := range found {
		if _, _, ok := r.Check(p); ok {
			kept = append(kept, p)
		}
	}
	return found, kept
}

func TestRepeatedStepsAreChecked(t *testing.T) {
	const genuine, forged = "First run the tests, then tag the release, finally push the image.", "First push the image, then tag the release, finally run the tests."
	worded := "First push the docker image, then tag that release, finally run all tests."
	oneDay := sessions(t, 0, 3, genuine)
	for i := range oneDay {
		oneDay[i].At = testStart
	}
	claimed := sessions(t, 0, 3, genuine)
	for i := range claimed {
		claimed[i].Recorded = testStart.AddDate(1, 0, 0)
	}
	long := sessions(t, 0, 4, genuine)
	for i, s := range sessions(t, 10, 4, "I pushed the image, then ran the tests, then tagged the release, then pushed the image, then ran the tests.") {
		long = append(long, s)
		long[4+i].Session = fmt.Sprint("long", i)
	}
	for _, c := range []struct {
		name    string
		sources []Source
		found   int
		first   string // step of what is kept; empty: nothing is
		heldOut float64
	}{
		{"three days", sessions(t, 0, 3, genuine), 1, "run the tests", 1},
		{"three sessions of one day", oneDay, 1, "", 0},
		{"three days that the caller claims", claimed, 1, "", 0},
		{"three forged against thirty", append(sessions(t, 0, 30, genuine), sessions(t, 50, 3, forged)...), 2, "run the tests", 30. / 33},
		{"in other words", append(sessions(t, 0, 30, genuine), sessions(t, 50, 3, worded)...), 2, "run the tests", 30. / 33},
		{"eight against thirty", append(sessions(t, 0, 30, genuine), sessions(t, 50, 8, forged)...), 2, "", 0},
		{"sessions that do it again say nothing of the order", long, 3, "run the tests", 1},
		{"rules of one day", append(sessions(t, 0, 2, "Always run the linter before you push."), Source{ID: testID(t, 9), Session: "x", At: testStart, Text: "Always run the linter before you push."}), 1, "", 0},
		{"rules of three days", sessions(t, 0, 3, "Always run the linter before you push."), 1, "Always run the linter before you push.", 1},
	} {
		found, kept := proceduresOf(c.sources)
		got := ""
		if len(kept) > 0 {
			got = kept[0].Steps[0]
			confidence, heldOut, _ := RepetitionsIn(c.sources).Check(kept[0])
			w := WorkflowOf(kept[0], len(kept[0].Sources), confidence, heldOut)
			if heldOut != c.heldOut || w.HeldOut != heldOut || w.Confidence < MinConfidence || w.Kind != graph.Workflow {
				t.Errorf("%s: %+v", c.name, w)
			}
		}
		if len(found) != c.found || len(kept) > 1 || got != c.first && lowerFirst(got) != c.first {
			t.Errorf("%s: found %d, kept %d that begin with %q", c.name, len(found), len(kept), got)
		}
	}
}
