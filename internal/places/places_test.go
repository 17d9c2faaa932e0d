package places

import (
	"context"
	"errors"
	"runtime"
	"testing"
)

// Two tenants, with however many principals, leave room for a body of a third one, and one principal for another one of its tenant.
func TestEachLeavesRoomForOthers(t *testing.T) {
	p := New(Limits{All: 300, Tenant: 200, Principal: 100, Spare: 100})
	ended, end := context.WithCancel(t.Context())
	end()
	var leaves []func()
	enter := func(tenant, name string, bytes int64, want bool) {
		t.Helper()
		leave, err := p.Enter(ended, Principal{tenant, name}, bytes)
		if err == nil {
			leaves = append(leaves, leave)
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if (err == nil) != want {
			t.Errorf("%d bytes of %s of %s: %v", bytes, name, tenant, err)
		}
	}
	fits := func(tenant, name string, bytes int64) { t.Helper(); enter(tenant, name, bytes, true) }
	fits("acme", "ana", 60)
	fits("acme", "ana", 40)
	enter("acme", "ana", 1, false)
	fits("acme", "bo", 100)
	enter("acme", "cy", 1, false)
	if _, ok := p.TryEnter(Principal{"acme", "cy"}, 1); ok {
		t.Error("a place above the share of the tenant is free")
	}
	waits := make(chan error)
	go func() {
		leave, err := p.Enter(t.Context(), Principal{"acme", "cy"}, 50)
		if err == nil {
			leave()
		}
		waits <- err
	}()
	fits("beta", "di", 100) // also beside one that waits
	enter("beta", "di2", 1, false)
	fits("gamma", "ed", 100)
	enter("gamma", "ed", 1, false)
	enter("delta", "fi", 1, false)
	leaves[4]()
	leaves[2]()
	if err := <-waits; err != nil {
		t.Error(err)
	}
	if leave, ok := p.TryEnter(Principal{"delta", "fi"}, 100); ok {
		leaves = append(leaves, leave)
	} else {
		t.Error("the place that was given back is not free")
	}
	for _, leave := range leaves {
		leave()
		leave() // counts once
	}
	if len(p.held) != 0 || len(p.waiting) != 0 {
		t.Errorf("%v is held and %v wait after all", p.held, p.waiting)
	}
	for range 3 { // without authentication
		fits("", "", 100)
	}
	enter("", "", 1, false)
}

// Without a limit there is room for any number of others.
func TestOnlyWhatHasALimitIsLimited(t *testing.T) {
	p := New(Limits{Principal: 2})
	for who, want := range map[Principal]int{{"acme", "ana"}: 2, {"acme", "bo"}: 2, {"beta", "ana"}: 2, {}: 9} {
		got := 0
		for range 9 {
			if _, ok := p.TryEnter(who, 1); ok {
				got++
			}
		}
		if got != want {
			t.Errorf("%v has %d places, want %d", who, got, want)
		}
	}
}

// The next free place is for a principal that holds none, before others of its tenant that came earlier, and before one that waits for many.
func TestWhoHoldsFewestIsNext(t *testing.T) {
	p := New(Limits{Tenant: 2})
	type entry struct {
		name  string
		leave func()
	}
	entered := make(chan entry)
	enter := func(name string) {
		p.mu.Lock()
		before := len(p.waiting)
		p.mu.Unlock()
		go func() {
			leave, err := p.Enter(t.Context(), Principal{"acme", name}, 1)
			if err != nil {
				t.Error(err)
			}
			entered <- entry{name, leave}
		}()
		for {
			p.mu.Lock()
			waits := len(p.waiting) > before
			p.mu.Unlock()
			if waits {
				return
			}
			runtime.Gosched()
		}
	}
	who := Principal{"acme", "ana"}
	first, _ := p.TryEnter(who, 1)
	second, _ := p.TryEnter(who, 1)
	for _, name := range []string{"ana", "ana", "bo", "bo", "cy", "di"} {
		enter(name)
	}
	got, leave := "", first
	for range 6 {
		leave()
		e := <-entered
		got += e.name + " "
		leave = e.leave
	}
	if want := "cy di bo bo ana ana "; got != want {
		t.Errorf("they got places in the order %s, want %s", got, want)
	}
	leave()
	second()
	if len(p.held) != 0 || len(p.waiting) != 0 {
		t.Errorf("%v is held and %v wait after all", p.held, p.waiting)
	}
}
