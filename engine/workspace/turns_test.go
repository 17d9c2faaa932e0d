package workspace

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// queued waits until n callers wait.
func (t *turns) queued(n int) {
	for waiting := -1; waiting != n; runtime.Gosched() {
		waiting = 0
		t.mu.Lock()
		for _, q := range t.waiting {
			waiting += len(q)
		}
		t.mu.Unlock()
	}
}

// Principals are served in turn, each in the order of its own callers: a second principal gets the next slot, however many of the
// first wait.
func TestPrincipalsTakeTurns(t *testing.T) {
	slots := newTurns(1)
	if err := slots.take(t.Context(), "heavy"); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var served []string
	var all sync.WaitGroup
	n := 0
	queue := func(principal, name string) {
		all.Go(func() {
			if err := slots.take(t.Context(), principal); err != nil {
				t.Error(err)
			}
			mu.Lock()
			served = append(served, name)
			mu.Unlock()
			slots.give()
		})
		n++
		slots.queued(n)
	}
	for _, name := range []string{"h1", "h2", "h3", "h4"} {
		queue("heavy", name)
	}
	queue("ana", "a1")
	queue("bo", "b1")
	queue("ana", "a2")
	slots.give()
	all.Wait()
	if got := strings.Join(served, " "); got != "h1 a1 b1 h2 a2 h3 h4" {
		t.Errorf("served %s", got)
	}
	if slots.free != 1 || len(slots.order)+len(slots.waiting)+len(slots.tenants) != 0 {
		t.Errorf("left %+v", slots)
	}
}

// Tenants are served in turn, however many principals of one wait.
func TestTenantsTakeTurns(t *testing.T) {
	slots := newTurns(1)
	if err := slots.take(t.Context(), "big\x00p0"); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var served []string
	var all sync.WaitGroup
	for n, principal := range []string{"big\x00p1", "big\x00p2", "big\x00p3", "small\x00q", "big\x00p4", "small\x00q"} {
		all.Go(func() {
			if err := slots.take(t.Context(), principal); err != nil {
				t.Error(err)
			}
			mu.Lock()
			served = append(served, strings.ReplaceAll(principal, "\x00", "."))
			mu.Unlock()
			slots.give()
		})
		slots.queued(n + 1)
	}
	slots.give()
	all.Wait()
	if got := strings.Join(served, " "); got != "big.p1 small.q big.p2 small.q big.p3 big.p4" {
		t.Errorf("served %s", got)
	}
	if slots.free != 1 || len(slots.order)+len(slots.waiting)+len(slots.tenants) != 0 {
		t.Errorf("left %+v", slots)
	}
}

// Callers that give up lose no slot, whether they wait or have just got one.
func TestCallersThatGiveUpLoseNoSlot(t *testing.T) {
	slots := newTurns(2)
	var all sync.WaitGroup
	for i := range 400 {
		ctx, cancel := context.WithCancel(t.Context())
		all.Go(func() {
			if slots.take(ctx, string(rune('a'+i%2))+"\x00"+string(rune('a'+i%5))) == nil {
				runtime.Gosched()
				slots.give()
			}
		})
		all.Go(cancel)
	}
	all.Wait()
	if slots.free != 2 || len(slots.order)+len(slots.waiting)+len(slots.tenants) != 0 {
		t.Errorf("left %+v", slots)
	}
}
