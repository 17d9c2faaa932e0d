package session_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// What a task is for is part of it.
func TestATaskForAMonthIsNotThatForAnother(t *testing.T) {
	for text, open := range map[string]int{"I wrote the report for April.": 1, "I wrote the report for March.": 0} {
		w := enginetest.New(t)
		say(t, w, "TODO: write the report for March")
		say(t, w, text)
		if got := fixture.Tasks(t, w); len(got) != open {
			t.Errorf("%q: %d tasks are open, want %d", text, len(got), open)
		}
	}
}

// A task ends when its user says that it is done, in a turn or in a memory; not when somebody else, an assistant or a question says so.
func TestATaskIsDoneWhenItsUserSaysSo(t *testing.T) {
	ana := func(in *engine.Observation) { in.User = "ana" }
	for _, x := range []struct {
		name string
		say  func(w *enginetest.World)
		open int
	}{
		{"in the next session", func(w *enginetest.World) {
			w.Clock.Advance(30 * time.Hour)
			say(t, w, "I called grandma yesterday.", ana, func(in *engine.Observation) { in.Session = "later" })
		}, 0},
		{"remembered", func(w *enginetest.World) {
			w.Remember("I called grandma.", func(in *engine.RememberInput) { in.User = "ana" })
		}, 0},
		{"by somebody else", func(w *enginetest.World) {
			say(t, w, "I called grandma.", func(in *engine.Observation) { in.User = "bo" })
		}, 1},
		{"another call", func(w *enginetest.World) { say(t, w, "I called the plumber.", ana) }, 1},
		{"by the assistant", func(w *enginetest.World) { fixture.Observe(t, w, "assistant", "I called grandma.", ana) }, 1},
		{"years ago", func(w *enginetest.World) { say(t, w, "I called grandma in 2019.", ana) }, 1},
		{"not done", func(w *enginetest.World) { say(t, w, "I haven't called grandma.", ana) }, 1},
	} {
		w := enginetest.New(t)
		say(t, w, "TODO: call grandma", ana)
		if got := fixture.Tasks(t, w); len(got) != 1 {
			t.Fatalf("%d tasks", len(got))
		}
		x.say(w)
		got := fixture.Tasks(t, w)
		if len(got) != x.open {
			t.Errorf("%s: %d tasks are open, want %d", x.name, len(got), x.open)
		}
		done := fixture.Tasks(t, w, func(in *engine.TaskInput) { in.Status = engine.TaskDone })
		if len(done) != 1-x.open || len(done) == 1 && done[0].Memory.State.Status != graph.Expired {
			t.Errorf("%s: %d tasks are done", x.name, len(done))
		}
	}
}
