package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// mostHeadroom is how much the heap may grow beyond what is alive before it is collected.
// Go's own rule, as much again, would keep gigabytes for garbage on a large store; with
// this a store of a million memories is collected about once in 500 searches.
const mostHeadroom = 640 << 20

// mostPercent is how much of what is alive that is at most: a small store stays small. Twice
// as much, where Go has once as much, has the heap of a hundred thousand memories collected
// two thirds as often.
const mostPercent = 200

// limitHeadroom keeps the garbage of a large heap in bounds: behind each collection the
// percentage that the heap may grow by is set anew. Where GOGC is given, that holds.
func limitHeadroom(environ []string) {
	if given(environ, "GOGC") {
		return
	}
	collected := make(chan struct{}, 1)
	watchCollections(collected)
	go func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		now := 100
		for range collected {
			metrics.Read(live)
			if live[0].Value.Kind() != metrics.KindUint64 {
				return
			}
			if want := headroom(live[0].Value.Uint64()); want < now-4 || want > now+4 {
				now = want
				debug.SetGCPercent(now)
			}
		}
	}()
}

// headroom is by how many per cent a heap of which so much is alive may grow.
func headroom(live uint64) int {
	return int(min(mostPercent, math.Ceil(100*mostHeadroom/float64(max(live, 1)))))
}

// watchCollections tells when the garbage was collected, each time.
func watchCollections(collected chan<- struct{}) {
	type witness struct{ _ [16]byte }
	var watch func()
	watch = func() {
		w := new(witness)
		runtime.SetFinalizer(w, func(*witness) {
			watch() // before anybody is told, who may have the next one made at once
			select {
			case collected <- struct{}{}:
			default:
			}
		})
	}
	watch()
}
