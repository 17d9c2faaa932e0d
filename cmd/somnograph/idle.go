package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Behind a load Go collects its garbage when two minutes are over, and gives the pages back
// behind the next time: a server that has become idle would hold for some four minutes what
// nobody uses. So who has done little for a while gives it back at once.
const (
	idleLook = 20 * time.Second
	idleMost = 48 << 20 // bytes that are allocated between two looks of an idle server
)

// giveBackWhenIdle gives memory back each time that the process has become idle, until ctx
// ends. A tick is one look.
func giveBackWhenIdle(ctx context.Context, tick <-chan time.Time, giveBack func()) {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	var was idleness
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		metrics.Read(sample)
		if sample[0].Value.Kind() != metrics.KindUint64 {
			return
		}
		if was.look(sample[0].Value.Uint64()) {
			giveBack()
		}
	}
}

// idleness knows whether a process was busy lately.
type idleness struct {
	allocated uint64 // in all, at the last look
	busy      bool   // since memory was given back
}

// look reports whether a busy process, which has allocated so many bytes in all, has become
// idle.
func (x *idleness) look(allocated uint64) bool {
	more := allocated - x.allocated
	x.allocated = allocated
	if more > idleMost {
		x.busy = true
		return false
	}
	became := x.busy
	x.busy = false
	return became
}

// startGivingBack begins to do so with the heap.
func startGivingBack(ctx context.Context) {
	ticker := time.NewTicker(idleLook)
	go func() {
		defer ticker.Stop()
		giveBackWhenIdle(ctx, ticker.C, debug.FreeOSMemory)
	}()
}
