package index

import (
	"runtime"
	"sync"

	"github.com/somnograph/somnograph/graph/index/hnsw"
)

const (
	// tendBatch is how many slots are inserted before it is looked what else changed.
	tendBatch = 512
	// tailBusy is how long a fresh tail is when all workers insert it.
	tailBusy = 1 << 15
	// repairFrom and repairShare: taking nodes out reads all links, so they are collected
	// until this many, and one in this many of the graph.
	repairFrom, repairShare = 64, 512
)

// meshed is how many slots the mesh of a view holds, and how many it does not hold yet;
// none where it has no mesh.
func (c *channelView) meshed() (held, tail int) {
	m := c.mesh.state()
	if m.graph == nil {
		return 0, 0
	}
	return m.graph.Len(), max(0, c.n-int(m.built)) + len(m.loose)
}

// tend brings the mesh of a view a step nearer to it and reports whether more is to do.
// live is how many memories the partition has; one with fewer than from gets no mesh. Only one
// goroutine calls it.
func (c *channelView) tend(live, from, workers int) (more bool) {
	m := c.mesh.state()
	if m.graph == nil {
		old := c.mesh.inheritance(live < from)
		switch {
		case live < from:
			return false
		case old != nil:
			c.carryOver(old)
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
	if c.n-int(m.built) < tailBusy {
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

// carryOver makes the graph of a partition that was rebuilt out of the one that it had.
func (c *channelView) carryOver(old *carried) {
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
