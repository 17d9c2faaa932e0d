package main

import (
	"runtime"
	"testing"
	"time"
)

func TestHeadroom(t *testing.T) {
	for live, want := range map[uint64]int{0: 200, 1 << 20: 200, mostHeadroom / 2: 200, mostHeadroom: 100, 2 * mostHeadroom: 50, 4 * mostHeadroom: 25, 1 << 40: 1} {
		if got := headroom(live); got != want {
			t.Errorf("headroom(%d) = %d, want %d", live, got, want)
		}
	}
}

func TestEveryCollectionIsTold(t *testing.T) {
	told := make(chan struct{}, 1)
	watchCollections(told)
	for range 3 {
		runtime.GC()
		select {
		case <-told:
		case <-time.After(30 * time.Second):
			t.Fatal("nothing was told")
		}
	}
}
