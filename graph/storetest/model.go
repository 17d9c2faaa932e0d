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
// it writes, so its cost grows with the size of the tenant.
type Model struct {
	mu      sync.Mutex
	closed  bool
	done    chan struct{}
	cursor  graph.Cursor
	states  map[graph.Tenant]*tenantState // a state is never changed once it is here
	locks   map[graph.Tenant]map[string]uint64
	changed map[graph.Tenant]chan struct{} // closed at the next change
}

var _ graph.Store = (*Model)(nil)

// NewModel makes an empty store.
func NewModel() *Model {
	return &Model{
		done: make(chan struct{}), states: map[graph.Tenant]*tenantState{},
		locks: map[graph.Tenant]map[string]uint64{}, changed: map[graph.Tenant]chan struct{}{},
	}
}

// tenantState is one version of a tenant. Its values are never changed.
type tenantState struct {
	number     uint64 // increases with every commit
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
	entries map[K]V
	cloned  bool
}

func (t *table[K, V]) forWriting() map[K]V {
	if !t.cloned {
		t.cloned = true
		if t.entries = maps.Clone(t.entries); t.entries == nil {
			t.entries = map[K]V{}
		}
	}
	return t.entries
}

func (t *table[K, V]) set(k K, v V)      { t.forWriting()[k] = v }
func (t *table[K, V]) remove(k K)        { delete(t.forWriting(), k) }
func (t *table[K, V]) get(k K) (V, bool) { v, ok := t.entries[k]; return v, ok }

// forWriting is a copy of the state to write to.
func (state *tenantState) forWriting() *tenantState {
	n := *state
	n.changes = n.changes[:len(n.changes):len(n.changes)]
	n.memories.cloned, n.usage.cloned, n.vectors.cloned, n.edges.cloned = false, false, false, false
	n.entities.cloned, n.relations.cloned, n.requests.cloned = false, false, false
	n.receipts.cloned, n.receiptIDs.cloned, n.settings.cloned, n.notes.cloned = false, false, false, false
	return &n
}

// state returns the present version of a tenant.
func (m *Model) state(ctx context.Context, scope graph.Scope) (*tenantState, error) {
	if err := errors.Join(scope.Validate(), ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, graph.ErrClosed
	}
	if state := m.states[scope.Tenant]; state != nil {
		return state, nil
	}
	return &tenantState{}, nil
}

// View runs fn on one snapshot of the scope.
func (m *Model) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	state, err := m.state(ctx, scope)
	if err != nil {
		return err
	}
	r := &modelReader{state: state.without(scope.Sight)}
	defer func() { r.ended = true }()
	return fn(r)
}

// Update runs fn in a transaction, and again on a conflict.
func (m *Model) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	for range 1000 {
		base, err := m.state(ctx, scope)
		if err != nil {
			return 0, err
		}
		t := &modelTx{modelReader: modelReader{state: base.forWriting(), locks: map[string]bool{}}, baseNumber: base.number}
		err = run(t, fn)
		t.ended = true
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

// commit puts the version of t in place unless something that t read by key has changed
// since. It keeps concurrent changes: it repeats the writes of t on the present version.
func (m *Model) commit(tenant graph.Tenant, t *modelTx) (graph.Cursor, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	locks := m.locks[tenant]
	if locks == nil {
		locks = map[string]uint64{}
		m.locks[tenant] = locks
	}
	for k := range t.locks {
		if locks[k] > t.baseNumber {
			return 0, false
		}
	}
	now := m.states[tenant]
	if now == nil {
		now = &tenantState{}
	}
	next := now.forWriting()
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
	m.states[tenant] = next
	if len(t.changes) == 0 {
		return 0, true
	}
	if ch := m.changed[tenant]; ch != nil {
		close(ch)
		delete(m.changed, tenant)
	}
	return next.head, true
}

// Changes lists the changes after the cursor.
func (m *Model) Changes(ctx context.Context, scope graph.Scope, after graph.Cursor, limit int) ([]graph.Change, error) {
	state, err := m.state(ctx, scope)
	if err != nil {
		return nil, err
	}
	state = state.without(scope.Sight)
	i, _ := slices.BinarySearchFunc(state.changes, after, func(c graph.Change, after graph.Cursor) int {
		if c.Cursor <= after {
			return -1
		}
		return 1
	})
	rest := state.changes[i:]
	return slices.Clone(rest[:min(len(rest), graph.PageSize(limit))]), nil
}

// Wait returns nil as soon as a change after the cursor is committed.
func (m *Model) Wait(ctx context.Context, scope graph.Scope, after graph.Cursor) error {
	for {
		state, err := m.state(ctx, scope)
		if err != nil {
			return err
		}
		m.mu.Lock()
		ch := m.changed[scope.Tenant]
		if ch == nil {
			ch = make(chan struct{})
			m.changed[scope.Tenant] = ch
		}
		if now := m.states[scope.Tenant]; now != nil {
			state = now
		}
		m.mu.Unlock()
		if state.head > after {
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
	state, err := m.state(ctx, scope)
	if err != nil {
		return 0, err
	}
	return state.head, nil
}

// CountUses adds one use to each memory.
func (m *Model) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, use graph.Use) error {
	if use.At.IsZero() {
		return graph.FieldError(graph.CodeInvalidRequest, "at", "is required")
	}
	at := graph.Millis(use.At)
	_, err := m.Update(ctx, scope, func(tx graph.Tx) error {
		t := tx.(*modelTx)
		for i, id := range ids {
			m, ok := t.state.memories.get(id)
			if !ok || m.Status() == graph.Forgotten || slices.Contains(ids[:i], id) {
				continue
			}
			t.locks["memory "+string(id)] = true
			t.write(func(state *tenantState) {
				u := state.usage.entries[id]
				u.Count++
				if at.After(u.Last) {
					u.Last = at
				}
				if d, found := slices.BinarySearch(u.Days, graph.Day(at)); !found {
					u.Days = slices.Insert(slices.Clone(u.Days), d, graph.Day(at))
				}
				for _, session := range use.Sessions {
					if len(u.Sessions) == 0 || graph.Day(at) < u.Since {
						u.Since = graph.Day(at)
					}
					if i, found := slices.BinarySearch(u.Sessions, session); !found {
						u.Sessions = slices.Insert(slices.Clone(u.Sessions), i, session)
					}
				}
				u.Sessions = u.Sessions[:min(len(u.Sessions), graph.MaxSessions)]
				state.usage.set(id, u)
				state.noteRecorded(at)
			})
			t.addChange(graph.NodeUsage, graph.EventUpdated, id, m.Namespace, at)
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
	tenants := slices.Sorted(maps.Keys(m.states))
	return slices.DeleteFunc(tenants, func(t graph.Tenant) bool { return graph.Scope{Tenant: t}.IsServer() }), ctx.Err()
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

// noteRecorded keeps the latest recorded instant.
func (state *tenantState) noteRecorded(at time.Time) {
	if at = graph.Millis(at); at.After(state.last) {
		state.last = at
	}
}

func run(t *modelTx, fn func(graph.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = graph.ErrPanic
		}
	}()
	return fn(t)
}
