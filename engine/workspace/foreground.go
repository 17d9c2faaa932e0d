package workspace

import (
	"context"
	"sync"
	"time"
)

// YieldFor is how long a sleep waits for requests under way before each piece of its work.
// Requests without a pause slow a sleep down by it and do not stop it.
const YieldFor = 25 * time.Millisecond

// ForegroundLoad counts the requests that wait for an answer. Background work yields to them.
// The zero value is ready; it is safe for concurrent use.
type ForegroundLoad struct {
	mu   sync.Mutex
	busy int
	free chan struct{} // closed when nobody waits any more; made by the first who does
}

// Enter notes a request under way until leave is called.
func (f *ForegroundLoad) Enter() (leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy++; f.busy == 1 {
		f.free = make(chan struct{})
	}
	return f.leave
}

func (f *ForegroundLoad) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy--; f.busy == 0 {
		close(f.free)
	}
}

// Yield returns when no request waits, after most at the latest, or when ctx ends.
func (f *ForegroundLoad) Yield(ctx context.Context, most time.Duration) {
	f.mu.Lock()
	busy, free := f.busy > 0, f.free
	f.mu.Unlock()
	if !busy {
		return
	}
	enough := time.NewTimer(most)
	defer enough.Stop()
	select {
	case <-free:
	case <-enough.C:
	case <-ctx.Done():
	}
}
