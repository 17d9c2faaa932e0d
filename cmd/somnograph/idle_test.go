package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestBecameIdle(t *testing.T) {
	var x idleDetector
	total := uint64(0)
	for i, c := range []struct {
		more uint64
		want bool
	}{{1 << 20, false}, {1 << 30, false}, {1 << 30, false}, {idleAllocation, true}, {1, false}, {0, false}, {idleAllocation + 1, false}, {5, true}} {
		total += c.more
		if got := x.becameIdle(total); got != c.want {
			t.Errorf("check %d, %d bytes more: %v", i, c.more, got)
		}
	}
}

// Memory that a load used is returned to the system when the process has become idle.
func TestAnIdleProcessReturnsMemory(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tick, released, ended := make(chan time.Time), make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		returnMemoryWhenIdle(ctx, tick, func() { debug.FreeOSMemory(); released <- struct{}{} })
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
