package index

import (
	"context"
	"runtime"
	"sync"

	"github.com/somnograph/somnograph/graph/index/hnsw"
)

// A mesh grows behind the answer: what was written is searchable as soon as it is
// published, for the fresh tail is scanned. One goroutine a tenant tends all meshes.

const (
	// meshFrom is how many memories a partition has when it gets a mesh: a scan of fewer
	// takes no longer than a walk (docs/benchmarks.md).
	meshFrom = 50_000
	// tendBatch is how many slots are inserted before it is looked what else changed.
	tendBatch = 512
	// tailLimit is how long the fresh tail may become before who follows the feed waits for
	// the mesh: a scan of it takes about half a millisecond.
	tailLimit = 1 << 16
	// repairFrom and repairShare: taking nodes out reads all links, so they are collected
	// until this many, and one in this many of the graph.
	repairFrom, repairShare = 64, 512
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
				more = p.view.Load().tend(t.opts.meshFrom, t.opts.Workers) || more
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
		if !active || t.tail() <= tailLimit {
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
		_, tail := p.view.Load().meshed()
		longest = max(longest, tail)
	}
	return longest
}

// meshed is how many slots the mesh of a view holds, and how many it does not hold yet;
// none where it has no mesh.
func (v *view) meshed() (held, tail int) {
	c := v.vectors
	m := c.mesh.state()
	if m.graph == nil {
		return 0, 0
	}
	return m.graph.Len(), max(0, c.n-int(m.built)) + len(m.loose)
}

// tend brings the mesh of a view a step nearer to it and reports whether more is to do.
// Only one goroutine calls it.
func (v *view) tend(from, workers int) (more bool) {
	c := v.vectors
	m := c.mesh.state()
	if m.graph == nil {
		old := c.mesh.inheritance(v.live < from)
		switch {
		case v.live < from:
			return false
		case old != nil:
			c.inherit(old)
		default:
			c.mesh.adopt(hnsw.New(hnsw.Options{}), 0, nil)
		}
		return true
	}
	if len(m.loose) > 0 && c.settleLoose(m) {
		return true
	}
	if int(m.built) >= c.n {
		return false
	}
	to := min(m.built+tendBatch, uint32(c.n))
	fresh := make([]uint32, 0, tendBatch)
	for slot := m.built; slot < to; slot++ {
		if c.has(slot) {
			fresh = append(fresh, slot)
		}
	}
	if c.n-int(m.built) < tailLimit/2 {
		workers = 1 // it is scanned meanwhile: another processor is for those who wait for an answer
	}
	c.insert(m.graph, fresh, workers)
	c.mesh.tighten(to, fresh, c.version)
	return true
}

// insert adds slots to the graph.
func (c *channelView) insert(g *hnsw.Graph, slots []uint32, workers int) {
	if len(slots) < tendBatch/2 || g.Len() == 0 {
		workers = 1
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(slots); i += workers {
				g.Insert(c.scanView, slots[i])
				runtime.Gosched() // who waits for an answer comes first
			}
		})
	}
	wg.Wait()
}

// settleLoose takes changed slots out of the graph, where they are enough to be worth it,
// and inserts those that have a vector. It reports whether it did anything.
func (c *channelView) settleLoose(m meshState) bool {
	var held, free []uint32
	for _, slot := range m.loose {
		if slot >= m.built || int(slot) >= c.n {
			continue // its turn comes
		}
		if m.graph.Has(slot) {
			held = append(held, slot)
		} else {
			free = append(free, slot)
		}
	}
	if len(held) >= repairFrom+m.graph.Len()/repairShare {
		gone := newBitmap(c.n)
		for _, slot := range held {
			gone.add(slot)
		}
		m.graph.Repair(c.scanView, gone)
		free = append(free, held...)
	}
	if len(free) == 0 {
		return false
	}
	for _, slot := range free {
		if c.has(slot) {
			m.graph.Insert(c.scanView, slot)
		}
	}
	c.mesh.tighten(m.built, free, c.version)
	return true
}

// inherit makes the graph of a partition that was rebuilt out of the one that it had.
func (c *channelView) inherit(old *carried) {
	m := old.from.mesh.state()
	if m.graph == nil {
		c.mesh.adopt(hnsw.New(hnsw.Options{}), 0, nil)
		return
	}
	gone := newBitmap(old.from.n)
	for slot := range uint32(old.from.n) {
		if !old.from.has(slot) {
			gone.add(slot)
		}
	}
	for _, slot := range m.loose {
		if int(slot) < old.from.n {
			gone.add(slot)
		}
	}
	m.graph.Repair(old.from.scanView, gone)
	g := m.graph.Renumber(old.to)
	c.mesh.adopt(g, uint32(c.n), c.missing(g, c.n))
}

// missing are the slots below n with a vector that a graph does not hold.
func (c *channelView) missing(g *hnsw.Graph, n int) []uint32 {
	var out []uint32
	for slot := range uint32(n) {
		if c.has(slot) && !g.Has(slot) {
			out = append(out, slot)
		}
	}
	return out
}
