package upkeep_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// Memories that were written before claims were kept get them after a restart, and nothing else
// of them changes.
func TestClaimsOfEarlierMemoriesAreRead(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Sweep: time.Millisecond})
	var ids []graph.ID
	ids = append(ids, w.Remember("I live in Oslo.", func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID)
	ids = append(ids, w.Remember("Moved north last week.", func(in *engine.RememberInput) {
		in.Subject, in.Predicate, in.Object = "Bo", "lives_in", "Bergen"
	}).Memory.ID)
	ids = append(ids, w.Remember("Ich wohne seit drei Jahren in Hamburg und arbeite bei der Post.").Memory.ID)
	read := func() (ms []*graph.Memory) {
		err := w.Store.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) (err error) { ms, err = r.Memories(ids); return err })
		if err != nil {
			t.Fatal(err)
		}
		return ms
	}
	written := read()
	_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		for _, id := range ids {
			m, err := tx.Memory(id)
			if err != nil {
				return err
			}
			m.Claims, m.ReadBy = nil, 0
			if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
				return err
			}
		}
		return tx.PutSetting("claims", nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	for complete := false; !complete; {
		h, err := w.Health(t.Context(), w.Caller) // opens the tenant
		if err != nil {
			t.Fatal(err)
		}
		progress, _ := h.Details["claimsRead"].(map[string]any)
		complete, _ = progress["complete"].(bool)
	}
	for i, m := range read() {
		was := written[i]
		if len(m.Claims) != len(was.Claims) || m.UpdatedAt != was.UpdatedAt || m.Status() != was.Status() || len(m.History) != len(was.History) {
			t.Errorf("%q: %+v, was written as %+v", m.Content, m.Claims, was.Claims)
			continue
		}
		for j := range m.Claims {
			if got, want := m.Claims[j].State(), was.Claims[j].State(); got.Subject != strings.ToLower(want.Subject) || got.Predicate != want.Predicate || got.Object != want.Object || !got.From.Equal(want.From) {
				t.Errorf("%q: %+v, was written as %+v", m.Content, got, want)
			}
		}
	}
}
