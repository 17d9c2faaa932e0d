package index

import (
	"context"
	"sync"
)

// The neighbour graph grows in the background. A write is searchable as soon as it is published,
// because the tail that is not in the graph yet is scanned. One goroutine for each tenant
// maintains all graphs.

const (
	// minGraphSize is the number of memories at which a partition gets a neighbour graph. A scan
	// of fewer takes no longer than a graph search (docs/benchmarks.md).
	minGraphSize = 50_000
	// maxGraphTail is the length of the tail above which the follower waits for the graph. A
	// scan of a tail of this length takes about half a millisecond.
	maxGraphTail = 1 << 16
)

// graphMaintenance is the state of the graph maintenance of a tenant.
type graphMaintenance struct {
	wanted chan struct{} // capacity 1: something changed

	mu       sync.Mutex
	active   bool          // the maintenance goroutine runs
	stepDone chan struct{} // closed and replaced after every step
}

// wakeMaintenance requests a maintenance run.
func (t *tenant) wakeMaintenance() {
	select {
	case t.maintenance.wanted <- struct{}{}:
	default:
	}
}

// maintainGraphs maintains the graphs of all partitions until ctx ends.
func (t *tenant) maintainGraphs(ctx context.Context) {
	t.maintenance.mu.Lock()
	t.maintenance.active = true
	t.maintenance.mu.Unlock()
	defer func() {
		t.maintenance.mu.Lock()
		t.maintenance.active = false
		t.signalStep()
		t.maintenance.mu.Unlock()
	}()
	for {
		for more := true; more && ctx.Err() == nil; {
			more = false
			for _, p := range t.partitions(nil) {
				v := p.view.Load()
				more = v.vectors.Maintain(v.live, t.opts.minGraphSize, t.opts.Workers) || more
			}
			t.maintenance.mu.Lock()
			t.signalStep()
			t.maintenance.mu.Unlock()
		}
		select {
		case <-ctx.Done():
			return
		case <-t.maintenance.wanted:
		}
	}
}

// signalStep wakes the waiting calls. The caller holds the lock.
func (t *tenant) signalStep() {
	close(t.maintenance.stepDone)
	t.maintenance.stepDone = make(chan struct{})
}

// waitForGraphs returns when no tail is too long, or when no maintenance goroutine runs.
func (t *tenant) waitForGraphs(ctx context.Context) error {
	for {
		t.maintenance.mu.Lock()
		active, rested := t.maintenance.active, t.maintenance.stepDone
		t.maintenance.mu.Unlock()
		if !active || t.longestTail() <= t.opts.maxGraphTail {
			return nil
		}
		select {
		case <-rested:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// longestTail returns the length of the longest tail among the partitions that have a graph.
func (t *tenant) longestTail() int {
	longest := 0
	for _, p := range t.partitions(nil) {
		_, tail := p.view.Load().vectors.GraphSize()
		longest = max(longest, tail)
	}
	return longest
}
