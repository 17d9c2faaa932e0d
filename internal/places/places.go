// Package places bounds what is received and processed at once, so that each principal and each tenant leaves room for others.
package places

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/engine"
)

// Principal is who holds places. Without a Tenant there are no shares: All limits it, and nothing else.
type Principal struct{ Tenant, Name string }

// Of is the principal of a caller. Without authentication there are no shares.
func Of(c engine.Caller) Principal {
	if c.Sources {
		return Principal{}
	}
	return Principal{Tenant: string(c.Tenant), Name: c.Name}
}

// Limits are how many places are held at once: of all, of one tenant, and of one principal. 0: any number. Spare are those beside All for a
// tenant that holds none.
type Limits struct{ All, Tenant, Principal, Spare int64 }

// Shared are limits for n places in all: one tenant gets three quarters, and several leave an eighth to those that hold none.
func Shared(n int64) Limits {
	return Limits{All: n - n/8, Tenant: n - n/4, Spare: n / 8}
}

// Places count what is held, such as bytes or files. They are safe for concurrent use.
type Places struct {
	limits Limits

	mu      sync.Mutex
	held    map[Principal]int64 // of principals; of tenants, without a name; of all, without a tenant
	waiting []*waiter           // in order of arrival
}

// waiter waits for places.
type waiter struct {
	who  Principal
	n    int64
	came chan struct{} // closed when it has them
}

// New makes Places within limits.
func New(l Limits) *Places { return &Places{limits: l, held: map[Principal]int64{}} }

// TryEnter holds n places until leave is called; false: they are not free.
func (p *Places) TryEnter(who Principal, n int64) (leave func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tryEnter(who, n)
}

// Enter waits until n places are free, and holds them until leave is called. Who finds them free does not wait for those that came
// earlier and need others. The error is that of ctx.
func (p *Places) Enter(ctx context.Context, who Principal, n int64) (leave func(), err error) {
	p.mu.Lock()
	leave, ok := p.tryEnter(who, n)
	if ok {
		p.mu.Unlock()
		return leave, nil
	}
	w := &waiter{who, n, make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.mu.Unlock()
	leave = p.leave(who, n)
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

// tryEnter is TryEnter for a caller that holds p.mu.
func (p *Places) tryEnter(who Principal, n int64) (leave func(), ok bool) {
	if !p.fits(who, n) {
		return nil, false
	}
	p.change(who, n)
	return p.leave(who, n), true
}

// leave returns what gives n places back, once.
func (p *Places) leave(who Principal, n int64) func() {
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.change(who, -n)
		p.admit()
	})
}

// admit gives places to those that wait and have room: first to the principal that holds fewest, of several to the one that waits for fewest,
// and of these in order of arrival. The caller holds p.mu.
func (p *Places) admit() {
	wanted := map[Principal]int64{}
	for _, w := range p.waiting {
		wanted[w.who] += w.n
	}
	order := func(a, b *waiter) int {
		return cmp.Or(cmp.Compare(p.held[a.who], p.held[b.who]), cmp.Compare(wanted[a.who], wanted[b.who]))
	}
	for {
		next := -1
		for i, w := range p.waiting {
			if p.fits(w.who, w.n) && (next < 0 || order(w, p.waiting[next]) < 0) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := p.waiting[next]
		p.waiting = slices.Delete(p.waiting, next, next+1)
		wanted[w.who] -= w.n
		p.change(w.who, w.n)
		close(w.came)
	}
}

// fits reports whether n places are free for somebody. The caller holds p.mu.
func (p *Places) fits(who Principal, n int64) bool {
	within := func(of Principal, limit int64) bool { return limit == 0 || p.held[of]+n <= limit }
	if who.Tenant == "" {
		return within(Principal{}, p.limits.All)
	}
	tenant, all := Principal{Tenant: who.Tenant}, p.limits.All
	if all > 0 && p.held[tenant] == 0 {
		all += p.limits.Spare
	}
	return within(Principal{}, all) && within(tenant, p.limits.Tenant) && within(who, p.limits.Principal)
}

// change adds n to what is held. The caller holds p.mu.
func (p *Places) change(who Principal, n int64) {
	counted := []Principal{{}}
	if who.Tenant != "" {
		counted = append(counted, Principal{Tenant: who.Tenant}, who)
	}
	for _, of := range counted {
		if p.held[of] += n; p.held[of] == 0 {
			delete(p.held, of)
		}
	}
}
