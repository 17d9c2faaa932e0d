package workspace

import (
	"context"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// Size is what a tenant holds.
type Size struct {
	Memories int64 // that are not erased
	Bytes    int64 // of their content, as UTF-8
}

// The size of a tenant is counted in the store when it is first needed, and this server's writes are
// added. What other writes change, such as erasures, sleeps and other servers, is found when it is
// counted again: at least recountAfter after the last count, so that counting takes at most a
// hundredth of the time. Before a write is refused the age may be refuseAfter.
const (
	recountAfter = time.Minute
	refuseAfter  = time.Second
)

// sizeMeter knows the size of a tenant. It is safe for concurrent use.
type sizeMeter struct {
	mu       sync.Mutex
	size     Size
	reserved Size          // by transactions under way
	at       time.Time     // of the last count, on the machine's clock; zero: never
	took     time.Duration // by the last count
}

// count returns the size, at most maxAge old. The caller holds m.mu.
func (m *sizeMeter) count(ctx context.Context, t *Tenant, maxAge time.Duration) error {
	began := time.Now()
	if !m.at.IsZero() && began.Sub(m.at) < max(maxAge, busyFactor(maxAge)*m.took) {
		return nil
	}
	size, err := sizeOf(ctx, t)
	if err != nil {
		return err
	}
	m.size, m.at, m.took = size, began, time.Since(began)
	return nil
}

// busyFactor is how many times longer than a count the pause after it is.
func busyFactor(maxAge time.Duration) time.Duration {
	switch maxAge {
	case 0:
		return 0
	case refuseAfter:
		return 10
	}
	return 100
}

// sizeOf counts what a tenant holds in the store.
func sizeOf(ctx context.Context, t *Tenant) (size Size, err error) {
	live := make([]graph.Status, 0, len(graph.Statuses))
	for _, s := range graph.Statuses {
		if s != graph.Forgotten {
			live = append(live, s)
		}
	}
	err = t.Whole().View(ctx, func(r graph.Reader) error {
		size = Size{}
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{Undamaged: true, Statuses: live}) {
			if err != nil {
				return err
			}
			size.add(m)
		}
		return nil
	})
	return size, err
}

func (s *Size) add(m *graph.Memory) {
	s.Memories, s.Bytes = s.Memories+1, s.Bytes+int64(len(m.Content))
}

// HasRoom returns LIMIT_EXCEEDED if that much more would exceed a quota. It reserves nothing.
func (t *Tenant) HasRoom(ctx context.Context, more Size) error {
	c := t.Charge(ctx)
	if c == nil || more.Memories == 0 {
		return nil
	}
	m := &t.sizes
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.count(ctx, t, refuseAfter); err != nil {
		return err
	}
	return exceeded(c.quotas, m.held(), more)
}

// held is the size with what transactions under way add. The caller holds m.mu.
func (m *sizeMeter) held() Size {
	return Size{m.size.Memories + m.reserved.Memories, m.size.Bytes + m.reserved.Bytes}
}

// Charge counts the new memories of one transaction against the quotas of its tenant. A nil Charge
// counts nothing.
type Charge struct {
	ctx    context.Context
	tenant *Tenant
	quotas access.Quotas
	own    Size
}

// Charge begins a transaction that may write new memories; nil: the tenant has no quota of memories or
// bytes.
func (t *Tenant) Charge(ctx context.Context) *Charge {
	q := t.space.quotas(ctx, t.Scope.Tenant)
	if q.Memories == 0 && q.Bytes == 0 {
		return nil
	}
	return &Charge{ctx: ctx, tenant: t, quotas: q}
}

// Reset forgets what was added: the transaction runs again from its start.
func (c *Charge) Reset() {
	if c == nil {
		return
	}
	m := &c.tenant.sizes
	m.mu.Lock()
	defer m.mu.Unlock()
	c.release(m)
}

func (c *Charge) release(m *sizeMeter) {
	m.reserved.Memories -= c.own.Memories
	m.reserved.Bytes -= c.own.Bytes
	c.own = Size{}
}

// Add counts a new memory. The error is LIMIT_EXCEEDED if it would exceed a quota, which the message
// names.
func (c *Charge) Add(m *graph.Memory) error {
	if c == nil {
		return nil
	}
	meter := &c.tenant.sizes
	meter.mu.Lock()
	defer meter.mu.Unlock()
	if err := meter.count(c.ctx, c.tenant, recountAfter); err != nil {
		return err
	}
	more := Size{1, int64(len(m.Content))}
	if exceeded(c.quotas, meter.held(), more) != nil { // by a count that may be old
		if err := meter.count(c.ctx, c.tenant, refuseAfter); err != nil {
			return err
		}
		if err := exceeded(c.quotas, meter.held(), more); err != nil {
			return err
		}
	}
	c.own.add(m)
	meter.reserved.add(m)
	return nil
}

// exceeded returns LIMIT_EXCEEDED if that much more than what is held exceeds a quota.
func exceeded(q access.Quotas, held, more Size) error {
	switch {
	case q.Memories > 0 && held.Memories+more.Memories > q.Memories:
		return quotaExceeded("memories", "the tenant has %d memories, %d more are asked for, and its quota is %d", held.Memories, more.Memories, q.Memories)
	case q.Bytes > 0 && held.Bytes+more.Bytes > q.Bytes:
		return quotaExceeded("bytes", "the tenant's memories have %d bytes, %d more are asked for, and its quota is %d", held.Bytes, more.Bytes, q.Bytes)
	}
	return nil
}

func quotaExceeded(quota, format string, args ...any) error {
	err := graph.Errorf(graph.CodeLimitExceeded, format+": forget memories, or ask an administrator of the server for a larger quota of "+quota, args...)
	err.Field = "quota." + quota
	return err
}

// End ends the transaction.
func (c *Charge) End(committed bool) {
	if c == nil {
		return
	}
	m := &c.tenant.sizes
	m.mu.Lock()
	defer m.mu.Unlock()
	if committed {
		m.size.Memories += c.own.Memories
		m.size.Bytes += c.own.Bytes
	}
	c.release(m)
}

// Recount makes the size be counted again when it is next needed, after many memories changed.
func (t *Tenant) Recount() {
	t.sizes.mu.Lock()
	defer t.sizes.mu.Unlock()
	t.sizes.at = time.Time{}
}

// SizeOf returns what a tenant holds. For a tenant with quotas the answer may be a second old, or ten
// times as long as counting takes, but has this server's own writes.
func (ws *Space) SizeOf(ctx context.Context, name graph.Tenant) (Size, error) {
	t, err := ws.Tenant(ctx, graph.Scope{Tenant: name})
	if err != nil {
		return Size{}, err
	}
	t.sizes.mu.Lock()
	defer t.sizes.mu.Unlock()
	maxAge := time.Duration(0)
	if q := ws.quotas(ctx, name); q.Memories > 0 || q.Bytes > 0 {
		maxAge = refuseAfter
	}
	if err := t.sizes.count(ctx, t, maxAge); err != nil {
		return Size{}, ws.PublicError(err)
	}
	return t.sizes.size, nil
}

// quotas returns the quotas of a tenant.
func (ws *Space) quotas(ctx context.Context, name graph.Tenant) access.Quotas {
	if ws.Quotas == nil {
		return access.Quotas{}
	}
	return ws.Quotas(ctx, name)
}

// Admits returns LIMIT_EXCEEDED if a tenant that holds nothing may not get that many memories and
// bytes at once, as by an import.
func (ws *Space) Admits(ctx context.Context, name graph.Tenant, s Size) error {
	return exceeded(ws.quotas(ctx, name), Size{}, s)
}
