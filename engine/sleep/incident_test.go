package sleep_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// What sleep derives from a safety-critical incident names nobody, and has nothing of one whose
// names can't be recognised.
func TestDerivedMemoriesOfAnIncidentNameNobody(t *testing.T) {
	w := enginetest.New(t)
	say := func(text string, critical bool, entities ...string) graph.ID {
		id := w.Remember(text, func(in *engine.RememberInput) {
			in.Project, in.Type, in.SafetyCritical, in.Entities = "ferry", graph.Episodic, critical, entities
		}).Memory.ID
		w.Clock.Advance(26 * time.Hour)
		return id
	}
	incident := say("We decided to lock the engine room because Alice Jones burnt a hand on 3 March.", true, "Alice Jones", "engine room")
	unsure := say("we decided to keep bo away from the winch.", true)
	w.Clock.Advance(31 * 24 * time.Hour)
	fixture.MustDeepSleep(w)
	var page *engine.View
	for _, v := range derived(t, w) {
		if v.Project == "ferry" {
			page = v
		}
	}
	if page == nil {
		t.Fatal("the month has no page")
	}
	for _, hidden := range []string{"Alice", "Jones", "3 March", "bo away"} {
		if strings.Contains(page.Content, hidden) {
			t.Errorf("the page says %q: %s", hidden, page.Content)
		}
	}
	if said := "lock the engine room because someone burnt a hand"; !strings.Contains(page.Content, said) {
		t.Errorf("the page does not say %q: %s", said, page.Content)
	}
	var names []string
	found, err := w.EntitiesByID(t.Context(), w.Caller, page.Entities)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range found {
		names = append(names, x.Name)
	}
	if slices.Contains(names, "Alice Jones") {
		t.Errorf("the page mentions %v", names)
	}
	// The memories themselves stay as they were written.
	for _, id := range []graph.ID{incident, unsure} {
		if v := get(t, w, id); v.State.Status != graph.Active || strings.Contains(v.Content, "someone") {
			t.Errorf("%s: %s", v.State.Status, v.Content)
		}
	}
}
