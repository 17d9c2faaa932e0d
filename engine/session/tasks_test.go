package session_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// say is a turn of the user, a second after what was before: the ids of tasks ascend with the
// milliseconds of their turns.
func say(t *testing.T, w *enginetest.World, text string, with ...func(*engine.Observation)) *engine.Observed {
	t.Helper()
	w.Clock.Advance(time.Second)
	return fixture.Observe(t, w, "user", text, with...)
}

func TestTasksAreReadFromTurns(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Zephyrine Okafor repairs sails in the harbour.", func(in *engine.RememberInput) { in.User = "ana" })
	turn := say(t, w, "TODO: rotate the signing key").Memory
	say(t, w, "I should call my mother.")                      // too weak
	say(t, w, "We need to pay Zephyrine Okafor for the sail.") // names a known entity
	say(t, w, "Before we can ship with Zephyrine Okafor, we need a new certificate.")
	say(t, w, "Do I need to bring the rope?")
	say(t, w, "Don't forget to feed the cat.", func(in *engine.Observation) { in.Consent = graph.ConsentNone })
	got := fixture.Tasks(t, w)
	if len(got) != 3 {
		for _, x := range got {
			t.Logf("%+v %s", *x, x.Memory.Content)
		}
		t.Fatalf("%d tasks, want 3", len(got))
	}
	key, pay, certificate := got[0], got[1], got[2]
	// The known name stands in the other half of the sentence.
	if certificate.Memory.Content != "a new certificate" || certificate.Blocks != "ship with Zephyrine Okafor" || math.Abs(certificate.Confidence-(0.6*0.78+0.25)) > 1e-9 {
		t.Errorf("%+v: %s", *certificate, certificate.Memory.Content)
	}
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
	if !m.ExpiresAt.Equal(turn.CreatedAt.Add(48 * time.Hour)) {
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
}

// A task that the same user names again in another conversation, with the same words or the same
// reading, is one task. It lives on from then, and another date, speaker, trust or sense makes another.
func TestTaskNamedInAnotherConversationIsTheSame(t *testing.T) {
	w := enginetest.New(t)
	in := func(session string) func(*engine.Observation) {
		return func(o *engine.Observation) { o.Session = session }
	}
	say(t, w, "TODO: mend the keel")
	first := fixture.Tasks(t, w)
	w.Clock.Advance(24 * time.Hour)
	again := say(t, w, "Don't forget to mend the keel!", in("t")).Memory
	list := fixture.Tasks(t, w)
	if len(first) != 1 || len(list) != 1 || list[0].Memory.ID != first[0].Memory.ID || list[0].Confidence <= first[0].Confidence || !list[0].Memory.ExpiresAt.Equal(again.CreatedAt.Add(48*time.Hour)) {
		t.Fatalf("first %+v, then %+v", first, list)
	}
	say(t, w, "TODO: mend our keel by Friday", in("u"))
	if list = fixture.Tasks(t, w); len(list) != 1 || list[0].Due.IsZero() {
		t.Fatalf("with a date: %+v", list)
	}
	say(t, w, "TODO: mend the keel by 20 March", in("v"))
	say(t, w, "TODO: don't mend the keel", in("v"))
	say(t, w, "TODO: mend the keel", in("v"), func(o *engine.Observation) { o.User = "bo" })
	say(t, w, "TODO: mend the keel", in("v"), func(o *engine.Observation) { o.Consent = graph.ConsentImplicit })
	if list = fixture.Tasks(t, w); len(list) != 5 {
		for _, x := range list {
			t.Logf("%s of %s, due %v", x.Memory.Content, x.Memory.User, x.Due)
		}
		t.Errorf("%d tasks, want 5", len(list))
	}
}

// An unconfirmed task lives for 48 hours after its session. Then it becomes an episode if it was
// mentioned again, and expires otherwise.
func TestUnconfirmedTasksOutliveTheirSession(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Sweep: time.Millisecond})
	say(t, w, "TODO: paint the gate")
	say(t, w, "TODO: mend the keel")
	say(t, w, "TODO: mend the keel")
	w.Clock.Advance(40 * time.Hour) // the session goes on
	say(t, w, "The gate is still grey.")
	list := fixture.Tasks(t, w)
	if len(list) != 2 {
		t.Fatalf("%d tasks", len(list))
	}
	gate, keel := list[0].Memory.ID, list[1].Memory.ID
	for range 2 { // a second close answers the same
		r := closeSession(t, w)
		if len(r.Expired) != 0 || len(r.Kept) != 2 || !r.Kept[0].ExpiresAt.Equal(r.EndedAt.Add(48*time.Hour)) {
			t.Fatalf("kept %+v, expired %+v", r.Kept, r.Expired)
		}
		w.Clock.Advance(20 * time.Hour)
	}
	if _, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(8*time.Hour - time.Millisecond)
	if list := fixture.Tasks(t, w); len(list) != 2 || list[0].Status != engine.TaskCandidate {
		t.Fatalf("before the end: %+v", list)
	}
	events := follow(t, w)
	w.Clock.Advance(time.Millisecond)
	if list := fixture.Tasks(t, w); len(list) != 0 {
		t.Errorf("after the end: %+v", list)
	}
	ended := map[graph.ID]bool{gate: false, keel: false}
	for !ended[gate] || !ended[keel] {
		ended[fixture.NextEvent(t, events).ID] = true
	}
	if m := stored(t, w, gate); m.Status() != graph.Expired || m.Type != graph.Working {
		t.Errorf("mentioned once: %s, %s", m.Status(), m.Type)
	}
	if m := stored(t, w, keel); m.Status() != graph.Active || m.Type != graph.Episodic || !m.ExpiresAt.IsZero() {
		t.Errorf("mentioned again: %s, %s until %s", m.Status(), m.Type, m.ExpiresAt)
	}
}

// A task that was used becomes an episode at the end of its time, also if it was named once only.
func TestUsedTaskBecomesAnEpisode(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Sweep: time.Millisecond})
	say(t, w, "TODO: mend the keel")
	list := fixture.Tasks(t, w)
	if len(list) != 1 {
		t.Fatalf("%d tasks", len(list))
	}
	keel := list[0].Memory.ID
	if _, err := w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: "what is to be mended", ID: keel, Outcome: engine.OutcomeUsed, User: "ana"}); err != nil {
		t.Fatal(err)
	}
	closeSession(t, w)
	events := follow(t, w)
	w.Clock.Advance(49 * time.Hour)
	for stored(t, w, keel).Type != graph.Episodic { // its count of uses is an event, too
		fixture.NextEvent(t, events)
	}
	if m := stored(t, w, keel); m.Status() != graph.Active {
		t.Errorf("%s", m.Status())
	}
}

// The time to live of a sensitivity ends a task earlier.
func TestTaskEndsWithItsSensitivity(t *testing.T) {
	w := enginetest.New(t)
	var rules engine.PolicyInput
	rules.TTL = map[graph.Sensitivity]time.Duration{graph.Internal: 24 * time.Hour}
	if _, err := w.SetNamespacePolicy(t.Context(), w.Caller, rules); err != nil {
		t.Fatal(err)
	}
	fixture.Observe(t, w, "user", "TODO: paint the gate")
	fixture.Tasks(t, w)
	if r := closeSession(t, w); len(r.Kept) != 1 || !r.Kept[0].ExpiresAt.Equal(enginetest.Start.Add(24*time.Hour)) {
		t.Errorf("%+v", r.Kept)
	}
}

func TestDoneIsNotDismissed(t *testing.T) {
	w := enginetest.New(t)
	say(t, w, "TODO: rotate the signing key")
	say(t, w, "TODO: water the ferns")
	list := fixture.Tasks(t, w)
	key, ferns := list[0].Memory.ID, list[1].Memory.ID
	at := w.Clock.Advance(time.Hour)
	for range 2 {
		x, err := w.CompleteTask(t.Context(), w.Caller, key)
		if err != nil || x.Status != engine.TaskDone || x.Memory.State.Status != graph.Expired || !x.EndedAt.Equal(at) {
			t.Fatalf("done: %+v, %v", x, err)
		}
		if x, err = w.DismissTask(t.Context(), w.Caller, ferns); err != nil || x.Status != engine.TaskDismissed || !x.EndedAt.Equal(at) {
			t.Fatalf("dismissed: %+v, %v", x, err)
		}
		w.Clock.Advance(time.Minute)
	}
	_, err := w.DismissTask(t.Context(), w.Caller, key)
	fixture.WantError(t, err, graph.CodeVersionConflict, "id")
	_, err = w.CompleteTask(t.Context(), w.Caller, ferns)
	fixture.WantError(t, err, graph.CodeVersionConflict, "id")
	for status, id := range map[engine.TaskStatus]graph.ID{engine.TaskDone: key, engine.TaskDismissed: ferns} {
		list := fixture.Tasks(t, w, func(in *engine.TaskInput) { in.Status = status })
		if len(list) != 1 || list[0].Memory.ID != id {
			t.Errorf("%s: %+v", status, list)
		}
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if list := fixture.Tasks(t, w); len(list) != 0 {
		t.Errorf("open after a restart: %+v", list)
	}
}

// "Before we can X, we need Y": X waits for Y, whichever was said first, until Y is done.
func TestTaskWaitsForWhatBlocksIt(t *testing.T) {
	w := enginetest.New(t)
	say(t, w, "TODO: ship the release on Friday")
	say(t, w, "Before we can ship the release, we need to renew the certificate.")
	say(t, w, "TODO: ship the boat")
	say(t, w, "Before we can renew the certificate, we need a budget.", func(in *engine.Observation) { in.User = "bram" })
	list := fixture.Tasks(t, w)
	if len(list) != 4 {
		t.Fatalf("%d tasks", len(list))
	}
	release, certificate, boat := list[0], list[1], list[2]
	if !slices.Equal(release.BlockedBy, []graph.ID{certificate.Memory.ID}) || certificate.Blocks != "ship the release" {
		t.Errorf("the release waits for %v, the certificate blocks %q", release.BlockedBy, certificate.Blocks)
	}
	if len(certificate.BlockedBy) != 0 || len(boat.BlockedBy) != 0 {
		t.Errorf("another user's task blocks %v; the boat waits for %v", certificate.BlockedBy, boat.BlockedBy)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if again := fixture.Tasks(t, w); len(again) != 4 || len(again[0].BlockedBy) != 1 {
		t.Fatalf("after a restart: %+v", again)
	}
	if x, err := w.ConfirmTask(t.Context(), w.Caller, release.Memory.ID); err != nil || len(x.BlockedBy) != 1 {
		t.Errorf("confirmed: %+v, %v", x, err)
	}
	if _, err := w.CompleteTask(t.Context(), w.Caller, certificate.Memory.ID); err != nil {
		t.Fatal(err)
	}
	if after := fixture.Tasks(t, w); len(after) != 3 || len(after[0].BlockedBy) != 0 {
		t.Errorf("the certificate is there: %+v", after[0])
	}
}

// Dates are relative to the time of the turn, not to the time of its recording.
func TestTasksAreDue(t *testing.T) {
	w := enginetest.New(t) // Monday, 2 March 2026
	say(t, w, "TODO: send the contract by Friday")
	say(t, w, "Until 3 March I need to call the harbour. TODO: call the harbour")
	say(t, w, "TODO: sweep the deck")
	say(t, w, "TODO: paint the mast before Monday", func(in *engine.Observation) { in.OccurredAt = enginetest.Start.AddDate(0, 0, -3) })
	list := fixture.Tasks(t, w)
	if len(list) != 4 {
		t.Fatalf("%d tasks", len(list))
	}
	end := func(day int) time.Time { return time.Date(2026, 3, day+1, 0, 0, 0, 0, time.UTC).Add(-time.Millisecond) }
	for i, want := range []time.Time{end(6), {}, {}, end(1)} {
		if !list[i].Due.Equal(want) {
			t.Errorf("%s: due %s, want %s", list[i].Memory.Content, list[i].Due, want)
		}
	}
	// Named again, with a date in the words before the task.
	say(t, w, "By tomorrow I need to sweep the deck.")
	due := fixture.Tasks(t, w, func(in *engine.TaskInput) { in.DueBefore = end(4) })
	if len(due) != 2 || due[0].Memory.Content != "sweep the deck" || !due[0].Due.Equal(end(3)) {
		t.Errorf("due before Thursday: %+v", due)
	}
}

// Open tasks lead the hits of a MANAGER search and the conversation of a context: first those that
// wait for none, by date.
func TestOpenTasksLead(t *testing.T) {
	w := enginetest.New(t)
	for i := range 12 {
		w.Remember(fmt.Sprintf("Zephyrine Okafor paid harbour fee number %d in the release.", i+1), func(in *engine.RememberInput) { in.User = "ana" })
	}
	say(t, w, "TODO: ship the release")
	say(t, w, "TODO: sweep the deck by Friday")
	say(t, w, "Before we can ship the release, we need to renew the certificate.")
	say(t, w, "TODO: call the harbour tomorrow")
	say(t, w, "What next?")
	list := fixture.Tasks(t, w)
	if len(list) != 4 {
		t.Fatalf("%d tasks", len(list))
	}
	id := func(i int) graph.ID { return list[i].Memory.ID }
	order := []graph.ID{id(3), id(1), id(2), id(0)}
	r := w.Search("", func(in *engine.SearchInput) { in.Mode, in.User = engine.ModeManager, "ana" })
	if got := enginetest.IDs(r); len(got) != 10 || !slices.Equal(got[:4], order) {
		t.Errorf("hits %v, want %v first", got, order)
	}
	if got := r.Manager.Tasks; len(got) != 4 || got[0].ID != order[0] || got[3].ID != order[3] || !slices.Equal(r.Manager.BlockedBy[3], []graph.ID{id(2)}) {
		t.Errorf("manager tasks %+v, blocked by %v", got, r.Manager.BlockedBy)
	}
	// With a question, only the tasks that match it lead.
	ratio := 0.75 // the deck is near the default ratio, and the turns that are memories by then move it
	r = w.Search("Who paid the harbour fee of the release?", func(in *engine.SearchInput) { in.Mode, in.User, in.MinScoreRatio = engine.ModeManager, "ana", &ratio })
	if got := enginetest.IDs(r); slices.Contains(got, id(1)) || len(got) == 0 {
		t.Errorf("the deck answers a question about fees: %v", got)
	}
	x, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "another", User: "ana", Query: "What is left to do?"})
	if err != nil {
		t.Fatal(err)
	}
	conversation := x.Layers[4]
	want := []string{string(order[0]), string(order[1]), string(order[2]), string(order[3])}
	if !slices.Equal(conversation.MemoryIDs, want) {
		t.Errorf("the conversation holds %v, want %v", conversation.MemoryIDs, want)
	}
	for _, text := range []string{"(open task, due 2026-03-03)", "(open task, due 2026-03-06)", "(open task) ", "(open task, waits for another one)"} {
		if !strings.Contains(conversation.Text, text) {
			t.Errorf("%q is missing in\n%s", text, conversation.Text)
		}
	}
	for _, l := range x.Layers[:4] {
		if slices.ContainsFunc(l.MemoryIDs, func(id string) bool { return slices.Contains(want, id) }) {
			t.Errorf("a task is also in layer %s", l.Name)
		}
	}
	// Bram sees none of them; a done task leads nothing.
	if x, err = w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "another", User: "bram"}); err != nil || len(x.Layers[4].MemoryIDs) != 0 {
		t.Errorf("bram's conversation holds %v, %v", x.Layers[4].MemoryIDs, err)
	}
	if _, err := w.CompleteTask(t.Context(), w.Caller, id(3)); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(5 * 24 * time.Hour)
	if x, err = w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s", User: "ana"}); err != nil || len(x.Layers[4].MemoryIDs) == 0 || x.Layers[4].MemoryIDs[0] == string(id(3)) {
		t.Errorf("after the task is done: %+v, %v", x.Layers[4].MemoryIDs, err)
	}
}

func TestConfirmAndDismiss(t *testing.T) {
	w := enginetest.New(t)
	say(t, w, "TODO: rotate the signing key")
	say(t, w, "TODO: water the ferns")
	say(t, w, "TODO: paint the gate")
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
	_, _, err = w.Tasks(t.Context(), w.Caller, engine.TaskInput{Status: "STARTED"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "status")

	r := closeSession(t, w)
	if len(r.Expired) != 0 || len(r.Kept) != 2 || r.Kept[0].ID != key || r.Kept[1].ID != gate {
		t.Errorf("kept: %+v, expired: %+v", r.Kept, r.Expired)
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

// What the user asks to be reminded of, and has to do once by a day, is a task in a turn and in a memory that was remembered. What is always so, was
// so, or is said by an assistant is none.
func TestWhatTheUserHasToDoIsATask(t *testing.T) {
	rows, err := os.ReadFile("testdata/tasks.txt")
	if err != nil {
		t.Fatal(err)
	}
	observed, remembered, assistant := enginetest.New(t), enginetest.New(t), enginetest.New(t)
	n := 0
	for row := range strings.Lines(string(rows)) {
		mark, text, _ := strings.Cut(strings.TrimSpace(row), " ")
		if mark == "#" {
			continue
		}
		n++
		user := fmt.Sprint("user", n)
		in := func(o *engine.Observation) { o.User, o.Session = user, user }
		own := func(in *engine.TaskInput) { in.User = user }
		say(t, observed, text, in)
		fixture.Observe(t, assistant, "assistant", text, in)
		remembered.Remember(text, func(in *engine.RememberInput) { in.User = user })
		for name, w := range map[string]*enginetest.World{"observed": observed, "remembered": remembered, "of an assistant": assistant} {
			if list := fixture.Tasks(t, w, own); len(list) > 0 != (mark == "+" && w != assistant) {
				t.Errorf("%s %s: %d tasks", text, name, len(list))
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d rows", n)
	}
}

func TestTaskOfAMemoryHasItsDateAndIsWrittenOnce(t *testing.T) {
	w := enginetest.New(t)
	ana := func(in *engine.RememberInput) { in.User, in.Session, in.Project = "ana", "s", "p" }
	m := w.Remember("We have to book flights before Friday.", ana).Memory
	w.Remember("We have to book flights before Friday.", ana)
	list := fixture.Tasks(t, w)
	if len(list) != 1 {
		t.Fatalf("%d tasks", len(list))
	}
	x := list[0]
	if x.Memory.Content != "book flights before Friday" || x.Status != engine.TaskCandidate || x.Turn != m.ID || x.Memory.User != "ana" || x.Memory.Session != "s" || x.Memory.Project != "p" || x.Due.Format(time.DateTime) != "2026-03-05 23:59:59" {
		t.Errorf("%+v: %+v", *x, x.Memory.Memory)
	}
	if _, err := w.CompleteTask(t.Context(), w.Caller, x.Memory.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if list := fixture.Tasks(t, w); len(list) != 0 {
		t.Errorf("open after a restart: %+v", list)
	}
}

// What the caller calls a rule, what was said long ago and what nobody consented to names no task.
func TestMemoriesThatNameNoTask(t *testing.T) {
	w := enginetest.New(t)
	for i, with := range []func(*engine.RememberInput){
		func(in *engine.RememberInput) { in.Type = graph.Procedural },
		func(in *engine.RememberInput) { in.OccurredAt = w.Clock.Now().Add(-49 * time.Hour) },
		func(in *engine.RememberInput) { in.Consent = graph.ConsentNone },
		func(in *engine.RememberInput) { in.SourceKind = graph.FromTool },
	} {
		w.Remember("Remind me to call the plumber.", with, func(in *engine.RememberInput) { in.User = fmt.Sprint("user", i) })
	}
	for _, x := range fixture.Tasks(t, w) {
		t.Errorf("%s of %s", x.Memory.Content, x.Memory.User)
	}
}

// A request to be reminded is no standing rule.
func TestARequestToBeRemindedIsNoRule(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"Don't let me forget to lock the shed.", "Remind me to call the plumber."} {
		if m := w.Remember(text).Memory; m.Type != graph.Episodic || engine.StatesRule(m.Memory) {
			t.Errorf("%s: %s", text, m.Type)
		}
	}
}
