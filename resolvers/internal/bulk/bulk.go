// Package bulk bounds the memory of large bodies that are received and processed at once, so that each principal and each tenant leaves
// room for others.
package bulk

import (
	"context"
	"slices"
	"sync"
)

// Principal is whose body it is. Without a Tenant it has no share.
type Principal struct{ Tenant, Name string }

// Places are the bytes of large bodies at once: of all, of one tenant, and of one principal. They are safe for concurrent use.
type Places struct {
	all, tenant, principal int64
	spare                  int64 // beside all, for a tenant that holds none

	mu      sync.Mutex
	held    map[Principal]int64 // of principals; of tenants, without a name; of all, without a tenant
	waiting []*waiter           // in order of arrival
}

// waiter is a body that waits for its place.
type waiter struct {
	who   Principal
	bytes int64
	came  chan struct{} // closed when it has its place
}

// New makes Places for bodies of at most so many bytes: there is room for three of them, for two of one tenant, and for one of a
// principal, and one more for a tenant that holds none. So two tenants together leave room for a third one, and a principal for another one of its tenant.
func New(body int64) *Places {
	return &Places{all: 3 * body, tenant: 2 * body, principal: body, spare: body, held: map[Principal]int64{}}
}

// Enter waits until there is room for a body of so many bytes, and holds it until leave is called. A body that has room does not wait for an
// earlier one that has not. The error is that of ctx.
func (p *Places) Enter(ctx context.Context, who Principal, bytes int64) (leave func(), err error) {
	w := &waiter{who, bytes, make(chan struct{})}
	p.mu.Lock()
	p.waiting = append(p.waiting, w)
	p.admit()
	p.mu.Unlock()
	leave = sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.change(w, -1)
		p.admit()
	})
	select {
	case <-w.came:
		return leave, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	i := slices.Index(p.waiting, w)
	if i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	}
	p.mu.Unlock()
	if i < 0 { // it got its place meanwhile
		leave()
	}
	return nil, ctx.Err()
}

// admit gives places to those that wait and have room. The caller holds p.mu.
func (p *Places) admit() {
	p.waiting = slices.DeleteFunc(p.waiting, func(w *waiter) bool {
		all, tenant := p.all, p.held[Principal{Tenant: w.who.Tenant}]
		if w.who.Tenant != "" && tenant == 0 {
			all += p.spare
		}
		if p.held[Principal{}]+w.bytes > all || w.who.Tenant != "" && (tenant+w.bytes > p.tenant || p.held[w.who]+w.bytes > p.principal) {
			return false
		}
		p.change(w, 1)
		close(w.came)
		return true
	})
}

// change adds the bytes of a body by times to what is held. The caller holds p.mu.
func (p *Places) change(w *waiter, by int64) {
	counted := []Principal{{}}
	if w.who.Tenant != "" {
		counted = append(counted, Principal{Tenant: w.who.Tenant}, w.who)
	}
	for _, of := range counted {
		if p.held[of] += by * w.bytes; p.held[of] == 0 {
			delete(p.held, of)
		}
	}
}
