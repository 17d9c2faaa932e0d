package patterns_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/graph"
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

// A rule that is said in the same words in five sessions on five days is a pattern of five occasions. A sleep merges them.
func TestARuleSaidAgainMakesAPattern(t *testing.T) {
	const rule = "Always lock the boat house after sailing."
	for _, c := range []struct {
		name              string
		session           func(i int) string
		days, times, want int
		nightly           bool
	}{
		{"sessions", func(i int) string { return fmt.Sprint("s", i) }, 1, 1, 5, false},
		{"with a sleep after each", func(i int) string { return fmt.Sprint("s", i) }, 1, 1, 4, true}, // of the sleep after the fourth
		{"no sessions", func(int) string { return "" }, 1, 1, 5, false},
		{"several times a day", func(i int) string { return fmt.Sprint("s", i) }, 1, 3, 5, false},
		{"one session", func(int) string { return "s" }, 1, 1, 0, false},
		{"one day", func(i int) string { return fmt.Sprint("s", i) }, 0, 1, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			for i := range 5 {
				for range c.times {
					w.remember("loose boats", rule, func(in *ingest.RememberInput) { in.OnDuplicate, in.Type, in.Session = "", "", c.session(i) })
				}
				if c.nightly {
					w.night()
				}
				w.clock.Advance(time.Duration(c.days) * 25 * time.Hour)
			}
			w.night()
			switch all := w.all(); {
			case c.want == 0 && len(all) == 0:
			case len(all) != 1 || all[0].Memory.Pattern.Occurrences != c.want:
				t.Errorf("%s, want one with %d", texts(all), c.want)
			}
			active := 0
			if err := w.store.View(t.Context(), w.caller.Scope(), func(r graph.Reader) error {
				for m, err := range graph.AllMemories(r, graph.MemoryQuery{Statuses: []graph.Status{graph.Active}}) {
					if err != nil {
						return err
					}
					if m.SourceKind == graph.FromUser && m.Content == rule {
						active++
					}
				}
				return nil
			}); err != nil || active != 1 {
				t.Errorf("%d are ACTIVE, want 1: %v", active, err)
			}
		})
	}
}
