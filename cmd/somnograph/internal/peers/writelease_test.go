package peers

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/internal/redistest"
)

// openServers opens connections, each with its write leases.
func openServers(t *testing.T, addr string, n int) (connections []*Peers, leases []*WriteLeases) {
	t.Helper()
	for range n {
		p, _ := line(t, addr, nil)
		connections, leases = append(connections, p), append(leases, p.WriteLeases(time.Now))
	}
	return connections, leases
}

// Of three servers that keep writing, one at a time holds the lease, each gets it, and each is
// told when another may have written since it last held it.
func TestOneServerAtATimeHoldsTheLease(t *testing.T) {
	r := redistest.Start(t)
	_, leases := openServers(t, r.Addr, 3)
	for _, x := range leases {
		x.ttl, x.maxWait = longTimeout, longTimeout // a slow machine must not make a server lose the lease or continue without it
	}
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var inside [3]atomic.Int64
	var last atomic.Int64 // the server that wrote last, from 1
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i, x := range leases {
		var fresh atomic.Bool
		for range 4 {
			wg.Go(func() {
				for range 15 {
					release := x.Acquire(ctx, "ana", func() { fresh.Store(true) })
					inside[i].Add(1)
					mu.Lock()
					for other := range inside {
						if other != i && inside[other].Load() > 0 {
							t.Errorf("servers %d and %d hold the lease", i, other)
						}
					}
					if was := last.Swap(int64(i + 1)); was != int64(i+1) && !fresh.Swap(false) {
						t.Errorf("server %d does not see the write of %d", i, was-1)
					}
					mu.Unlock()
					inside[i].Add(-1)
					release()
				}
			})
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		t.Error("it took too long")
	}
}

// A lease that was handed to a server that no longer wants it, because the message came late, is handed on.
func TestUnwantedLeaseIsHandedOn(t *testing.T) {
	r := redistest.Start(t)
	connections, leases := openServers(t, r.Addr, 2)
	for _, x := range leases {
		x.ttl, x.maxWait = longTimeout, longTimeout
		x.Acquire(t.Context(), "ana", func() {})() // each has held it
	}
	leases[1].onMessage("want " + connections[0].name + " " + connections[1].name + " ana") // server 0 no longer wants it
	for i, x := range []*WriteLeases{leases[1], leases[0]} {
		acquired := false
		x.Acquire(t.Context(), "ana", func() { acquired = true })()
		if !acquired {
			t.Errorf("server %d continues without the lease", i)
		}
	}
}

// A dead server loses the lease, and a server that finds Redis unavailable continues without it at once.
func TestLeaseOfDeadServerExpires(t *testing.T) {
	r := redistest.Start(t)
	connections, leases := openServers(t, r.Addr, 3)
	leases[0].Acquire(t.Context(), "ana", func() {}) // never released
	if release := leases[0].Acquire(t.Context(), "ben", func() {}); release == nil {
		t.Fatal("no lease of another tenant")
	}
	acquired := false
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	for !acquired && ctx.Err() == nil { // on a slow machine it may continue without the lease at first
		leases[1].Acquire(ctx, "ana", func() { acquired = true })()
	}
	if !acquired {
		t.Error("the lease was not taken over")
	}

	r.Kill()
	if err := connections[2].Ready(t.Context()); err == nil {
		t.Fatal("ready without Redis")
	}
	for range 1000 { // would take minutes if it asked Redis
		leases[2].Acquire(t.Context(), "ana", func() { t.Error("the lease was acquired without Redis") })()
	}
	r.Restart()
	for acquired = false; !acquired && ctx.Err() == nil; {
		_ = connections[2].Ready(ctx)
		leases[2].Acquire(ctx, "ana", func() { acquired = true })()
	}
	if !acquired {
		t.Error("no lease after Redis is back")
	}
}
