package workspace

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Tenant is the state of one tenant that all packages share.
type Tenant struct {
	space        *Space
	Scope        graph.Scope
	Pending      chan struct{}  // wakes the embedding of memories that wait for it
	RecentTopics RecentTopics   // of questions since the last sleep
	Served       *servedTexts   // texts that recall served lately
	Opened       time.Time      // when this process opened the tenant
	Latency      latency        // of writes
	applied      *appliedCursor // in the feed, where other servers have the store open

	mu    sync.Mutex
	acked graph.Cursor // last change that a write of this process was acknowledged with
	last  time.Time    // last recorded instant; the clock of a tenant never runs before it
}

// Tenant opens the state of a tenant, once.
func (ws *Space) Tenant(ctx context.Context, scope graph.Scope) (*Tenant, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.closed {
		return nil, ErrClosing
	}
	if t := ws.tenants[scope.Tenant]; t != nil {
		return t, nil
	}
	t := &Tenant{space: ws, Scope: scope, Pending: make(chan struct{}, 1), Served: newServedTexts()}
	err := ws.Store.View(ctx, scope, func(r graph.Reader) (err error) { t.last, err = r.LastRecorded(); return err })
	if err != nil {
		return nil, fmt.Errorf("engine: open tenant: %w", err)
	}
	if t.acked, err = ws.Store.Head(ctx, scope); err != nil {
		return nil, fmt.Errorf("engine: open tenant: %w", err)
	}
	ws.tenants[scope.Tenant] = t
	t.applied, t.Opened = newAppliedCursor(t.acked), ws.Now()
	for _, run := range ws.workers {
		ws.done.Go(func() { run(t) })
	}
	return t, nil
}

// Now is the present for a write. It is never before an instant that was recorded earlier.
func (t *Tenant) Now() time.Time {
	n := t.space.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if n.Before(t.last) {
		n = t.last
	}
	t.last = n
	return n
}

// acknowledge notes that a write reached the cursor, so that searches wait for it.
func (t *Tenant) acknowledge(c graph.Cursor) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.acked = max(t.acked, c)
}

// Cursor is the last change that a write of this process was acknowledged with.
func (t *Tenant) Cursor() graph.Cursor {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.acked
}

// View runs one read transaction.
func (t *Tenant) View(ctx context.Context, fn func(graph.Reader) error) error {
	return t.space.Store.View(ctx, t.Scope, fn)
}

// Update runs one transaction and acknowledges it.
func (t *Tenant) Update(ctx context.Context, fn func(graph.Tx) error) error {
	c, err := t.space.Store.Update(ctx, t.Scope, fn)
	if err != nil {
		return err
	}
	if c != 0 {
		t.acknowledge(c)
	}
	return nil
}

// Current waits until the index has every acknowledged write of the tenant. It does not
// wait for writes that the index cannot read while the store is away.
func (t *Tenant) Current(ctx context.Context) error {
	reach := t.space.StoreAlive(ctx)
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(reach, cancel)()
	err := t.space.Index.WaitFor(within, t.Scope, t.Cursor())
	if err != nil && ctx.Err() == nil && reach.Err() != nil {
		return errIndexBehind
	}
	return err
}

// recorded keeps the clock of a tenant from running behind what any server recorded.
func (t *Tenant) recorded(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.After(t.last) {
		t.last = at
	}
}

// UpdateOnly is Update for a verb that writes nothing else.
func (t *Tenant) UpdateOnly(ctx context.Context, fn func(graph.Tx) error) error {
	return AsTimeout(t.Update(ctx, fn)) // which answers the end of ctx only where nothing was written
}

// WakePending asks for another look at what waits for an embedding.
func (t *Tenant) WakePending() {
	select {
	case t.Pending <- struct{}{}:
	default: // it is awake already
	}
}

// CountUses counts one use of each memory, durably, and tells the index. It reports
// whether it could: where the store takes no writes, as on a full disk, a read answers
// all the same, and a write that was committed stays acknowledged.
func (ws *Space) CountUses(ctx context.Context, t *Tenant, ids []graph.ID, at time.Time) bool {
	if len(ids) == 0 {
		return true
	}
	if err := ws.Store.CountUses(ctx, t.Scope, ids, at); err != nil {
		ws.Log.Warn("[READ] uses were not counted", "items", len(ids), "error", err)
		return false
	}
	ws.Index.Touch(t.Scope, ids, at)
	return true
}
