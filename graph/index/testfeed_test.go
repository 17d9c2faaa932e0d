package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// feed is a small store for one tenant: enough of a graph.Viewer and graph.Feed to
// derive an index from.
type feed struct {
	mu        sync.Mutex
	memories  map[graph.ID]*graph.Memory
	vectors   map[graph.ID][]float32
	entities  map[graph.ID]*graph.Entity
	relations map[graph.ID]*graph.Relation
	changes   []graph.Change
	moved     chan struct{}
	fail      error // of every read while it is set
	listed    int   // memories handed out by lists
	nextID    uint64
	order     []graph.ID // of memories, ascending, while it is as long as they are
	topics    Topics     // of the index that is compared with brute force; nil: it has none
}

var world = graph.Scope{Tenant: "t"}

func newFeed() *feed {
	return &feed{
		memories: map[graph.ID]*graph.Memory{}, vectors: map[graph.ID][]float32{},
		entities: map[graph.ID]*graph.Entity{}, relations: map[graph.ID]*graph.Relation{}, moved: make(chan struct{}),
	}
}

func (f *feed) Tenants(context.Context) ([]graph.Tenant, error) {
	return []graph.Tenant{world.Tenant}, nil
}

func (f *feed) View(_ context.Context, _ graph.Scope, fn func(graph.Reader) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return f.fail
	}
	return fn(feedReader{f: f})
}

func (f *feed) Changes(_ context.Context, _ graph.Scope, after graph.Cursor, limit int) ([]graph.Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return nil, f.fail
	}
	rest := f.changes[min(int(after), len(f.changes)):]
	return slices.Clone(rest[:min(len(rest), limit)]), nil
}

func (f *feed) Wait(ctx context.Context, _ graph.Scope, after graph.Cursor) error {
	for {
		f.mu.Lock()
		ready, moved := len(f.changes) > int(after), f.moved
		f.mu.Unlock()
		if ready {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (f *feed) Head(context.Context, graph.Scope) (graph.Cursor, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return graph.Cursor(len(f.changes)), nil
}

// note appends a change and wakes waiting calls. Callers hold the lock.
func (f *feed) note(node graph.NodeKind, kind graph.EventKind, id graph.ID, at time.Time) graph.Cursor {
	f.changes = append(f.changes, graph.Change{Cursor: graph.Cursor(len(f.changes) + 1), At: at, Node: node, Kind: kind, ID: id})
	close(f.moved)
	f.moved = make(chan struct{})
	return graph.Cursor(len(f.changes))
}

// put writes a memory with its vector (nil: pending).
func (f *feed) put(m *graph.Memory, vector []float32) graph.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := *m
	c.EmbeddingModel = ""
	if vector != nil {
		c.EmbeddingModel = "m"
		f.vectors[m.ID] = vector
	}
	f.memories[m.ID] = &c
	return f.note(graph.NodeMemory, graph.EventUpdated, m.ID, m.UpdatedAt)
}

// use folds a count into a memory.
func (f *feed) use(id graph.ID, at time.Time) graph.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := *f.memories[id]
	m.Usage.Count++
	m.Usage.Last = at
	f.memories[id] = &m
	return f.note(graph.NodeUsage, graph.EventUpdated, id, at)
}

// erase erases a memory and leaves a stub.
func (f *feed) erase(id graph.ID, at time.Time) graph.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.memories[id]
	f.memories[id] = &graph.Memory{ID: id, Namespace: old.Namespace, History: []graph.State{{From: at, Status: graph.Forgotten, Tier: graph.L1}}}
	delete(f.vectors, id)
	return f.note(graph.NodeMemory, graph.EventForgotten, id, at)
}

func (f *feed) putEntity(e *graph.Entity) graph.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entities[e.ID] = e
	return f.note(graph.NodeEntity, graph.EventUpdated, e.ID, e.FirstSeen)
}

func (f *feed) dropEntity(id graph.ID) graph.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.entities, id)
	return f.note(graph.NodeEntity, graph.EventForgotten, id, time.Time{})
}

func (f *feed) putRelation(r *graph.Relation) graph.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.relations[r.ID] = r
	return f.note(graph.NodeRelation, graph.EventUpdated, r.ID, r.RecordedAt)
}

func (f *feed) dropRelation(id graph.ID) graph.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.relations, id)
	return f.note(graph.NodeRelation, graph.EventForgotten, id, time.Time{})
}

// id makes the next id, recorded at the instant.
func (f *feed) id(at time.Time) graph.ID {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nextID++
	return testID(at, f.nextID)
}

func testID(at time.Time, n uint64) graph.ID {
	var b [16]byte
	ms := uint64(at.UnixMilli())
	binary.BigEndian.PutUint64(b[:], ms<<16)
	b[6], b[8] = 0x70, 0x80
	binary.BigEndian.PutUint32(b[12:], uint32(n))
	return graph.IDFromBytes(b)
}

// feedReader reads the feed; methods that an index does not use panic.
type feedReader struct {
	graph.Reader
	f *feed
}

func (r feedReader) Memory(id graph.ID) (*graph.Memory, error) {
	m := r.f.memories[id]
	if m == nil {
		return nil, graph.ErrNotFound
	}
	c := *m
	return &c, nil
}

func (r feedReader) Memories(ids []graph.ID) ([]*graph.Memory, error) {
	out := make([]*graph.Memory, len(ids))
	for i, id := range ids {
		if m := r.f.memories[id]; m != nil {
			c := *m
			out[i] = &c
		}
	}
	return out, nil
}

func (r feedReader) Embedding(id graph.ID) ([]float32, error) {
	if v := r.f.vectors[id]; v != nil {
		return slices.Clone(v), nil
	}
	return nil, graph.ErrNotFound
}

func (r feedReader) ListMemories(q graph.MemoryQuery) ([]*graph.Memory, error) {
	ids := r.f.sorted()
	var out []*graph.Memory
	for _, id := range ids[afterID(ids, q.After):] {
		if len(out) < q.Limit {
			c := *r.f.memories[id]
			out = append(out, &c)
		}
	}
	r.f.listed += len(out)
	return out, nil
}

func (r feedReader) Entity(id graph.ID) (*graph.Entity, error) {
	if e := r.f.entities[id]; e != nil {
		c := *e
		return &c, nil
	}
	return nil, graph.ErrNotFound
}

func (r feedReader) ListEntities(q graph.EntityQuery) ([]*graph.Entity, error) {
	var out []*graph.Entity
	for _, id := range sortedKeys(r.f.entities) {
		if id > q.After && len(out) < q.Limit {
			c := *r.f.entities[id]
			out = append(out, &c)
		}
	}
	return out, nil
}

func (r feedReader) RelationByID(id graph.ID) (*graph.Relation, error) {
	if e := r.f.relations[id]; e != nil {
		c := *e
		return &c, nil
	}
	return nil, graph.ErrNotFound
}

func (r feedReader) Relations(entity graph.ID, dir graph.Direction, after graph.ID, limit int) ([]*graph.Relation, error) {
	var out []*graph.Relation
	for _, id := range sortedKeys(r.f.relations) {
		x := r.f.relations[id]
		if x.Source == entity && dir == graph.Out && id > after && len(out) < limit {
			c := *x
			out = append(out, &c)
		}
	}
	return out, nil
}

// sorted returns the ids of all memories, ascending.
func (f *feed) sorted() []graph.ID {
	if len(f.order) != len(f.memories) {
		f.order = sortedKeys(f.memories)
	}
	return f.order
}

// afterID returns the index of the first id above after.
func afterID(ids []graph.ID, after graph.ID) int {
	at, found := slices.BinarySearch(ids, after)
	if found {
		at++
	}
	return at
}

func sortedKeys[V any](m map[graph.ID]V) []graph.ID { return slices.Sorted(maps.Keys(m)) }

// epoch is the start time of the tests.
var epoch = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// memory makes an active episodic memory with the content, recorded at the instant.
func (f *feed) memory(at time.Time, content string, edit ...func(*graph.Memory)) *graph.Memory {
	id := f.id(at)
	m := &graph.Memory{
		ID: id, Namespace: "main", Type: graph.Episodic, Content: content, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser,
		Sensitivity: graph.Internal, DecayClass: graph.DecayMedium, Confidence: 0.7, Authority: 0.8, Importance: 0.5,
		Chain: id, Version: 1, CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at, AnchorAt: at,
		History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
	}
	for _, e := range edit {
		e(m)
	}
	return m
}

// opened returns an index over the feed that is closed with the test.
func opened(t testing.TB, f IndexedStore, o Options) *Index {
	t.Helper()
	x, err := Open(context.Background(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return x
}

// recalled returns the candidates by id, after the index has seen every write.
func recalled(t testing.TB, x *Index, f *feed, q Query) map[graph.ID]Candidate {
	t.Helper()
	settle(t, x, f)
	r, err := x.Recall(context.Background(), world, q)
	if err != nil {
		t.Fatal(err)
	}
	out := map[graph.ID]Candidate{}
	for _, c := range r.Candidates {
		if _, twice := out[c.Doc.ID]; twice {
			t.Fatalf("%s occurs twice among the candidates", c.Doc.ID)
		}
		out[c.Doc.ID] = c
	}
	return out
}

// settle waits until the index has seen the whole feed.
func settle(t testing.TB, x *Index, f *feed) {
	t.Helper()
	head, _ := f.Head(context.Background(), world)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := x.WaitFor(ctx, world, head); err != nil {
		t.Fatal(err)
	}
}

// contents returns the contents of candidates, sorted.
func (f *feed) contents(found map[graph.ID]Candidate) []string {
	var out []string
	for id := range found {
		out = append(out, f.memories[id].Content)
	}
	slices.Sort(out)
	return out
}

// best returns the id with the highest value of one channel.
func best(found map[graph.ID]Candidate, value func(Candidate) float64) graph.ID {
	ids := slices.SortedFunc(maps.Keys(found), func(a, b graph.ID) int {
		return cmp.Or(cmp.Compare(value(found[b]), value(found[a])), cmp.Compare(a, b))
	})
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

func expect[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func expectList[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, fmt.Sprint(got), fmt.Sprint(want))
	}
}
