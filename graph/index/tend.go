package index

import (
	"context"
	"sync"
)

// A mesh grows behind the answer: what was written is searchable as soon as it is
// published, for the fresh tail is scanned. One goroutine a tenant tends all meshes.

const (
	// meshFrom is how many memories a partition has when it gets a mesh: a scan of fewer
	// takes no longer than a walk (docs/benchmarks.md).
	minGraphSize = 50_000
	// tailLimit is how long the fresh tail may become before who follows the feed waits for
	// the mesh: a scan of it takes about half a millisecond.
	maxGraphTail = 1 << 16
)

// meshes is what a tenant knows of those who tend its meshes.
type graphMaintenance struct {
	wanted chan struct{} // holds one: something changed

	mu       sync.Mutex
	active   bool          // somebody tends
	stepDone chan struct{} // closed and made anew with every step
}

// wake asks for the meshes to be tended.
func (t *tenant) wakeMaintenance() {
	select {
	case t.maintenance.wanted <- struct{}{}:
	default:
	}
}

// keepMeshes tends the meshes of all partitions until ctx ends.
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

// stepped tells those who wait. Its caller holds the lock.
func (t *tenant) signalStep() {
	close(t.maintenance.stepDone)
	t.maintenance.stepDone = make(chan struct{})
}

// waitForMeshes returns when no fresh tail is too long, or nobody works on it.
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

// tail is the longest fresh tail of those partitions that have a mesh.
func (t *tenant) longestTail() int {
	longest := 0
	for _, p := range t.partitions(nil) {
		_, tail := p.view.Load().vectors.GraphSize()
		longest = max(longest, tail)
	}
	return longest
}
