package peers

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/internal/redistest"
)

// servers are as many lines with their pens.
func servers(t *testing.T, addr string, n int) (lines []*Peers, pens []*Pens) {
	t.Helper()
	for range n {
		p, _ := line(t, addr, nil)
		lines, pens = append(lines, p), append(pens, p.Pens(time.Now))
	}
	return lines, pens
}

// Of three servers that write on and on one at a time does so, each in its turn, and each
// hears when another may have written since it did.
func TestOneServerAtATimeHasThePen(t *testing.T) {
	r := redistest.Start(t)
	_, pens := servers(t, r.Addr, 3)
	for _, x := range pens {
		x.held, x.wait = patiently, patiently // nobody loses it, nor goes without it, for the machine's being slow
	}
	ctx, cancel := context.WithTimeout(t.Context(), patiently)
	defer cancel()
	var inside [3]atomic.Int64
	var last atomic.Int64 // who wrote last, from 1
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i, x := range pens {
		var fresh atomic.Bool
		for range 4 {
			wg.Go(func() {
				for range 15 {
					back := x.Take(ctx, "ana", func() { fresh.Store(true) })
					inside[i].Add(1)
					mu.Lock()
					for other := range inside {
						if other != i && inside[other].Load() > 0 {
							t.Errorf("servers %d and %d have the pen", i, other)
						}
					}
					if was := last.Swap(int64(i + 1)); was != int64(i+1) && !fresh.Swap(false) {
						t.Errorf("server %d does not know that %d wrote", i, was-1)
					}
					mu.Unlock()
					inside[i].Add(-1)
					back()
				}
			})
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		t.Error("it took too long")
	}
}

// A pen that was given to who wanted it no longer, for the word that it did came late, is given on.
func TestAPenThatNobodyWantsAnyMore(t *testing.T) {
	r := redistest.Start(t)
	lines, pens := servers(t, r.Addr, 2)
	for _, x := range pens {
		x.held, x.wait = patiently, patiently
		x.Take(t.Context(), "ana", func() {})() // each has had it
	}
	pens[1].told("want " + lines[0].me + " " + lines[1].me + " ana") // who wants nothing
	for i, x := range []*Pens{pens[1], pens[0]} {
		taken := false
		x.Take(t.Context(), "ana", func() { taken = true })()
		if !taken {
			t.Errorf("taker %d goes without", i)
		}
	}
}

// Who dies with the pen loses it, and who finds Redis away goes without it, at once.
func TestThePenOfWhoDiedComesFree(t *testing.T) {
	r := redistest.Start(t)
	lines, pens := servers(t, r.Addr, 3)
	pens[0].Take(t.Context(), "ana", func() {}) // and never gives it back
	if back := pens[0].Take(t.Context(), "ben", func() {}); back == nil {
		t.Fatal("no pen of another tenant")
	}
	taken := false
	ctx, cancel := context.WithTimeout(t.Context(), patiently)
	defer cancel()
	for !taken && ctx.Err() == nil { // on a slow machine it may have to go without at first
		pens[1].Take(ctx, "ana", func() { taken = true })()
	}
	if !taken {
		t.Error("the pen was not taken over")
	}

	r.Kill()
	if err := lines[2].Ready(t.Context()); err == nil {
		t.Fatal("ready without Redis")
	}
	for range 1000 { // would take minutes if it asked
		pens[2].Take(t.Context(), "ana", func() { t.Error("the pen came from nowhere") })()
	}
	r.Restart()
	for taken = false; !taken && ctx.Err() == nil; {
		_ = lines[2].Ready(ctx)
		pens[2].Take(ctx, "ana", func() { taken = true })()
	}
	if !taken {
		t.Error("no pen once Redis is back")
	}
}
