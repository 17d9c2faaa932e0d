package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

const (
	feedPageSize  = 1000 // changes read from the feed at once
	minRetryDelay = 50 * time.Millisecond
	maxRetryDelay = 5 * time.Second
)

// follow applies changes as they come until ctx ends. If the store fails, it retries with an
// exponentially growing delay.
func (t *tenant) follow(ctx context.Context) {
	pause := minRetryDelay
	for ctx.Err() == nil {
		err := t.store.Wait(ctx, t.scope, t.currentCursor())
		if err == nil {
			_, err = t.applyNext(ctx)
		}
		if err == nil {
			pause = minRetryDelay
			t.considerSnapshot()
			continue
		}
		if ctx.Err() != nil || errors.Is(err, graph.ErrClosed) {
			return
		}
		t.opts.Logger.Error("index: cannot follow the feed", "tenant", t.scope.Tenant, "error", err, "retry", pause)
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
		pause = min(2*pause, maxRetryDelay)
	}
}

// catchUp applies all changes that the feed has now.
func (t *tenant) catchUp(ctx context.Context) error {
	for {
		n, err := t.applyNext(ctx)
		if n == 0 || err != nil {
			return err
		}
	}
}

// applyNext applies one page of changes and returns how many it had.
func (t *tenant) applyNext(ctx context.Context) (int, error) {
	changes, err := t.store.Changes(ctx, t.scope, t.currentCursor(), feedPageSize)
	if err != nil {
		return 0, fmt.Errorf("read the feed: %w", err)
	}
	if len(changes) == 0 {
		return 0, nil
	}
	b := newChangeBatch(changes)
	if err := graph.ViewSince(ctx, t.store, t.scope, changes[len(changes)-1].Cursor, b.read(t)); err != nil {
		return 0, fmt.Errorf("load changed records: %w", err)
	}
	if err := t.applyBatch(b); err != nil {
		return 0, err
	}
	t.advanceCursor(changes[len(changes)-1].Cursor, len(changes))
	return len(changes), t.waitForGraphs(ctx)
}

// changeBatch is the nodes of a page of changes and their present state in the store.
type changeBatch struct {
	memories  []graph.ID // written, in order of first mention
	used      []graph.ID // only their usage changed
	entities  []graph.ID
	relations []graph.ID

	loaded         []loadedMemory
	usage          []*graph.Memory // nil: gone
	foundEntities  []*graph.Entity // nil: gone
	foundRelations []*graph.Relation
}

// loadedMemory is a memory with its vector; a nil memory is gone.
type loadedMemory struct {
	memory *graph.Memory
	vector []float32
}

// newChangeBatch collects the changed nodes, each once.
func newChangeBatch(changes []graph.Change) *changeBatch {
	b := &changeBatch{}
	type node struct {
		kind graph.NodeKind
		id   graph.ID
	}
	seen := make(map[node]bool, len(changes))
	for _, c := range changes {
		n := node{c.Node, c.ID}
		if seen[n] {
			continue
		}
		seen[n] = true
		switch c.Node {
		case graph.NodeMemory:
			b.memories = append(b.memories, c.ID)
		case graph.NodeUsage:
			b.used = append(b.used, c.ID)
		case graph.NodeEntity:
			b.entities = append(b.entities, c.ID)
		case graph.NodeRelation:
			b.relations = append(b.relations, c.ID)
		}
	}
	b.used = slices.DeleteFunc(b.used, func(id graph.ID) bool { return seen[node{graph.NodeMemory, id}] })
	return b
}

// read loads a batch from one read transaction of the store.
func (b *changeBatch) read(t *tenant) func(graph.Reader) error {
	return func(r graph.Reader) error {
		if err := b.announce(r, t); err != nil {
			return err
		}
		ms, err := t.readMemories(r, b.memories)
		if err != nil {
			return err
		}
		b.loaded = make([]loadedMemory, len(ms))
		for i, m := range ms {
			if b.loaded[i], err = t.readWithVector(r, m); err != nil {
				return err
			}
		}
		if b.usage, err = t.readMemories(r, b.used); err != nil {
			return err
		}
		b.foundEntities = make([]*graph.Entity, len(b.entities))
		for i, id := range b.entities {
			if b.foundEntities[i], err = nilIfNotFound(r.Entity(id)); err != nil {
				return err
			}
		}
		b.foundRelations = make([]*graph.Relation, len(b.relations))
		for i, id := range b.relations {
			if b.foundRelations[i], err = nilIfNotFound(r.RelationByID(id)); err != nil {
				return err
			}
		}
		return nil
	}
}

// announce tells a reader with a round trip for each read what the batch will read.
func (b *changeBatch) announce(r graph.Reader, t *tenant) error {
	ahead, ok := r.(graph.Expecter)
	if !ok {
		return nil
	}
	x := graph.Expected{Memories: slices.Concat(b.memories, b.used), Entities: b.entities, Relations: b.relations}
	if t.opts.Remote == nil {
		x.Vectors = b.memories
	}
	return ahead.Expect(x)
}

// nilIfNotFound turns ErrNotFound into nil.
func nilIfNotFound[T any](v *T, err error) (*T, error) {
	if errors.Is(err, graph.ErrNotFound) {
		return nil, nil
	}
	return v, err
}

// readMemories reads memories; missing and damaged ones are nil. A damaged record must not stop
// the feed.
func (t *tenant) readMemories(r graph.Reader, ids []graph.ID) ([]*graph.Memory, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	ms, err := r.Memories(ids)
	if !graph.DamagedRow(err) {
		return ms, err
	}
	ms = make([]*graph.Memory, len(ids))
	for i, id := range ids {
		m, err := nilIfNotFound(r.Memory(id))
		switch {
		case graph.DamagedRow(err):
			t.opts.Logger.Error("index: a memory is damaged and is not indexed", "tenant", t.scope.Tenant, "id", id)
		case err != nil:
			return nil, err
		default:
			ms[i] = m
		}
	}
	return ms, nil
}

// readWithVector adds the vector of a memory, if it has one.
func (t *tenant) readWithVector(r graph.Reader, m *graph.Memory) (loadedMemory, error) {
	if m == nil || m.Status() == graph.Forgotten || m.EmbeddingModel == "" || t.opts.Remote != nil {
		return loadedMemory{memory: m}, nil
	}
	v, err := r.Embedding(m.ID)
	switch {
	case errors.Is(err, graph.ErrNotFound):
	case graph.DamagedRow(err):
		t.opts.Logger.Error("index: a vector is damaged and is not indexed", "tenant", t.scope.Tenant, "id", m.ID)
	case err != nil:
		return loadedMemory{}, err
	default:
		return loadedMemory{m, v}, nil
	}
	return loadedMemory{memory: m}, nil
}
