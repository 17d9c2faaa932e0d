package workspace

import (
	"context"
	"sync"
	"time"
)

// giveWayFor is how long a sleep holds still for those who ask, before each piece of its
// work. Who asks without a pause slows a sleep down by it and does not stop it.
const YieldFor = 25 * time.Millisecond

// ForegroundLoad knows whether anybody waits for an answer: what runs in the background gives
// way to that. The zero value is ready; it is safe for concurrent use.
type ForegroundLoad struct {
	mu   sync.Mutex
	busy int
	free chan struct{} // closed when nobody waits any more; made by the first who does
}

// Enter notes that somebody waits; leave ends it.
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

// Yield returns when nobody waits for an answer, when it has waited for long enough, or
// when ctx ends.
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
