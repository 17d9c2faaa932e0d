package sleep_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// However long a series waits for a sleep, its fold counts all of it: no repetition is archived before
// the others are folded, and a later sleep extends the fold.
func TestAFoldCountsTheWholeSeries(t *testing.T) {
	for _, days := range []int{0, 1, 3, 5, 8, 20, 30} {
		w := enginetest.New(t)
		start := w.Clock.Now()
		ids := say(w, graph.Episodic, slices.Repeat([]string{"Took my pill with breakfast."}, 12)...)
		w.Clock.Advance(time.Duration(days) * 24 * time.Hour)
		fixture.MustDeepSleep(w)
		w.Clock.Advance(30 * 24 * time.Hour)
		if r := fixture.MustDeepSleep(w); !r.Complete {
			t.Errorf("after %d days: %+v", days, r)
		}
		want := fmt.Sprintf("12 times from %s to %s: Took my pill with breakfast.", start.Format("2"), start.AddDate(0, 0, 11).Format("2 January"))
		all := derived(t, w)
		if len(all) != 1 || all[0].Content != want {
			t.Fatalf("after %d days: %+v, want %q", days, all, want)
		}
		for _, id := range ids {
			if v := get(t, w, id); v.Consolidated != all[0].ID {
				t.Errorf("after %d days: %s is %s", days, id, v.State.Status)
			}
		}
	}
}
