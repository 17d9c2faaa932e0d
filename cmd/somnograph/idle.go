package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// After a load, Go collects garbage two minutes later and returns the pages to the system at
// the collection after that: an idle server would hold unused memory for about four minutes.
// So a process that has become idle returns it at once.
const (
	idleCheckEvery = 20 * time.Second
	idleAllocation = 48 << 20 // most bytes that an idle process allocates between two checks
)

// returnMemoryWhenIdle calls release each time that the process has become idle, until ctx is
// done. It checks on every tick.
func returnMemoryWhenIdle(ctx context.Context, tick <-chan time.Time, release func()) {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	var idle idleDetector
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
		if idle.becameIdle(sample[0].Value.Uint64()) {
			release()
		}
	}
}

// idleDetector tells when a busy process becomes idle.
type idleDetector struct {
	allocated uint64 // bytes since the start of the process, at the last check
	busy      bool   // at the last check
}

// becameIdle reports whether the process was busy until the last check and is idle now.
// allocated is the number of bytes allocated since its start.
func (d *idleDetector) becameIdle(allocated uint64) bool {
	more := allocated - d.allocated
	d.allocated = allocated
	if more > idleAllocation {
		d.busy = true
		return false
	}
	became := d.busy
	d.busy = false
	return became
}

// startReturningMemory returns the unused heap to the system when the process is idle.
func startReturningMemory(ctx context.Context) {
	ticker := time.NewTicker(idleCheckEvery)
	go func() {
		defer ticker.Stop()
		returnMemoryWhenIdle(ctx, ticker.C, debug.FreeOSMemory)
	}()
}
