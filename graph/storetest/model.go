package storetest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Model is a graph.Store in memory. A transaction works on copies of the tables that
// it writes, so its cost grows with what the tenant holds.
type Model struct {
	mu     sync.Mutex
	closed bool
	done   chan struct{}
	cursor graph.Cursor
	worlds map[graph.Tenant]*world // never changed once they are here
	locks  map[graph.Tenant]map[string]uint64
	more   map[graph.Tenant]chan struct{} // closed at the next change
}

var _ graph.Store = (*Model)(nil)

// NewModel makes an empty store.
func NewModel() *Model {
	return &Model{
		done: make(chan struct{}), worlds: map[graph.Tenant]*world{},
		locks: map[graph.Tenant]map[string]uint64{}, more: map[graph.Tenant]chan struct{}{},
	}
}

// world is one version of a tenant. Its values are not changed either.
type world struct {
	number     uint64 // grows with every commit
	last       time.Time
	head       graph.Cursor
	changes    []graph.Change
	memories   table[graph.ID, *graph.Memory]
	usage      table[graph.ID, graph.Usage]
	vectors    table[graph.ID, []float32]
	edges      table[edgeKey, graph.Edge]
	entities   table[graph.ID, *graph.Entity]
	relations  table[graph.ID, *graph.Relation]
	requests   table[string, graph.Request]
	receipts   table[graph.ID, graph.Receipt]
	receiptIDs table[[2]graph.ID, bool]
	settings   table[string, []byte]
	notes      table[noteKey, graph.Note]
}

type noteKey struct {
	kind graph.NoteKind
	id   graph.ID
}

type edgeKey struct {
	from graph.ID
	kind graph.EdgeKind
	to   graph.ID
}

// table is a map that is copied before its first write.
type table[K comparable, V any] struct {
	m   map[K]V
	own bool
}

func (t *table[K, V]) writable() map[K]V {
	if !t.own {
		t.own = true
		if t.m = maps.Clone(t.m); t.m == nil {
			t.m = map[K]V{}
		}
	}
	return t.m
}

func (t *table[K, V]) set(k K, v V)      { t.writable()[k] = v }
func (t *table[K, V]) unset(k K)         { delete(t.writable(), k) }
func (t *table[K, V]) get(k K) (V, bool) { v, ok := t.m[k]; return v, ok }

// next is a copy of the world to write to.
func (w *world) next() *world {
	n := *w
	n.changes = n.changes[:len(n.changes):len(n.changes)]
	n.memories.own, n.usage.own, n.vectors.own, n.edges.own = false, false, false, false
	n.entities.own, n.relations.own, n.requests.own = false, false, false
	n.receipts.own, n.receiptIDs.own, n.settings.own = false, false, false
	return &n
}

// world answers the present version of a tenant.
func (m *Model) world(ctx context.Context, scope graph.Scope) (*world, error) {
	if err := errors.Join(scope.Validate(), ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, graph.ErrClosed
	}
	if w := m.worlds[scope.Tenant]; w != nil {
		return w, nil
	}
	return &world{}, nil
}

// View runs fn on one snapshot of the scope.
func (m *Model) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	w, err := m.world(ctx, scope)
	if err != nil {
		return err
	}
	r := &modelReader{w: w}
	defer func() { r.dead = true }()
	return fn(r)
}

// Update runs fn in a transaction; fn runs again on conflict.
func (m *Model) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	for range 1000 {
		base, err := m.world(ctx, scope)
		if err != nil {
			return 0, err
		}
		t := &modelTx{modelReader: modelReader{w: base.next(), locks: map[string]bool{}}, base: base.number}
		err = fn(t)
		t.dead = true
		if err != nil {
			return 0, err
		}
		if !t.dirty {
			return 0, nil
		}
		if cursor, ok := m.commit(scope.Tenant, t); ok {
			return cursor, nil
		}
	}
	return 0, graph.ErrConflict
}

// commit puts the version of t in place unless something it read by key has changed
// since. Changes beside it are kept: its tables are written again onto the present.
func (m *Model) commit(tenant graph.Tenant, t *modelTx) (graph.Cursor, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	locks := m.locks[tenant]
	if locks == nil {
		locks = map[string]uint64{}
		m.locks[tenant] = locks
	}
	for k := range t.locks {
		if locks[k] > t.base {
			return 0, false
		}
	}
	now := m.worlds[tenant]
	if now == nil {
		now = &world{}
	}
	next := now.next()
	next.number++
	for _, redo := range t.redo {
		redo(next)
	}
	for _, c := range t.changes {
		m.cursor++
		c.Cursor = m.cursor
		if c.At.IsZero() {
			c.At = next.last
		}
		next.changes = append(next.changes, c)
		next.head = c.Cursor
	}
	for k := range t.written {
		locks[k] = next.number
	}
	m.worlds[tenant] = next
	if len(t.changes) == 0 {
		return 0, true
	}
	if ch := m.more[tenant]; ch != nil {
		close(ch)
		delete(m.more, tenant)
	}
	return next.head, true
}

// Changes lists what was committed behind after.
func (m *Model) Changes(ctx context.Context, scope graph.Scope, after graph.Cursor, limit int) ([]graph.Change, error) {
	w, err := m.world(ctx, scope)
	if err != nil {
		return nil, err
	}
	i, _ := slices.BinarySearchFunc(w.changes, after, func(c graph.Change, after graph.Cursor) int {
		if c.Cursor <= after {
			return -1
		}
		return 1
	})
	rest := w.changes[i:]
	return slices.Clone(rest[:min(len(rest), page(limit))]), nil
}

// Wait returns nil as soon as something is committed behind after.
func (m *Model) Wait(ctx context.Context, scope graph.Scope, after graph.Cursor) error {
	for {
		w, err := m.world(ctx, scope)
		if err != nil {
			return err
		}
		m.mu.Lock()
		ch := m.more[scope.Tenant]
		if ch == nil {
			ch = make(chan struct{})
			m.more[scope.Tenant] = ch
		}
		if now := m.worlds[scope.Tenant]; now != nil {
			w = now
		}
		m.mu.Unlock()
		if w.head > after {
			return nil
		}
		select {
		case <-ch:
		case <-m.done:
			return graph.ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Head is the cursor of the last committed change.
func (m *Model) Head(ctx context.Context, scope graph.Scope) (graph.Cursor, error) {
	w, err := m.world(ctx, scope)
	if err != nil {
		return 0, err
	}
	return w.head, nil
}

// CountUses adds one use at the instant to each memory.
func (m *Model) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, at time.Time) error {
	if at.IsZero() {
		return graph.FieldError(graph.CodeInvalidRequest, "at", "is required")
	}
	at = graph.Millis(at)
	_, err := m.Update(ctx, scope, func(tx graph.Tx) error {
		t := tx.(*modelTx)
		for i, id := range ids {
			m, ok := t.w.memories.get(id)
			if !ok || m.Status() == graph.Forgotten || slices.Contains(ids[:i], id) {
				continue
			}
			t.locks["memory "+string(id)] = true
			t.do(func(w *world) {
				u := w.usage.m[id]
				u.Count++
				if at.After(u.Last) {
					u.Last = at
				}
				if d, found := slices.BinarySearch(u.Days, graph.Day(at)); !found {
					u.Days = slices.Insert(slices.Clone(u.Days), d, graph.Day(at))
				}
				w.usage.set(id, u)
				w.note(at)
			})
			t.changed(graph.NodeUsage, graph.EventUpdated, id, m.Namespace, at)
		}
		return nil
	})
	return err
}

// Tenants lists the tenants that hold anything.
func (m *Model) Tenants(ctx context.Context) ([]graph.Tenant, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, graph.ErrClosed
	}
	return slices.Sorted(maps.Keys(m.worlds)), ctx.Err()
}

// Ready answers nil until Close.
func (m *Model) Ready(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return graph.ErrClosed
	}
	return ctx.Err()
}

// Close ends the store.
func (m *Model) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.closed = true
		close(m.done)
	}
	return nil
}

// note keeps the latest recorded instant.
func (w *world) note(at time.Time) {
	if at = graph.Millis(at); at.After(w.last) {
		w.last = at
	}
}

func page(limit int) int {
	if limit <= 0 || limit > graph.MaxPage {
		return graph.MaxPage
	}
	return limit
}
