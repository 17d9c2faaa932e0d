package erasure_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// F20 of docs/security-tests.md: the name of a session goes with the last memory of the session, whatever selected that.
func TestForgetErasesNamesOfEmptySessions(t *testing.T) {
	for name, selecting := range map[string]func(graph.ID) engine.ForgetInput{
		"ids":     func(id graph.ID) engine.ForgetInput { return engine.ForgetInput{IDs: []graph.ID{id}} },
		"subject": func(graph.ID) engine.ForgetInput { return engine.ForgetInput{Subject: "Tomas"} },
		"user":    func(graph.ID) engine.ForgetInput { return engine.ForgetInput{User: "ana"} },
	} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.New(t)
			o := fixture.Observe(t, w, "user", "Tomas lives in Oslo.", func(in *engine.Observation) { in.Session = "talk-of-tomas" })
			if _, err := w.CloseSession(t.Context(), w.Caller, "talk-of-tomas", ""); err != nil {
				t.Fatal(err)
			}
			var named *graph.Memory
			for _, m := range memoriesOf(t, w) {
				if m.Session == "talk-of-tomas" {
					named = m
				}
			}
			if named == nil || len(sessionNotes(t, w)) != 1 {
				t.Fatalf("after %+v: the turn %v, notes %q", o, named, sessionNotes(t, w))
			}
			fixture.Forget(t, w, selecting(named.ID))
			if notes := sessionNotes(t, w); len(notes) != 0 {
				t.Errorf("names of sessions are left: %q", notes)
			}
		})
	}
}

// A session that still has memories keeps its record.
func TestForgetKeepsSessionsWithMemories(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"Quillfeather hid the ledger in the boathouse.", "The winch sticks in wet weather."} {
		fixture.Observe(t, w, "user", text)
		w.Clock.Advance(time.Minute)
	}
	if _, err := w.CloseSession(t.Context(), w.Caller, "s", ""); err != nil {
		t.Fatal(err)
	}
	all := memoriesOf(t, w)
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{all[0].ID}})
	if notes := sessionNotes(t, w); len(all) < 2 || len(notes) != 1 || !strings.Contains(notes[0], `"s"`) {
		t.Errorf("of %d memories one was erased, notes: %q", len(all), notes)
	}
}

func memoriesOf(t *testing.T, w *enginetest.World) (all []*graph.Memory) {
	t.Helper()
	err := w.Store.View(t.Context(), fixture.LoopScope, func(r graph.Reader) error {
		all = nil
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			all = append(all, m)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sessionNotes are the data of the records of conversations.
func sessionNotes(t *testing.T, w *enginetest.World) (data []string) {
	t.Helper()
	err := w.Store.View(t.Context(), fixture.LoopScope, func(r graph.Reader) error {
		data = nil
		for n, err := range graph.AllNotes(r, graph.NoteSession, "", false) {
			if err != nil {
				return err
			}
			data = append(data, string(n.Data))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
