package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestIdleness(t *testing.T) {
	var x idleness
	total := uint64(0)
	for i, c := range []struct {
		more uint64
		want bool
	}{{1 << 20, false}, {1 << 30, false}, {1 << 30, false}, {idleMost, true}, {1, false}, {0, false}, {idleMost + 1, false}, {5, true}} {
		total += c.more
		if got := x.look(total); got != c.want {
			t.Errorf("look %d, %d bytes more: %v", i, c.more, got)
		}
	}
}

// What a load made the heap hold is the system's again when the process has become idle.
func TestAnIdleProcessGivesMemoryBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tick, given, ended := make(chan time.Time), make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		giveBackWhenIdle(ctx, tick, func() { debug.FreeOSMemory(); given <- struct{}{} })
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
	for told := false; !told; { // other tests of the process may allocate meanwhile
		select {
		case tick <- time.Time{}:
		case <-given:
			told = true
		}
	}
	runtime.ReadMemStats(&after)
	held := func(m runtime.MemStats) uint64 { return m.HeapSys - m.HeapReleased }
	if held(after)+(128<<20) > held(before) {
		t.Errorf("%d MiB of heap before and %d behind it", held(before)>>20, held(after)>>20)
	}
	cancel()
	<-ended
}
