package erasure_test

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// An erasure by entity takes what says the name of the entity too, if it is not linked to it.
func TestForgetEntityTakesWhatSaysItsName(t *testing.T) {
	w := enginetest.New(t)
	write := func(text string) graph.ID { return w.Remember(text).Memory.ID }
	want := []graph.ID{write("Bram called."), write("we saw bram at noon"), write("bram's keys are in the drawer")} // not linked
	for _, text := range []string{"Abram paid for the soup.", "Sunniva had the soup."} {
		write(text)
	}
	want = append(want, write("Talk to Bram about the tuesdays."))
	slices.Sort(want)
	dry := fixture.Forget(t, w, engine.ForgetInput{Entity: "Bram", DryRun: true})
	if ids := verify(t, w, fixture.Forget(t, w, engine.ForgetInput{Entity: "Bram"})); !slices.Equal(ids, want) || dry.Count != len(want) {
		t.Errorf("%v are erased, want %v; the dry run counts %d", ids, want, dry.Count)
	}
}
