package sleep_test

import (
	"math"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// strengthAfterSleep is the strength of the relation "Zephyrine Okafor lives in Utrecht" after a
// night on which these memories were replayed.
func strengthAfterSleep(t *testing.T, texts ...string) (strength float64, dreamed int) {
	t.Helper()
	w := enginetest.With(t, enginetest.Options{Recess: enginetest.NewFakeArchive()})
	for _, text := range append([]string{"Zephyrine Okafor lives in Utrecht."}, texts...) {
		w.Remember(text, func(in *engine.RememberInput) { in.User = "ana" })
	}
	r, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	err = w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) error {
		e, err := r.EntityByName("default", "ana", "zephyrine okafor")
		if err != nil {
			return err
		}
		relations, err := r.Relations(e.ID, graph.Out, "", 10)
		if err != nil {
			return err
		}
		for _, x := range relations {
			if x.Predicate == "lives_in" {
				strength = x.Strength
			}
		}
		return nil
	})
	if err != nil || strength == 0 {
		t.Fatalf("strength %v, %v", strength, err)
	}
	return strength, r.Dreamed
}

// A replay raises a relation by ζ where one memory mentions both ends, and by ζ times the similarity
// of two memories that mention one each.
func TestReplayRaisesRelationsBySimilarityOfMemories(t *testing.T) {
	alone, dreamed := strengthAfterSleep(t)
	if dreamed != 1 || math.Abs(alone-1.01) > 1e-9 {
		t.Errorf("alone: strength %v after %d replays, want 1.01", alone, dreamed)
	}
	near, dreamed := strengthAfterSleep(t,
		"The red sails of Zephyrine Okafor were mended at the old harbour wall.",
		"The red sails were mended at the old harbour wall of Utrecht.")
	if dreamed != 3 || near <= alone+0.005 || near > alone+0.04 {
		t.Errorf("beside two memories alike: strength %v after %d replays", near, dreamed)
	}
	far, _ := strengthAfterSleep(t,
		"Zephyrine Okafor paid twelve invoices of the violin maker.",
		"A glass factory burned down near Utrecht.")
	if far >= near {
		t.Errorf("beside two memories unlike each other: strength %v, alike %v", far, near)
	}
}
