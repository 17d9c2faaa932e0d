package entities_test

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

func kinds(edges []engine.EdgeView) map[string]int {
	n := map[string]int{}
	for _, x := range edges {
		n[x.Kind]++
	}
	return n
}

func TestEdgesOfASession(t *testing.T) {
	w := enginetest.New(t)
	var ids []graph.ID
	for i := range 4 {
		ids = append(ids, w.Remember(fmt.Sprintf("Turn %d of the talk about sails.", i), func(in *engine.RememberInput) {
			in.Session, in.OnDuplicate = "talk", engine.Insert
		}).Memory.ID)
		w.Clock.Advance(time.Minute)
	}
	edges, err := w.Edges(t.Context(), w.Caller, ids[1], graph.Both)
	if err != nil {
		t.Fatal(err)
	}
	if n := kinds(edges); n["TEMPORAL_SEQ"] != 2 || n["SAME_SESSION"] != 1 {
		t.Errorf("edges of the second turn: %v", n)
	}
	out, err := w.Edges(t.Context(), w.Caller, ids[1], graph.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range out {
		if x.Kind == "TEMPORAL_SEQ" && (x.From != ids[1] || x.To != ids[2]) {
			t.Errorf("the next turn is %+v", x)
		}
	}
}

func TestRelatedStaysWithinLimits(t *testing.T) {
	w := enginetest.New(t)
	// A chain of memories, each of which shares one entity with the next.
	const n = 8
	ids := make([]graph.ID, n)
	for i := range ids {
		ids[i] = w.Remember("they tied it here", func(in *engine.RememberInput) {
			in.Entities = []string{fmt.Sprintf("knot %d", i), fmt.Sprintf("knot %d", i+1)}
			in.OnDuplicate = engine.Insert
		}).Memory.ID
	}
	for depth := 1; depth <= 4; depth++ {
		r, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: ids[0], Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		if got := fixture.ViewIDs(r.Memories); !slices.Equal(got, ids[1:depth+1]) || r.Truncated {
			t.Errorf("depth %d: %v, want %v", depth, got, ids[1:depth+1])
		}
		for _, x := range r.Edges {
			if x.Kind != "ENTITY_OVERLAP" || x.Weight <= 0.3 || x.Weight > 0.34 {
				t.Errorf("edge %+v, want a Jaccard of 1/3", x)
			}
		}
	}
	small, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: ids[0], Depth: 6, Budget: 3})
	if err != nil || len(small.Memories) != 3 || !small.Truncated {
		t.Errorf("a budget of 3: %d memories, truncated %v, %v", len(small.Memories), small.Truncated, err)
	}
	for _, c := range []struct {
		field         string
		depth, budget int
	}{{"depth", 7, 0}, {"depth", -1, 0}, {"budget", 1, 5001}} {
		_, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: ids[0], Depth: c.depth, Budget: c.budget})
		fixture.WantError(t, err, graph.CodeInvalidRequest, c.field)
	}
	path, err := w.Path(t.Context(), w.Caller, engine.PathInput{From: ids[0], To: ids[4]})
	if err != nil || !slices.Equal(fixture.ViewIDs(path.Memories), ids[:5]) || len(path.Edges) != 4 {
		t.Errorf("path: %v, %d edges, %v", fixture.ViewIDs(path.Memories), len(path.Edges), err)
	}
	none, err := w.Path(t.Context(), w.Caller, engine.PathInput{From: ids[0], To: ids[7], Depth: 3})
	if err != nil || len(none.Memories) != 0 {
		t.Errorf("a path of 7 edges was found within 3: %v, %v", none, err)
	}
	self, err := w.Path(t.Context(), w.Caller, engine.PathInput{From: ids[0], To: ids[0]})
	if err != nil || len(self.Memories) != 1 {
		t.Errorf("a path to itself: %v, %v", self, err)
	}
}

func TestRelatedObeysConsentAndTime(t *testing.T) {
	w := enginetest.New(t)
	shared := func(in *engine.RememberInput) { in.Entities, in.OnDuplicate = []string{"beacon"}, engine.Insert }
	a := w.Remember("The beacon is lit.", shared).Memory
	b := w.Remember("The beacon was cleaned.", shared, func(in *engine.RememberInput) { in.Consent = graph.ConsentNone }).Memory
	w.Clock.Advance(time.Hour)
	c := w.Remember("The beacon went dark.", shared).Memory
	ids := func(access engine.Access) []graph.ID {
		r, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: a.ID, Depth: 1, Access: access})
		if err != nil {
			t.Fatal(err)
		}
		return fixture.ViewIDs(r.Memories)
	}
	if got := ids(engine.Access{}); !slices.Equal(got, []graph.ID{b.ID, c.ID}) {
		t.Errorf("all: %v", got)
	}
	if got := ids(engine.Access{RequireConsent: true}); !slices.Equal(got, []graph.ID{c.ID}) {
		t.Errorf("with consent: %v", got)
	}
	if got := ids(engine.Access{AsOf: graph.AsOf{Recorded: enginetest.Start}}); !slices.Equal(got, []graph.ID{b.ID}) {
		t.Errorf("as of the start: %v", got)
	}
	missing := graph.ID("019c75e5-7095-7fff-bfff-ffffffffffff")
	for _, x := range []struct {
		id     graph.ID
		access engine.Access
		code   graph.Code
	}{
		{b.ID, engine.Access{RequireConsent: true}, graph.CodeForbidden}, // as the query memory answers
		{c.ID, engine.Access{AsOf: graph.AsOf{Recorded: enginetest.Start}}, graph.CodeMemoryNotFound},
		{missing, engine.Access{}, graph.CodeMemoryNotFound},
		{"x", engine.Access{}, graph.CodeInvalidRequest},
	} {
		_, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: x.id, Access: x.access})
		fixture.WantError(t, err, x.code, "id")
		_, err = w.Path(t.Context(), w.Caller, engine.PathInput{From: x.id, To: a.ID, Access: x.access})
		fixture.WantError(t, err, x.code, "from")
		_, err = w.Path(t.Context(), w.Caller, engine.PathInput{From: a.ID, To: x.id, Access: x.access})
		fixture.WantError(t, err, x.code, "to")
		_, err = w.Engine.Memory(t.Context(), w.Caller, x.id, x.access)
		fixture.WantError(t, err, x.code, "id")
	}
}

// An edge to a version that the caller does not see is not shown, and takes none of the budget.
func TestEdgesToHiddenVersions(t *testing.T) {
	w := enginetest.New(t)
	by := func(consent graph.Consent) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) { in.User, in.Entities, in.Consent = "ana", []string{"beacon"}, consent }
	}
	first := w.Remember("I live in Oslo.", by(graph.ConsentNone)).Memory
	w.Clock.Advance(time.Hour)
	changed := w.Remember("I moved to Bergen.", by(graph.ConsentExplicit))
	if len(changed.Revised) != 1 {
		t.Fatalf("revised %+v", changed.Revised)
	}
	second := changed.Memory.ID
	w.Clock.Advance(time.Hour)
	other := w.Remember("The beacon was cleaned.", by(graph.ConsentExplicit)).Memory.ID
	narrow := w.Caller
	narrow.Consents = []graph.Consent{graph.ConsentExplicit}
	for _, x := range []struct {
		caller engine.Caller
		id     graph.ID
		want   int // edges SUPERSEDES
	}{{w.Caller, second, 1}, {w.Caller, first.ID, 1}, {narrow, second, 0}} {
		edges, err := w.Edges(t.Context(), x.caller, x.id, graph.Both)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(slices.DeleteFunc(edges, func(e engine.EdgeView) bool { return e.Kind != "SUPERSEDES" })); n != x.want {
			t.Errorf("%d edges SUPERSEDES of %s, want %d", n, x.id, x.want)
		}
	}
	for _, access := range []engine.Access{{}, {RequireConsent: true}} {
		caller := narrow
		if access.RequireConsent {
			caller = w.Caller
		}
		r, err := w.Related(t.Context(), caller, engine.RelatedInput{ID: second, Depth: 1, Budget: 1, Access: access})
		if err != nil {
			t.Fatal(err)
		}
		if got := fixture.ViewIDs(r.Memories); !slices.Equal(got, []graph.ID{other}) || r.Truncated {
			t.Errorf("related %v, truncated %t, want %s", got, r.Truncated, other)
		}
		for _, e := range r.Edges {
			if e.From == first.ID || e.To == first.ID {
				t.Errorf("the edge %+v", e)
			}
		}
	}
}

// The largest page tells whether there are more.
func TestLargestPageOfEntities(t *testing.T) {
	w := enginetest.New(t)
	const each = 20
	for i := range graph.MaxPage/each + 1 {
		names := make([]string, each)
		for k := range names {
			names[k] = fmt.Sprintf("Buoy %d", i*each+k)
		}
		w.Remember(fmt.Sprintf("The buoys of row %d were painted.", i), func(in *engine.RememberInput) { in.Entities, in.OnDuplicate = names, engine.Insert })
	}
	page, more, err := w.Entities(t.Context(), w.Caller, engine.EntityInput{First: graph.MaxPage})
	if err != nil || len(page) != graph.MaxPage || !more {
		t.Fatalf("the first page has %d, more %v, %v", len(page), more, err)
	}
	page, more, err = w.Entities(t.Context(), w.Caller, engine.EntityInput{First: graph.MaxPage, After: page[graph.MaxPage-1].ID})
	if err != nil || len(page) < each || more {
		t.Errorf("the last page has %d, more %v, %v", len(page), more, err)
	}
}

func TestEntitiesAndRelations(t *testing.T) {
	w := enginetest.New(t)
	say := func(object string) {
		w.Remember("Sanne keeps the "+object+".", func(in *engine.RememberInput) {
			in.Subject, in.Predicate, in.Object, in.OnDuplicate = "Sanne", "keeps", object, engine.Insert
		})
	}
	say("lamp")
	say("lamp")
	say("ledger")
	found, more, err := w.Entities(t.Context(), w.Caller, engine.EntityInput{Name: "sanne"})
	if err != nil || len(found) != 1 || more {
		t.Fatalf("%v, %v, %v", found, more, err)
	}
	if found[0].MentionCount != 3 {
		t.Errorf("%d mentions, want 3", found[0].MentionCount)
	}
	fresh := w.Remember("Sanne sings.", func(in *engine.RememberInput) { in.Entities = []string{"Sanne"} }).Memory
	byID, err := w.EntitiesByID(t.Context(), w.Caller, fresh.Entities[:1])
	if err != nil || byID[0].MentionCount != 4 {
		t.Errorf("right after a write: %+v, %v", byID[0], err)
	}
	relations, _, err := w.Relations(t.Context(), w.Caller, engine.RelationInput{Entity: found[0].ID, Direction: graph.Out})
	if err != nil || len(relations) != 2 {
		t.Fatalf("%d relations, %v", len(relations), err)
	}
	sum := 0.0
	for _, r := range relations {
		sum += r.Weight
		if r.Predicate != "keeps" {
			t.Errorf("relation %+v", r.Relation)
		}
	}
	if sum < 0.999 || sum > 1.001 || relations[0].Weight <= relations[1].Weight {
		t.Errorf("weights %v and %v: they sum to 1 and the one said twice is stronger", relations[0].Weight, relations[1].Weight)
	}
	page, more, err := w.Entities(t.Context(), w.Caller, engine.EntityInput{First: 1})
	if err != nil || len(page) != 1 || !more {
		t.Errorf("a page of one: %d, more %v, %v", len(page), more, err)
	}
	_, _, err = w.Relations(t.Context(), w.Caller, engine.RelationInput{Entity: "019c75e5-7095-7fff-bfff-ffffffffffff"})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "entity")
}

func TestDegreeIsBounded(t *testing.T) {
	w := enginetest.New(t)
	var in []engine.RememberInput
	for i := range 300 {
		in = append(in, engine.RememberInput{
			Content: fmt.Sprintf("The hub holds part %d.", i), Subject: "hub", Predicate: "holds", Object: fmt.Sprintf("part %d", i),
			Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert,
		})
	}
	if _, err := w.RememberMany(t.Context(), w.Caller, in); err != nil {
		t.Fatal(err)
	}
	hub, _, err := w.Entities(t.Context(), w.Caller, engine.EntityInput{Name: "hub"})
	if err != nil || len(hub) != 1 {
		t.Fatalf("%v, %v", hub, err)
	}
	relations, _, err := w.Relations(t.Context(), w.Caller, engine.RelationInput{Entity: hub[0].ID, Direction: graph.Out, First: 1000})
	if err != nil || len(relations) != 256 {
		t.Errorf("%d relations, want 256, %v", len(relations), err)
	}
}
