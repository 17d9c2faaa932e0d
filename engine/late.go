package engine

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
var errLate = graph.Errorf(graph.CodeRateLimited, "its time was up before it could begin; nothing was written: ask again later")

// place is that of a write among those that wait. It is begun or given up, never both.
type place struct {
	patience context.Context // ends when it is too late to begin, or when nobody waits any more
	leave    context.CancelFunc
	settled  atomic.Bool // it was begun or given up
}

// queue gives who has a deadline a place until it is too late to begin.
func (t *tenant) queue(ctx context.Context) *place {
	until, bounded := ctx.Deadline()
	if !bounded {
		return &place{patience: ctx, leave: func() {}}
	}
	p := &place{}
	p.patience, p.leave = context.WithDeadline(ctx, until.Add(-t.pace.need(time.Until(until))))
	return p
}

// begin reports whether what waits here may begin.
func (p *place) begin() bool { return p.patience.Err() == nil && p.settled.CompareAndSwap(false, true) }

// refusal is why it may not.
func (p *place) refusal() error {
	if errors.Is(p.patience.Err(), context.DeadlineExceeded) {
		return errLate
	}
	return p.patience.Err()
}

// await waits until done is closed. It answers why what was not begun is not any more: it is too
// late, or reach has ended. What was begun is left only where its client leaves, or reach ends.
func (p *place) await(ctx context.Context, done <-chan struct{}, reach context.Context) error {
	defer p.leave()
	patience, deadline := p.patience.Done(), ctx.Done()
	for {
		select {
		case <-done:
			return nil
		case <-reach.Done():
			if p.settled.CompareAndSwap(false, true) {
				return errGone
			}
			return errAdrift
		case <-patience:
			if p.settled.CompareAndSwap(false, true) {
				return p.refusal()
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

// pace is how long writes of a tenant take from their beginning to their answer: the longest
// of lately. It is safe for concurrent use.
type pace struct {
	mu      sync.Mutex
	longest time.Duration
}

// took takes note of one.
func (p *pace) took(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.longest = max(d, p.longest-p.longest/16)
}

// need is what a write that has so long in all must have left to begin: twice what the longest
// took, within a sixteenth and a half of it, so that one that need not wait is never refused.
func (p *pace) need(all time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(max(2*p.longest, all/16), all/2)
}

// early is the error of what a verb does before it writes.
func early(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errLate
	}
	return err
}

// UpdateOnly is Update for a verb that writes nothing else.
func (t *tenant) UpdateOnly(ctx context.Context, fn func(graph.Tx) error) error {
	return early(t.Update(ctx, fn)) // which answers the end of ctx only where nothing was written
}
