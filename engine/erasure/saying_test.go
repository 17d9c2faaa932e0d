package erasure_test

import (
	"encoding/json"
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

// The name of an erased entity stays in no text of a memory: not in what a person corrected, and not in what is beside the content.
func TestForgetEntityTakesWhatSaysItsNameElsewhere(t *testing.T) {
	w := enginetest.New(t)
	corrected := w.Remember("The manager of the Berlin shop is Tom.").Memory
	object := "Quandtina"
	_, err := w.CorrectClaim(t.Context(), w.Caller, engine.CorrectClaimInput{ID: string(graph.ClaimID(corrected.ID, 1)), Object: &object})
	if err != nil {
		t.Fatal(err)
	}
	want := []graph.ID{corrected.ID}
	for text, with := range map[string]func(*engine.RememberInput){
		"The kettle is broken.":          func(in *engine.RememberInput) { in.Tags = []string{"Quandtina"} },
		"The ledger is closed at night.": func(in *engine.RememberInput) { in.Meta = json.RawMessage(`{"note": ["asked by \u0051uandtina"]}`) },
		"Bake the loaf.": func(in *engine.RememberInput) {
			in.Type, in.Trigger, in.Steps = graph.Procedural, "when Quandtina calls", []string{"heat the oven"}
		},
		"Water the fern.": func(in *engine.RememberInput) {
			in.Type, in.Trigger, in.Steps = graph.Procedural, "every week", []string{"ask Quandtina for the can"}
		},
	} {
		want = append(want, w.Remember(text, with).Memory.ID)
	}
	kept := w.Remember("The attic is dry.", func(in *engine.RememberInput) { in.Meta = json.RawMessage(`{"note": "checked"}`) }).Memory.ID
	want = append(want, w.Remember("Quandtina lives in Rome.").Memory.ID)
	slices.Sort(want)
	dry := fixture.Forget(t, w, engine.ForgetInput{Entity: object, DryRun: true})
	if ids := verify(t, w, fixture.Forget(t, w, engine.ForgetInput{Entity: object})); !slices.Equal(ids, want) || dry.Count != len(want) || slices.Contains(ids, kept) {
		t.Errorf("%v are erased, want %v; the dry run counts %d", ids, want, dry.Count)
	}
}

// A dry run warns of what harm follows from, also where no caller marked it as safety-critical.
func TestDryRunWarnsOfAllergies(t *testing.T) {
	w := enginetest.New(t)
	of := func(in *engine.RememberInput) { in.User = "cy" }
	want := w.Remember("I'm allergic to penicillin.", of).Memory.ID
	w.Remember("I have a red bicycle.", of)
	over := w.Remember("I'm allergic to kiwi.", of).Memory.ID
	w.Remember("I'm no longer allergic to kiwi.", of)
	r := fixture.Forget(t, w, engine.ForgetInput{User: "cy", DryRun: true})
	if r.Forecast == nil || !slices.Equal(r.Forecast.SafetyLost, []graph.ID{want}) {
		t.Errorf("the dry run warns of %+v, want %s and not %s", r.Forecast, want, over)
	}
}
