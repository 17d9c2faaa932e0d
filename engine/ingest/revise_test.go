package ingest_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// by sets who says a text, and in which session.
func by(user, session string, with ...func(*engine.RememberInput)) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) {
		in.User, in.Session = user, session
		for _, f := range with {
			f(in)
		}
	}
}

// says writes a text 25 hours after the previous one.
func says(w *enginetest.World, text string, with ...func(*engine.RememberInput)) *engine.RememberResult {
	w.Clock.Advance(25 * time.Hour)
	return w.Remember(text, with...)
}

func view(w *enginetest.World, id graph.ID) *engine.View { return fixture.MustView(w, id) }

func TestALaterStatementRevisesTheEarlierOne(t *testing.T) {
	w := enginetest.New(t)
	old := says(w, "My manager is Dana.", by("ana", "s1")).Memory
	said := w.Clock.Now()
	r := says(w, "My manager is Priya.", by("ana", "s2"))
	if !slices.Equal(r.Revised, []graph.ID{old.ID}) || len(r.ConflictsWith) != 0 {
		t.Fatalf("revised %v, conflicts with %v", r.Revised, r.ConflictsWith)
	}
	a, b := view(w, old.ID), view(w, r.Memory.ID)
	if a.Status() != graph.Superseded || a.SupersededBy != b.ID || !a.Memory.State().ValidTo.Equal(b.ValidFrom) {
		t.Errorf("the earlier one: %+v", a.Memory)
	}
	if b.Status() != graph.Active || b.Chain != a.Chain || b.Version != 2 || b.Supersedes != a.ID || b.Reason != "REVISED" || b.Conflict != 0 {
		t.Errorf("the later one: %+v", b.Memory)
	}
	versions, err := w.Lineage(t.Context(), w.Caller, b.ID, 0, 0)
	if err != nil || len(versions) != 2 || versions[1].Reason != "REVISED" {
		t.Errorf("lineage %+v, %v", versions, err)
	}
	now := enginetest.IDs(w.Search("Who is my manager?", func(in *engine.SearchInput) { in.User = "ana" }))
	then := enginetest.IDs(w.Search("Who is my manager?", func(in *engine.SearchInput) { in.User, in.Access.AsOf = "ana", graph.AsOf{Recorded: said} }))
	if !slices.Equal(now, []graph.ID{b.ID}) || !slices.Equal(then, []graph.ID{a.ID}) {
		t.Errorf("now %v, then %v, want %s and %s", now, then, b.ID, a.ID)
	}
	// An older value that is stated again is a new version, not a duplicate.
	again := says(w, "My manager is Dana.", by("ana", "s3"))
	if c := again.Memory; again.DuplicateOf != "" || c.Version != 3 || c.Chain != a.Chain || !slices.Equal(again.Revised, []graph.ID{b.ID}) {
		t.Errorf("restated: duplicate of %q, version %d, revised %v", again.DuplicateOf, c.Version, again.Revised)
	}
	fixture.WantSound(t, "after the revisions", w.Store)
}

func TestACorrectionWithdrawsFromTheBeginning(t *testing.T) {
	w := enginetest.New(t)
	old := says(w, "My dog is called Biscuit.", by("ana", "s1")).Memory
	r := says(w, "No, my dog is called Pretzel.", by("ana", "s1"))
	a, b := view(w, old.ID), view(w, r.Memory.ID)
	if a.Status() != graph.Superseded || !a.Memory.State().ValidTo.Equal(a.ValidFrom) {
		t.Errorf("it was true for a time: %+v", a.Memory)
	}
	if b.Reason != "CORRECTED" || !b.ValidFrom.Equal(a.ValidFrom) || b.OccurredAt.Equal(b.ValidFrom) {
		t.Errorf("reason %q, valid from %s", b.Reason, b.ValidFrom)
	}
}

// A statement that arrives late, such as one of an imported chat, enters as past.
func TestALateStatementEntersAsPast(t *testing.T) {
	w := enginetest.New(t)
	now := says(w, "My manager is Priya.", by("ana", "s2")).Memory
	month := w.Clock.Now().AddDate(0, -1, 0)
	r := says(w, "My manager is Dana.", by("ana", "old chat", func(in *engine.RememberInput) { in.OccurredAt = month }))
	if len(r.Revised) != 0 {
		t.Errorf("it revised %v", r.Revised)
	}
	m := view(w, r.Memory.ID)
	if m.Status() != graph.Superseded || m.SupersededBy != now.ID || !m.Memory.State().ValidTo.Equal(now.ValidFrom) {
		t.Errorf("%+v", m.Memory)
	}
	if v := view(w, now.ID); v.Status() != graph.Active || v.Version != 1 || v.Conflict != 0 {
		t.Errorf("what holds now: %+v", v.Memory)
	}
	if found := enginetest.IDs(w.Search("Who is my manager?", func(in *engine.SearchInput) { in.User = "ana" })); !slices.Equal(found, []graph.ID{now.ID}) {
		t.Errorf("found %v", found)
	}
	fixture.WantSound(t, "after a late arrival", w.Store)
}

// Who may revise whom. Without standing both statements stay ACTIVE.
func TestStanding(t *testing.T) {
	low, high := 0.5, 0.9
	kind := func(k graph.SourceKind) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) { in.SourceKind, in.Agent = k, "bot" }
	}
	authority := func(a *float64) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) { in.Authority = a }
	}
	source := func(s string, a *float64) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) { in.Source, in.Authority = s, a }
	}
	for name, c := range map[string]struct {
		earlier, later func(*engine.RememberInput)
		revises        bool
	}{
		"the same speaker with less authority":      {by("ana", "s1", authority(&high)), by("ana", "s2", authority(&low)), true},
		"another principal with the same authority": {by("ana", "s1", source("x", nil)), by("ana", "s2", source("y", nil)), true},
		"another principal with less authority":     {by("ana", "s1", source("x", nil)), by("ana", "s2", source("y", &low)), false},
		"an assistant":                              {by("ana", "s1"), by("ana", "s2", kind(graph.FromAssistant), authority(&high)), false},
		"a tool":                                    {by("ana", "s1"), by("ana", "s2", kind(graph.FromTool), authority(&high)), false},
		"a document":                                {by("ana", "s1"), by("ana", "s2", kind(graph.FromDocument), authority(&high)), false},
		"an extraction":                             {by("ana", "s1"), by("ana", "s2", kind(graph.FromExtraction), authority(&high)), false},
		"an assistant that said it itself":          {by("ana", "s1", kind(graph.FromAssistant)), by("ana", "s2", kind(graph.FromAssistant)), true},
		"a user, of what an assistant said":         {by("ana", "s1", kind(graph.FromAssistant)), by("ana", "s2"), true},
		"a user, of what belongs to nobody":         {by("", "s1"), by("ana", "s2"), false},
		"of another project":                        {by("ana", "s1"), by("ana", "s2", func(in *engine.RememberInput) { in.Project = "kite" }), false},
		"without consent":                           {by("ana", "s1"), by("ana", "s2", func(in *engine.RememberInput) { in.Consent = graph.ConsentNone }), false},
	} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.New(t)
			old := says(w, "The standup is at 9:30.", c.earlier).Memory.ID
			r := says(w, "The standup is at 10:15.", c.later)
			if got := slices.Contains(r.Revised, old); got != c.revises {
				t.Errorf("revised %v", r.Revised)
			}
			if got := view(w, old).Status() == graph.Superseded; got != c.revises {
				t.Errorf("the earlier one is %s", view(w, old).Status())
			}
		})
	}
}

func TestIIsANamedSpeaker(t *testing.T) {
	w := enginetest.New(t)
	says(w, "My manager is Dana.")
	if r := says(w, "My manager is Priya."); len(r.Revised) != 0 || r.Memory.Conflict <= 0.3 {
		t.Errorf("revised %v, conflict %v", r.Revised, r.Memory.Conflict)
	}
	says(w, "The standup is at 9:30.")
	if r := says(w, "The standup is at 10:15."); len(r.Revised) != 1 {
		t.Errorf("without a pronoun it revised %v", r.Revised)
	}
}

// What recall served revises nothing, whoever repeats it.
func TestServedTextRevisesNothing(t *testing.T) {
	w := enginetest.New(t)
	old := says(w, "My manager is Dana.", by("ana", "s1")).Memory.ID
	says(w, "My manager is Priya.", by("ana", "s2"))
	r := w.Search("Who is my manager?", func(in *engine.SearchInput) {
		in.User, in.Statuses = "ana", []graph.Status{graph.Superseded}
	})
	if !slices.Contains(enginetest.IDs(r), old) {
		t.Fatal("the old version is not found")
	}
	if again := w.Remember("My manager is Dana.", by("ana", "s3")); len(again.Revised) != 0 {
		t.Errorf("revised %v", again.Revised)
	}
}

func TestRivals(t *testing.T) {
	for name, c := range map[string]struct {
		earlier, later string
		off            bool
	}{
		"by policy":       {"My manager is Dana.", "My manager is Priya.", true},
		"not read surely": {"The projector is in the blue cupboard.", "The projector is with Anselm.", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.New(t)
			if c.off {
				fixture.WithoutRevision(t, w, "default")
			}
			old := says(w, c.earlier, by("ana", "s1")).Memory.ID
			r := says(w, c.later, by("ana", "s2"))
			if len(r.Revised) != 0 || !slices.Contains(r.ConflictsWith, old) {
				t.Fatalf("revised %v, conflicts with %v", r.Revised, r.ConflictsWith)
			}
			hits := w.Search(c.earlier, func(in *engine.SearchInput) { in.User = "ana" }).Hits
			if len(hits) != 2 || hits[0].Memory.ID != r.Memory.ID {
				t.Fatalf("%d hits, the later one is not the first", len(hits))
			}
			for i, h := range hits {
				if h.Label != engine.Contested || !slices.Equal(h.Rivals, []graph.ID{hits[1-i].Memory.ID}) {
					t.Errorf("%q is %s, its rivals are %v", h.Memory.Content, h.Label, h.Rivals)
				}
			}
		})
	}
}

func TestOtherLanguagesReviseNothing(t *testing.T) {
	w := enginetest.New(t)
	for _, pair := range [][2]string{
		{"Ich wohne in Oslo.", "Ich bin nach Bergen umgezogen."},
		{"Meine Chefin heißt Dana.", "Meine Chefin heißt Priya."},
		{"Mi jefa es Dana.", "Mi jefa es Priya."},
	} {
		old := says(w, pair[0], by("ana", "s1")).Memory.ID
		if r := says(w, pair[1], by("ana", "s2")); len(r.Revised) != 0 || view(w, old).Status() != graph.Active {
			t.Errorf("%q revised %v", pair[1], r.Revised)
		}
	}
}

// engraved moves a memory to L3 in the store.
func engraved(t *testing.T, w *enginetest.World, id graph.ID) {
	t.Helper()
	_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(id)
		if err != nil {
			return err
		}
		m.SetState(w.Clock.Now(), func(s *graph.State) { s.Tier = graph.L3 })
		return tx.PutMemory(m, graph.EventEngraved)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// One statement is too little evidence against an engram. Its repetition in another session
// confirms the reading.
func TestAnEngramPassesTheGate(t *testing.T) {
	w := enginetest.New(t)
	old := says(w, "My manager is Dana.", by("ana", "s1")).Memory.ID
	engraved(t, w, old)
	r := says(w, "My manager is Priya.", by("ana", "s2"))
	if len(r.Revised) != 0 || view(w, old).Status() != graph.Active || r.Memory.Conflict <= 0.3 {
		t.Fatalf("one statement: revised %v, conflict %v", r.Revised, r.Memory.Conflict)
	}
	if same := says(w, "My manager is Priya.", by("ana", "s2")); len(same.Revised) != 0 {
		t.Errorf("repeated in the same session: revised %v", same.Revised)
	}
	if other := says(w, "My manager is Priya.", by("ben", "s3")); len(other.Revised) != 0 {
		t.Errorf("repeated by another user: revised %v", other.Revised)
	}
	again := says(w, "My manager is Priya.", by("ana", "s3"))
	if again.DuplicateOf != r.Memory.ID || !slices.Equal(again.Revised, []graph.ID{old}) {
		t.Fatalf("repeated in another session: duplicate of %q, revised %v", again.DuplicateOf, again.Revised)
	}
	a, b := view(w, old), view(w, r.Memory.ID)
	if a.Status() != graph.Superseded || b.Version != 2 || b.Chain != a.Chain || b.Memory.State().Tier != graph.L2 || b.Conflict != 0 {
		t.Errorf("%+v\n%+v", a.Memory, b.Memory)
	}
	fixture.WantSound(t, "after the confirmation", w.Store)
}

// What takes the place of an engram by a repetition is permanent at once, as by supersede.
func TestASuccessorByRepetitionIsEngraved(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Recess: enginetest.NewFakeArchive()})
	old := says(w, "My manager is Dana.", by("ana", "s1")).Memory.ID
	engraved(t, w, old)
	next := says(w, "My manager is Priya.", by("ana", "s2")).Memory.ID
	if tier := view(w, next).Memory.State().Tier; tier == graph.L3 {
		t.Fatalf("one statement is in %s", tier)
	}
	if again := says(w, "My manager is Priya.", by("ana", "s3")); !slices.Equal(again.Revised, []graph.ID{old}) || again.Memory.Memory.State().Tier != graph.L3 {
		t.Fatalf("revised %v, the answer is in %s", again.Revised, again.Memory.Memory.State().Tier)
	}
	if tier := view(w, next).Memory.State().Tier; tier != graph.L3 {
		t.Errorf("the successor is in %s", tier)
	}
}

// A turn of a conversation does to an engram what a remembered statement does: its repetition in another session confirms it, and the
// successor is permanent when the turn has left the buffer.
func TestASuccessorByTurnsIsEngraved(t *testing.T) {
	turnsOf := map[string]func(w *enginetest.World, session, text string) graph.ID{
		"observe": func(w *enginetest.World, session, text string) graph.ID { return observed(w, "ana", session, text) },
		"observePast": func(w *enginetest.World, session, text string) graph.ID {
			out, err := w.ObservePast(t.Context(), w.Caller, []engine.Observation{{Session: session, User: "ana", Role: "user", Text: text, Consent: graph.ConsentExplicit, Namespace: "default", OccurredAt: w.Clock.Now()}})
			if err != nil || out[0].Error != nil {
				t.Fatal(err, out)
			}
			return out[0].Memory.ID
		},
	}
	for name, say := range turnsOf {
		w := enginetest.With(t, enginetest.Options{Recess: enginetest.NewFakeArchive()})
		old := says(w, "My manager is Dana.", by("ana", "s1")).Memory.ID
		engraved(t, w, old)
		w.Clock.Advance(24 * time.Hour)
		next := say(w, "s2", "My manager is Priya.")
		if m := view(w, old); m.Status() != graph.Active || view(w, next).Memory.State().Tier == graph.L3 {
			t.Fatalf("%s: one statement ends an engram", name)
		}
		w.Clock.Advance(24 * time.Hour)
		say(w, "s3", "My manager is Priya.")
		if a, b := view(w, old), view(w, next); a.Status() != graph.Superseded || a.SupersededBy != next || b.Memory.State().Tier != graph.L3 {
			t.Errorf("%s: the engram is %s, its successor is in %s", name, a.Status(), b.Memory.State().Tier)
		}
	}
}

// A turn that was said before the memory that it repeats is no confirmation of it: the import of an old conversation ends no engram.
func TestAnEarlierTurnConfirmsNothing(t *testing.T) {
	for _, x := range []struct {
		since time.Duration // the time of the repetition after that of the memory
		want  graph.Status
	}{
		{-60 * 24 * time.Hour, graph.Active},
		{-time.Hour, graph.Active},
		{47 * time.Hour, graph.Superseded},
	} {
		w := enginetest.With(t, enginetest.Options{Recess: enginetest.NewFakeArchive()})
		old := says(w, "My manager is Dana.", by("ana", "s1")).Memory.ID
		engraved(t, w, old)
		w.Clock.Advance(24 * time.Hour)
		next := says(w, "My manager is Priya.", by("ana", "s2")).Memory
		w.Clock.Advance(48 * time.Hour)
		out, err := w.ObservePast(t.Context(), w.Caller, []engine.Observation{{Session: "s3", User: "ana", Role: "user", Text: "My manager is Priya.", Consent: graph.ConsentExplicit, Namespace: "default", OccurredAt: next.Memory.OccurredAt.Add(x.since)}})
		if err != nil || out[0].Error != nil {
			t.Fatal(err, out)
		}
		if a, b := view(w, old), view(w, next.ID); a.Status() != x.want || b.Status() != graph.Active {
			t.Errorf("a repetition said %v after it: the engram is %s, its rival %s", x.since, a.Status(), b.Status())
		}
	}
}

// waitingArchive calls during while it engraves.
type waitingArchive struct {
	*enginetest.FakeArchive
	during func()
}

func (a *waitingArchive) Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) error {
	a.during()
	return a.FakeArchive.Engrave(ctx, scope, m, vector, at)
}

// While the successor of an engram is engraved, other sessions of the tenant can be closed.
func TestEngravingAfterTurnsHoldsUpNoSession(t *testing.T) {
	archive := &waitingArchive{FakeArchive: enginetest.NewFakeArchive(), during: func() {}}
	w := enginetest.With(t, enginetest.Options{Recess: archive})
	old := says(w, "My manager is Dana.", by("ana", "s1")).Memory.ID
	engraved(t, w, old)
	w.Clock.Advance(24 * time.Hour)
	observed(w, "ana", "s2", "My manager is Priya.")
	w.Clock.Advance(24 * time.Hour)
	closed := make(chan error, 1)
	calls := 0
	archive.during = func() {
		calls++
		go func() {
			_, err := w.CloseSession(context.Background(), w.Caller, "s2", "")
			closed <- err
		}()
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second): // only if it fails
			t.Error("closeSession waits for the recess")
		}
	}
	observed(w, "ana", "s3", "My manager is Priya.")
	if calls != 1 {
		t.Errorf("engraved %d times", calls)
	}
}

func TestSupersedeOfAnEngramPassesTheGate(t *testing.T) {
	w := enginetest.New(t)
	weak, strong := 0.3, 0.8
	old := says(w, "My manager is Dana.", by("ana", "s1", func(in *engine.RememberInput) { in.Authority = &weak })).Memory.ID
	engraved(t, w, old)
	_, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: old, Content: "My manager is Priya.", Authority: &weak})
	fixture.WantError(t, err, graph.CodeQuorumUnmet, "authority")
	if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: old, Content: "My manager is Priya.", Authority: &strong}); err != nil {
		t.Errorf("with the authority of a user: %v", err)
	}
}

// A statement that revises several memories continues the lineage of the surest one.
func TestSeveralAreRevisedByOne(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	a := says(w, "My manager is Dana.", by("ana", "s1")).Memory.ID
	b := says(w, "My manager is Omar.", by("ana", "s2")).Memory.ID
	on := policy.RevisionOn
	if _, err := w.SetNamespacePolicy(t.Context(), w.Caller, engine.PolicyInput{Namespace: "default", Update: policy.Update{Revision: &on}}); err != nil {
		t.Fatal(err)
	}
	r := says(w, "My manager is Priya.", by("ana", "s3"))
	if len(r.Revised) != 2 || r.Memory.Supersedes != r.Revised[0] || r.Memory.Version != 2 {
		t.Fatalf("revised %v, version %d of %s", r.Revised, r.Memory.Version, r.Memory.Supersedes)
	}
	for _, id := range []graph.ID{a, b} {
		if m := view(w, id); m.Status() != graph.Superseded || m.SupersededBy != r.Memory.ID {
			t.Errorf("%+v", m.Memory)
		}
	}
	fixture.WantSound(t, "after it", w.Store)
	// Both come back.
	views, err := w.UndoRevision(t.Context(), w.Caller, r.Memory.ID)
	if err != nil || len(views) != 3 {
		t.Fatalf("%d memories, %v", len(views), err)
	}
	for _, v := range views {
		if v.State.Status != graph.Active || v.Conflict <= 0.3 || v.Version != 1 || v.Chain != v.ID {
			t.Errorf("%+v", v.Memory)
		}
	}
	fixture.WantSound(t, "after the undo", w.Store)
}

func TestUndoRevision(t *testing.T) {
	w := enginetest.New(t)
	until := w.Clock.Now().AddDate(1, 0, 0)
	old := says(w, "My manager is Dana.", by("ana", "s1", func(in *engine.RememberInput) { in.ValidTo = until })).Memory.ID
	later := says(w, "My manager is Priya.", by("ana", "s2")).Memory.ID
	weak := w.Caller
	weak.Grant = 0.1
	_, err := w.UndoRevision(t.Context(), weak, later)
	fixture.WantError(t, err, graph.CodeForbidden, "id")
	_, err = w.UndoRevision(t.Context(), w.Caller, old)
	fixture.WantError(t, err, graph.CodeVersionConflict, "id")
	_, err = w.UndoRevision(t.Context(), w.Caller, "x")
	fixture.WantError(t, err, graph.CodeInvalidRequest, "id")
	views, err := w.UndoRevision(t.Context(), w.Caller, later)
	if err != nil || len(views) != 2 || views[0].ID != later || views[1].ID != old {
		t.Fatalf("%+v, %v", views, err)
	}
	check := func(when string) {
		t.Helper()
		a, b := view(w, old), view(w, later)
		if a.Status() != graph.Active || a.SupersededBy != "" || !a.Memory.State().ValidTo.Equal(until) || a.Conflict <= 0.3 {
			t.Errorf("%s: the earlier one: %+v", when, a.Memory)
		}
		if b.Status() != graph.Active || b.Chain != b.ID || b.Version != 1 || b.Supersedes != "" || b.Conflict <= 0.3 {
			t.Errorf("%s: the later one: %+v", when, b.Memory)
		}
		fixture.WantSound(t, when, w.Store)
	}
	check("undone")
	_, err = w.UndoRevision(t.Context(), w.Caller, later)
	fixture.WantError(t, err, graph.CodeInvalidRequest, "id")
	// The pair is never revised again: not by a repetition, a sleep or after a restart.
	if r := says(w, "My manager is Priya.", by("ana", "s3")); r.DuplicateOf != later || len(r.Revised) != 0 {
		t.Errorf("repeated: duplicate of %q, revised %v", r.DuplicateOf, r.Revised)
	}
	check("repeated")
	w.Clock.Advance(24 * time.Hour)
	if _, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
		t.Fatal(err)
	}
	check("slept")
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if r := says(w, "My manager is Priya.", by("ana", "s4")); r.DuplicateOf != later || len(r.Revised) != 0 {
		t.Errorf("after a restart: duplicate of %q, revised %v", r.DuplicateOf, r.Revised)
	}
	check("restarted")
}

// Turns revise when they leave the session buffer, and keep their ids.
func TestATurnRevises(t *testing.T) {
	w := enginetest.New(t)
	turn := func(session, role, text string) graph.ID {
		w.Clock.Advance(24 * time.Hour)
		id := fixture.Observe(t, w, role, text, func(o *engine.Observation) { o.Session, o.Agent = session, "bot" }).Memory.ID
		if _, err := w.CloseSession(t.Context(), w.Caller, session, ""); err != nil {
			t.Fatal(err)
		}
		return id
	}
	a := turn("s1", "user", "My manager is Dana.")
	b := turn("s2", "user", "My manager is Priya.")
	c := turn("s3", "assistant", "Your manager is Omar.")
	if m := view(w, a); m.Status() != graph.Superseded || m.SupersededBy != b || m.Principal != w.Caller.Name {
		t.Errorf("%+v", m.Memory)
	}
	if m := view(w, b); m.Status() != graph.Active || m.Version != 2 || m.Chain != a || m.Supersedes != a {
		t.Errorf("%+v", m.Memory)
	}
	if m := view(w, c); m.Version != 1 {
		t.Errorf("an assistant revised a user: %+v", m.Memory)
	}
	fixture.WantSound(t, "after the turns", w.Store)
}

// Statements of one slot that many clients write at once, through several servers, make one
// line of versions.
func TestConcurrentRevisionsMakeOneLine(t *testing.T) {
	s := fixture.NewServers(t, 2)
	s.Remember(0, "The standup is at 9:30.", by("ana", "s0"))
	var wg sync.WaitGroup
	var errs sync.Map
	for i := range 12 {
		wg.Go(func() {
			in := engine.RememberInput{Content: fmt.Sprintf("The standup is at %d:45.", 10+i), Consent: graph.ConsentExplicit, User: "ana", Session: fmt.Sprint("s", i)}
			if _, err := s.Engines[i%2].Remember(context.WithoutCancel(t.Context()), s.W.Caller, in); err != nil {
				errs.Store(i, err)
			}
		})
	}
	wg.Wait()
	errs.Range(func(i, err any) bool { t.Errorf("%v: %v", i, err); return true })
	fixture.WantSound(t, "after the race", s.W.Store)
	active := 0
	err := s.W.Store.View(t.Context(), s.W.Caller.Scope(), func(r graph.Reader) error {
		active = 0
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			if m.Status() == graph.Active {
				active++
			}
		}
		return nil
	})
	if err != nil || active != 1 {
		t.Errorf("%d statements are ACTIVE, want 1, %v", active, err)
	}
}

func TestRevisedIsReplayed(t *testing.T) {
	w := enginetest.New(t)
	old := says(w, "My manager is Dana.", by("ana", "s1")).Memory.ID
	key := by("ana", "s2", func(in *engine.RememberInput) { in.IdempotencyKey = "k" })
	first := says(w, "My manager is Priya.", key)
	again := w.Remember("My manager is Priya.", key)
	if !again.Replayed || !slices.Equal(again.Revised, first.Revised) || !slices.Equal(again.Revised, []graph.ID{old}) {
		t.Errorf("first %v, again %v", first.Revised, again.Revised)
	}
}

// In one batch each statement sees those before it.
func TestABatchRevisesInOrder(t *testing.T) {
	w := enginetest.New(t)
	var in []engine.RememberInput
	for _, text := range []string{"My manager is Dana.", "The well is deep.", "My manager is Priya.", "My manager is Omar."} {
		in = append(in, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: "ana"})
	}
	r := fixture.MustRemember(w, in...)
	if !slices.Equal(r[2].Revised, []graph.ID{r[0].Memory.ID}) || !slices.Equal(r[3].Revised, []graph.ID{r[2].Memory.ID}) || r[3].Memory.Version != 3 {
		t.Errorf("%v, %v, version %d", r[2].Revised, r[3].Revised, r[3].Memory.Version)
	}
	fixture.WantSound(t, "after a batch", w.Store)
}

func TestAdjudicateForAUser(t *testing.T) {
	w := enginetest.New(t)
	of := func(user string) graph.ID {
		return says(w, "Kite's deadline is 3 May.", by(user, "s1", func(in *engine.RememberInput) { in.Subject = "kite" })).Memory.ID
	}
	ana, ben := of("ana"), of("ben")
	a, err := w.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
		Fact: "Kite's deadline is 9 May.", Subject: "kite", User: "ana", Consent: graph.ConsentExplicit,
		Evidence: []engine.Evidence{fixture.Evidence("mail", 0.9)},
	})
	if err != nil || a.Decision != "REPLACED" || a.Previous.ID != ana || a.Current.User != "ana" {
		t.Errorf("%+v, %v", a, err)
	}
	if view(w, ben).Status() != graph.Active {
		t.Error("another user's belief was replaced")
	}
}

// Of a memory with several claims only the one that was revised ends.
func TestOneOfSeveralClaimsIsRevised(t *testing.T) {
	w := enginetest.New(t)
	old := says(w, "My manager is Dana and I hate olives.", by("ana", "s1")).Memory.ID
	r := says(w, "My manager is Priya.", by("ana", "s2"))
	m := view(w, old)
	if len(r.Revised) != 0 || m.Status() != graph.Active || m.Conflict != 0 || r.Memory.Version != 1 {
		t.Fatalf("revised %v, version %d: %+v", r.Revised, r.Memory.Version, m.Memory)
	}
	ended := func() (ended, open int) {
		for _, c := range view(w, old).Memory.Claims {
			if s := c.State(); s.RevisedBy == r.Memory.ID && s.ValidTo.Equal(r.Memory.ValidFrom) {
				ended++
			} else if s.RevisedBy == "" && s.ValidTo.IsZero() {
				open++
			}
		}
		return ended, open
	}
	if a, b := ended(); a != 1 || b != 1 {
		t.Fatalf("%d claims ended, %d are open: %+v", a, b, m.Memory.Claims)
	}
	views, err := w.UndoRevision(t.Context(), w.Caller, r.Memory.ID)
	if err != nil || len(views) != 2 {
		t.Fatalf("%+v, %v", views, err)
	}
	if a, b := ended(); a != 0 || b != 2 || view(w, old).Conflict <= 0.3 {
		t.Errorf("undone: %d claims ended, %d are open", a, b)
	}
	fixture.WantSound(t, "after the undo", w.Store)
}

// TestAnEndLongBeforeRevisesNothing checks an end that is dated years before the statement that it seems to end.
func TestAnEndLongBeforeRevisesNothing(t *testing.T) {
	w := enginetest.New(t)
	golf := w.Remember("I drive a Golf.", by("ana", "a")).Memory.ID
	w.Clock.Advance(10 * 24 * time.Hour)
	w.Remember("I sold a Golf in 1999.", by("ana", "b"))
	if m := view(w, golf); m.Status() != graph.Active || m.Conflict > 0 {
		t.Errorf("%s, conflict %v", m.Status(), m.Conflict)
	}
}

// An age ends when the same one is older, said with other words and found by other words too.
func TestAnAgeIsRevised(t *testing.T) {
	w := enginetest.New(t)
	for i, earlier := range []string{"Liv is seven.", "Liv is 7 years old.", "My daughter Liv is seven."} {
		for j, later := range []string{"Liv turned eight.", "Liv turned eight last week.", "Liv is eight now.", "Liv just had her eighth birthday.", "Today is Liv's eighth birthday."} {
			user := fmt.Sprintf("user%d-%d", i, j)
			old := says(w, earlier, by(user, "s1")).Memory
			for k := range 12 {
				says(w, fmt.Sprintf("Shelf %d of the pantry has jam.", k+2), by(user, "s1"))
			}
			if r := says(w, later, by(user, "s2")); !slices.Equal(r.Revised, []graph.ID{old.ID}) {
				t.Errorf("%s => %s: revised %v, conflicts with %v", earlier, later, r.Revised, r.ConflictsWith)
			}
		}
	}
	for i, x := range [][2]string{
		{"I am 41.", "I turned 42 yesterday."}, {"My mother is sixty-eight.", "My mother had her 69th birthday on Sunday."}, {"Our cat Miso is three.", "Miso turned four in March."},
	} {
		user := fmt.Sprintf("other%d", i)
		old := says(w, x[0], by(user, "s1")).Memory
		if r := says(w, x[1], by(user, "s2")); !slices.Equal(r.Revised, []graph.ID{old.ID}) {
			t.Errorf("%s => %s: revised %v, conflicts with %v", x[0], x[1], r.Revised, r.ConflictsWith)
		}
	}
	for i, x := range [][2]string{
		{"The house is 80 years old.", "The house is 100 metres away."}, {"Liv is seven.", "Liv is one of seven."}, {"Liv is seven.", "It is eight."}, {"Liv is seven.", "Liv's bike cost eight euros."},
	} {
		user := fmt.Sprintf("trap%d", i)
		says(w, x[0], by(user, "s1"))
		if r := says(w, x[1], by(user, "s2")); len(r.Revised) > 0 {
			t.Errorf("%s => %s: revised %v", x[0], x[1], r.Revised)
		}
	}
}
