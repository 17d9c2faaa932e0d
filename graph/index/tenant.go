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
)

// tenant is the index of one tenant.
type tenant struct {
	scope graph.Scope
	store IndexedStore
	opts  *Options
	ready chan struct{} // closed when loading ended
	err   error         // why it failed; written before ready is closed

	parts atomic.Pointer[map[string]*partition]
	atlas *atlas
	files *vectors.Files

	whereMu sync.RWMutex
	where   map[graph.ID]*partition

	writing   sync.Mutex // held by who changes partitions
	preparers []*preparer

	stateMu sync.Mutex
	cursor  graph.Cursor  // everything up to here is searchable
	head    graph.Cursor  // the latest cursor heard of
	moved   chan struct{} // closed and made anew when cursor moves
	unsaved int           // changes since the last snapshot

	snapshots snapshots
	meshes    meshes
	owed      bool       // an erasure is still to be carried out on the disk
	unclaimed []graph.ID // memories of the snapshot whose vectors the store is asked for
}

func newTenant(x *Index, sc graph.Scope) *tenant {
	t := &tenant{
		scope: sc, store: x.store, opts: &x.opts, ready: make(chan struct{}),
		atlas: newAtlas(), where: map[graph.ID]*partition{}, moved: make(chan struct{}),
	}
	files := vectors.FileOptions{Logger: t.opts.Logger, Rand: t.opts.Rand, Budget: t.opts.room}
	if t.opts.Dir != "" {
		files.Base = filepath.Join(t.opts.Dir, string(sc.Tenant))
	}
	t.files = vectors.NewFiles(files, t.fromStore)
	t.snapshots.wanted = make(chan struct{}, 1)
	t.meshes.wanted, t.meshes.rested = make(chan struct{}, 1), make(chan struct{})
	for range x.opts.Workers {
		t.preparers = append(t.preparers, newPreparer(x.opts.Topics))
	}
	t.parts.Store(&map[string]*partition{})
	return t
}

// fromStore asks the store for the vector of a memory.
func (t *tenant) fromStore(id graph.ID) (v []float32, err error) {
	err = t.store.View(context.Background(), t.scope, func(r graph.Reader) error {
		v, err = r.Embedding(id)
		return err
	})
	return v, err
}

// loaded reports whether the tenant came up.
func (t *tenant) loaded() bool {
	select {
	case <-t.ready:
		return t.err == nil
	default:
		return false
	}
}

// reach are the partitions of the namespaces, of all where none is named, by name.
func (t *tenant) reach(namespaces []string) []*partition {
	parts := *t.parts.Load()
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

// partition is that of a namespace, made where it is new. Only writers call it.
func (t *tenant) partition(name string) *partition {
	parts := *t.parts.Load()
	if p := parts[name]; p != nil {
		return p
	}
	more := maps.Clone(parts)
	p := newPartition(name, t.opts.Workers, t.files)
	p.w.away = t.opts.Remote != nil
	if t.opts.meshStep > 0 {
		p.w.vectors.SetStepCost(t.opts.meshStep)
	}
	more[name] = p
	t.parts.Store(&more)
	return p
}

// find is where a memory stands.
func (t *tenant) find(id graph.ID) (*partition, uint32, *Doc) {
	t.whereMu.RLock()
	p := t.where[id]
	t.whereMu.RUnlock()
	if p == nil {
		return nil, slots.None, nil
	}
	slot, d := p.view.Load().find(id)
	return p, slot, d
}

// waitFor returns once the cursor is searchable; closing ends with the index.
func (t *tenant) waitFor(ctx, closing context.Context, c graph.Cursor) error {
	for {
		t.stateMu.Lock()
		t.head = max(t.head, c)
		reached, moved := t.cursor >= c, t.moved
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

// advance says that everything up to the cursor is searchable.
func (t *tenant) advance(c graph.Cursor, changes int) {
	t.stateMu.Lock()
	defer t.stateMu.Unlock()
	if c > t.cursor {
		t.cursor = c
		close(t.moved)
		t.moved = make(chan struct{})
	}
	t.head = max(t.head, t.cursor)
	t.unsaved += changes
	t.wake()
}

// position is the cursor up to which everything is searchable.
func (t *tenant) position() graph.Cursor {
	t.stateMu.Lock()
	defer t.stateMu.Unlock()
	return t.cursor
}

// touch counts a use of each memory. Who searches sees it at once, without a new view.
func (t *tenant) touch(ids []graph.ID, at time.Time) {
	at = graph.Millis(at)
	t.writing.Lock()
	defer t.writing.Unlock()
	for _, id := range ids {
		p := t.owner(id)
		if p == nil {
			continue
		}
		slot, known := p.w.lists.slot(id)
		if !known {
			continue
		}
		d := p.w.doc(slot)
		u := graph.Usage{Count: d.Usage.Count + 1, Days: d.Usage.Days, Last: d.Usage.Last}
		if at.After(u.Last) {
			u.Last = at
		}
		if day := graph.Day(at); !slices.Contains(u.Days, day) {
			u.Days = append(slices.Clone(u.Days), day)
			slices.Sort(u.Days)
		}
		p.w.replace(slot, d.used(u))
	}
}

// owner is the partition of a memory. Only writers call it.
func (t *tenant) owner(id graph.ID) *partition {
	t.whereMu.RLock()
	defer t.whereMu.RUnlock()
	return t.where[id]
}

// mentions counts the memories that mention an entity.
func (t *tenant) mentions(entity graph.ID) (count int, first, last time.Time) {
	e := t.atlas.entity(entity)
	if e == nil {
		return 0, first, last
	}
	for _, p := range t.reach([]string{e.Namespace}) {
		v := p.view.Load()
		_, items := v.lists.get(keyEntity, string(entity))
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
