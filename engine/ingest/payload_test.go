package ingest_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A write that contradicts a memory which its caller does not see is judged by it, and does not
// name it.
func TestAnswerOfAWriteNamesOnlyWhatIsVisible(t *testing.T) {
	w := enginetest.New(t)
	hidden := w.Remember("The ferry leaves at seven.", func(in *engine.RememberInput) { in.Sensitivity = graph.Restricted }).Memory.ID
	c := w.Caller
	c.Sensitivity = graph.Internal
	in := engine.RememberInput{Content: "The ferry leaves at nine.", Consent: graph.ConsentExplicit, Namespace: "default", Sensitivity: graph.Internal}
	r, err := w.Engine.Remember(t.Context(), c, in)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.ConflictsWith)+len(r.Revised) > 0 {
		t.Errorf("the answer names %v, %v", r.ConflictsWith, r.Revised)
	}
	if v, err := w.Engine.Memory(t.Context(), w.Caller, hidden, engine.Access{}); err != nil || v.State.Status != graph.Superseded && v.State.ValidTo.IsZero() && v.Conflict+r.Memory.Conflict == 0 {
		t.Errorf("the write was not judged by a memory that its caller does not see: %+v, %v", v, err)
	}
	if _, err := w.Engine.Memory(t.Context(), c, hidden, engine.Access{}); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("the hidden memory: %v", err)
	}
}
