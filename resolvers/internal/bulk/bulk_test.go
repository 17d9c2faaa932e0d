package bulk

import (
	"context"
	"errors"
	"testing"
)

// Two tenants, with however many principals, leave room for a body of a third one, and one principal for another one of its tenant.
func TestEachLeavesRoomForOthers(t *testing.T) {
	p := New(100)
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
	// A select of two channels that are both ready takes either: fits enters with room for sure.
	fits := func(tenant, name string, bytes int64) {
		t.Helper()
		leave, err := p.Enter(t.Context(), Principal{tenant, name}, bytes)
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, leave)
	}
	fits("acme", "ana", 60)
	fits("acme", "ana", 40)
	enter("acme", "ana", 1, false)
	fits("acme", "bo", 100)
	enter("acme", "cy", 1, false)
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
	fits("delta", "fi", 100)
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
