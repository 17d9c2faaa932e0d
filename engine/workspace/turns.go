package workspace

import (
	"context"
	"slices"
	"sync"
)

// turns is a number of slots for which the callers queue. Callers of one principal are served in the
// order in which they came, and principals in turn (round robin), so that one that asks often does not
// delay another by more than the work that is under way. It is safe for concurrent use.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting map[string][]chan struct{} // by principal, in the order in which they came
	order   []string                   // principals that wait; the first is next
}

func newTurns(slots int) *turns {
	return &turns{free: slots, waiting: map[string][]chan struct{}{}}
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
	}
	return true
}

// give returns a slot: the next principal gets it, and its other callers wait for the next round.
func (t *turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.order) == 0 {
		t.free++
		return
	}
	principal := t.order[0]
	t.order = t.order[1:]
	queue := t.waiting[principal]
	close(queue[0])
	if len(queue) == 1 {
		delete(t.waiting, principal)
		return
	}
	t.waiting[principal] = queue[1:]
	t.order = append(t.order, principal)
}
