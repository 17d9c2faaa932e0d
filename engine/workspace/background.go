package workspace

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// leaveRetries is how often a turn that could not become L1 is tried again: after 0, 1
// and 5 s where Options.Retry is the default, SPEC section 5. Then it is given up: it
// stays in L0, can be found and read, and health names it.
const MaxRetries = 3

// RetryDelay is how long the next try waits after so many failed ones.
func (ws *Space) RetryDelay(tries int) time.Duration {
	switch tries {
	case 0, 1:
		return 0
	case 2:
		return ws.Retry / 5
	}
	return ws.Retry
}

// Pause waits, and reports false where the engine closes meanwhile.
func (ws *Space) Pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ws.Ctx.Done():
		return false
	}
}

// ParallelChunks calls fn for parts of [0, n), of at least a share, on all processors.
func ParallelChunks(n, share int, fn func(from, to int)) {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/share))
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		wg.Go(func() { fn(p*n/parts, (p+1)*n/parts) })
	}
	fn(0, n/parts)
	wg.Wait()
}

// WithHalfDeadline is for a part that can be done without: it ends when half is over of the time that
// a request has, so that the rest can answer, and behind most (0: not before) in any case.
func WithHalfDeadline(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if until, bounded := ctx.Deadline(); bounded {
		if half := time.Until(until) / 2; most == 0 || half < most {
			most = half
		}
	}
	if most == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, most)
}
