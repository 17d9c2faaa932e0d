package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A memory of an earlier version, whose subject is the agent that wrote down what a user says, is revised by the user as any other, and a
// correction of it has the right subject. What a user says about the agent is about the agent.
func TestMemoriesWithTheAgentAsSubject(t *testing.T) {
	said := func(in *engine.RememberInput) {
		in.SourceKind, in.User, in.Agent, in.Session = graph.FromUser, "ana", "Scribe", "s1"
	}
	stored := func(text string) (*enginetest.World, graph.ID) {
		t.Helper()
		w := enginetest.New(t)
		id := w.Remember(text, said).Memory.ID
		_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
			m, err := tx.Memory(id)
			if err != nil {
				return err
			}
			m.Subject = "scribe"
			return tx.PutMemory(m, graph.EventUpdated)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Restart(); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(48 * time.Hour)
		return w, id
	}
	for _, x := range [][2]string{
		{"I like coffee.", "I don't like coffee."}, {"I am vegetarian.", "I am not vegetarian."}, {"I have a cat.", "I don't have a cat."},
		{"I'm allergic to nuts.", "I'm not allergic to nuts."},
	} {
		w, id := stored(x[0])
		r := w.Remember(x[1], said, func(in *engine.RememberInput) { in.Session = "s2" })
		if len(r.Revised) != 1 || r.Revised[0] != id {
			t.Errorf("%s revised %v, disagrees with %v; want that it revises %s", x[1], r.Revised, r.ConflictsWith, id)
		}
	}
	for text, want := range map[string]string{"I like coffee.": "ana", "Scribe is slow.": "scribe"} {
		w, id := stored(text)
		r, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: id, Content: "I like tea."})
		if err != nil || r.Memory.Subject != want {
			t.Errorf("%s: a correction is about %q, %v, want %q", text, r.Memory.Subject, err, want)
		}
	}
}
