package project

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallelFor calls do for 0 ≤ i < n on all processors. Calls must be independent, so that the
// result does not depend on the number of processors.
func parallelFor(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
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

// signed is a number in [-1,1).
func (m *splitmix) signed() float32 { return float32(int64(m.next())>>40) / (1 << 23) }
