package workspace_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// A list by entity equals a full list filtered by the entity.
func TestMemoriesOfAnEntity(t *testing.T) {
	w := enginetest.New(t)
	for i := range 24 {
		w.Remember(fmt.Sprintf("Entry %d of the logbook.", i), func(in *engine.RememberInput) {
			in.OnDuplicate = engine.Insert
			in.Entities = [][]string{{"Bexley Pier"}, {"Mole Light", "Bexley Pier"}, {"Mole Light"}}[i%3]
			in.Project, in.Tags = []string{"pier", ""}[i%2], [][]string{{"old", "dry"}, {"old"}}[i%2]
			in.Session, in.Type = []string{"", "s"}[i%2], []graph.Type{graph.Episodic, graph.Semantic}[i%2]
		})
		w.Clock.Advance(time.Minute)
	}
	named, _, err := w.Entities(t.Context(), w.Caller, engine.EntityInput{Name: "Bexley Pier"})
	if err != nil || len(named) != 1 {
		t.Fatalf("the entity: %v, %v", named, err)
	}
	pier := named[0].Entity.ID
	list := func(in engine.ListInput) ([]graph.ID, bool) {
		t.Helper()
		r, err := w.Memories(t.Context(), w.Caller, in)
		if err != nil {
			t.Fatal(err)
		}
		return fixture.ViewIDs(r.Memories), r.More
	}
	for name, in := range map[string]engine.ListInput{
		"all":         {},
		"descending":  {Descending: true},
		"a project":   {Project: "pier"},
		"a session":   {Session: "s"},
		"a type":      {Types: []graph.Type{graph.Semantic}},
		"tags":        {Tags: []string{"old", "dry"}},
		"a namespace": {Namespaces: []string{"elsewhere"}},
		"no status":   {Statuses: []graph.Status{graph.Superseded}},
		"the past":    {Access: engine.Access{AsOf: graph.AsOf{Recorded: enginetest.Start.Add(10 * time.Minute)}}},
	} {
		in.First = 1000
		r, err := w.Memories(t.Context(), w.Caller, in)
		if err != nil {
			t.Fatal(err)
		}
		var want []graph.ID
		for _, v := range r.Memories {
			if slices.Contains(v.Entities, pier) {
				want = append(want, v.ID)
			}
		}
		in.Entity, in.First = pier, 3
		var got []graph.ID
		for more := true; more; in.After = got[len(got)-1] {
			var part []graph.ID
			if part, more = list(in); len(part) == 0 {
				break
			}
			got = append(got, part...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d memories, want %d", name, len(got), len(want))
		}
		if empty := name == "a namespace" || name == "no status"; empty != (len(want) == 0) {
			t.Errorf("%s: the test compares %d memories", name, len(want))
		}
	}
	_, err = w.Memories(t.Context(), w.Caller, engine.ListInput{Entity: "pier"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "entity")
}

// A preview shows the same prompt and changes nothing in memory. The prompt itself, in a conversation that is observed, counts
// a use once the answer says something of the memory.
func TestPreviewIsNotCountedAsUse(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("The ferry to Bexley leaves at seven.").Memory
	say := func(session, role, text string) {
		if _, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: session, Role: role, Text: text, Consent: graph.ConsentExplicit}); err != nil {
			t.Fatal(err)
		}
	}
	say("yesterday", "user", "The rain is loud.") // so the conversations of this user are observed
	w.Clock.Advance(24 * time.Hour)
	ask := engine.ContextInput{Session: "talk", Query: "when does the ferry leave", Preview: true}
	preview, err := w.Engine.Context(t.Context(), w.Caller, ask)
	if err != nil {
		t.Fatal(err)
	}
	uses := func() int {
		v, err := w.Engine.Memory(t.Context(), w.Caller, m.ID, engine.Access{IncludeImplicit: true})
		if err != nil {
			t.Fatal(err)
		}
		return v.Usage.Count
	}
	if n := uses(); n != 0 {
		t.Errorf("a preview counts as %d uses", n)
	}
	ask.Preview = false
	given, err := w.Engine.Context(t.Context(), w.Caller, ask)
	if err != nil || given.Text != preview.Text {
		t.Errorf("the preview was %q, the prompt is %q, %v", preview.Text, given.Text, err)
	}
	for _, turn := range [][2]string{{"user", ask.Query}, {"assistant", "At seven."}} {
		if n := uses(); n != 0 {
			t.Errorf("a prompt without an answer counts as %d uses", n)
		}
		say("talk", turn[0], turn[1])
	}
	if n := uses(); n != 1 {
		t.Errorf("a prompt and its answer count as %d uses", n)
	}
}
