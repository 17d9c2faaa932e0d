package workspace

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// A write that waits for others is either begun, and then answered with what came of it however
// late that is, or refused while nothing of it is written. So its deadline is one of waiting:
// who waits is refused when what is left would hardly do for a write as they went lately.
// ADR 49.

// errLate is what a write answers that nobody has begun when its time is up.
var errDeadline = graph.Errorf(graph.CodeRateLimited, "its time was up before it could begin; nothing was written: ask again later")

// Ticket is that of a write among those that wait. It is begun or given up, never both.
type Ticket struct {
	UntilTooLate context.Context // ends when it is too late to begin, or when nobody waits any more
	Leave        context.CancelFunc
	decided      atomic.Bool // it was begun or given up
}

// Enqueue gives who has a deadline a place until it is too late to begin.
func (t *Tenant) Enqueue(ctx context.Context) *Ticket {
	until, bounded := ctx.Deadline()
	if !bounded {
		return &Ticket{UntilTooLate: ctx, Leave: func() {}}
	}
	p := &Ticket{}
	p.UntilTooLate, p.Leave = context.WithDeadline(ctx, until.Add(-t.Latency.minBudget(time.Until(until))))
	return p
}

// Begin reports whether what waits here may begin.
func (p *Ticket) Begin() bool {
	return p.UntilTooLate.Err() == nil && p.decided.CompareAndSwap(false, true)
}

// Refusal is why it may not.
func (p *Ticket) Refusal() error {
	if errors.Is(p.UntilTooLate.Err(), context.DeadlineExceeded) {
		return errDeadline
	}
	return p.UntilTooLate.Err()
}

// Await waits until done is closed. It answers why what was not begun is not any more: it is too
// late, or reach has ended. What was begun is left only where its client leaves, or reach ends.
func (p *Ticket) Await(ctx context.Context, done <-chan struct{}, reach context.Context) error {
	defer p.Leave()
	patience, deadline := p.UntilTooLate.Done(), ctx.Done()
	for {
		select {
		case <-done:
			return nil
		case <-reach.Done():
			if p.decided.CompareAndSwap(false, true) {
				return ErrStoreUnavailable
			}
			return errOutcomeUnknown
		case <-patience:
			if p.decided.CompareAndSwap(false, true) {
				return p.Refusal()
			}
			patience = nil
		case <-deadline:
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				// The commit may still happen; who wants to know uses an idempotency key.
				return ctx.Err()
			}
			deadline = nil
		}
	}
}

// latency is how long writes of a tenant take from their beginning to their answer: the longest
// of lately. It is safe for concurrent use.
type latency struct {
	mu      sync.Mutex
	longest time.Duration
}

// Observe takes note of one.
func (p *latency) Observe(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.longest = max(d, p.longest-p.longest/16)
}

// minBudget is what a write that has so long in all must have left to begin: twice what the longest
// took, within a sixteenth and a half of it, so that one that need not wait is never refused.
func (p *latency) minBudget(all time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(max(2*p.longest, all/16), all/2)
}

// AsTimeout is the error of what a verb does before it writes.
func AsTimeout(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errDeadline
	}
	return err
}
