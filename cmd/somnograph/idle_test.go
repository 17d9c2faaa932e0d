package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestMemoryIsReturnedWhenIdle(t *testing.T) {
	var d memoryDetector
	total := uint64(0)
	for i, c := range []struct {
		more uint64
		want bool
	}{{1 << 20, false}, {1 << 30, false}, {1 << 30, false}, {idleAllocation, true}, {1, false}, {0, false}, {idleAllocation + 1, false}, {5, true}} {
		total += c.more
		if got := d.shouldRelease(heapUse{allocated: total}); got != c.want {
			t.Errorf("check %d, %d bytes more: %v", i, c.more, got)
		}
	}
}

// A process that is always busy returns what was unused at three checks in a row.
func TestMemoryIsReturnedAfterAPeak(t *testing.T) {
	const MiB = 1 << 20
	var d memoryDetector
	total := uint64(0)
	for i, c := range []struct {
		alive, unused uint64
		want          bool
	}{
		{400 * MiB, 900 * MiB, false}, {500 * MiB, 800 * MiB, false}, {600 * MiB, 700 * MiB, true}, // what a peak left
		{600 * MiB, 0, false}, {400 * MiB, 200 * MiB, false}, {600 * MiB, 10 * MiB, false}, {400 * MiB, 200 * MiB, false}, {500 * MiB, 110 * MiB, false}, // it is used
		{100 * MiB, 90 * MiB, false}, {100 * MiB, 90 * MiB, false}, {100 * MiB, 90 * MiB, false}, // not worth a collection
	} {
		total += 2 * idleAllocation
		if got := d.shouldRelease(heapUse{total, c.alive, c.unused}); got != c.want {
			t.Errorf("check %d, %d MiB in use and %d unused: %v", i, c.alive/MiB, c.unused/MiB, got)
		}
	}
}

// Memory that a load used is returned to the system when the process has become idle.
func TestAnIdleProcessReturnsMemory(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tick, released, ended := make(chan time.Time), make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		returnMemory(ctx, tick, readHeap, func() { debug.FreeOSMemory(); released <- struct{}{} })
	}()
	var before, after runtime.MemStats
	load := make([][]byte, 256)
	for i := range load {
		load[i] = make([]byte, 1<<20)
	}
	tick <- time.Time{}
	runtime.ReadMemStats(&before)
	runtime.KeepAlive(load)
	load = nil
	for done := false; !done; { // other tests of the process may allocate meanwhile
		select {
		case tick <- time.Time{}:
		case <-released:
			done = true
		}
	}
	runtime.ReadMemStats(&after)
	held := func(m runtime.MemStats) uint64 { return m.HeapSys - m.HeapReleased }
	if held(after)+(128<<20) > held(before) {
		t.Errorf("%d MiB of heap before, %d after", held(before)>>20, held(after)>>20)
	}
	cancel()
	<-ended
}
