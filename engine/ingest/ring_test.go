package ingest_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// In damaged data versions may supersede each other in a circle. A correction of one of them ends with
// an error, instead of following the circle for ever.
func TestVersionsInARing(t *testing.T) {
	w, full := enginetest.New(t), 1.0
	a := w.Remember("The mill stands by the weir.").Memory.ID
	b, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: a, Content: "The mill stands by the ford.", Authority: &full})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(b.Memory.ID)
		if err != nil {
			return err
		}
		m.SupersededBy, m.UpdatedAt = a, w.Clock.Now()
		m.SetState(w.Clock.Now(), func(s *graph.State) { s.Status = graph.Superseded })
		return tx.PutMemory(m, graph.EventSuperseded)
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: a, Content: "The mill is gone.", Authority: &full})
	if graph.CodeOf(err) != graph.CodeIntegrityFailure {
		t.Errorf("a correction in the ring: %v", err)
	}
}
