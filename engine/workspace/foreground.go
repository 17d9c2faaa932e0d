package workspace

import (
	"context"
	"sync"
	"time"
)

// YieldFor is the maximum time that a sleep waits for running requests before each piece of
// its work. Continuous requests slow a sleep down but do not stop it.
const YieldFor = 25 * time.Millisecond

// ForegroundLoad counts the running requests. Background work yields to them. The zero value
// is ready; it is safe for concurrent use.
type ForegroundLoad struct {
	mu   sync.Mutex
	busy int
	free chan struct{} // closed when the count returns to 0; made by the first Enter
}

// Enter counts a running request until leave is called.
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

// Yield waits until no request is running, for at most most, or until ctx ends.
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
