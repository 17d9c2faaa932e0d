package patterns_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/ingest"
)

// A rule that is said on four days in other words, or under other conditions, is a pattern of four occasions.
func TestARestatedRuleMakesAPattern(t *testing.T) {
	for _, last := range []string{"Always lock the boat house, said Tomas.", "Always lock the boat house after sailing, said Tomas."} {
		w := newWorld(t)
		for _, text := range []string{"Always lock the boat house after sailing.", "Always lock the boat house when you leave.", "Please always lock the boat house after sailing.", last} {
			w.remember("loose boats", text, func(in *ingest.RememberInput) { in.OnDuplicate, in.Type = "", "" })
			w.clock.Advance(25 * time.Hour)
		}
		w.night()
		if p := w.one(); p.Memory.Pattern.Occurrences != 4 {
			t.Errorf("%s", texts(w.all()))
		}
	}
}
