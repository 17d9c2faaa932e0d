package ingest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// crowd returns memories that are nearer to the text on the ferry than the memory that
// contradicts it.
func crowd() []engine.RememberInput {
	var in []engine.RememberInput
	for i := range 40 {
		in = append(in, engine.RememberInput{
			Content: fmt.Sprintf("The big white ferry leaves from the old pier by the market, trip %d.", i), Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert,
		})
	}
	return in
}

// Two memories that share a rare name are compared, however many others are nearer by
// meaning.
func TestMemoriesWithCommonEntityAreCompared(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	old := w.Remember("Quillon leaves at 9.", func(in *engine.RememberInput) { in.Subject, in.Entities = "departure", []string{"Quillon"} }).Memory.ID
	other := w.Remember("Quillon leaves at 9.", func(in *engine.RememberInput) {
		in.Subject, in.Entities, in.Namespace = "departure", []string{"Quillon"}, "elsewhere"
	}).Memory.ID
	fixture.MustRemember(w, crowd()...)
	say := engine.RememberInput{
		Content: "Quillon leaves at 10. The big white ferry leaves from the old pier by the market on every trip, as the big white ferry does from the old pier.",
		Consent: graph.ConsentExplicit, Subject: "ferry", Entities: []string{"Quillon"},
	}
	r := fixture.MustRemember(w, say)[0]
	if !slices.Contains(r.ConflictsWith, old) || slices.Contains(r.ConflictsWith, other) {
		t.Errorf("it contradicts %v, want only %s", r.ConflictsWith, old)
	}
	// The same holds inside one batch.
	b := enginetest.New(t)
	fixture.WithoutRevision(t, b, "default")
	both := append([]engine.RememberInput{{Content: "Quillon leaves at 9.", Consent: graph.ConsentExplicit, Subject: "departure", Entities: []string{"Quillon"}}}, say)
	two := fixture.MustRemember(b, both...)
	if !slices.Contains(two[1].ConflictsWith, two[0].Memory.ID) {
		t.Error("in one batch they were not compared")
	}
}

// A memory that returns by a rollback has its conflicts again, on both sides.
func TestReactivatedMemoryIsInConflictAgain(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	a := w.Remember("The clinic opens at 8.", func(in *engine.RememberInput) { in.Subject, in.Salience = "clinic", fixture.Ptr(0.1) }).Memory.ID
	w.Clock.Advance(40 * 24 * time.Hour)
	for _, other := range []string{"Ana mended the press.", "Marlo sang in the choir.", "The weir froze over."} {
		w.Remember(other)
	}
	b := w.Remember("The clinic opens at 9.", func(in *engine.RememberInput) { in.Subject = "clinic" }).Memory.ID
	signals := func() (of [2]float64) {
		t.Helper()
		for i, id := range []graph.ID{a, b} {
			v, err := w.Engine.Memory(t.Context(), w.Caller, id, engine.Access{})
			if err != nil {
				t.Fatal(err)
			}
			of[i] = v.Conflict
		}
		return of
	}
	before := signals()
	if before[0] <= 0.3 || before[1] <= 0.3 {
		t.Fatalf("they do not contradict: %v", before)
	}
	report, err := w.Engine.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true})
	if err != nil || report.Pruned != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	if got := signals(); got[1] != 0 {
		t.Errorf("alone: %v", got)
	}
	if _, err := w.Engine.Rollback(t.Context(), w.Caller, engine.RollbackInput{ID: report.ID}); err != nil {
		t.Fatal(err)
	}
	if got := signals(); got != before {
		t.Errorf("after the rollback %v, before %v", got, before)
	}
}
