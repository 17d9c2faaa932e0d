package session_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

func TestTasksAreReadFromTurns(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Zephyrine Okafor repairs sails in the harbour.", func(in *engine.RememberInput) { in.User = "ana" })
	turn := fixture.Observe(t, w, "user", "TODO: rotate the signing key").Memory
	fixture.Observe(t, w, "user", "I should call my mother.")                      // too weak
	fixture.Observe(t, w, "user", "We need to pay Zephyrine Okafor for the sail.") // names a known entity
	fixture.Observe(t, w, "user", "Before we can ship with Zephyrine Okafor, we need a new certificate.")
	fixture.Observe(t, w, "user", "Do I need to bring the rope?")
	fixture.Observe(t, w, "user", "Don't forget to feed the cat.", func(in *engine.Observation) { in.Consent = graph.ConsentNone })
	got := fixture.Tasks(t, w)
	if len(got) != 2 {
		for _, x := range got {
			t.Logf("%+v %s", *x, x.Memory.Content)
		}
		t.Fatalf("%d tasks, want 2", len(got))
	}
	key, pay := got[0], got[1]
	if key.Memory.Content != "rotate the signing key" || key.Status != engine.TaskCandidate || key.Strength != 0.9 || math.Abs(key.Confidence-0.54) > 1e-9 || key.Turn != turn.ID {
		t.Errorf("%+v: %s", *key, key.Memory.Content)
	}
	if pay.Strength != 0.75 || math.Abs(pay.Confidence-(0.6*0.75+0.25)) > 1e-9 || pay.Memory.Priority != graph.Medium {
		t.Errorf("%+v: %s", *pay, pay.Memory.Content)
	}
	m := key.Memory
	if m.Type != graph.Working || m.SourceKind != graph.FromExtraction || m.Authority != turn.Authority || m.Consent != turn.Consent || m.User != "ana" || m.Session != "s" || !slices.Equal(m.Tags, []string{"task"}) {
		t.Errorf("%+v", m.Memory)
	}
	if !m.ExpiresAt.Equal(enginetest.Start.Add(48 * time.Hour)) {
		t.Errorf("expires %v", m.ExpiresAt)
	}
	edges, err := related(t, w, m.ID)
	if err != nil || !slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.Kind == graph.DerivedFrom && e.To == turn.ID }) {
		t.Errorf("edges %v, %v", edges, err)
	}
}

func TestRepeatedTaskGainsConfidence(t *testing.T) {
	w := enginetest.New(t)
	fixture.Observe(t, w, "user", "I need to mend the keel.") // 0.48: not a candidate
	if n := len(fixture.Tasks(t, w)); n != 0 {
		t.Fatalf("%d tasks", n)
	}
	w.Remember("Bram Jansen owns the dry dock.", func(in *engine.RememberInput) { in.User = "ana" })
	fixture.Observe(t, w, "user", "I need to ask Bram Jansen.")
	fixture.Observe(t, w, "user", "Really, I need to ask Bram Jansen.")
	got := fixture.Tasks(t, w)
	if len(got) != 1 || math.Abs(got[0].Confidence-0.88) > 1e-9 || got[0].Memory.Priority != graph.High {
		t.Fatalf("%+v", got)
	}
	// Processing the turns again, after a restart, writes nothing twice.
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if again := fixture.Tasks(t, w); len(again) != 1 || again[0].Memory.ID != got[0].Memory.ID || again[0].Confidence != got[0].Confidence {
		t.Errorf("after a restart: %+v", again)
	}
	// The conversation referred to it again: the close keeps it.
	if r := closeSession(t, w); len(r.Kept) != 1 || r.Kept[0].ID != got[0].Memory.ID {
		t.Errorf("kept: %+v", r.Kept)
	}
	if n := len(fixture.Tasks(t, w)); n != 0 {
		t.Errorf("%d tasks are open after the close", n)
	}
}

func TestConfirmAndDismiss(t *testing.T) {
	w := enginetest.New(t)
	fixture.Observe(t, w, "user", "TODO: rotate the signing key")
	fixture.Observe(t, w, "user", "TODO: water the ferns")
	fixture.Observe(t, w, "user", "TODO: paint the gate")
	list := fixture.Tasks(t, w)
	key, ferns, gate := list[0].Memory.ID, list[1].Memory.ID, list[2].Memory.ID
	for range 2 {
		x, err := w.ConfirmTask(t.Context(), w.Caller, key)
		if err != nil || x.Status != engine.TaskConfirmed || !x.Memory.ExpiresAt.IsZero() {
			t.Fatalf("confirmed: %+v, %v", x, err)
		}
		x, err = w.DismissTask(t.Context(), w.Caller, ferns)
		if err != nil || x.Status != engine.TaskDismissed || x.Memory.State.Status != graph.Expired {
			t.Fatalf("dismissed: %+v, %v", x, err)
		}
	}
	_, err := w.ConfirmTask(t.Context(), w.Caller, ferns)
	fixture.WantError(t, err, graph.CodeVersionConflict, "id")
	_, err = w.ConfirmTask(t.Context(), w.Caller, w.Remember("The gate is green.").Memory.ID)
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "id")
	_, _, err = w.Tasks(t.Context(), w.Caller, engine.TaskInput{Status: "DONE"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "status")

	r := closeSession(t, w)
	if len(r.Expired) != 1 || r.Expired[0].ID != gate {
		t.Errorf("expired: %+v", r.Expired)
	}
	w.Clock.Advance(100 * 24 * time.Hour)
	if list := fixture.Tasks(t, w); len(list) != 1 || list[0].Memory.ID != key || list[0].Status != engine.TaskConfirmed {
		t.Errorf("a hundred days later: %+v", list)
	}
	byStatus := func(s engine.TaskStatus) func(*engine.TaskInput) {
		return func(in *engine.TaskInput) { in.Status = s }
	}
	if list := fixture.Tasks(t, w, byStatus(engine.TaskDismissed)); len(list) != 1 || list[0].Memory.ID != ferns {
		t.Errorf("dismissed: %+v", list)
	}
	if x, err := w.DismissTask(t.Context(), w.Caller, key); err != nil || x.Status != engine.TaskDismissed {
		t.Errorf("%+v, %v", x, err)
	}
}

// A memory that an active task refers to has the task part of the score.
func TestOpenTasksRaiseTheScore(t *testing.T) {
	w := enginetest.New(t)
	shared := w.Remember("Zephyrine Okafor has a new loom in the harbour.").Memory.ID
	person := w.Remember("Zephyrine Okafor repairs sails in the harbour.", func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID
	other := w.Remember("The harbour fee is twelve.", func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID
	part := func(id graph.ID) float64 {
		t.Helper()
		r := w.Search("harbour sails fee", func(in *engine.SearchInput) { in.Mode = engine.ModeManager })
		for _, h := range r.Hits {
			if h.Memory.ID == id {
				return h.Parts.Task
			}
		}
		t.Fatalf("%s is not a hit", id)
		return 0
	}
	if part(person) != 0 {
		t.Error("there is no task yet")
	}
	fixture.Observe(t, w, "user", "TODO: pay Zephyrine Okafor")
	task := fixture.Tasks(t, w)[0].Memory.ID
	if part(person) != 0.5 || part(shared) != 0.5 || part(other) != 0 {
		t.Errorf("parts %v, %v and %v", part(person), part(shared), part(other))
	}
	if r := w.Search("harbour sails", func(in *engine.SearchInput) { in.Mode = engine.ModeAnswer }); r.Hits[0].Parts.Task != 0 {
		t.Error("a mode that gives tasks no weight scored them")
	}
	// A task does not affect the scores of a caller that may not see it.
	c := w.Caller
	c.User = "bram"
	r, err := w.Engine.Search(t.Context(), c, engine.SearchInput{Query: "loom harbour", Mode: engine.ModeManager})
	if err != nil || len(r.Hits) != 1 || r.Hits[0].Memory.ID != shared || r.Hits[0].Parts.Task != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := w.DismissTask(t.Context(), w.Caller, task); err != nil {
		t.Fatal(err)
	}
	if part(person) != 0 {
		t.Error("a dismissed task weighs")
	}
}

func TestErasingTurnRemovesItsTask(t *testing.T) {
	w := enginetest.New(t)
	id := fixture.Observe(t, w, "user", "TODO: rotate the signing key").Memory.ID
	task := fixture.Tasks(t, w)[0].Memory.ID
	r, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{id}})
	if err != nil || r.Count != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	_, err = w.ConfirmTask(t.Context(), w.Caller, task)
	var e *graph.Error
	if !errors.As(err, &e) || e.Code != graph.CodeMemoryNotFound {
		t.Errorf("error %v", err)
	}
}

// A sleep neither makes a tracked task an episode nor removes it.
func TestSleepLeavesTrackedTasks(t *testing.T) {
	w := enginetest.New(t)
	fixture.Observe(t, w, "user", "TODO: rotate the signing key")
	fixture.Observe(t, w, "user", "TODO: paint the gate")
	list := fixture.Tasks(t, w)
	used, idle := list[0].Memory.ID, list[1].Memory.ID
	for _, id := range []graph.ID{used, idle} {
		if _, err := w.ConfirmTask(t.Context(), w.Caller, id); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 { // memories with a higher score
		w.Remember(fmt.Sprintf("IMPORTANT: my sister Zephyrine was born on %d May 1990.", i+1), func(in *engine.RememberInput) { in.User = "ana" })
	}
	for range 2 {
		w.Search("rotate the signing key", func(in *engine.SearchInput) {
			in.Track, in.Types = true, []graph.Type{graph.Working}
			in.TopK = 1
		})
		w.Clock.Advance(60 * 24 * time.Hour)
		if _, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
			t.Fatal(err)
		}
		for _, id := range []graph.ID{used, idle} {
			if m := stored(t, w, id); m.Type != graph.Working || m.Status() != graph.Active {
				t.Fatalf("%q: %s, %+v", m.Content, m.Type, m.State())
			}
		}
	}
}
