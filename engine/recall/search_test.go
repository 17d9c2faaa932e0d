package recall_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/graph"
)

func TestSearchSeesLatestWrite(t *testing.T) {
	w := enginetest.New(t)
	for i := range 50 {
		m := w.Remember(fmt.Sprintf("Crate %d holds brass fittings from lot %d.", i, 1000+i)).Memory
		got := enginetest.IDs(w.Search(fmt.Sprintf("lot %d", 1000+i)))
		if len(got) == 0 || got[0] != m.ID {
			t.Fatalf("write %d is not the first hit: %v", i, got)
		}
	}
}

func TestSearchScoresAddUp(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The beacon on the north pier needs a new lens.")
	w.Remember("Lenses are stored in the drawer below the charts.")
	r := w.Search("beacon lens", enginetest.Uncut)
	sum := r.Weights.Semantic + r.Weights.Keyword + r.Weights.Recency + r.Weights.Importance + r.Weights.Project + r.Weights.Entity + r.Weights.Task
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("weights sum to %v", sum)
	}
	if len(r.Hits) != 2 || r.Hits[0].Score < r.Hits[1].Score {
		t.Fatalf("%d hits", len(r.Hits))
	}
	for _, h := range r.Hits {
		p, v := h.Parts, r.Weights
		want := p.Semantic*v.Semantic + p.Keyword*v.Keyword + p.Recency*v.Recency + p.Importance*v.Importance + p.Project*v.Project + p.Entity*v.Entity + p.Task*v.Task
		if math.Abs(h.Score-want) > 1e-9 {
			t.Errorf("score %v, its parts say %v", h.Score, want)
		}
		if math.Abs(h.Explain().Value-h.Score) > 1e-9 || len(h.Explain().Children) < 7 {
			t.Errorf("explanation %+v", h.Explain())
		}
		if len(h.Provenance) != 1 || h.Provenance[0].ID != h.Memory.ID || h.Provenance[0].Store != engine.StoreIndex {
			t.Errorf("provenance %+v", h.Provenance)
		}
	}
	if r.Hits[0].Parts.Keyword != 1 {
		t.Errorf("the best by words has keyword %v", r.Hits[0].Parts.Keyword)
	}
	if r.Considered != 2 || r.Keyword == 0 || r.Semantic == 0 {
		t.Errorf("counts: %+v", r)
	}
}

func TestSearchRefusesInvalidInput(t *testing.T) {
	w := enginetest.New(t)
	minus, zero, seven := -1.0, 0.0, 7
	for _, c := range []struct {
		field string
		in    engine.SearchInput
	}{
		{"topK", engine.SearchInput{TopK: 101}},
		{"topK", engine.SearchInput{TopK: -1}},
		{"hops", engine.SearchInput{Hops: &seven}},
		{"minAuthority", engine.SearchInput{MinAuthority: 2}},
		{"minImportance", engine.SearchInput{MinImportance: -1}},
		{"until", engine.SearchInput{Since: enginetest.Start, Until: enginetest.Start.Add(-time.Second)}},
		{"namespaces", engine.SearchInput{Namespaces: []string{"a b"}}},
		{"weights.semantic", engine.SearchInput{Weights: &rank.Overrides{Semantic: &minus}}},
		{"weights", engine.SearchInput{Weights: &rank.Overrides{Semantic: &zero, Keyword: &zero, Recency: &zero, Importance: &zero, Project: &zero, Entity: &zero, Task: &zero}}},
	} {
		_, err := w.Engine.Search(t.Context(), w.Caller, c.in)
		fixture.WantError(t, err, graph.CodeInvalidRequest, c.field)
	}
}

func TestSearchFilters(t *testing.T) {
	w := enginetest.New(t)
	put := func(f func(*engine.RememberInput)) graph.ID {
		return w.Remember("The barometer fell overnight.", f, func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }).Memory.ID
	}
	low := 0.2
	a := put(func(in *engine.RememberInput) { in.User, in.Project, in.Tags = "ada", "kite", []string{"x", "y"} })
	b := put(func(in *engine.RememberInput) { in.User, in.Project, in.Session = "bo", "dune", "s1" })
	c := put(func(in *engine.RememberInput) {
		in.Namespace, in.Type, in.Importance, in.Authority = "lab", graph.Document, &low, &low
	})
	d := put(func(in *engine.RememberInput) { in.OccurredAt = fixture.Day(2025, 6, 1) })
	for name, tc := range map[string]struct {
		f    func(*engine.SearchInput)
		want []graph.ID
	}{
		"everything":  {func(*engine.SearchInput) {}, []graph.ID{a, b, c, d}},
		"user":        {func(in *engine.SearchInput) { in.User = "ada" }, []graph.ID{a, c, d}},
		"project":     {func(in *engine.SearchInput) { in.Project = "dune" }, []graph.ID{b}},
		"session":     {func(in *engine.SearchInput) { in.Session = "s1" }, []graph.ID{b}},
		"namespace":   {func(in *engine.SearchInput) { in.Namespaces = []string{"lab"} }, []graph.ID{c}},
		"type":        {func(in *engine.SearchInput) { in.Types = []graph.Type{graph.Document} }, []graph.ID{c}},
		"tags":        {func(in *engine.SearchInput) { in.Tags = []string{"y", "x"} }, []graph.ID{a}},
		"since":       {func(in *engine.SearchInput) { in.Since = enginetest.Start }, []graph.ID{a, b, c}},
		"until":       {func(in *engine.SearchInput) { in.Until = fixture.Day(2025, 6, 1) }, []graph.ID{d}},
		"authority":   {func(in *engine.SearchInput) { in.MinAuthority = 0.5 }, []graph.ID{a, b, d}},
		"importance":  {func(in *engine.SearchInput) { in.MinImportance = 0.5 }, []graph.ID{a, b, d}},
		"no status":   {func(in *engine.SearchInput) { in.Statuses = []graph.Status{graph.Archived} }, nil},
		"unknown one": {func(in *engine.SearchInput) { in.Namespaces = []string{"nowhere"} }, nil},
	} {
		got := enginetest.IDs(w.Search("barometer", tc.f))
		slices.Sort(got)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

func TestConsent(t *testing.T) {
	w := enginetest.New(t)
	put := func(c graph.Consent) graph.ID {
		return w.Remember("The cellar door sticks.", func(in *engine.RememberInput) { in.Consent = c }).Memory.ID
	}
	explicit, implicit, none := put(graph.ConsentExplicit), put(graph.ConsentImplicit), put(graph.ConsentNone)
	for _, c := range []struct {
		a    engine.Access
		want []graph.ID
	}{
		{engine.Access{}, []graph.ID{explicit, implicit, none}},
		{engine.Access{RequireConsent: true}, []graph.ID{explicit}},
		{engine.Access{RequireConsent: true, IncludeImplicit: true}, []graph.ID{explicit, implicit}},
	} {
		got := enginetest.IDs(w.Search("cellar door", func(in *engine.SearchInput) { in.Access = c.a }))
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.a, got, c.want)
		}
		for _, id := range []graph.ID{explicit, implicit, none} {
			_, err := w.Memory(t.Context(), w.Caller, id, c.a)
			if allowed := slices.Contains(c.want, id); allowed != (err == nil) {
				t.Errorf("%+v by id: %v", c.a, err)
			} else if !allowed {
				fixture.WantError(t, err, graph.CodeForbidden, "id")
			}
		}
	}
}

func TestNamespacesAreIsolated(t *testing.T) {
	w := enginetest.New(t)
	// Equal beliefs in two namespaces are neither duplicates nor in conflict.
	a := w.Remember("The vault code is 4711.", func(in *engine.RememberInput) { in.Namespace = "red" })
	b := w.Remember("The vault code is 9000.", func(in *engine.RememberInput) { in.Namespace = "blue" })
	if b.DuplicateOf != "" || len(b.ConflictsWith) != 0 || a.Memory.ID == b.Memory.ID {
		t.Errorf("across namespaces: %+v", b)
	}
	bound := w.Caller
	bound.Namespaces = []string{"red"}
	r, err := w.Engine.Search(t.Context(), bound, engine.SearchInput{Query: "vault code"})
	if err != nil || len(r.Hits) != 1 || r.Hits[0].Memory.ID != a.Memory.ID {
		t.Errorf("the grant of one namespace finds %v, %v", enginetest.IDs(r), err)
	}
	_, err = w.Engine.Search(t.Context(), bound, engine.SearchInput{Query: "vault code", Namespaces: []string{"blue"}})
	fixture.WantError(t, err, graph.CodeForbidden, "namespaces")
	_, err = w.Memory(t.Context(), bound, b.Memory.ID, engine.Access{})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "id")
	_, err = w.Engine.Remember(t.Context(), bound, engine.RememberInput{Content: "x y z", Namespace: "blue", Consent: graph.ConsentExplicit})
	fixture.WantError(t, err, graph.CodeForbidden, "namespace")
}

func TestTenantsAreIsolated(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("The secret of the north mill.").Memory
	other := engine.Caller{Tenant: "other", Name: "other", Grant: 1, Admin: true}
	r, err := w.Engine.Search(t.Context(), other, engine.SearchInput{Query: "north mill"})
	if err != nil || len(r.Hits) != 0 {
		t.Errorf("another tenant finds %v, %v", enginetest.IDs(r), err)
	}
	_, err = w.Memory(t.Context(), other, m.ID, engine.Access{})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "id")
	_, err = w.Supersede(t.Context(), other, engine.SupersedeInput{ID: m.ID, Content: "mine now"})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "id")
	if got, err := w.Forget(t.Context(), other, engine.ForgetInput{IDs: []graph.ID{m.ID}}); err != nil || got.Count != 0 {
		t.Errorf("another tenant erased %+v, %v", got, err)
	}
	if _, err := w.Engine.Search(t.Context(), engine.Caller{Tenant: "not a tenant"}, engine.SearchInput{}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("a nonsense tenant: %v", err)
	}
}

func TestUserClaim(t *testing.T) {
	w := enginetest.New(t)
	put := func(user string) graph.ID {
		return w.Remember("The key hangs by the stove.", func(in *engine.RememberInput) { in.User = user }).Memory.ID
	}
	ada, bo, nobody := put("ada"), put("bo"), put("")
	claim := w.Caller
	claim.User = "ada"
	r, err := w.Engine.Search(t.Context(), claim, engine.SearchInput{Query: "key stove"})
	got := enginetest.IDs(r)
	slices.Sort(got)
	if err != nil || !slices.Equal(got, []graph.ID{ada, nobody}) {
		t.Errorf("ada sees %v, %v", got, err)
	}
	_, err = w.Memory(t.Context(), claim, bo, engine.Access{})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "id")
	_, err = w.Engine.Search(t.Context(), claim, engine.SearchInput{User: "bo"})
	fixture.WantError(t, err, graph.CodeForbidden, "user")
	if _, err := w.Forget(t.Context(), claim, engine.ForgetInput{IDs: []graph.ID{bo}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Memory(t.Context(), w.Caller, bo, engine.Access{}); err != nil {
		t.Errorf("ada erased a memory of bo: %v", err)
	}
}

func TestAQuestionCountsAUseOnceADay(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("The sextant is in the chart room.").Memory
	usage := func() graph.Usage {
		v, err := w.Memory(t.Context(), w.Caller, m.ID, engine.Access{})
		if err != nil {
			t.Fatal(err)
		}
		return v.Usage
	}
	w.Search("sextant") // the helper does not track
	if u := usage(); u.Count != 0 {
		t.Fatalf("an untracked search counted: %+v", u)
	}
	for range 3 {
		w.Search("sextant", func(in *engine.SearchInput) { in.Track = true })
	}
	w.Clock.Advance(24 * time.Hour)
	w.Search("sextant", func(in *engine.SearchInput) { in.Track = true })
	if u := usage(); u.Count != 2 || len(u.Days) != 2 || len(u.Sessions) != 2 || !u.Last.Equal(w.Clock.Now()) {
		t.Errorf("usage %+v", u)
	}
	b := fixture.Supersede(t, w, m.ID, "The sextant is in the wheelhouse.").Memory
	if b.Usage.Count != 0 {
		t.Errorf("a successor starts with %d uses", b.Usage.Count)
	}
}

func TestManagerNeedsNoQuery(t *testing.T) {
	w := enginetest.New(t)
	var last graph.ID
	for i := range 15 {
		last = w.Remember(fmt.Sprintf("Step %d of the rigging plan is done.", i), func(in *engine.RememberInput) { in.Project, in.OnDuplicate = "rig", engine.Insert }).Memory.ID
		w.Clock.Advance(24 * time.Hour)
	}
	r := w.Search("", func(in *engine.SearchInput) {
		in.Mode, in.Project, in.Effort = engine.ModeManager, "rig", engine.EffortFast
	})
	if len(r.Hits) != 10 || r.Hits[0].Memory.ID != last {
		t.Errorf("where were we? %d hits, first %q", len(r.Hits), r.Hits[0].Memory.Content)
	}
}

func TestFadedUnusedMemoryIsLeftOut(t *testing.T) {
	w := enginetest.New(t)
	episodic := func(in *engine.RememberInput) { in.Type = graph.Episodic }
	faded := w.Remember("Somebody whistled on the quay.", episodic).Memory.ID
	used := w.Remember("Somebody sang on the quay at night.", episodic).Memory.ID
	kept := w.Remember("Somebody must never block the quay.", episodic, func(in *engine.RememberInput) { in.SafetyCritical = true }).Memory.ID
	if err := w.Store.CountUses(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, []graph.ID{used}, graph.Use{At: w.Clock.Now()}); err != nil {
		t.Fatal(err)
	}
	w.Index.Touch(graph.Scope{Tenant: w.Caller.Tenant}, []graph.ID{used}, graph.Use{At: w.Clock.Now()})
	w.Clock.Advance(100 * 24 * time.Hour)
	got := enginetest.IDs(w.Search("somebody on the quay"))
	if slices.Contains(got, faded) || !slices.Contains(got, used) || !slices.Contains(got, kept) {
		t.Errorf("after 100 days: %v (faded %s, used %s, kept %s)", got, faded, used, kept)
	}
	then := enginetest.IDs(w.Search("somebody on the quay", func(in *engine.SearchInput) { in.Access.AsOf.Recorded = enginetest.Start }))
	if !slices.Contains(then, faded) {
		t.Error("as of its day it had not faded")
	}
}

func TestRRF(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("The anemometer spins on the roof.").Memory.ID
	w.Remember("The roof was tarred in spring.")
	r := w.Search("anemometer on the roof", enginetest.Uncut, func(in *engine.SearchInput) { in.Fusion = engine.FusionRRF })
	if len(r.Hits) != 2 || r.Hits[0].Memory.ID != a || r.Hits[0].Score > 1 || r.Hits[0].Score <= r.Hits[1].Score {
		t.Errorf("%+v", r.Hits)
	}
}

// full is a store that rejects writes, as on a full disk.
type full struct{ graph.Store }

func (full) CountUses(context.Context, graph.Scope, []graph.ID, graph.Use) error {
	return graph.ErrUnavailable
}

func TestReadsContinueIfStoreIsReadOnly(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("The pump house key is on the hook.").Memory
	blocked := enginetest.With(t, enginetest.Options{Store: full{w.Store}})
	r := blocked.Search("pump house key", func(in *engine.SearchInput) { in.Track = true })
	if len(r.Hits) != 1 || r.Hits[0].Memory.ID != m.ID || !slices.Equal(r.Degraded, []engine.Part{engine.PartStore}) {
		t.Errorf("hits %v, degraded %v", enginetest.IDs(r), r.Degraded)
	}
	if _, err := blocked.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s", Query: "pump house key"}); err != nil {
		t.Errorf("a context: %v", err)
	}
}

// FAST asks each channel for fewer candidates, and the graph only for memories that mention
// the question's entities.
func TestFastSearchReadsLess(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Marta Kowalska sailed to Gdansk with Olek Nowak.")
	w.Remember("Olek Nowak repairs tower clocks.")
	for i := range 150 {
		w.Remember(fmt.Sprintf("Crate %d holds brass fittings.", i), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	}
	ask := func(query string, effort engine.Effort, hops, topK int) *engine.SearchResult {
		return w.Search(query, func(in *engine.SearchInput) { in.Effort, in.Hops, in.TopK = effort, &hops, topK })
	}
	for _, c := range []struct {
		effort engine.Effort
		hops   int
		want   int
	}{{engine.EffortBalanced, 2, 2}, {engine.EffortBalanced, 1, 1}, {engine.EffortFast, 2, 1}, {engine.EffortFast, 0, 0}} {
		if got := ask("Marta Kowalska", c.effort, c.hops, 10).Graph; got != c.want {
			t.Errorf("%s with %d hops: %d found by the graph, want %d", c.effort, c.hops, got, c.want)
		}
	}
	if all, few := ask("brass fittings", engine.EffortBalanced, 2, 10), ask("brass fittings", engine.EffortFast, 2, 10); all.Keyword != 128 || few.Keyword != 48 || few.Semantic != 48 {
		t.Errorf("found by words %d, in FAST by words %d and meaning %d", all.Keyword, few.Keyword, few.Semantic)
	}
	if r := ask("brass fittings", engine.EffortFast, 2, 100); len(r.Hits) != 100 {
		t.Errorf("%d hits, want the 100 that were asked for", len(r.Hits))
	}
}

// A search that names no effort has that of the engine's options.
func TestEffortOfTheEngine(t *testing.T) {
	for _, effort := range []engine.Effort{"", engine.EffortFast} {
		w := enginetest.With(t, enginetest.Options{Change: func(o *engine.Options) { o.Effort = effort }})
		for i := range 150 {
			w.Remember(fmt.Sprintf("Crate %d holds brass fittings.", i), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
		}
		named, unnamed := 48, w.Search("brass fittings").Keyword // candidates of FAST
		if effort == "" {
			named = 128
		}
		if unnamed != named {
			t.Errorf("effort %q: %d found by words, want %d", effort, unnamed, named)
		}
		if fast := w.Search("brass fittings", func(in *engine.SearchInput) { in.Effort = engine.EffortFast }).Keyword; fast != 48 {
			t.Errorf("effort %q, FAST named: %d found by words, want 48", effort, fast)
		}
	}
}
