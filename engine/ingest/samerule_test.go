package ingest_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A rule that is said again under another condition, or by somebody, stands beside the first one. A rule that changed revises it.
func TestARepeatedRuleRevisesNothing(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Always lock the boat house after sailing.", "Always lock the boat house when you leave.", stands},
		{"Always lock the boat house when you leave.", "Please always lock the boat house after sailing.", stands},
		{"Always lock the boat house after sailing.", "Always lock the boat house, said Tomas.", stands},
		{"Always clean the brushes after painting.", "Always clean the brushes when the painting is done.", stands},
		{"Always answer in Dutch.", "Always answer in French.", revised},
	})
}

// Of the steps of one sequence none revises another one.
func TestTheNextStepRevisesNothing(t *testing.T) {
	w := enginetest.New(t)
	for _, x := range []struct {
		earlier, later string
		want           graph.Status
	}{
		{"I stopped the writers.", "Then I started the writers.", graph.Active},
		{"I live in Oslo.", "Then I moved to Bergen.", graph.Superseded},
	} {
		old := says(w, x.earlier, by("ana", "s")).Memory.ID
		says(w, x.later, by("ana", "s"))
		if got := view(w, old).Status(); got != x.want {
			t.Errorf("%q, %q: %s, want %s", x.earlier, x.later, got, x.want)
		}
	}
}
