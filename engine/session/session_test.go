package session_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

func inSession(priority graph.Priority) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) {
		in.Session, in.User, in.Type, in.Priority = "s", "ana", graph.Working, priority
	}
}

func use(t testing.TB, w *enginetest.World, query string) {
	t.Helper()
	w.Search(query, func(in *engine.SearchInput) { in.Track, in.TopK = true, 1 })
}

func TestCloseResolvesWorkingMemories(t *testing.T) {
	w := enginetest.New(t)
	used := w.Remember("Compare the two quotes for the roof.", inSession(graph.Medium)).Memory
	low := w.Remember("The kettle is on in the galley.", inSession(graph.Low)).Memory
	unused := w.Remember("Zephyrine waits at the third lantern.", inSession(graph.High)).Memory
	fact := w.Remember("The berth fee is twelve.", func(in *engine.RememberInput) { in.Session, in.User = "s", "ana" }).Memory
	elsewhere := w.Remember("The parcel is at the north door.", func(in *engine.RememberInput) { in.Session, in.Type = "t", graph.Working }).Memory
	use(t, w, "quotes for the roof")
	use(t, w, "kettle in the galley")
	w.Clock.Advance(time.Hour)
	r := closeSession(t, w)
	if len(r.Kept) != 1 || r.Kept[0].ID != used.ID {
		t.Errorf("kept: %+v", r.Kept)
	}
	gone := []graph.ID{low.ID, unused.ID}
	for _, v := range r.Expired {
		if !slices.Contains(gone, v.ID) || v.State.Status != graph.Expired {
			t.Errorf("expired: %+v %+v", v.State, v.Memory)
		}
	}
	if len(r.Expired) != 2 || len(r.Flushed) != 0 {
		t.Errorf("%d expired, %d flushed", len(r.Expired), len(r.Flushed))
	}
	if again := closeSession(t, w); len(again.Flushed)+len(again.Kept)+len(again.Expired) != 0 || !again.EndedAt.Equal(r.EndedAt) {
		t.Errorf("again: %+v", again)
	}
	if m := stored(t, w, used.ID); m.Type != graph.Episodic || m.DecayClass != graph.DecayMedium || !m.ExpiresAt.IsZero() || m.Status() != graph.Active {
		t.Errorf("kept as %+v", m)
	}
	for _, id := range []graph.ID{fact.ID, elsewhere.ID} {
		if m := stored(t, w, id); m.Status() != graph.Active {
			t.Errorf("%s is %s", id, m.Status())
		}
	}
	if !r.StartedAt.Equal(enginetest.Start) || !r.EndedAt.Equal(w.Clock.Now()) || r.Session != "s" {
		t.Errorf("%s from %v to %v", r.Session, r.StartedAt, r.EndedAt)
	}
}

func TestSecondCloseChangesNothing(t *testing.T) {
	w := enginetest.New(t)
	fixture.Observe(t, w, "user", "The tide turns at noon.")
	w.Clock.Advance(time.Minute)
	first := closeSession(t, w)
	w.Clock.Advance(time.Hour)
	for range 2 {
		r := closeSession(t, w)
		if !r.EndedAt.Equal(first.EndedAt) || !r.StartedAt.Equal(first.StartedAt) || len(r.Flushed)+len(r.Kept)+len(r.Expired) != 0 {
			t.Errorf("again: %+v", r)
		}
		if err := w.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	// A turn reopens the session. The start stays the same.
	fixture.Observe(t, w, "user", "And again at six.")
	w.Clock.Advance(time.Minute)
	r := closeSession(t, w)
	if !r.EndedAt.Equal(w.Clock.Now()) || !r.StartedAt.Equal(first.StartedAt) || len(r.Flushed) != 1 {
		t.Errorf("opened and closed: %+v", r)
	}
	if n := sessionRecords(t, w); n != 1 {
		t.Errorf("%d records of one session", n)
	}
}

func TestCloseNamesTheInvalidField(t *testing.T) {
	w := enginetest.New(t)
	fixture.Observe(t, w, "user", "The tide turns at noon.")
	for _, x := range []struct {
		session, namespace string
		code               graph.Code
		field              string
	}{
		{"", "", graph.CodeInvalidRequest, "session"}, {strings.Repeat("s", graph.MaxName+1), "", graph.CodeInvalidRequest, "session"},
		{"s", "a b", graph.CodeInvalidRequest, "namespace"}, {"s", "elsewhere", graph.CodeMemoryNotFound, "session"}, {"never", "", graph.CodeMemoryNotFound, "session"},
	} {
		_, err := w.CloseSession(t.Context(), w.Caller, x.session, x.namespace)
		fixture.WantError(t, err, x.code, x.field)
	}
	c := w.Caller
	c.Namespaces = []string{"lab"}
	_, err := w.CloseSession(t.Context(), c, "s", "")
	fixture.WantError(t, err, graph.CodeForbidden, "namespace")
}

// Two users may use the same session name.
func TestSessionsAreSeparatePerUser(t *testing.T) {
	w := enginetest.New(t)
	mine := fixture.Observe(t, w, "user", "Ana waters the ferns.")
	his := fixture.Observe(t, w, "user", "Bram oils the gate.", func(in *engine.Observation) { in.User = "bram" })
	c := w.Caller
	c.User = "ana"
	r, err := w.CloseSession(t.Context(), c, "s", "")
	if err != nil || len(r.Flushed) != 1 || r.Flushed[0].ID != mine.Memory.ID {
		t.Fatalf("%+v, %v", r, err)
	}
	if m := stored(t, w, his.Memory.ID); m.State().Tier != graph.L0 {
		t.Error("closing a session of one user took the turns of another")
	}
	// A caller that may act for any user closes the remaining conversations of that name.
	if r := closeSession(t, w); len(r.Flushed) != 1 || r.Flushed[0].ID != his.Memory.ID {
		t.Errorf("flushed: %+v", r.Flushed)
	}
}

// The record holds ids and times, and no text.
func TestSessionRecord(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"Zephyrine keeps the key.", "It is under the mat."} {
		fixture.Observe(t, w, "user", text, func(in *engine.Observation) { in.Agent = "bot" })
		w.Clock.Advance(time.Minute)
	}
	c, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s", User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	closeSession(t, w)
	var data []byte
	err = w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) error {
		id, err := graph.DerivedID(time.UnixMilli(0), "default", "ana", "s")
		if err != nil {
			return err
		}
		n, err := r.Note(graph.NoteSession, id)
		if err == nil {
			data = n.Data
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var x struct {
		Session, User, Agent       string
		StartedAt, LastAt, EndedAt time.Time
		Turns                      int
		Context                    []graph.ID
	}
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	if x.Session != "s" || x.User != "ana" || x.Agent != "bot" || x.Turns != 2 || !x.StartedAt.Equal(enginetest.Start) ||
		!x.LastAt.Equal(enginetest.Start.Add(time.Minute)) || !x.EndedAt.Equal(enginetest.Start.Add(2*time.Minute)) {
		t.Errorf("record: %s", data)
	}
	want := slices.Sorted(slices.Values(c.Layers[4].MemoryIDs))
	if len(want) != 2 || len(x.Context) != 2 || string(x.Context[0]) != want[0] || string(x.Context[1]) != want[1] {
		t.Errorf("context %v, want %v", x.Context, want)
	}
	if strings.Contains(string(data), "Zephyrine") || strings.Contains(string(data), "mat") {
		t.Errorf("the record contains the text: %s", data)
	}
}
