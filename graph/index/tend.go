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
	meshFrom = 50_000
	// tailLimit is how long the fresh tail may become before who follows the feed waits for
	// the mesh: a scan of it takes about half a millisecond.
	tailLimit = 1 << 16
)

// meshes is what a tenant knows of those who tend its meshes.
type meshes struct {
	wanted chan struct{} // holds one: something changed

	mu     sync.Mutex
	active bool          // somebody tends
	rested chan struct{} // closed and made anew with every step
}

// wake asks for the meshes to be tended.
func (t *tenant) wake() {
	select {
	case t.meshes.wanted <- struct{}{}:
	default:
	}
}

// keepMeshes tends the meshes of all partitions until ctx ends.
func (t *tenant) keepMeshes(ctx context.Context) {
	t.meshes.mu.Lock()
	t.meshes.active = true
	t.meshes.mu.Unlock()
	defer func() {
		t.meshes.mu.Lock()
		t.meshes.active = false
		t.stepped()
		t.meshes.mu.Unlock()
	}()
	for {
		for more := true; more && ctx.Err() == nil; {
			more = false
			for _, p := range t.reach(nil) {
				v := p.view.Load()
				more = v.vectors.Maintain(v.live, t.opts.meshFrom, t.opts.Workers) || more
			}
			t.meshes.mu.Lock()
			t.stepped()
			t.meshes.mu.Unlock()
		}
		select {
		case <-ctx.Done():
			return
		case <-t.meshes.wanted:
		}
	}
}

// stepped tells those who wait. Its caller holds the lock.
func (t *tenant) stepped() {
	close(t.meshes.rested)
	t.meshes.rested = make(chan struct{})
}

// waitForMeshes returns when no fresh tail is too long, or nobody works on it.
func (t *tenant) waitForMeshes(ctx context.Context) error {
	for {
		t.meshes.mu.Lock()
		active, rested := t.meshes.active, t.meshes.rested
		t.meshes.mu.Unlock()
		if !active || t.tail() <= t.opts.tailLimit {
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
func (t *tenant) tail() int {
	longest := 0
	for _, p := range t.reach(nil) {
		_, tail := p.view.Load().vectors.GraphSize()
		longest = max(longest, tail)
	}
	return longest
}
