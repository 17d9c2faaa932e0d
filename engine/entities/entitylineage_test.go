package entities_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// eventTexts returns the kinds of the events, with their other names.
func eventTexts(events []engine.EntityEvent) (out []string) {
	for _, e := range events {
		text := string(e.Kind)
		if e.Kind != engine.EntityCreated && e.Name != "" {
			text += " " + e.Name
			if e.Inverse {
				text += "*"
			}
		}
		out = append(out, text)
	}
	return out
}

func lineageOf(w *enginetest.World, id graph.ID, kinds ...engine.EntityEventKind) []engine.EntityEvent {
	w.T.Helper()
	events, err := w.EntityLineage(w.T.Context(), w.Caller, engine.EntityLineageInput{ID: id, Kinds: kinds})
	if err != nil {
		w.T.Fatal(err)
	}
	return events
}

func TestEntityLineageIsItsHistory(t *testing.T) {
	w := enginetest.New(t)
	first := w.Remember("We planned Atlas for the north harbour.").Memory.ID
	w.Clock.Advance(24 * time.Hour)
	budget := w.Remember("Atlas has a budget of 300 euros.").Memory.ID
	w.Clock.Advance(24 * time.Hour)
	renamed := w.Remember("Atlas was renamed to Borealis.").Memory.ID
	w.Clock.Advance(24 * time.Hour)
	raised, err := w.Engine.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: budget, Content: "Atlas has a budget of 400 euros."})
	if err != nil {
		t.Fatal(err)
	}
	atlas, borealis := entityNamed(w, "atlas"), entityNamed(w, "borealis")
	events := lineageOf(w, atlas)
	if !slices.IsSortedFunc(events, func(a, b engine.EntityEvent) int { return a.At.Compare(b.At) }) {
		t.Errorf("not in order: %v", eventTexts(events))
	}
	if events[0].Kind != engine.EntityCreated || events[0].Name != "Atlas" || events[0].Memory != nil || !events[0].At.Equal(enginetest.Start) {
		t.Errorf("first event %+v", events[0])
	}
	var mentions []graph.ID
	for _, e := range lineageOf(w, atlas, engine.EntityMentioned) {
		mentions = append(mentions, e.Memory.ID)
	}
	if want := []graph.ID{first, budget, renamed, raised.Memory.ID}; !slices.Equal(mentions, want) {
		t.Errorf("mentions %v, want %v", mentions, want)
	}
	names := lineageOf(w, atlas, engine.EntityRenamed)
	if len(names) != 1 || names[0].Memory.ID != renamed || names[0].Name != "Borealis" || names[0].Inverse || names[0].Other == nil || names[0].Other.ID != borealis {
		t.Errorf("names: %+v", names)
	}
	if back := lineageOf(w, borealis, engine.EntityRenamed); len(back) != 1 || back[0].Name != "Atlas" || !back[0].Inverse || back[0].Other == nil || back[0].Other.ID != atlas {
		t.Errorf("names of the new one: %+v", back)
	}
	revised := lineageOf(w, atlas, engine.EntityRevised)
	if len(revised) != 1 || revised[0].Memory.ID != budget || revised[0].Successor == nil || revised[0].Successor.ID != raised.Memory.ID {
		t.Errorf("revisions: %+v", revised)
	}
}

func TestEntityLineageKnowsMergersAndSplits(t *testing.T) {
	w := enginetest.New(t)
	tell := func(subject, predicate, object string) {
		w.Clock.Advance(time.Hour)
		states(w, subject, predicate, object)
	}
	tell("Kestrel", "merged with", "Heron")
	tell("Platform Team", "was split into", "Core and Edge")
	tell("Wren", "was spun off from", "Kestrel")
	tell("Kestrel", "is", "small")
	for name, want := range map[string][]string{
		"kestrel":       {"MERGED Heron", "SPLIT Wren*"},
		"heron":         {"MERGED Kestrel*"},
		"platform team": {"SPLIT Core and Edge"},
	} {
		got := eventTexts(lineageOf(w, entityNamed(w, name), engine.EntityMerged, engine.EntitySplit, engine.EntityRenamed))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	related := lineageOf(w, entityNamed(w, "heron"), engine.EntityRelated)
	if len(related) != 1 || related[0].Predicate != "merged with" || !related[0].Inverse || related[0].Other == nil || related[0].Other.Name != "Kestrel" || related[0].Memory == nil {
		t.Errorf("relations of Heron: %+v", related)
	}
}

// A name that is asked about, denied or wished for is no change of name.
func TestOnlyAssertionsChangeAnEntity(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"Was Atlas renamed to Borealis?", "Atlas was not renamed to Borealis.", "If Atlas is renamed to Borealis, we need new signs.", "Atlas is a project."} {
		w.Remember(text, func(in *engine.RememberInput) { in.Entities, in.OnDuplicate = []string{"Atlas"}, engine.Insert })
	}
	if got := lineageOf(w, entityNamed(w, "atlas"), engine.EntityRenamed, engine.EntityMerged, engine.EntitySplit); len(got) != 0 {
		t.Errorf("changes of name: %v", eventTexts(got))
	}
}

func TestEntityLineageObeysAccessAndTime(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("In spring the project Atlas began.", func(in *engine.RememberInput) { in.Entities = []string{"Atlas"} })
	mark := w.Clock.Now()
	w.Clock.Advance(time.Hour)
	w.Remember("Atlas needs a second boat.", func(in *engine.RememberInput) { in.Entities, in.Consent = []string{"Atlas"}, graph.ConsentNone })
	w.Remember("Atlas costs too much.", func(in *engine.RememberInput) { in.Entities, in.User = []string{"Atlas"}, "bo" })
	id := entityNamed(w, "atlas")
	ana := engine.Caller{Tenant: w.Caller.Tenant, Name: "ana", User: "ana", Grant: 1}
	elsewhere := engine.Caller{Tenant: w.Caller.Tenant, Name: "clerk", Namespaces: []string{"office"}, Grant: 1}
	for _, c := range []struct {
		name   string
		caller engine.Caller
		access engine.Access
		want   int
	}{
		{"all", w.Caller, engine.Access{}, 3},
		{"another user", ana, engine.Access{}, 2},
		{"with consent", w.Caller, engine.Access{RequireConsent: true}, 2},
		{"earlier", w.Caller, engine.Access{AsOf: graph.AsOf{Recorded: mark}}, 1},
	} {
		events, err := w.Engine.EntityLineage(t.Context(), c.caller, engine.EntityLineageInput{ID: id, Kinds: []engine.EntityEventKind{engine.EntityMentioned}, Access: c.access})
		if err != nil || len(events) != c.want {
			t.Errorf("%s: %v, want %d, %v", c.name, eventTexts(events), c.want, err)
		}
	}
	for _, c := range []struct {
		caller engine.Caller
		in     engine.EntityLineageInput
		code   graph.Code
		field  string
	}{
		{w.Caller, engine.EntityLineageInput{ID: "atlas"}, graph.CodeInvalidRequest, "id"},
		{w.Caller, engine.EntityLineageInput{ID: "019c75e5-7095-7fff-bfff-ffffffffffff"}, graph.CodeMemoryNotFound, "id"},
		{elsewhere, engine.EntityLineageInput{ID: id}, graph.CodeMemoryNotFound, "id"},
		{w.Caller, engine.EntityLineageInput{ID: id, Access: engine.Access{AsOf: graph.AsOf{Recorded: mark.Add(-time.Hour)}}}, graph.CodeMemoryNotFound, "id"},
		{w.Caller, engine.EntityLineageInput{ID: id, Access: engine.Access{AsOf: graph.AsOf{Valid: mark}}}, graph.CodeInvalidRequest, "asOf.valid"},
		{w.Caller, engine.EntityLineageInput{ID: id, First: 1001}, graph.CodeInvalidRequest, "first"},
		{w.Caller, engine.EntityLineageInput{ID: id, Offset: -1}, graph.CodeInvalidRequest, "offset"},
		{w.Caller, engine.EntityLineageInput{ID: id, Kinds: []engine.EntityEventKind{"GONE"}}, graph.CodeInvalidRequest, "kinds"},
	} {
		_, err := w.Engine.EntityLineage(t.Context(), c.caller, c.in)
		fixture.WantError(t, err, c.code, c.field)
	}
}

func TestEntityLineageInPages(t *testing.T) {
	w := enginetest.New(t)
	for i := range 7 {
		w.Remember(fmt.Sprintf("Atlas sailed leg %d%s.", i, strings.Repeat("0", i)), func(in *engine.RememberInput) {
			in.Entities, in.OnDuplicate = []string{"Atlas"}, engine.Insert
		})
		w.Clock.Advance(time.Hour)
	}
	id := entityNamed(w, "atlas")
	whole := lineageOf(w, id)
	var pages []engine.EntityEvent
	for offset := 0; ; offset += 3 {
		page, err := w.EntityLineage(t.Context(), w.Caller, engine.EntityLineageInput{ID: id, First: 3, Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		pages = append(pages, page...)
	}
	if len(whole) < 8 || !slices.Equal(eventTexts(pages), eventTexts(whole)) {
		t.Errorf("%v in pages, %v at once", eventTexts(pages), eventTexts(whole))
	}
}

// What is erased is in no lineage.
func TestErasedMemoriesLeaveTheLineage(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("We began Atlas in spring.")
	gone := w.Remember("Atlas was renamed to Borealis.").Memory.ID
	if got := lineageOf(w, entityNamed(w, "atlas"), engine.EntityRenamed); len(got) != 1 {
		t.Fatalf("before: %v", eventTexts(got))
	}
	id := entityNamed(w, "atlas")
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{gone}}); err != nil {
		t.Fatal(err)
	}
	for _, e := range lineageOf(w, id) {
		if e.Memory != nil && e.Memory.ID == gone || strings.Contains(e.Name, "Borealis") {
			t.Errorf("event %+v", e)
		}
	}
}
