package recall_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
)

// A memory with less authority never ranks above the one it contradicts, even if it fits the
// question better.
func TestStrongerOfTwoConflictingMemoriesRanksFirst(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	low, high := 0.2, 0.9
	belief := w.Remember("Nadia lives in Turin.", func(in *engine.RememberInput) { in.Authority, in.User = &high, "nadia" }).Memory.ID
	rumour := w.Remember("Nadia lives in Oslo.", func(in *engine.RememberInput) { in.Authority, in.User = &low, "nadia" })
	if len(rumour.ConflictsWith) != 1 || rumour.ConflictsWith[0] != belief {
		t.Fatalf("the rumour is in conflict with %v", rumour.ConflictsWith)
	}
	for _, k := range []int{1, 2, 10} {
		r := w.Search("Nadia lives in Oslo?", func(in *engine.SearchInput) { in.TopK = k })
		if len(r.Hits) != min(k, 2) || r.Hits[0].Memory.ID != belief {
			t.Errorf("top %d: %v, the belief is %s", k, enginetest.IDs(r), belief)
		}
		if k > 1 && (r.Hits[1].Memory.ID != rumour.Memory.ID || r.Hits[1].Label != engine.Contested || r.Hits[0].Label != engine.Current) {
			t.Errorf("top %d: labels %s and %s", k, r.Hits[0].Label, r.Hits[1].Label)
		}
	}
}

// A later statement that contests a hit comes before it, also if it has no word of the question.
func TestLaterRivalIsFoundThroughTheHitItContests(t *testing.T) {
	w := enginetest.New(t)
	for range 3 {
		said(w, "The rota hangs beside the door.", time.Minute)
	}
	earlier := said(w, "I'm on the night shift.", 12*24*time.Hour)
	later := said(w, "They put me on days.", time.Hour)
	r := w.Search("Which shift am I on?", func(in *engine.SearchInput) { in.User = "ana" })
	l, e := placeOf(r, later), placeOf(r, earlier)
	if l < 0 || e < 0 || e < l {
		t.Errorf("later at %d, earlier at %d of %v", l, e, enginetest.IDs(r))
	}
	r = w.Search("Which shift am I on?", func(in *engine.SearchInput) { in.User, in.Until = "ana", w.Clock.Now().Add(-24*time.Hour) })
	if placeOf(r, later) >= 0 || placeOf(r, earlier) < 0 {
		t.Errorf("until yesterday: later at %d, earlier at %d", placeOf(r, later), placeOf(r, earlier))
	}
}
