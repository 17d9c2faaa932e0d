package engine

import (
	"context"
	"sync"
	"time"
)

// giveWayFor is how long a sleep holds still for those who ask, before each piece of its
// work. Who asks without a pause slows a sleep down by it and does not stop it.
const giveWayFor = 25 * time.Millisecond

// foreground knows whether anybody waits for an answer: what runs in the background gives
// way to that. The zero value is ready; it is safe for concurrent use.
type foreground struct {
	mu   sync.Mutex
	busy int
	free chan struct{} // closed when nobody waits any more; made by the first who does
}

// enter notes that somebody waits; leave ends it.
func (f *foreground) enter() (leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy++; f.busy == 1 {
		f.free = make(chan struct{})
	}
	return f.leave
}

func (f *foreground) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy--; f.busy == 0 {
		close(f.free)
	}
}

// giveWay returns when nobody waits for an answer, when it has waited for long enough, or
// when ctx ends.
func (f *foreground) giveWay(ctx context.Context, most time.Duration) {
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
