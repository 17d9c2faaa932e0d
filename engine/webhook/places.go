package webhook

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// places limit the requests that are under way at once. A tenant gets one more only while it holds fewer than are free, so a
// tenant alone holds at most half of them, and one that comes later finds a place even if every request of the others is slow. Of
// the tenants that wait the one that holds the fewest is next.
type places struct {
	mu      sync.Mutex
	free    int
	held    map[graph.Tenant]int // by tenant
	waiting []*waiter            // in the order of arrival
}

type waiter struct {
	tenant graph.Tenant
	ready  chan struct{} // closed with the place
}

func newPlaces(n int) *places { return &places{free: n, held: map[graph.Tenant]int{}} }

// take waits for a place, until the context is done. The caller gives it back.
func (p *places) take(ctx context.Context, tenant graph.Tenant) error {
	w := &waiter{tenant, make(chan struct{})}
	p.mu.Lock()
	p.waiting = append(p.waiting, w)
	p.assign()
	p.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	} else {
		p.release(tenant)
	}
	return ctx.Err()
}

// give gives a place back.
func (p *places) give(tenant graph.Tenant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.release(tenant)
}

// release is give for a caller that holds the lock.
func (p *places) release(tenant graph.Tenant) {
	p.free++
	if p.held[tenant]--; p.held[tenant] == 0 {
		delete(p.held, tenant)
	}
	p.assign()
}

// assign gives places to those that wait and may have one. The caller holds the lock.
func (p *places) assign() {
	for len(p.waiting) > 0 {
		w := slices.MinFunc(p.waiting, func(a, b *waiter) int { return cmp.Compare(p.held[a.tenant], p.held[b.tenant]) })
		if p.held[w.tenant] >= p.free {
			return
		}
		p.free--
		p.held[w.tenant]++
		i := slices.Index(p.waiting, w)
		p.waiting = slices.Delete(p.waiting, i, i+1)
		close(w.ready)
	}
}
