package index

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
	"github.com/somnograph/somnograph/graph/keyring"
)

// tenant is the index of one tenant.
type tenant struct {
	scope graph.Scope
	store IndexedStore
	opts  *Options
	ready chan struct{} // closed when loading has ended
	err   error         // why loading failed; written before ready is closed

	partitionMap atomic.Pointer[map[string]*partition]
	entities     *entityIndex
	files        *vectors.Files

	partitionByIDMu sync.RWMutex
	partitionByID   map[graph.ID]*partition

	writeMu   sync.Mutex // held while partitions change
	preparers []*preparer

	stateMu        sync.Mutex
	cursor         graph.Cursor  // everything up to here is searchable
	head           graph.Cursor  // the latest known cursor of the feed
	cursorMoved    chan struct{} // closed and replaced when cursor moves
	unsavedChanges int           // changes since the last snapshot

	ring           *keyring.Ring // keys of the tenant; nil: the store is not sealed
	ringErr        error         // why they can't be read; then nothing is written to disk
	snapshots      snapshotState
	damage         damageState
	maintenance    graphMaintenance
	erasurePending bool       // an erasure is not yet carried out on disk
	missingVectors []graph.ID // memories of the snapshot whose vectors must be loaded from the store
}

func newTenant(x *Index, sc graph.Scope) *tenant {
	t := &tenant{
		scope: sc, store: x.store, opts: &x.opts, ready: make(chan struct{}),
		entities: newEntityIndex(), partitionByID: map[graph.ID]*partition{}, cursorMoved: make(chan struct{}),
	}
	files := vectors.FileOptions{Logger: t.opts.Logger, Budget: t.opts.vectorBudget, Workers: t.opts.Workers}
	if t.ring, t.ringErr = keyring.Of(x.store, sc.Tenant); t.ring != nil {
		files.Keys = t.ring
	}
	if t.opts.Dir != "" && t.ringErr == nil {
		files.Base = filepath.Join(t.opts.Dir, string(sc.Tenant))
	}
	t.files = vectors.NewFiles(files, t.fromStore)
	t.snapshots.wanted = make(chan struct{}, 1)
	t.maintenance.wanted, t.maintenance.stepDone = make(chan struct{}, 1), make(chan struct{})
	for range x.opts.Workers {
		t.preparers = append(t.preparers, newPreparer(x.opts.Topics, x.opts.Claims))
	}
	t.partitionMap.Store(&map[string]*partition{})
	return t
}

// fromStore reads the vector of a memory from the store.
func (t *tenant) fromStore(id graph.ID) (v []float32, err error) {
	err = t.store.View(context.Background(), t.scope, func(r graph.Reader) error {
		v, err = r.Embedding(id)
		return err
	})
	return v, err
}

// isLoaded reports whether the tenant loaded without an error.
func (t *tenant) isLoaded() bool {
	select {
	case <-t.ready:
		return t.err == nil
	default:
		return false
	}
}

// partitions returns the partitions of the namespaces, sorted by name. Without namespaces it
// returns all.
func (t *tenant) partitions(namespaces []string) []*partition {
	parts := *t.partitionMap.Load()
	if len(namespaces) == 0 {
		namespaces = slices.Collect(maps.Keys(parts))
	} else {
		namespaces = slices.Clone(namespaces)
	}
	slices.Sort(namespaces)
	out := make([]*partition, 0, len(namespaces))
	for _, name := range slices.Compact(namespaces) {
		if p := parts[name]; p != nil {
			out = append(out, p)
		}
	}
	return out
}

// partitionFor returns the partition of a namespace and makes it if it does not exist. Only
// writers call it.
func (t *tenant) partitionFor(name string) *partition {
	parts := *t.partitionMap.Load()
	if p := parts[name]; p != nil {
		return p
	}
	more := maps.Clone(parts)
	p := newPartition(name, t.opts.Workers, t.files, t.opts.Topics)
	p.writer.remoteVectors = t.opts.Remote != nil
	if t.opts.graphStepCost > 0 {
		p.writer.vectors.SetStepCost(t.opts.graphStepCost)
	}
	more[name] = p
	t.partitionMap.Store(&more)
	return p
}

// findMemory returns the slot and the Doc of a visible memory, with the view that has both.
func (t *tenant) findMemory(s graph.Sight, id graph.ID) (*view, uint32, *Doc) {
	p := t.partitionOf(id)
	if p == nil || !s.Namespace(p.name) {
		return nil, slots.None, nil
	}
	v := p.seenBy(s)
	slot, d := v.find(id)
	return v, slot, d
}

// waitFor returns when the cursor is searchable. It returns ErrClosed when closing, the context
// of the index, ends.
func (t *tenant) waitFor(ctx, closing context.Context, c graph.Cursor) error {
	for {
		t.stateMu.Lock()
		t.head = max(t.head, c)
		reached, moved := t.cursor >= c, t.cursorMoved
		t.stateMu.Unlock()
		if reached {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("index: wait for cursor: %w", ctx.Err())
		case <-closing.Done():
			return graph.ErrClosed
		}
	}
}

// advanceCursor records that everything up to the cursor is searchable, and wakes the waiting
// calls.
func (t *tenant) advanceCursor(c graph.Cursor, changes int) {
	t.stateMu.Lock()
	defer t.stateMu.Unlock()
	if c > t.cursor {
		t.cursor = c
		close(t.cursorMoved)
		t.cursorMoved = make(chan struct{})
	}
	t.head = max(t.head, t.cursor)
	t.unsavedChanges += changes
	t.wakeMaintenance()
}

// currentCursor returns the cursor up to which everything is searchable.
func (t *tenant) currentCursor() graph.Cursor {
	t.stateMu.Lock()
	defer t.stateMu.Unlock()
	return t.cursor
}

// touch counts one use of each memory. Searches see it at once, without a new view.
func (t *tenant) touch(ids []graph.ID, use graph.Use) {
	t.writeMu.Lock()
	defer t.writeMu.Unlock()
	for _, id := range ids {
		p := t.partitionOf(id)
		if p == nil {
			continue
		}
		slot, known := p.writer.postings.slotOf(id)
		if !known {
			continue
		}
		d := p.writer.doc(slot)
		p.writer.replaceDoc(slot, d.withUsage(d.Usage.With(use)))
	}
}

// partitionOf returns the partition of a memory, or nil.
func (t *tenant) partitionOf(id graph.ID) *partition {
	t.partitionByIDMu.RLock()
	defer t.partitionByIDMu.RUnlock()
	return t.partitionByID[id]
}

// mentions counts the visible memories that mention an entity.
func (t *tenant) mentions(s graph.Sight, entity graph.ID) (count int, first, last time.Time) {
	e := t.entities.entity(entity)
	if e == nil || !s.Owner(e.Namespace, e.User) {
		return 0, first, last
	}
	for _, v := range t.views(s, []string{e.Namespace}) {
		_, items := v.lookup(keyEntity, string(entity))
		for _, it := range items {
			if int(it.slot) >= v.n {
				break
			}
			d := v.doc(it.slot)
			if d == nil {
				continue
			}
			count++
			if first.IsZero() || d.OccurredAt.Before(first) {
				first = d.OccurredAt
			}
			if d.OccurredAt.After(last) {
				last = d.OccurredAt
			}
		}
	}
	return count, first, last
}
