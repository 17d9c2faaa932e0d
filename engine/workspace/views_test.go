package workspace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

func TestMemoriesPage(t *testing.T) {
	w := enginetest.New(t)
	var all []graph.ID
	for i := range 25 {
		all = append(all, w.Remember(fmt.Sprintf("Page entry %d.", i), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }).Memory.ID)
	}
	var got []graph.ID
	for in := (engine.ListInput{First: 10}); ; in.After = got[len(got)-1] {
		r, err := w.Memories(t.Context(), w.Caller, in)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fixture.ViewIDs(r.Memories)...)
		if !r.More {
			break
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(all) {
		t.Errorf("pages hold %v", got)
	}
	last, err := w.Memories(t.Context(), w.Caller, engine.ListInput{First: 1, Descending: true})
	if err != nil || last.Memories[0].ID != all[24] || !last.More {
		t.Errorf("descending: %+v, %v", last, err)
	}
	_, err = w.Memories(t.Context(), w.Caller, engine.ListInput{First: 1001})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "first")
	_, err = w.Memories(t.Context(), w.Caller, engine.ListInput{After: "x"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "after")
}

func TestMemoriesAsOf(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("The flag is blue.").Memory
	w.Clock.Advance(time.Hour)
	b := fixture.Supersede(t, w, a.ID, "The flag is white.").Memory
	list := func(in engine.ListInput) []graph.ID {
		r, err := w.Memories(t.Context(), w.Caller, in)
		if err != nil {
			t.Fatal(err)
		}
		return fixture.ViewIDs(r.Memories)
	}
	if got := list(engine.ListInput{}); len(got) != 1 || got[0] != b.ID {
		t.Errorf("now: %v", got)
	}
	then := engine.ListInput{Access: engine.Access{AsOf: graph.AsOf{Recorded: enginetest.Start}}}
	if got := list(then); len(got) != 1 || got[0] != a.ID {
		t.Errorf("then: %v", got)
	}
	then.Access.AsOf = graph.AsOf{Valid: enginetest.Start}
	if got := list(then); len(got) != 1 || got[0] != a.ID {
		t.Errorf("true then: %v", got)
	}
	if got := list(engine.ListInput{Statuses: []graph.Status{graph.Superseded}}); len(got) != 1 || got[0] != a.ID {
		t.Errorf("superseded: %v", got)
	}
}

func TestUpdate(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("The stove is cold.", func(in *engine.RememberInput) { in.Tags = []string{"old"} }).Memory
	w.Clock.Advance(time.Hour)
	high, yes := 0.9, true
	v, err := w.Update(t.Context(), w.Caller, engine.UpdateInput{ID: m.ID, Importance: &high, Important: &yes, Tags: []string{"new"}, SetTags: true, Meta: []byte(`{"a":1}`), SetMeta: true, Priority: graph.High})
	if err != nil {
		t.Fatal(err)
	}
	if v.Importance != 0.9 || !v.Important || v.Tags[0] != "new" || string(v.Meta) != `{"a":1}` || v.Priority != graph.High || !v.UpdatedAt.Equal(w.Clock.Now()) {
		t.Errorf("updated: %+v", v.Memory)
	}
	if v.Content != m.Content || v.Checksum != m.Checksum || v.Version != 1 {
		t.Error("an update changed the belief")
	}
	two := 2.0
	_, err = w.Update(t.Context(), w.Caller, engine.UpdateInput{ID: m.ID, Importance: &two})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "importance")
	_, err = w.Update(t.Context(), w.Caller, engine.UpdateInput{ID: m.ID, Meta: []byte("{"), SetMeta: true})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "meta")
	_, err = w.Update(t.Context(), w.Caller, engine.UpdateInput{ID: "019c75e5-7095-7fff-bfff-ffffffffffff"})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "id")
}

func TestExpire(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("The parcel is at the door.").Memory
	for range 2 { // the second run changes nothing
		v, err := w.Expire(t.Context(), w.Caller, m.ID)
		if err != nil || v.State.Status != graph.Expired {
			t.Fatalf("%+v, %v", v, err)
		}
	}
	if len(w.Search("parcel").Hits) != 0 {
		t.Error("an expired memory is found")
	}
	a := w.Remember("The parcel is on the boat.").Memory
	fixture.Supersede(t, w, a.ID, "The parcel is in the shed.")
	_, err := w.Expire(t.Context(), w.Caller, a.ID)
	fixture.WantError(t, err, graph.CodeVersionConflict, "id")
}

func TestSweepRecordsExpiry(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Sweep: time.Millisecond})
	ttl := 60
	m := w.Remember("Kettle on.", func(in *engine.RememberInput) { in.TTLSeconds = &ttl }).Memory
	events, err := w.Events(t.Context(), w.Caller, 0, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	if ev := fixture.NextEvent(t, events); ev.Kind != graph.EventExpired || ev.ID != m.ID {
		t.Fatalf("event %+v", ev)
	}
	v, err := w.Memory(t.Context(), w.Caller, m.ID, engine.Access{})
	if err != nil || v.Status() != graph.Expired || !v.Memory.State().From.Equal(m.ExpiresAt) {
		t.Errorf("written down as %+v, %v", v.Memory.State(), err)
	}
}

func TestCoreIsBoundedAndInEveryContext(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("Never sail past the outer buoy after dark.").Memory
	if _, err := w.Pin(t.Context(), w.Caller, m.ID); err != nil {
		t.Fatal(err)
	}
	big := w.Remember(strings.Repeat("ballast stone ", 1200)).Memory
	_, err := w.Pin(t.Context(), w.Caller, big.ID)
	fixture.WantError(t, err, graph.CodeLimitExceeded, "id")
	_, err = w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: strings.Repeat("anchor chain ", 1200), Consent: graph.ConsentExplicit, Core: true})
	fixture.WantError(t, err, graph.CodeLimitExceeded, "core")
	core, err := w.Core(t.Context(), w.Caller, "", nil)
	if err != nil || len(core) != 1 || core[0].ID != m.ID {
		t.Errorf("core: %v, %v", fixture.ViewIDs(core), err)
	}
	r, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s", Query: "How do I bake bread?", TokenBudget: 200})
	if err != nil || !strings.Contains(r.Text, "outer buoy") {
		t.Errorf("the prompt lacks the core: %v", err)
	}
	b := fixture.Supersede(t, w, m.ID, "Never sail past the inner buoy after dark.").Memory
	if core, err = w.Core(t.Context(), w.Caller, "", nil); err != nil || len(core) != 1 || core[0].ID != b.ID {
		t.Errorf("after a correction the core is %v, %v", fixture.ViewIDs(core), err)
	}
	if _, err := w.Unpin(t.Context(), w.Caller, b.ID); err != nil {
		t.Fatal(err)
	}
	if core, err = w.Core(t.Context(), w.Caller, "", nil); err != nil || len(core) != 0 {
		t.Errorf("after unpin: %v, %v", fixture.ViewIDs(core), err)
	}
}

func TestContextHasFiveLayersInBudget(t *testing.T) {
	w := enginetest.New(t)
	for i := range 30 {
		w.Remember(fmt.Sprintf("Turn %d: we spoke about the hull and its paint.", i), func(in *engine.RememberInput) {
			in.Session, in.Agent, in.OnDuplicate = "today", "mara", engine.Insert
		})
		w.Clock.Advance(time.Minute)
	}
	for i := range 30 {
		w.Remember(fmt.Sprintf("The hull of boat %d was painted with red lead.", i), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	}
	rule := w.Remember("To paint a hull, sand it first, then prime it.", func(in *engine.RememberInput) { in.Type = graph.Procedural }).Memory
	w.Remember("Paint manual, page 3: two coats of red lead.", func(in *engine.RememberInput) { in.Type = graph.Document })
	w.Remember("The boatyard project paints three hulls a week.", func(in *engine.RememberInput) { in.Project = "boatyard" })
	for _, format := range []string{"MARKDOWN", "XML", "JSON"} {
		r, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "today", Query: "How do we paint the hull?", Project: "boatyard", Format: format, TokenBudget: 900})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Layers) != 5 || r.Layers[0].Name != prompt.Procedural || r.Layers[4].Name != prompt.Conversation {
			t.Fatalf("layers: %+v", r.Layers)
		}
		if r.TotalTokens > 900 || r.TotalTokens != prompt.Count(r.Text) || !r.Truncated {
			t.Errorf("%s: %d tokens, counted %d, truncated %v", format, r.TotalTokens, prompt.Count(r.Text), r.Truncated)
		}
		if len(r.Layers[0].MemoryIDs) != 1 || r.Layers[0].MemoryIDs[0] != string(rule.ID) {
			t.Errorf("%s: rules %v", format, r.Layers[0].MemoryIDs)
		}
		for _, turn := range []string{"Turn 27", "Turn 28", "Turn 29"} {
			if !strings.Contains(r.Text, turn) {
				t.Errorf("%s: %s of the conversation is missing", format, turn)
			}
		}
	}
	for _, turn := range [][2]string{{"user", "How do we paint the hull?"}, {"assistant", "Sand it first, then prime it."}} {
		if _, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: "today", Role: turn[0], Text: turn[1], Consent: graph.ConsentExplicit}); err != nil {
			t.Fatal(err)
		}
	}
	v, err := w.Memory(t.Context(), w.Caller, rule.ID, engine.Access{})
	if err != nil || v.Usage.Count != 1 {
		t.Errorf("asked for in three contexts of a day and answered, used %d times, %v", v.Usage.Count, err)
	}
	_, err = w.Context(t.Context(), w.Caller, engine.ContextInput{})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "session")
	_, err = w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s", Format: "YAML"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "format")
}

func TestHealthTimelineScene(t *testing.T) {
	w := enginetest.New(t)
	empty, err := w.Health(t.Context(), w.Caller)
	if err != nil || empty.Score != 1 || empty.Memories != 0 {
		t.Errorf("an empty memory: %+v, %v", empty, err)
	}
	if line, err := w.Timeline(t.Context(), w.Caller, nil, 0); err != nil || line != nil {
		t.Errorf("an empty timeline: %v, %v", line, err)
	}
	a := w.Remember("The sluice opens at six.", func(in *engine.RememberInput) { in.Session = "s" }).Memory
	w.Clock.Advance(10 * 24 * time.Hour)
	fixture.Supersede(t, w, a.ID, "The sluice opens at seven.")
	w.Clock.Advance(10 * 24 * time.Hour)
	c := w.Remember("The sluice keeper is called Wim.").Memory
	if _, err := w.Expire(t.Context(), w.Caller, c.ID); err != nil {
		t.Fatal(err)
	}
	h, err := w.Health(t.Context(), w.Caller)
	if err != nil || h.Memories != 1 || h.Status != "HEALTHY" || h.Score <= 0.5 || h.Score >= 1 {
		t.Errorf("health %+v, %v", h, err)
	}
	line, err := w.Timeline(t.Context(), w.Caller, nil, 20)
	if err != nil || len(line) != 20 {
		t.Fatalf("%d buckets, %v", len(line), err)
	}
	born, superseded, ended := 0, 0, 0
	for _, b := range line {
		born, superseded, ended = born+b.Born, superseded+b.Superseded, ended+b.Ended
	}
	if born != 3 || superseded != 1 || ended != 1 || line[0].Born != 1 {
		t.Errorf("born %d superseded %d ended %d, first bucket %+v", born, superseded, ended, line[0])
	}
	s, err := w.Scene(t.Context(), w.Caller, nil)
	if err != nil || len(s.Nodes) != 3 || s.Texts[0] != "The sluice opens at six." {
		t.Fatalf("scene %+v, %v", s, err)
	}
	supersedes := 0
	for _, x := range s.Edges {
		if x.Kind == "SUPERSEDES" {
			supersedes++
			if s.Nodes[x.From].Version != 2 || s.Nodes[x.To].ID != a.ID {
				t.Errorf("edge %+v", x)
			}
		}
	}
	if supersedes != 1 {
		t.Errorf("%d supersede edges", supersedes)
	}
}
