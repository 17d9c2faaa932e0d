package calls

import (
	"context"
	"sync"
	"time"
)

// Reads knows which reads and transactions are open.
type Reads struct {
	mu   sync.Mutex
	last uint64
	open map[uint64]struct{}
}

// Begin returns the function that ends the read.
func (o *Reads) Begin() (end func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open == nil {
		o.open = map[uint64]struct{}{}
	}
	o.last++
	n := o.last
	o.open[n] = struct{}{}
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.open, n)
	}
}

// begun is the number of the last read.
func (o *Reads) begun() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last
}

// anyUntil reports whether a read with at most the number is open.
func (o *Reads) anyUntil(n uint64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range o.open {
		if i <= n {
			return true
		}
	}
	return false
}

// Wait waits until the reads that are open now have ended; not longer than the limit, unless it is 0.
func (o *Reads) Wait(ctx context.Context, limit time.Duration) error {
	n := o.begun()
	for waited := time.Duration(0); o.anyUntil(n) && (limit == 0 || waited < limit); waited += 2 * time.Millisecond {
		if err := Pause(ctx, 2*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}
