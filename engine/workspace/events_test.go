package workspace_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

func TestEventsFollowLive(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Before anybody listened.")
	events, err := w.Events(t.Context(), w.Caller, 0, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := w.Remember("Heard live.").Memory
	if ev := fixture.NextEvent(t, events); ev.Kind != graph.EventCreated || ev.ID != a.ID || ev.Memory == nil || ev.Memory.Content != "Heard live." {
		t.Fatalf("first event: %+v", ev)
	}
	b := fixture.Supersede(t, w, a.ID, "Heard and corrected.").Memory
	if ev := fixture.NextEvent(t, events); ev.Kind != graph.EventSuperseded || ev.ID != a.ID {
		t.Fatalf("then: %+v", ev)
	}
	if ev := fixture.NextEvent(t, events); ev.Kind != graph.EventCreated || ev.ID != b.ID {
		t.Fatalf("then: %+v", ev)
	}
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{b.ID}})
	for {
		ev := fixture.NextEvent(t, events)
		if ev.Kind != graph.EventForgotten {
			continue
		}
		if ev.ID != b.ID || ev.Memory != nil {
			t.Fatalf("forgotten: %+v", ev)
		}
		break
	}
}

func TestEventsResumeWithoutLossOrRepeat(t *testing.T) {
	w := enginetest.New(t)
	const n = 300
	var in []engine.RememberInput
	for i := range n {
		in = append(in, engine.RememberInput{Content: fmt.Sprintf("Entry number %d of the log.", i), Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert})
	}
	if _, err := w.RememberMany(t.Context(), w.Caller, in); err != nil {
		t.Fatal(err)
	}
	seen := map[graph.ID]int{}
	var at graph.Cursor
	for len(seen) < n {
		// The reader reconnects with its cursor every 37 events.
		ctx, leave := context.WithCancel(t.Context())
		events, err := w.Events(ctx, w.Caller, at, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 37 && len(seen) < n; i++ {
			ev := fixture.NextEvent(t, events)
			if ev.Cursor <= at {
				t.Fatalf("cursor %d behind %d", ev.Cursor, at)
			}
			at = ev.Cursor
			if ev.Kind == graph.EventCreated {
				seen[ev.ID]++
			}
		}
		leave()
		for range events { // until the channel closes
		}
	}
	for id, times := range seen {
		if times != 1 {
			t.Errorf("%s came %d times", id, times)
		}
	}
}

func TestEventsObeyNamespaceAndOwner(t *testing.T) {
	w := enginetest.New(t)
	claim := w.Caller
	claim.User = "ada"
	events, err := w.Events(t.Context(), claim, 0, true, []string{"home"})
	if err != nil {
		t.Fatal(err)
	}
	put := func(user, namespace string) graph.ID {
		return w.Remember("Something happened.", func(in *engine.RememberInput) { in.User, in.Namespace = user, namespace }).Memory.ID
	}
	put("bo", "home")
	put("ada", "work")
	want := put("ada", "home")
	if ev := fixture.NextEvent(t, events); ev.ID != want {
		t.Errorf("got %s, want only %s", ev.ID, want)
	}
	claim.Namespaces = []string{"home"}
	_, err = w.Events(t.Context(), claim, 0, true, []string{"work"})
	fixture.WantError(t, err, graph.CodeForbidden, "namespaces")
}

// A caller who did not see a memory learns of its erasure, and nothing of what happened to it before.
func TestEventsTellNothingOfThePastOfAnErasedMemory(t *testing.T) {
	w := enginetest.New(t)
	claim := w.Caller
	claim.User = "bo"
	gone := w.Remember("Ada keeps the key in the shed.", func(in *engine.RememberInput) { in.User = "ada" }).Memory.ID
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{gone}})
	last := w.Remember("Bo feeds the heron.", func(in *engine.RememberInput) { in.User = "bo" }).Memory.ID
	kinds := func(c engine.Caller) (all []graph.EventKind) {
		events, err := w.Events(t.Context(), c, 0, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		for {
			ev := fixture.NextEvent(t, events)
			if ev.ID == last {
				return all
			}
			all = append(all, ev.Kind)
		}
	}
	if got := kinds(claim); !slices.Equal(got, []graph.EventKind{graph.EventForgotten}) {
		t.Errorf("another user gets %v", got)
	}
	if got := kinds(w.Caller); len(got) < 2 || got[0] != graph.EventCreated {
		t.Errorf("who sees all gets %v", got)
	}
}

func TestSlowReaderGetsLaggedEvent(t *testing.T) {
	w := enginetest.New(t)
	events, err := w.Events(t.Context(), w.Caller, 0, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	read, err := w.Events(t.Context(), w.Caller, 0, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	template := w.Remember("A reading.").Memory
	for ev := fixture.NextEvent(t, read); ev.ID != template.ID; ev = fixture.NextEvent(t, read) {
	}
	const n = 5000
	for at, heard := 0, 0; at < n; at += 1000 {
		_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
			for i := range 1000 {
				m := *template.Memory
				m.ID = graph.ID(fmt.Sprintf("019c75e5-7095-7fff-bfff-%012x", at+i))
				m.Chain = m.ID
				if err := tx.PutMemory(&m, graph.EventCreated); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for heard < at+1000 { // the slow stream does not delay the other one
			switch ev := fixture.NextEvent(t, read); ev.Kind {
			case graph.EventCreated:
				heard++
			case graph.EventLagged:
				t.Fatalf("the stream that is read lagged after %d of %d", heard, at+1000)
			}
		}
	}
	// The slow reader did not delay the writers. It now continues and gets LAGGED.
	var last, lagged graph.Cursor
	count := 0
	for lagged == 0 {
		ev := fixture.NextEvent(t, events)
		if ev.Kind == graph.EventLagged {
			lagged = ev.Cursor
			break
		}
		last = ev.Cursor
		count++
	}
	if lagged < last || count >= n {
		t.Fatalf("lagged at %d after %d events up to %d", lagged, count, last)
	}
	// From the cursor of LAGGED every change is available exactly once.
	missed, err := w.Events(t.Context(), w.Caller, lagged, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for count < n {
		if ev := fixture.NextEvent(t, missed); ev.Kind == graph.EventCreated {
			count++
		}
	}
	fresh := w.Remember("Live again.").Memory.ID
	if ev := fixture.NextEvent(t, events); ev.ID != fresh {
		t.Errorf("after LAGGED the stream goes on with %+v, want %s", ev, fresh)
	}
	_, err = w.Events(t.Context(), w.Caller, 1<<60, false, nil)
	fixture.WantError(t, err, graph.CodeInvalidRequest, "after")
}
