package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// After a load, Go collects garbage two minutes later and returns the pages to the system at
// the collection after that: an idle server would hold unused memory for about four minutes.
// A server that is never idle holds what a peak (a sleep, an import, a change of model) left,
// because Go returns pages slowly. So a process returns memory when it has become idle, and when
// much of its heap has been unused for a minute.
const (
	memoryCheckEvery = 20 * time.Second
	idleAllocation   = 48 << 20 // most bytes that an idle process allocates between two checks
	surplusChecks    = 3        // consecutive checks with a surplus before memory is returned
	minSurplus       = 96 << 20 // bytes of unused heap that are worth a collection
)

// heapUse is what the heap holds at one check.
type heapUse struct {
	allocated uint64 // bytes since the start of the process
	alive     uint64 // bytes in objects, garbage included
	unused    uint64 // bytes that could be returned to the system
}

// returnMemory calls release each time that the process has become idle or has had a surplus for
// some checks, until ctx is done. It checks on every tick.
func returnMemory(ctx context.Context, tick <-chan time.Time, read func() heapUse, release func()) {
	var d memoryDetector
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		if d.shouldRelease(read()) {
			release()
		}
	}
}

// readHeap reads the use of the heap of this process.
func readHeap() heapUse {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(sample)
	var n [3]uint64
	for i, s := range sample {
		if s.Value.Kind() == metrics.KindUint64 {
			n[i] = s.Value.Uint64()
		}
	}
	return heapUse{allocated: n[0], alive: n[1], unused: n[2]}
}

// memoryDetector tells when memory should be returned to the system.
type memoryDetector struct {
	allocated uint64 // at the last check
	busy      bool   // at the last check
	surplus   int    // consecutive checks with a surplus
}

// shouldRelease reports whether the process was busy until the last check and is idle now, or has
// had a surplus at the last surplusChecks checks. The heap of a loaded process is between its size after
// a collection and the size at which the next one begins. At some of the checks most of it is then in
// use, so what was unused at all of them is not needed.
func (d *memoryDetector) shouldRelease(h heapUse) bool {
	more := h.allocated - d.allocated
	d.allocated = h.allocated
	becameIdle := d.busy && more <= idleAllocation
	d.busy = more > idleAllocation
	d.surplus++
	if h.unused < minSurplus || h.unused < h.alive/4 {
		d.surplus = 0
	}
	if !becameIdle && d.surplus < surplusChecks {
		return false
	}
	d.surplus = 0
	return true
}

// startReturningMemory returns unused heap to the system until ctx is done.
func startReturningMemory(ctx context.Context) {
	ticker := time.NewTicker(memoryCheckEvery)
	go func() {
		defer ticker.Stop()
		returnMemory(ctx, ticker.C, readHeap, debug.FreeOSMemory)
	}()
}
