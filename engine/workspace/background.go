package workspace

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// MaxRetries is how often work that failed for one memory is tried again: after 0, 1 and 5 s
// where Retry is 5 s. SPEC section 5.
const MaxRetries = 3

// RetryDelay is the wait before the next attempt after so many failures.
func (ws *Space) RetryDelay(tries int) time.Duration {
	switch tries {
	case 0, 1:
		return 0
	case 2:
		return ws.Retry / 5
	}
	return ws.Retry
}

// Pause waits for d. It reports false where the engine closes meanwhile.
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

// ParallelChunks calls fn for ranges that cover [0, n), of at least share items each, on all
// processors, and waits for them.
func ParallelChunks(n, share int, fn func(from, to int)) {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/share))
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		wg.Go(func() { fn(p*n/parts, (p+1)*n/parts) })
	}
	fn(0, n/parts)
	wg.Wait()
}

// WithHalfDeadline bounds a step that a request can do without: it ends when half of the time
// that the request has left is over, and after most (0: no such bound) in any case.
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
