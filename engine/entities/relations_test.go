package entities_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// states writes a memory with a statement and returns it.
func states(w *enginetest.World, subject, predicate, object string, with ...func(*engine.RememberInput)) graph.ID {
	in := func(in *engine.RememberInput) {
		in.Subject, in.Predicate, in.Object, in.OnDuplicate = subject, predicate, object, engine.Insert
	}
	return w.Remember(subject+" "+predicate+" "+object+".", append([]func(*engine.RememberInput){in}, with...)...).Memory.ID
}

func entityNamed(w *enginetest.World, name string) graph.ID {
	w.T.Helper()
	found, _, err := w.Entities(w.T.Context(), w.Caller, engine.EntityInput{Name: name})
	if err != nil || len(found) == 0 {
		w.T.Fatalf("no entity %q: %v", name, err)
	}
	return found[0].ID
}

func TestARelationEndsWithWhatStatesIt(t *testing.T) {
	w := enginetest.New(t)
	began := w.Clock.Now()
	mill := states(w, "Ines", "works at", "Wharf Mill")
	w.Clock.Advance(48 * time.Hour)
	moved := w.Clock.Now()
	if _, err := w.Engine.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: mill, Content: "Ines works at Tolva Lock."}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	ends := func(valid time.Time) map[string]bool { // by the name of the target: whether it has ended
		in := engine.RelationInput{Entity: entityNamed(w, "Ines"), Direction: graph.Out}
		in.Access.AsOf.Valid = valid
		found, _, err := w.Relations(t.Context(), w.Caller, in)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]bool{}
		for _, x := range found {
			target, err := w.EntitiesByID(t.Context(), w.Caller, []graph.ID{x.Target})
			if err != nil {
				t.Fatal(err)
			}
			out[target[0].Name] = !x.ValidTo.IsZero()
			if out[target[0].Name] && (x.ValidTo.Before(moved) || x.ValidTo.After(w.Clock.Now())) {
				t.Errorf("%s ended at %s, want from %s on", target[0].Name, x.ValidTo, moved)
			}
		}
		return out
	}
	for valid, want := range map[time.Time]map[string]bool{
		{}:                          {"Wharf Mill": true, "Tolva Lock": false},
		began.Add(time.Hour):        {"Wharf Mill": true},
		moved.Add(30 * time.Minute): {"Tolva Lock": false},
	} {
		if got := ends(valid); !maps.Equal(got, want) {
			t.Errorf("valid %s: %v, want %v", valid, got, want)
		}
	}
}

func TestRelatedFollowsThePredicatesAskedFor(t *testing.T) {
	w := enginetest.New(t)
	owns := states(w, "Ines", "owns", "Wharf Mill")
	stands := states(w, "Wharf Mill", "stands beside", "Tolva Lock")
	likes := states(w, "Ines", "likes", "black coffee")
	next, err := w.Engine.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: likes, Content: "Ines likes green tea."})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from       graph.ID
		predicates []string
		want       []graph.ID
	}{
		{owns, []string{"stands beside"}, []graph.ID{stands}},
		{owns, []string{"stands_beside"}, []graph.ID{stands}},
		{owns, []string{"drinks"}, nil},
		{likes, []string{"SUPERSEDES"}, []graph.ID{next.Memory.ID}},
		{likes, []string{"owns"}, []graph.ID{owns, stands}},
		{likes, []string{"owns", "SUPERSEDES"}, []graph.ID{owns, stands, next.Memory.ID}},
		{likes, []string{"RELATION"}, []graph.ID{owns, stands, next.Memory.ID}},
	} {
		r, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: c.from, Depth: 1, Predicates: c.predicates})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(c.want)
		if got := fixture.ViewIDs(r.Memories); !slices.Equal(got, c.want) {
			t.Errorf("%v from %s: %v, want %v", c.predicates, c.from, got, c.want)
		}
		for _, x := range r.Edges {
			if (x.Kind == "RELATION") != (x.Predicate != "") {
				t.Errorf("edge %+v", x)
			}
		}
	}
	none, err := w.Path(t.Context(), w.Caller, engine.PathInput{From: owns, To: next.Memory.ID, Predicates: []string{"stands beside"}})
	if err != nil || len(none.Memories) != 0 || len(none.Paths) != 0 {
		t.Errorf("a path along another predicate: %+v, %v", none, err)
	}
}

func TestRelatedReturnsAPathToEachMemory(t *testing.T) {
	w := enginetest.New(t)
	const n = 5
	ids := make([]graph.ID, n)
	for i := range ids {
		ids[i] = w.Remember("they tied it here", func(in *engine.RememberInput) {
			in.Entities = []string{fmt.Sprintf("knot %d", i), fmt.Sprintf("knot %d", i+1)}
			in.OnDuplicate = engine.Insert
		}).Memory.ID
	}
	r, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: ids[0], Depth: 4})
	if err != nil || len(r.Paths) != len(r.Memories) {
		t.Fatalf("%d paths for %d memories, %v", len(r.Paths), len(r.Memories), err)
	}
	for i, p := range r.Paths {
		if !slices.Equal(p.IDs, ids[:i+2]) || len(p.Edges) != len(p.IDs)-1 {
			t.Errorf("path to memory %d: %+v", i, p)
		}
		for k, x := range p.Edges {
			if ends := []graph.ID{x.From, x.To}; !slices.Contains(ends, p.IDs[k]) || !slices.Contains(ends, p.IDs[k+1]) {
				t.Errorf("edge %d of path %d joins %v", k, i, ends)
			}
		}
	}
	path, err := w.Path(t.Context(), w.Caller, engine.PathInput{From: ids[0], To: ids[3]})
	if err != nil || len(path.Paths) != 1 || !slices.Equal(path.Paths[0].IDs, ids[:4]) {
		t.Errorf("%+v, %v", path, err)
	}
}

func TestWalksRefuseInvalidPredicates(t *testing.T) {
	w := enginetest.New(t)
	id := states(w, "Ines", "owns", "Wharf Mill")
	many := slices.Repeat([]string{"owns"}, 33)
	for _, c := range []struct {
		predicates []string
		code       graph.Code
		field      string
	}{
		{many, graph.CodeLimitExceeded, "predicates"},
		{[]string{"owns", " "}, graph.CodeInvalidRequest, "predicates[1]"},
		{[]string{string(make([]byte, 600))}, graph.CodeLimitExceeded, "predicates[0]"},
	} {
		_, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: id, Predicates: c.predicates})
		fixture.WantError(t, err, c.code, c.field)
		_, err = w.Path(t.Context(), w.Caller, engine.PathInput{From: id, To: id, Predicates: c.predicates})
		fixture.WantError(t, err, c.code, c.field)
		_, _, err = w.Relations(t.Context(), w.Caller, engine.RelationInput{Predicates: c.predicates})
		fixture.WantError(t, err, c.code, c.field)
	}
	_, _, err := w.Relations(t.Context(), w.Caller, engine.RelationInput{Predicates: []string{"owns", "SUPERSEDES"}})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "predicates[1]")
}

// A walk along a relation needs a memory that states it and that the read may see.
func TestRelationsNeedAVisibleStatement(t *testing.T) {
	w := enginetest.New(t)
	a := states(w, "Ines", "owns", "Wharf Mill")
	lane := w.Remember("Tolva Lock was painted.", func(in *engine.RememberInput) { in.Entities = []string{"Tolva Lock"} }).Memory.ID
	states(w, "Wharf Mill", "stands beside", "Tolva Lock", func(in *engine.RememberInput) { in.Consent = graph.ConsentNone })
	for _, c := range []struct {
		access   engine.Access
		walked   bool
		relation int
	}{
		{engine.Access{}, true, 2},
		{engine.Access{RequireConsent: true}, false, 1},
		{engine.Access{AsOf: graph.AsOf{Recorded: enginetest.Start.Add(-time.Second)}}, false, 0},
	} {
		if c.relation > 0 {
			r, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: a, Depth: 1, Predicates: []string{"stands beside"}, Access: c.access})
			if err != nil || slices.Contains(fixture.ViewIDs(r.Memories), lane) != c.walked {
				t.Errorf("%+v: %v, %v", c.access, fixture.ViewIDs(r.Memories), err)
			}
		}
		found, _, err := w.Relations(t.Context(), w.Caller, engine.RelationInput{Access: c.access})
		if err != nil || len(found) != c.relation {
			t.Errorf("%+v: %d relations, want %d, %v", c.access, len(found), c.relation, err)
		}
	}
}

func TestRelationsWithoutAnEntity(t *testing.T) {
	w := enginetest.New(t)
	states(w, "Ines", "owns", "Wharf Mill")
	states(w, "Ines", "likes", "black coffee")
	states(w, "Bo", "owns", "a barge", func(in *engine.RememberInput) { in.User = "bo" })
	states(w, "Cal", "keeps", "the ledger", func(in *engine.RememberInput) { in.Namespace = "office" })
	list := func(c engine.Caller, in engine.RelationInput) []string {
		t.Helper()
		var out []string
		for {
			page, more, err := w.Engine.Relations(t.Context(), c, in)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range page {
				out, in.After = append(out, r.Predicate), r.ID
			}
			if !more {
				return out
			}
		}
	}
	ana := engine.Caller{Tenant: w.Caller.Tenant, Name: "ana", User: "ana", Grant: 1}
	office := engine.Caller{Tenant: w.Caller.Tenant, Name: "clerk", Namespaces: []string{"office"}, Grant: 1}
	for _, c := range []struct {
		caller engine.Caller
		in     engine.RelationInput
		want   []string
	}{
		{w.Caller, engine.RelationInput{}, []string{"owns", "likes", "owns", "keeps"}},
		{w.Caller, engine.RelationInput{First: 1}, []string{"owns", "likes", "owns", "keeps"}},
		{w.Caller, engine.RelationInput{Predicates: []string{"owns"}, First: 1}, []string{"owns", "owns"}},
		{w.Caller, engine.RelationInput{Namespaces: []string{"office"}}, []string{"keeps"}},
		{w.Caller, engine.RelationInput{User: "ana"}, []string{"owns", "likes", "keeps"}},
		{w.Caller, engine.RelationInput{Entity: entityNamed(w, "ines"), Direction: graph.Out}, []string{"owns", "likes"}},
		{ana, engine.RelationInput{}, []string{"owns", "likes", "keeps"}},
		{office, engine.RelationInput{}, []string{"keeps"}},
	} {
		if got := list(c.caller, c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s %+v: %v, want %v", c.caller.Name, c.in, got, c.want)
		}
	}
	for _, c := range []struct {
		in    engine.RelationInput
		code  graph.Code
		field string
	}{
		{engine.RelationInput{Entity: "ines"}, graph.CodeInvalidRequest, "entity"},
		{engine.RelationInput{After: "x"}, graph.CodeInvalidRequest, "after"},
		{engine.RelationInput{Namespaces: []string{"a b"}}, graph.CodeInvalidRequest, "namespaces"},
		{engine.RelationInput{First: 1001}, graph.CodeInvalidRequest, "first"},
	} {
		_, _, err := w.Relations(t.Context(), w.Caller, c.in)
		fixture.WantError(t, err, c.code, c.field)
	}
}
