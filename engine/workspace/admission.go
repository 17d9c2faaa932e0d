package workspace

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// A write that waits for others is either begun, and then answered with its result even after
// its deadline, or refused while nothing of it is written. It is refused when the time that
// is left would not do for a write of the usual length. ADR 3.

// errDeadline is the error of a write whose deadline comes before it can begin.
var errDeadline = graph.Errorf(graph.CodeRateLimited, "its time was up before it could begin; nothing was written: ask again later")

// Ticket is the place of a write in the queue. The write is begun or refused, never both.
type Ticket struct {
	UntilTooLate context.Context // ends when it is too late to begin, or when nobody waits any more
	Leave        context.CancelFunc
	decided      atomic.Bool // it was begun or refused
}

// Enqueue gives a write with the deadline of ctx a ticket that is good until it is too late to
// begin.
func (t *Tenant) Enqueue(ctx context.Context) *Ticket {
	until, bounded := ctx.Deadline()
	if !bounded {
		return &Ticket{UntilTooLate: ctx, Leave: func() {}}
	}
	p := &Ticket{}
	p.UntilTooLate, p.Leave = context.WithDeadline(ctx, until.Add(-t.Latency.minBudget(time.Until(until))))
	return p
}

// Begin reports whether the write may begin, and marks it as begun.
func (p *Ticket) Begin() bool {
	return p.UntilTooLate.Err() == nil && p.decided.CompareAndSwap(false, true)
}

// Refusal is why the write may not begin.
func (p *Ticket) Refusal() error {
	if errors.Is(p.UntilTooLate.Err(), context.DeadlineExceeded) {
		return errDeadline
	}
	return p.UntilTooLate.Err()
}

// Await waits until done is closed. It fails where the write was not begun and is now refused:
// its time is up, or storeAlive has ended. A write that was begun is left only when its
// client is gone or storeAlive ends.
func (p *Ticket) Await(ctx context.Context, done <-chan struct{}, storeAlive context.Context) error {
	defer p.Leave()
	patience, deadline := p.UntilTooLate.Done(), ctx.Done()
	for {
		select {
		case <-done:
			return nil
		case <-storeAlive.Done():
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
				// The commit may still happen; a retry with the same idempotency key tells.
				return ctx.Err()
			}
			deadline = nil
		}
	}
}

// latency is how long writes of a tenant took lately, from begin to answer: the longest, which
// fades. It is safe for concurrent use.
type latency struct {
	mu      sync.Mutex
	longest time.Duration
}

// Observe notes the duration of a write.
func (p *latency) Observe(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.longest = max(d, p.longest-p.longest/16)
}

// minBudget is the time that a write with a total of all must have left to begin: twice the
// longest of late, at least a sixteenth and at most half of all, so that a write that need
// not wait is never refused.
func (p *latency) minBudget(all time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(max(2*p.longest, all/16), all/2)
}

// AsTimeout is the error of a verb that failed before it wrote: a deadline becomes RATE_LIMITED.
func AsTimeout(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errDeadline
	}
	return err
}
