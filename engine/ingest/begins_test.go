package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A statement that holds from a date to come revises on that date: until then the earlier one holds and comes first.
func TestAStatementFromADateRevisesOnThatDate(t *testing.T) {
	for _, x := range []struct{ earlier, later, question string }{
		{"Our rent is 900 euros.", "From 20 May 2031 our rent is 950 euros.", "How much is our rent?"},
		{"Lena leads the team.", "Marko takes over the team from Lena on 20 May 2031.", "Who leads the team?"},
		{"I live in Graz.", "I'm moving to Berlin on 20 May 2031.", "Where do I live?"},
		{"The depot is in Ghent.", "The depot moves to Aalst on 20 May 2031.", "Where is the depot?"},
	} {
		w := enginetest.New(t)
		day := time.Date(2031, 5, 20, 0, 0, 0, 0, time.UTC)
		w.Clock.Advance(day.AddDate(0, 0, -40).Sub(w.Clock.Now()))
		old := says(w, x.earlier, by("ana", "s1")).Memory.ID
		r := says(w, x.later, by("ana", "s2"))
		if m := view(w, old); m.Status() != graph.Active || m.Conflict != 0 || len(r.ConflictsWith) > 0 {
			t.Errorf("%q: the earlier one is %s, conflict %.2f, at once", x.later, m.Status(), m.Conflict)
		}
		first := func() graph.ID {
			ids := enginetest.IDs(w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" }))
			if len(ids) == 0 {
				return ""
			}
			return ids[0]
		}
		if first() != old {
			t.Errorf("%q: it comes first before its date", x.later)
		}
		w.Clock.Advance(60 * 24 * time.Hour)
		if first() != r.Memory.ID {
			t.Errorf("%q: it does not come first after its date", x.later)
		}
	}
}

// Undoing such a revision opens the claim of the earlier statement again.
func TestUndoOfARevisionToCome(t *testing.T) {
	w := enginetest.New(t)
	old := says(w, "Our rent is 900 euros.", by("ana", "s1")).Memory.ID
	later := says(w, "From 20 May 2031 our rent is 950 euros.", by("ana", "s2")).Memory.ID
	if view(w, old).Memory.Claims[0].State().ValidTo.IsZero() {
		t.Fatal("the claim has no end")
	}
	if _, err := w.UndoRevision(t.Context(), w.Caller, later); err != nil {
		t.Fatal(err)
	}
	if s := view(w, old).Memory.Claims[0].State(); !s.ValidTo.IsZero() || s.RevisedBy != "" {
		t.Errorf("the claim ends at %s", s.ValidTo)
	}
}
