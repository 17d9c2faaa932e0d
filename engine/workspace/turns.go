package workspace

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// turns is a number of slots for which the callers queue. Callers of one principal are served in the
// order in which they came, the principals of a tenant in turn, and tenants in turn (round robin), so
// that one that asks often does not delay another by more than the work that is under way. It is safe
// for concurrent use.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting map[string][]chan struct{} // by principal, in the order in which they came
	order   []string                   // principals that wait; of one tenant the first is next
	tenants []string                   // tenants with principals that wait; the first is next
}

func newTurns(slots int) *turns {
	return &turns{free: slots, waiting: map[string][]chan struct{}{}}
}

// tenantOf is the tenant of a principal, which stands before a zero byte.
func tenantOf(principal string) string {
	tenant, _, _ := strings.Cut(principal, "\x00")
	return tenant
}

// has reports whether a principal of the tenant waits.
func (t *turns) has(tenant string) bool {
	return slices.ContainsFunc(t.order, func(p string) bool { return tenantOf(p) == tenant })
}

// full reports whether no slot is free.
func (t *turns) full() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.free == 0
}

// tryTake takes a slot that is free; false: none is.
func (t *turns) tryTake() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.free == 0 {
		return false
	}
	t.free--
	return true
}

// take waits for a slot, which give returns. The only error is that of ctx.
func (t *turns) take(ctx context.Context, principal string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return nil
	}
	ready := make(chan struct{})
	if len(t.waiting[principal]) == 0 {
		if tenant := tenantOf(principal); !t.has(tenant) {
			t.tenants = append(t.tenants, tenant)
		}
		t.order = append(t.order, principal)
	}
	t.waiting[principal] = append(t.waiting[principal], ready)
	t.mu.Unlock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		if !t.withdraw(principal, ready) {
			t.give() // it has got the slot meanwhile
		}
		return ctx.Err()
	}
}

// withdraw removes a caller that waits; false: it has got a slot.
func (t *turns) withdraw(principal string, ready chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.Index(t.waiting[principal], ready)
	if at < 0 {
		return false
	}
	t.waiting[principal] = slices.Delete(t.waiting[principal], at, at+1)
	if len(t.waiting[principal]) == 0 {
		delete(t.waiting, principal)
		t.order = slices.DeleteFunc(t.order, func(p string) bool { return p == principal })
		if tenant := tenantOf(principal); !t.has(tenant) {
			t.tenants = slices.DeleteFunc(t.tenants, func(x string) bool { return x == tenant })
		}
	}
	return true
}

// give returns a slot: the next principal of the next tenant gets it, and its other callers wait for the
// next round.
func (t *turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.order) == 0 {
		t.free++
		return
	}
	tenant := t.tenants[0]
	t.tenants = t.tenants[1:]
	at := slices.IndexFunc(t.order, func(p string) bool { return tenantOf(p) == tenant })
	principal := t.order[at]
	t.order = slices.Delete(t.order, at, at+1)
	queue := t.waiting[principal]
	close(queue[0])
	if len(queue) == 1 {
		delete(t.waiting, principal)
	} else {
		t.waiting[principal] = queue[1:]
		t.order = append(t.order, principal)
	}
	if t.has(tenant) {
		t.tenants = append(t.tenants, tenant)
	}
}
