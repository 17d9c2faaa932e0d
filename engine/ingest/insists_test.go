package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// What a user says again after it was corrected on the page is a new statement, and holds.
func TestASayingAfterACorrectionIsNoDuplicate(t *testing.T) {
	byAna := func(in *engine.RememberInput) { in.User = "ana" }
	for _, correct := range []bool{true, false} {
		w := enginetest.New(t)
		first := w.Remember("My sister lives in Ghent.", byAna).Memory.ID
		w.Clock.Advance(time.Hour)
		if object := "Antwerp"; correct {
			if _, err := w.CorrectClaim(t.Context(), w.Caller, engine.CorrectClaimInput{ID: graph.ClaimID(first, 1), Object: &object}); err != nil {
				t.Fatal(err)
			}
		}
		w.Clock.Advance(time.Hour)
		again := w.Remember("My sister lives in Ghent.", byAna)
		if !correct {
			if again.DuplicateOf != first {
				t.Errorf("without a correction it is a duplicate of %q", again.DuplicateOf)
			}
			continue
		}
		if again.DuplicateOf != "" {
			t.Fatalf("it is answered as a duplicate of %s", again.DuplicateOf)
		}
		if m := view(w, first).Memory; m.Status() != graph.Superseded || m.SupersededBy != again.Memory.ID {
			t.Errorf("the corrected one is %s by %q", m.Status(), m.SupersededBy)
		}
	}
}
