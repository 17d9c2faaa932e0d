package umap

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// workerPool runs computations in parallel.
type workerPool struct {
	ctx     context.Context
	workers int
}

// newWorkerPool uses all processors, or at most limit if it is above 0.
func newWorkerPool(ctx context.Context, limit int) workerPool {
	workers := runtime.GOMAXPROCS(0)
	if limit > 0 {
		workers = min(workers, limit)
	}
	return workerPool{ctx, workers}
}

// forEach calls do for 0 ≤ i < n in blocks of grain; worker, below c.workers, identifies the
// goroutine. Calls must be independent, so that the result does not depend on the number of
// workers. It stops early and returns the error when the context ends.
func (c workerPool) forEach(n, grain int, do func(i, worker int)) error {
	var next atomic.Int64
	work := func(worker int) {
		for c.ctx.Err() == nil {
			from := int(next.Add(int64(grain))) - grain
			if from >= n {
				return
			}
			for i := from; i < min(from+grain, n); i++ {
				do(i, worker)
			}
		}
	}
	if c.workers == 1 || n <= grain {
		work(0)
		return c.ctx.Err()
	}
	var wg sync.WaitGroup
	for w := range min(c.workers, (n+grain-1)/grain) {
		wg.Go(func() { work(w) })
	}
	wg.Wait()
	return c.ctx.Err()
}

// splitmix is a pseudorandom generator (splitmix64, Steele, Lea and Flood 2014). Its value is
// the seed.
type splitmix uint64

func (m *splitmix) next() uint64 {
	*m += 0x9e3779b97f4a7c15
	z := uint64(*m)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number in [0,n), for n below 2³².
func (m *splitmix) below(n int) int { return int(m.next() >> 32 * uint64(n) >> 32) }

// signed is a number in [-1,1).
func (m *splitmix) signed() float32 { return float32(int64(m.next())>>40) / (1 << 23) }

// seeded is an independent sequence for each pair of numbers.
func seeded(seed uint64, a, b int) splitmix {
	m := splitmix(seed)
	m = splitmix(m.next() ^ uint64(a))
	m = splitmix(m.next() ^ uint64(b))
	return m
}

// Streams of random numbers, one for each purpose.
const (
	streamTree = iota
	streamFill
	streamAxes
	streamStart
	streamWalk
	streamPlace
)
