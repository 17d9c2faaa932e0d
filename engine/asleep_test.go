package engine_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

func deep(t *testing.T, w *enginetest.World) *engine.SleepReport {
	t.Helper()
	r, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true})
	if err != nil {
		t.Fatalf("sleep: %v", err)
	}
	return r
}

func get(t *testing.T, w *enginetest.World, id graph.ID) *engine.View {
	t.Helper()
	v, err := w.Memory(t.Context(), w.Caller, id, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestASleepMergesArchivesAndCanBeTakenBack(t *testing.T) {
	w := enginetest.New(t)
	insert := func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }
	a := w.Remember("Ada keeps the spare key under the third flowerpot.", insert)
	b := w.Remember("Ada keeps the spare key under the third flowerpot.", insert, func(in *engine.RememberInput) { c := 0.6; in.Confidence = &c })
	var noise []graph.ID
	for _, s := range []string{"It rained a little around noon.", "Somebody laughed in the hall.", "The bus was yellow today.", "A dog barked twice outside."} {
		low := 0.25
		noise = append(noise, w.Remember(s, func(in *engine.RememberInput) { in.Salience = &low }).Memory.ID)
	}
	before := map[graph.ID]*engine.View{}
	for _, id := range append(noise, a.Memory.ID, b.Memory.ID) {
		before[id] = get(t, w, id)
	}
	w.Clock.Advance(40 * 24 * time.Hour)
	asleep := w.Clock.Now()
	r := deep(t, w)
	if r.Deduplicated != 1 || r.Pruned == 0 || !r.Complete || r.Balance.In != 6 || r.Balance.Left != 0 {
		t.Fatalf("report %+v", r)
	}
	if v := get(t, w, b.Memory.ID); v.State.Status != graph.Consolidated || v.Consolidated != a.Memory.ID {
		t.Errorf("the less certain twin is %s, folded into %s", v.State.Status, v.Consolidated)
	}
	again := deep(t, w)
	if again.Pruned+again.Deduplicated+again.Reinforced != 0 {
		t.Errorf("a second sleep changed something: %+v", again)
	}
	w.Clock.Advance(time.Hour)
	back, err := w.Rollback(t.Context(), w.Caller, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if back.RolledBackAt.IsZero() {
		t.Error("the report does not say that it was rolled back")
	}
	for id, was := range before {
		is := get(t, w, id)
		if is.State.Status != was.State.Status || is.Confidence != was.Confidence || is.Authority != was.Authority || is.Consolidated != was.Consolidated || !is.UpdatedAt.Equal(was.UpdatedAt) {
			t.Errorf("%s: %+v, before %+v", id, is.Memory, was.Memory)
		}
		then, err := w.Memory(t.Context(), w.Caller, id, engine.Access{AsOf: graph.AsOf{Recorded: asleep.Add(time.Minute)}})
		if err != nil {
			t.Fatal(err)
		}
		if id == b.Memory.ID && then.State.Status != graph.Consolidated {
			t.Errorf("as of the sleep, %s is %s", id, then.State.Status)
		}
	}
	if steps, err := w.SleepSteps(t.Context(), w.Caller, r.ID, 0); err != nil || len(steps) != r.Pruned+r.Deduplicated+r.Dreamed {
		t.Errorf("%d steps, %v", len(steps), err)
	}
}
