package workspace

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// A write that waits in the queue has two outcomes. Either it begins, and the caller gets its
// result even after the deadline, or it is refused before it writes anything. It is refused
// when the remaining time is too short for a write of typical duration. ADR 3.

// errDeadline is the error of a write that could not begin before its deadline.
var errDeadline = graph.Errorf(graph.CodeRateLimited, "the deadline would pass before the write could begin; nothing was written: retry later")

// Ticket is a write's position in the queue. The write either begins or is refused, never
// both.
type Ticket struct {
	UntilTooLate context.Context // ends when it is too late to begin, or when the caller has gone
	Leave        context.CancelFunc
	decided      atomic.Bool // begun or refused
}

// Enqueue returns a ticket for a write with the deadline of ctx. The ticket expires when it is
// too late to begin.
func (t *Tenant) Enqueue(ctx context.Context) *Ticket {
	until, bounded := ctx.Deadline()
	if !bounded {
		return &Ticket{UntilTooLate: ctx, Leave: func() {}}
	}
	p := &Ticket{}
	p.UntilTooLate, p.Leave = context.WithDeadline(ctx, until.Add(-t.Latency.minBudget(time.Until(until))))
	return p
}

// Begin marks the write as begun, and reports false if it was refused before.
func (p *Ticket) Begin() bool {
	return p.UntilTooLate.Err() == nil && p.decided.CompareAndSwap(false, true)
}

// Refusal returns the reason why the write may not begin.
func (p *Ticket) Refusal() error {
	if errors.Is(p.UntilTooLate.Err(), context.DeadlineExceeded) {
		return errDeadline
	}
	return p.UntilTooLate.Err()
}

// Await waits until done is closed. It fails if the write has not begun and is now refused:
// its time is up, or storeAlive has ended. It abandons a write that has begun only if the
// client has gone or storeAlive has ended.
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
				// The commit may still succeed. A retry with the same idempotency key returns the
				// outcome.
				return ctx.Err()
			}
			deadline = nil
		}
	}
}

// latency is the recent maximum duration of a tenant's writes, from begin to answer. The
// maximum decays. It is safe for concurrent use.
type latency struct {
	mu      sync.Mutex
	longest time.Duration
}

// Observe records the duration of a write.
func (p *latency) Observe(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.longest = max(d, p.longest-p.longest/16)
}

// minBudget is the minimum remaining time for a write with a total time of all to begin: twice
// the recent maximum, at least a sixteenth and at most half of all. A write that does not wait
// is therefore never refused.
func (p *latency) minBudget(all time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(max(2*p.longest, all/16), all/2)
}

// AsTimeout converts the error of an operation that failed before it wrote: a deadline becomes
// RATE_LIMITED.
func AsTimeout(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errDeadline
	}
	return err
}
