package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// What stands side by side in one form is about several things: the next such note revises none of them.
func TestNotesOfASeriesStand(t *testing.T) {
	w := enginetest.New(t)
	var ids []graph.ID
	for i, text := range []string{
		"The pump at station 4 needs oil.", "The pump at station 9 needs oil.", "The pump at the harbour needs oil.", "The pump at the lock needs oil.",
		"Rain closed the field on day 5.", "Rain closed the field on day 8.", "Rain closed the field on day 11.",
	} {
		r := says(w, text, by("ana", string(rune('a'+i))))
		if len(r.Revised) > 0 {
			t.Errorf("%q revised %v", text, r.Revised)
		}
		ids = append(ids, r.Memory.ID)
		w.Clock.Advance(24 * time.Hour)
	}
	for _, id := range ids {
		if m := view(w, id); m.Status() != graph.Active {
			t.Errorf("%q is %s", m.Content, m.Status())
		}
	}
}

// A reading revises without a slot of the table and without a contradiction if it is certain enough. An
// event ends a state only if it is surely one that does.
func TestASureReadingRevisesAlone(t *testing.T) {
	w := enginetest.New(t)
	for _, x := range []struct {
		user, earlier, later string
		revised              int
	}{
		{"ana", "The choir rehearses in the church.", "The choir now rehearses in the town hall.", 1},
		{"ben", "The parcels are picked up at the back door.", "From now on the parcels are picked up at the front gate.", 1},
		{"cas", "Our car is parked in the garage.", "Someone scratched our car.", 0},
		{"dia", "I get up at six.", "I go to bed at ten.", 0},
	} {
		says(w, x.earlier, by(x.user, "a"))
		w.Clock.Advance(24 * time.Hour)
		if r := says(w, x.later, by(x.user, "b")); len(r.Revised) != x.revised {
			t.Errorf("%q after %q revised %v", x.later, x.earlier, r.Revised)
		}
	}
}
