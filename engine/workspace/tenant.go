package workspace

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Tenant is a tenant as a caller sees it: View and the index show what the sight of Scope shows.
// What it writes is judged and stored by all that is known. The state is shared by all services
// and callers.
type Tenant struct {
	*tenantState
	Scope graph.Scope
}

// tenantState is the state of a tenant that all services share.
type tenantState struct {
	whole        *Tenant // of the sight that shows everything
	space        *Space
	Pending      chan struct{}  // wakes the embedding of pending memories
	RecentTopics RecentTopics   // topics of queries since the last sleep
	Served       *servedTexts   // recently served texts
	Opened       time.Time      // when this process opened the tenant
	Latency      latency        // duration of writes
	applied      *appliedCursor // position in the feed, if other servers have the store open
	uses         useLedger      // who used what today
	fanout       *fanout        // reads the feed for all streams
	sizes        sizeMeter      // what it holds, for its quotas
	exports      openExports    // that this server is sending
	Returned     Returned       // copies of erased memories that older data brought back

	mu    sync.Mutex
	acked graph.Cursor // cursor of the last acknowledged write of this process
	last  time.Time    // last recorded instant; the tenant's clock is never earlier
}

// Whole is the tenant of the sight that shows everything. It is for what decides, writes and
// maintains, not for what is answered.
func (t *Tenant) Whole() *Tenant { return t.whole }

// as is the tenant of a sight.
func (t *Tenant) as(scope graph.Scope) *Tenant {
	if scope.Sight.Whole() && scope.Sight.Receipts == "" {
		return t.whole
	}
	return &Tenant{t.tenantState, scope}
}

// Tenant returns a tenant as the sight of the scope shows it. It opens the state once. UNAVAILABLE
// if an alarm has halted the verb of ctx.
func (ws *Space) Tenant(ctx context.Context, scope graph.Scope) (*Tenant, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	if err := ws.Guards.Refuse(scope.Tenant, verbOf(ctx)); err != nil {
		return nil, err
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.closed {
		return nil, ErrClosing
	}
	if t := ws.tenants[scope.Tenant]; t != nil {
		return t.as(scope), nil
	}
	t := &Tenant{&tenantState{space: ws, Pending: make(chan struct{}, 1), Served: newServedTexts()}, scope.Whole()}
	t.whole = t
	err := ws.Store.View(ctx, scope, func(r graph.Reader) (err error) { t.last, err = r.LastRecorded(); return err })
	if err != nil {
		return nil, fmt.Errorf("engine: open tenant: %w", err)
	}
	if t.acked, err = ws.Store.Head(ctx, scope); err != nil {
		return nil, fmt.Errorf("engine: open tenant: %w", err)
	}
	t.fanout = newFanout(ws, t)
	ws.tenants[scope.Tenant] = t
	t.applied, t.Opened = newAppliedCursor(t.acked), ws.Now()
	for _, run := range ws.workers {
		ws.done.Go(func() { run(t) })
	}
	return t.as(scope), nil
}

// Now returns the time for a write. It is never before an instant that was already recorded.
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

// acknowledge records the cursor of a write, so that later searches wait for it.
func (t *Tenant) acknowledge(c graph.Cursor) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.acked = max(t.acked, c)
}

// Cursor returns the cursor of this process's last acknowledged write.
func (t *Tenant) Cursor() graph.Cursor {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.acked
}

// View runs one read transaction.
func (t *Tenant) View(ctx context.Context, fn func(graph.Reader) error) error {
	return t.space.Store.View(ctx, t.Scope, fn)
}

// Update runs one transaction and acknowledges it. With it commits the row of the audit. A verb that writes for a caller is refused
// in a tenant that was deleted.
func (t *Tenant) Update(ctx context.Context, fn func(graph.Tx) error) error {
	done, err := t.space.admitWrite()
	if err != nil {
		return err
	}
	outcome := graph.ErrUnavailable // of a panic
	defer func() { done(outcome) }()
	if verb := verbOf(ctx); verb != "" && !closingVerbs[verb] {
		write := fn
		fn = func(tx graph.Tx) error {
			if err := graph.RefuseClosed(tx); err != nil {
				return err
			}
			return write(tx)
		}
	}
	c, err := t.space.Audit.Update(ctx, t.space.Store, t.Scope, fn)
	if outcome = err; err != nil {
		return err
	}
	if c != 0 {
		t.acknowledge(c)
	}
	return nil
}

// Current waits until the index has every acknowledged write of the tenant. It does not wait
// for writes that the index can't read while the store is unavailable.
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

// recorded moves the tenant's clock forward to an instant that any server recorded.
func (t *Tenant) recorded(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.After(t.last) {
		t.last = at
	}
}

// UpdateOnly is Update for an operation with a single transaction.
func (t *Tenant) UpdateOnly(ctx context.Context, fn func(graph.Tx) error) error {
	return AsTimeout(t.Update(ctx, fn)) // Update returns the error of ctx only if nothing was written
}

// WakePending triggers another check for pending embeddings.
func (t *Tenant) WakePending() {
	select {
	case t.Pending <- struct{}{}:
	default: // already triggered
	}
}
