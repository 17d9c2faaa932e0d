package loader

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// source serves data from maps and records the calls.
type source struct {
	mu       sync.Mutex
	memories map[graph.ID]*graph.Memory
	entities map[graph.ID]*graph.Entity
	edges    map[graph.ID][]graph.ID
	calls    []string
	access   []engine.Access
	fail     error
}

func (s *source) called(what string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, what)
	return s.fail
}

func (s *source) MemoriesByID(_ context.Context, _ engine.Caller, ids []graph.ID, a engine.Access) ([]*engine.View, error) {
	if err := s.called("memories"); err != nil {
		return nil, err
	}
	s.access = append(s.access, a)
	views := make([]*engine.View, len(ids))
	for i, id := range ids {
		views[i] = s.view(id, a)
	}
	return views, nil
}

func (s *source) EntitiesByID(_ context.Context, _ engine.Caller, ids []graph.ID) ([]*engine.EntityView, error) {
	if err := s.called("entities"); err != nil {
		return nil, err
	}
	views := make([]*engine.EntityView, len(ids))
	for i, id := range ids {
		if e := s.entities[id]; e != nil {
			views[i] = &engine.EntityView{Entity: e}
		}
	}
	return views, nil
}

func (s *source) Edges(_ context.Context, _ engine.Caller, id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]engine.EdgeView, error) {
	if dir != graph.Out || !slices.Equal(kinds, []graph.EdgeKind{graph.DerivedFrom}) {
		return nil, errors.New("asked for other edges")
	}
	if id == "erased" {
		return nil, graph.ErrNotFound
	}
	var edges []engine.EdgeView
	for _, to := range s.edges[id] {
		edges = append(edges, engine.EdgeView{From: id, To: to, Kind: string(graph.DerivedFrom)})
	}
	return edges, s.fail
}

// Contesting of the test source: b contests a.
func (s *source) Contesting(_ context.Context, _ engine.Caller, views []*engine.View) ([][]*engine.View, error) {
	if err := s.called("contesting"); err != nil {
		return nil, err
	}
	out := make([][]*engine.View, len(views))
	for i, v := range views {
		if v.ID == "a" {
			out[i] = []*engine.View{s.view("b", v.Access), s.view("c", v.Access)}
		}
	}
	return out, nil
}

func (s *source) Standings(_ context.Context, _ engine.Caller, views []*engine.View) ([]engine.Standing, error) {
	if err := s.called("standings"); err != nil {
		return nil, err
	}
	out := make([]engine.Standing, len(views))
	for i, v := range views {
		out[i].Score = v.Memory.Importance
	}
	return out, nil
}

// Patterns of the test source: none.
func (s *source) Patterns(context.Context, engine.Caller, engine.PatternInput) (*engine.PatternPage, error) {
	return &engine.PatternPage{}, s.called("patterns")
}

// PatternsByID of the test source: every memory that holds a pattern.
func (s *source) PatternsByID(_ context.Context, _ engine.Caller, ids []graph.ID) ([]*engine.Pattern, error) {
	if err := s.called("patternsByID"); err != nil {
		return nil, err
	}
	out := make([]*engine.Pattern, len(ids))
	for i, id := range ids {
		if v := s.view(id, engine.Access{}); v != nil && v.Memory.Pattern != nil {
			out[i] = &engine.Pattern{View: v, Conflicts: []graph.ID{"b"}}
		}
	}
	return out, nil
}

// ClustersOfMemories of the test source: a and b are in one cluster.
func (s *source) ClustersOfMemories(_ context.Context, _ engine.Caller, ids []graph.ID) ([]*engine.Cluster, error) {
	if err := s.called("clusters"); err != nil {
		return nil, err
	}
	one, out := &engine.Cluster{}, make([]*engine.Cluster, len(ids))
	for i, id := range ids {
		if one.ID = "k"; id == "a" || id == "b" {
			out[i] = one
		}
	}
	return out, nil
}

// ClustersByID of the test source: k is there.
func (s *source) ClustersByID(_ context.Context, _ engine.Caller, ids []graph.ID) ([]*engine.Cluster, error) {
	if err := s.called("clustersByID"); err != nil {
		return nil, err
	}
	out := make([]*engine.Cluster, len(ids))
	for i, id := range ids {
		if id == "k" {
			out[i] = &engine.Cluster{}
			out[i].ID = id
		}
	}
	return out, nil
}

func (s *source) view(id graph.ID, a engine.Access) *engine.View {
	m := s.memories[id]
	if m == nil {
		return nil
	}
	return &engine.View{Memory: m, State: graph.State{Status: graph.Active}, Access: a}
}

func world() *source {
	return &source{
		memories: map[graph.ID]*graph.Memory{
			"a": {ID: "a", SupersededBy: "b", Entities: []graph.ID{"x", "y", "gone"}},
			"b": {ID: "b", Supersedes: "a", Entities: []graph.ID{"y"}},
			"c": {ID: "c", Supersedes: "hidden", Consolidated: "b"},
			"d": {ID: "d"},
		},
		entities: map[graph.ID]*graph.Entity{"x": {ID: "x"}, "y": {ID: "y"}},
		edges:    map[graph.ID][]graph.ID{"d": {"a", "hidden", "b", "c"}},
	}
}

func (s *source) group(a engine.Access, ids ...graph.ID) []Memory {
	views := make([]*engine.View, len(ids))
	for i, id := range ids {
		views[i] = s.view(id, a)
	}
	return Memories(s, engine.Loopback(), views)
}

func entityIDs(list []*engine.EntityView) []graph.ID {
	var ids []graph.ID
	for _, v := range list {
		ids = append(ids, v.ID)
	}
	return ids
}

func memberIDs(list []Memory) []graph.ID {
	var ids []graph.ID
	for _, m := range list {
		ids = append(ids, m.View.ID)
	}
	return ids
}

// The first request for a field loads for all memories. Each field costs one call, also with
// concurrent requests.
func TestOneCallForEachField(t *testing.T) {
	s := world()
	members := s.group(engine.Access{}, "a", "b", "c", "nothing", "d")
	if members[3].View != nil {
		t.Fatal("a missing view is a member")
	}
	want := map[int][]graph.ID{0: {"x", "y"}, 1: {"y"}, 2: nil, 4: nil}
	var all sync.WaitGroup
	for i, ids := range want {
		for range 8 {
			all.Go(func() {
				got, err := members[i].Entities(t.Context(), 50)
				if err != nil || !slices.Equal(entityIDs(got), ids) {
					t.Errorf("entities of %s: %v, %v; want %v", members[i].View.ID, entityIDs(got), err, ids)
				}
			})
		}
	}
	all.Wait()
	if !slices.Equal(s.calls, []string{"entities"}) {
		t.Errorf("calls: %v, want one", s.calls)
	}
	if got, err := members[0].Entities(t.Context(), 1); err != nil || !slices.Equal(entityIDs(got), []graph.ID{"x"}) {
		t.Errorf("the first entity: %v, %v", entityIDs(got), err)
	}
}

func TestLinkedMemories(t *testing.T) {
	s := world()
	m := s.group(engine.Access{}, "a", "b", "c", "d")
	for _, c := range []struct {
		name string
		read func(Memory, context.Context) (Memory, error)
		want [4]graph.ID
	}{
		{"supersededBy", Memory.SupersededBy, [4]graph.ID{"b"}},
		{"supersedes", Memory.Supersedes, [4]graph.ID{1: "a"}},
		{"consolidatedInto", Memory.ConsolidatedInto, [4]graph.ID{2: "b"}},
	} {
		for i, want := range c.want {
			got, err := c.read(m[i], t.Context())
			if err != nil || (got.View == nil) != (want == "") || got.View != nil && got.View.ID != want {
				t.Errorf("%s of %s: %+v, %v; want %q", c.name, m[i].View.ID, got.View, err, want)
			}
		}
	}
	if len(s.calls) != 3 {
		t.Errorf("calls: %v, want one a field", s.calls)
	}
}

func TestContestingMemoriesAreLoadedOnceAndFormABatch(t *testing.T) {
	s := world()
	m := s.group(engine.Access{}, "a", "b", "d")
	for i, want := range [][]graph.ID{{"b", "c"}, nil, nil} {
		got, err := m[i].ContestedBy(t.Context())
		if err != nil || !slices.Equal(memberIDs(got), want) {
			t.Errorf("contesting %s: %v, %v; want %v", m[i].View.ID, memberIDs(got), err, want)
		}
		for _, x := range got {
			if _, err := x.Entities(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.Equal(s.calls, []string{"contesting", "entities"}) {
		t.Errorf("calls: %v, want one for each level", s.calls)
	}
}

// Loaded memories form a batch again, with the access of the outer read.
func TestLoadedMemoriesFormABatch(t *testing.T) {
	s := world()
	a := engine.Access{RequireConsent: true}
	m := s.group(a, "d", "c")
	sources, err := m[0].DerivedFrom(t.Context(), 50)
	if err != nil || !slices.Equal(memberIDs(sources), []graph.ID{"a", "b", "c"}) {
		t.Fatalf("sources: %v, %v", memberIDs(sources), err)
	}
	two, err := m[0].DerivedFrom(t.Context(), 1)
	if err != nil || !slices.Equal(memberIDs(two), []graph.ID{"a"}) {
		t.Errorf("the first source: %v, %v", memberIDs(two), err)
	}
	s.calls = nil
	for _, x := range sources {
		if _, err := x.Entities(t.Context(), 50); err != nil {
			t.Fatal(err)
		}
		if _, err := x.SupersededBy(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.calls) != 2 {
		t.Errorf("calls on the second level: %v, want two", s.calls)
	}
	for _, got := range s.access {
		if got != a {
			t.Errorf("read under %+v, want %+v", got, a)
		}
	}
}

func TestErasedMemoriesHaveNoSources(t *testing.T) {
	s := world()
	s.memories["erased"] = &graph.Memory{ID: "erased"}
	m := s.group(engine.Access{}, "d", "erased")
	if sources, err := m[1].DerivedFrom(t.Context(), 50); err != nil || len(sources) != 0 {
		t.Errorf("sources of one erased meanwhile: %v, %v", memberIDs(sources), err)
	}
	forgotten := Memories(s, engine.Loopback(), []*engine.View{{Memory: &graph.Memory{ID: "d"}, State: graph.State{Status: graph.Forgotten}}})
	if sources, err := forgotten[0].DerivedFrom(t.Context(), 50); err != nil || len(sources) != 0 {
		t.Errorf("sources of a forgotten one: %v, %v", memberIDs(sources), err)
	}
}

func TestErrorsReachAllWaiters(t *testing.T) {
	s := world()
	s.fail = graph.ErrUnavailable
	m := s.group(engine.Access{}, "a", "b", "d")
	for _, x := range m {
		if _, err := x.Entities(t.Context(), 50); !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("entities of %s: %v", x.View.ID, err)
		}
		if _, err := x.DerivedFrom(t.Context(), 50); !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("sources of %s: %v", x.View.ID, err)
		}
	}
	r := Relations(s, engine.Loopback(), engine.Access{}, []engine.RelationView{{Relation: &graph.Relation{ID: "r", Source: "x", Target: "y", Memories: []graph.ID{"a"}}}})
	if _, err := r[0].Entity(t.Context(), "x"); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("an end: %v", err)
	}
	if _, err := r[0].Memories(t.Context(), 50); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("the memories: %v", err)
	}
}

func TestRelations(t *testing.T) {
	s := world()
	a := engine.Access{AsOf: graph.AsOf{Recorded: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}}
	views := []engine.RelationView{
		{Relation: &graph.Relation{ID: "r", Source: "x", Target: "y", Memories: []graph.ID{"a", "hidden", "b"}}},
		{Relation: &graph.Relation{ID: "q", Source: "y", Target: "gone"}},
	}
	r := Relations(s, engine.Loopback(), a, views)
	for _, c := range []struct {
		of   Relation
		id   graph.ID
		want bool
	}{{r[0], "x", true}, {r[0], "y", true}, {r[1], "y", true}, {r[1], "gone", false}} {
		got, err := c.of.Entity(t.Context(), c.id)
		if err != nil || (got != nil) != c.want {
			t.Errorf("end %s: %v, %v", c.id, got, err)
		}
	}
	if got, err := r[0].Memories(t.Context(), 50); err != nil || !slices.Equal(memberIDs(got), []graph.ID{"a", "b"}) {
		t.Errorf("memories: %v, %v", memberIDs(got), err)
	}
	if got, err := r[1].Memories(t.Context(), 50); err != nil || len(got) != 0 {
		t.Errorf("memories of one without: %v, %v", memberIDs(got), err)
	}
	if !slices.Equal(s.calls, []string{"entities", "memories"}) || s.access[0] != a {
		t.Errorf("calls: %v under %v", s.calls, s.access)
	}
}

// Promotion costs one call for a batch, and each memory gets its own result, also if it occurs
// twice.
func TestPromotionsOfABatch(t *testing.T) {
	s := world()
	s.memories["a"].Importance, s.memories["d"].Importance = 0.25, 0.75
	members := s.group(engine.Access{}, "a", "nothing", "d", "a")
	for i, want := range map[int]float64{0: 0.25, 2: 0.75, 3: 0.25} {
		if got, err := members[i].Promotion(t.Context()); err != nil || got.Score != want {
			t.Errorf("memory %d has score %v, %v; want %v", i, got.Score, err, want)
		}
	}
	if !slices.Equal(s.calls, []string{"standings"}) {
		t.Errorf("calls: %v, want standings once", s.calls)
	}
	failing := world()
	failing.fail = errors.New("no")
	if _, err := failing.group(engine.Access{}, "a")[0].Promotion(t.Context()); !errors.Is(err, failing.fail) {
		t.Errorf("the error is %v", err)
	}
}

// The clusters of a batch are one call, and so are those that are named by id.
func TestClustersOfABatchAreOneCall(t *testing.T) {
	s := world()
	all := s.group(engine.Access{}, "a", "c", "b")
	var in []graph.ID
	for _, m := range all {
		c, err := m.Cluster(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if c.View == nil {
			in = append(in, "")
		} else {
			in = append(in, c.View.ID)
		}
	}
	if !slices.Equal(in, []graph.ID{"k", "", "k"}) || !slices.Equal(s.calls, []string{"clusters"}) {
		t.Errorf("a, c and b are in %v after calls %v", in, s.calls)
	}
	for i, ref := range ClusterRefs(s, engine.Loopback(), []graph.ID{"k", "gone", "k", ""}) {
		if c, err := ref.Cluster(t.Context()); err != nil || (c.View == nil) != (i == 1 || i == 3) {
			t.Errorf("cluster %d is %v, %v", i, c.View, err)
		}
	}
	if !slices.Equal(s.calls, []string{"clusters", "clustersByID"}) {
		t.Errorf("the calls are %v", s.calls)
	}
	s = world()
	s.fail = errors.New("down")
	if _, err := s.group(engine.Access{}, "a")[0].Cluster(t.Context()); !errors.Is(err, s.fail) {
		t.Errorf("a failed call answers %v", err)
	}
}

// The patterns that memories of a batch hold are one call, and so are those that they contradict.
func TestPatternsOfABatchAreOneCall(t *testing.T) {
	s := world()
	s.memories["a"].Pattern, s.memories["b"].Pattern = &graph.Pattern{Clusters: []graph.ID{"k", "gone"}}, &graph.Pattern{}
	for i, m := range s.group(engine.Access{}, "a", "c", "b") {
		p, err := m.Pattern(t.Context())
		if err != nil || (p.View == nil) != (i == 1) {
			t.Fatalf("the pattern of memory %d is %v, %v", i, p.View, err)
		}
		if i == 1 {
			continue
		}
		against, err := p.Conflicts(t.Context())
		if err != nil || len(against) != 1 || against[0].View.ID != "b" {
			t.Errorf("the conflicts are %v, %v", against, err)
		}
		in, err := p.Clusters(t.Context())
		if err != nil || len(in) != 1-i/2 {
			t.Errorf("pattern %d is of the clusters %v, %v", i, in, err)
		}
	}
	if !slices.Equal(s.calls, []string{"patternsByID", "patternsByID", "clustersByID"}) {
		t.Errorf("the calls are %v", s.calls)
	}
}
