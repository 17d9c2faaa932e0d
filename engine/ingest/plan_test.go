package ingest_test

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// A plan that is called off never takes effect, and what it would have ended goes on.
func TestAPlanThatIsCalledOffChangesNothing(t *testing.T) {
	for _, x := range []struct{ before, plan, later, fact string }{
		{"I live in Nice.", "I'm moving to Lyon on 9 March.", "The move is off.", "lives in Nice"},
		{"I live in Nice.", "I'm going to move to Lyon in March.", "I'm not moving to Lyon after all.", "lives in Nice"},
		{"I work at Dior.", "I start at Renault on 9 March.", "Renault withdrew the offer.", "works at Dior"},
	} {
		w := inFebruary(t)
		says(w, x.before, by("ana", "s1"))
		plan := says(w, x.plan, by("ana", "s2")).Memory.ID
		if got := factsAt(w, "I", 20); got == x.fact {
			t.Errorf("%q does not take effect", x.plan)
		}
		off := says(w, x.later, by("ana", "s3"))
		if len(off.Revised) != 1 || off.Revised[0] != plan {
			t.Errorf("%q revised %d memories", x.later, len(off.Revised))
		}
		for _, day := range []int{1, 20} {
			if got := factsAt(w, "I", day); got != x.fact {
				t.Errorf("%q: on day %d of March %q, want %q", x.later, day, got, x.fact)
			}
		}
		if _, err := w.UndoRevision(w.T.Context(), w.Caller, off.Memory.ID); err != nil {
			t.Fatal(err)
		}
		if m := view(w, plan); m.Status() != graph.Active {
			t.Errorf("after the undo the plan is %s", m.Status())
		}
	}
}

// A plan that is named by its noun holds from the day to which it is postponed, and undoRevision brings the first day back.
func TestAPlanThatIsPostponedHoldsFromThatDay(t *testing.T) {
	w := inFebruary(t)
	says(w, "I live in Nice.", by("ana", "s1"))
	plan := says(w, "I'm moving to Lyon on 9 March.", by("ana", "s2")).Memory.ID
	later := says(w, "The move is postponed to 25 March.", by("ana", "s3"))
	for day, want := range map[int]string{20: "lives in Nice", 27: "lives in Lyon"} {
		if got := factsAt(w, "I", day); got != want {
			t.Errorf("on day %d of March %q, want %q", day, got, want)
		}
	}
	if m := view(w, plan); m.Status() != graph.Active {
		t.Errorf("the plan is %s", m.Status())
	}
	if _, err := w.UndoRevision(w.T.Context(), w.Caller, later.Memory.ID); err != nil {
		t.Fatal(err)
	}
	for day, want := range map[int]string{5: "lives in Nice", 20: "lives in Lyon"} {
		if got := factsAt(w, "I", day); got != want {
			t.Errorf("after the undo, on day %d of March %q, want %q", day, got, want)
		}
	}
}

// A day that a plan has as its value is replaced.
func TestAnEventIsPostponedByItsNoun(t *testing.T) {
	w := inFebruary(t)
	plan := says(w, "Our wedding is on 9 March.", by("ana", "s1")).Memory.ID
	says(w, "We postponed the wedding to 12 September.", by("ana", "s2"))
	if m := view(w, plan); m.Status() != graph.Superseded {
		t.Errorf("the plan is %s", m.Status())
	}
}

// Of several plans that a statement may mean none is called off.
func TestOneOfSeveralPlansIsNotCalledOff(t *testing.T) {
	w := inFebruary(t)
	var ids []graph.ID
	for _, plan := range []string{"I'm flying to Lisbon on 9 March.", "I'm flying to Oslo on 20 March."} {
		ids = append(ids, says(w, plan, by("ana", "s1")).Memory.ID)
	}
	says(w, "The trip is off.", by("ana", "s2"))
	for _, id := range ids {
		if m := view(w, id); m.Status() != graph.Active {
			t.Errorf("%q is %s", m.Memory.Content, m.Status())
		}
	}
	if off := says(w, "The Oslo trip is off.", by("ana", "s3")); len(off.Revised) != 1 || off.Revised[0] != ids[1] {
		t.Errorf("the trip to Oslo is not called off")
	}
}

// Of a memory with other facts only the plan ends.
func TestOnlyThePlanOfAMemoryIsCalledOff(t *testing.T) {
	w := inFebruary(t)
	id := says(w, "I work at Dior and I'm moving to Lyon on 9 March.", by("ana", "s1")).Memory.ID
	says(w, "The move is off.", by("ana", "s2"))
	if m := view(w, id); m.Status() != graph.Active {
		t.Errorf("the memory is %s", m.Status())
	}
	if got := factsAt(w, "I", 20); !strings.Contains(got, "works at Dior") || strings.Contains(got, "Lyon") {
		t.Errorf("on 20 March %q", got)
	}
}

// What an assistant says calls off no plan of a user.
func TestAnAssistantCallsOffNoPlan(t *testing.T) {
	w := inFebruary(t)
	id := says(w, "I'm moving to Lyon on 9 March.", by("ana", "s1")).Memory.ID
	says(w, "The move is off.", by("ana", "s1"), func(in *engine.RememberInput) { in.SourceKind = graph.FromAssistant })
	if m := view(w, id); m.Status() != graph.Active {
		t.Errorf("the plan is %s", m.Status())
	}
}

// A plan does not fade before its day.
func TestAPlanLastsUntilItsDay(t *testing.T) {
	w := inFebruary(t)
	for _, text := range []string{"I'm flying to Lisbon on 20 August 2031.", "I'm going to move to Lyon in September 2031."} {
		m := view(w, says(w, text, by("ana", "s1")).Memory.ID)
		due := m.Memory.Claims[0].State().ValidFrom
		if got := decay.RetentionAt(workspace.DecayOf(m.Memory, m.State), due); got < 0.49 || got > 0.51 {
			t.Errorf("%q: on its day %.2f is retained", text, got)
		}
	}
	m := view(w, says(w, "I baked bread yesterday.", by("ana", "s1")).Memory.ID)
	if m.Memory.DecayK != 0 {
		t.Errorf("what happened has the decay constant %v", m.Memory.DecayK)
	}
}

// A plan and its postponement that are written in one batch: undoRevision brings the first day back, for the plan and for what it ends.
func TestAPlanThatIsMovedInOneBatchIsMovedBack(t *testing.T) {
	w := inFebruary(t)
	says(w, "I live in Nice.", by("ana", "s1"))
	var in []engine.RememberInput
	for _, text := range []string{"I'm moving to Lyon on 9 March.", "The move is postponed to 25 March.", "The move is postponed to 28 March."} {
		in = append(in, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: "ana", Session: "s2"})
	}
	r, err := w.RememberMany(w.T.Context(), w.Caller, in)
	if err != nil {
		t.Fatal(err)
	}
	at := func(days map[int]string) {
		t.Helper()
		for day, want := range days {
			if got := factsAt(w, "I", day); got != want {
				t.Errorf("on day %d of March %q, want %q", day, got, want)
			}
		}
	}
	at(map[int]string{5: "lives in Nice", 26: "lives in Nice", 29: "lives in Lyon"})
	for i, days := range []map[int]string{{5: "lives in Nice", 24: "lives in Nice", 26: "lives in Lyon"}, {5: "lives in Nice", 10: "lives in Lyon"}} {
		if _, err := w.UndoRevision(w.T.Context(), w.Caller, r[2-i].Memory.ID); err != nil {
			t.Fatal(err)
		}
		at(days)
	}
}

// A plan that is moved lasts until its new day, and as long as before after the move was undone.
func TestAPlanThatIsMovedLastsUntilItsNewDay(t *testing.T) {
	w := inFebruary(t)
	plan := says(w, "I'm moving to Lyon on 9 March.", by("ana", "s1")).Memory.ID
	retained := func() float64 {
		m := view(w, plan)
		return decay.RetentionAt(workspace.DecayOf(m.Memory, m.State), m.Memory.Claims[0].State().ValidFrom)
	}
	before := view(w, plan).Memory.DecayK
	later := says(w, "The move is postponed to 25 October.", by("ana", "s2")).Memory.ID
	if got := retained(); got < 0.49 || got > 0.52 {
		t.Errorf("on its new day %.2f is retained", got)
	}
	if _, err := w.UndoRevision(w.T.Context(), w.Caller, later); err != nil {
		t.Fatal(err)
	}
	if got := view(w, plan).Memory.DecayK; got != before {
		t.Errorf("the decay constant is %v, was %v", got, before)
	}
}
