package recall_test

import (
	"testing"

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
