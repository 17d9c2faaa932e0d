package vectors

import (
	"runtime"
	"sync"

	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/slots"
)

const (
	// insertBatch is how many slots one maintenance step inserts.
	insertBatch = 512
	// busyTail is the tail length from which all workers insert.
	busyTail = 1 << 15
	// A removal of nodes reads all links of the graph. So outdated nodes are collected until
	// there are minRepair plus one in repairShare of the graph.
	minRepair, repairShare = 64, 512
)

// GraphSize returns the number of slots in the graph, and the number that it does not contain
// yet; zeros if there is no graph.
func (c *View) GraphSize() (held, tail int) {
	m := c.ann.state()
	if m.graph == nil {
		return 0, 0
	}
	return m.graph.Len(), max(0, c.n-int(m.inserted)) + len(m.dirty)
}

// Maintain does one step towards a graph that contains the view, and reports whether more is
// left. live is the number of memories of the partition; with fewer than from it gets no graph.
// Only one goroutine may call it.
func (c *View) Maintain(live, from, workers int) (more bool) {
	m := c.ann.state()
	if m.graph == nil {
		old := c.ann.rebuiltFrom(live < from)
		switch {
		case live < from:
			return false
		case old != nil:
			c.carryOver(old)
		default:
			c.ann.setGraph(hnsw.New(hnsw.Options{}), 0, nil)
		}
		return true
	}
	if len(m.dirty) > 0 && c.repair(m) {
		return true
	}
	if int(m.inserted) >= c.n {
		return false
	}
	to := min(m.inserted+insertBatch, uint32(c.n))
	fresh := make([]uint32, 0, insertBatch)
	for slot := m.inserted; slot < to; slot++ {
		if c.Has(slot) {
			fresh = append(fresh, slot)
		}
	}
	if c.n-int(m.inserted) < busyTail {
		workers = 1 // the tail is scanned meanwhile; other processors are left for searches
	}
	c.insert(m.graph, fresh, workers)
	c.ann.clearDirty(to, fresh, c.publication)
	return true
}

// insert adds slots to the graph.
func (c *View) insert(g *hnsw.Graph, slots []uint32, workers int) {
	if len(slots) < insertBatch/2 || g.Len() == 0 {
		workers = 1
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(slots); i += workers {
				g.Insert(c.codeView, slots[i])
				runtime.Gosched() // searches have priority
			}
		})
	}
	wg.Wait()
}

// repair removes changed slots from the graph, if they are enough, and inserts the dirty slots
// that have a vector. It reports whether it did anything.
func (c *View) repair(m graphState) bool {
	var held, free []uint32
	for _, slot := range m.dirty {
		if slot >= m.inserted || int(slot) >= c.n {
			continue // it is in the tail, or newer than the view
		}
		if m.graph.Has(slot) {
			held = append(held, slot)
		} else {
			free = append(free, slot)
		}
	}
	if len(held) >= minRepair+m.graph.Len()/repairShare {
		gone := slots.NewSet(c.n)
		for _, slot := range held {
			gone.Add(slot)
		}
		m.graph.Repair(c.codeView, gone)
		free = append(free, held...)
	}
	if len(free) == 0 {
		return false
	}
	for _, slot := range free {
		if c.Has(slot) {
			m.graph.Insert(c.codeView, slot)
		}
	}
	c.ann.clearDirty(m.inserted, free, c.publication)
	return true
}

// carryOver makes the graph of a rebuilt partition from its previous graph.
func (c *View) carryOver(old *rebuiltGraph) {
	m := old.lastView.ann.state()
	if m.graph == nil {
		c.ann.setGraph(hnsw.New(hnsw.Options{}), 0, nil)
		return
	}
	gone := slots.NewSet(old.lastView.n)
	for slot := range uint32(old.lastView.n) {
		if !old.lastView.Has(slot) {
			gone.Add(slot)
		}
	}
	for _, slot := range m.dirty {
		if int(slot) < old.lastView.n {
			gone.Add(slot)
		}
	}
	m.graph.Repair(old.lastView.codeView, gone)
	g := m.graph.Renumber(old.newSlots)
	c.ann.setGraph(g, uint32(c.n), c.missingFrom(g, c.n))
}

// missingFrom returns the slots below n with a vector that a graph does not contain.
func (c *View) missingFrom(g *hnsw.Graph, n int) []uint32 {
	var out []uint32
	for slot := range uint32(n) {
		if c.Has(slot) && !g.Has(slot) {
			out = append(out, slot)
		}
	}
	return out
}
