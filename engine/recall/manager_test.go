package recall_test

import (
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/graph"
)

// The state of the work obeys the filters and the instant of the search.
func TestManagerObeysTheFiltersOfTheSearch(t *testing.T) {
	w := enginetest.New(t)
	decide := func(text, project string, consent graph.Consent) graph.ID {
		w.Clock.Advance(time.Minute)
		return w.Remember(text, by("ana"), func(in *engine.RememberInput) { in.Project, in.Consent = project, consent }).Memory.ID
	}
	say := func(text, session, project string) graph.ID {
		w.Clock.Advance(time.Minute)
		return fixture.Observe(t, w, "user", text, func(in *engine.Observation) { in.User, in.Session, in.Project = "ana", session, project }).Memory.ID
	}
	mill := decide("We decided to grind rye on Tuesdays.", "mill", graph.ConsentExplicit)
	hidden := decide("We decided to sell the old stone.", "mill", graph.ConsentNone)
	ferry := decide("We decided to paint the ferry blue.", "ferry", graph.ConsentExplicit)
	early := w.Clock.Now()
	first := say("TODO: sharpen the millstone.", "one", "mill")
	second := say("TODO: order blue paint.", "two", "ferry")
	if tasks := fixture.Tasks(t, w); len(tasks) != 2 { // it reads the tasks of all turns
		t.Fatalf("%d tasks", len(tasks))
	}
	state := func(change func(*engine.SearchInput)) *recall.Manager {
		t.Helper()
		r := w.Search("", func(in *engine.SearchInput) {
			in.Mode, in.User = engine.ModeManager, "ana"
			change(in)
		})
		if r.Manager == nil {
			t.Fatal("no state of the work")
		}
		return r.Manager
	}
	texts := func(views []*engine.View) (out []string) {
		for _, v := range views {
			out = append(out, v.Content)
		}
		slices.Sort(out)
		return out
	}
	for _, c := range []struct {
		name               string
		change             func(*engine.SearchInput)
		working, decisions []graph.ID
		tasks              int
	}{
		{"all", func(*engine.SearchInput) {}, []graph.ID{first, second}, []graph.ID{ferry, hidden, mill}, 2},
		{"of a project", func(in *engine.SearchInput) { in.Project = "mill" }, []graph.ID{first}, []graph.ID{hidden, mill}, 1},
		{"with consent", func(in *engine.SearchInput) { in.Access.RequireConsent = true }, []graph.ID{first, second}, []graph.ID{ferry, mill}, 2},
		{"of a session", func(in *engine.SearchInput) { in.Session = "two" }, []graph.ID{second}, []graph.ID{ferry, hidden, mill}, 2},
		{"as of an instant", func(in *engine.SearchInput) { in.Access.AsOf.Recorded = early }, nil, []graph.ID{ferry, hidden, mill}, 0},
		{"of another user", func(in *engine.SearchInput) { in.User = "bo" }, nil, nil, 0},
		{"of another namespace", func(in *engine.SearchInput) { in.Namespaces = []string{"office"} }, nil, nil, 0},
	} {
		m := state(c.change)
		if got := fixture.ViewIDs(m.Working); !slices.Equal(got, c.working) {
			t.Errorf("%s: working %v", c.name, texts(m.Working))
		}
		if got := fixture.ViewIDs(m.Decisions); !slices.Equal(got, c.decisions) {
			t.Errorf("%s: decisions %v", c.name, texts(m.Decisions))
		}
		if len(m.Tasks) != c.tasks {
			t.Errorf("%s: tasks %v, want %d", c.name, texts(m.Tasks), c.tasks)
		}
	}
}

// What is done, superseded or only asked is no part of the state of the work.
func TestManagerLeavesOutWhatIsOver(t *testing.T) {
	w := enginetest.New(t)
	fixture.Observe(t, w, "user", "TODO: grease the winch before Friday.", func(in *engine.Observation) { in.User, in.Session = "ana", "s" })
	tasks, _, err := w.Tasks(t.Context(), w.Caller, engine.TaskInput{User: "ana"})
	if err != nil || len(tasks) != 1 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	w.Clock.Advance(time.Minute)
	old := w.Remember("We decided to keep the winch in the boat house.", by("ana")).Memory.ID
	w.Remember("Did we decide to sell the barge?", by("ana"))
	w.Clock.Advance(time.Minute)
	next, err := w.Engine.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: old, Content: "We decided to keep the winch in the shed."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.DismissTask(t.Context(), w.Caller, tasks[0].Memory.ID); err != nil {
		t.Fatal(err)
	}
	m := w.Search("", func(in *engine.SearchInput) { in.Mode, in.User = engine.ModeManager, "ana" }).Manager
	if len(m.Tasks) != 0 || !slices.Equal(fixture.ViewIDs(m.Decisions), []graph.ID{next.Memory.ID}) {
		t.Errorf("tasks %v, decisions %v", fixture.ViewIDs(m.Tasks), fixture.ViewIDs(m.Decisions))
	}
}

// "Where were we?" names nothing to search for: it asks for the state of the work.
func TestManagerAnswersAQuestionWithoutAMatter(t *testing.T) {
	w := enginetest.New(t)
	fixture.Observe(t, w, "user", "TODO: grease the winch before Friday.", func(in *engine.Observation) { in.User, in.Session = "ana", "s" })
	w.Remember("We decided to keep the winch in the boat house.", by("ana"))
	fixture.Tasks(t, w)
	for _, query := range []string{"where were we?", "Where were we?", "OK, go on."} {
		r := w.Search(query, func(in *engine.SearchInput) { in.Mode, in.User = engine.ModeManager, "ana" })
		if r.NoMatch || len(r.Hits) == 0 || len(r.Manager.Tasks) != 1 {
			t.Errorf("%q: noMatch %v, %d hits", query, r.NoMatch, len(r.Hits))
		}
	}
	if r := w.Search("where were we?", func(in *engine.SearchInput) { in.User = "ana" }); !r.NoMatch {
		t.Errorf("in another mode: %d hits", len(r.Hits))
	}
}
