package vectors

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph/index/hnsw"
)

// annGraph is the neighbour graph of a large partition, and the list of what it does not contain
// yet. It is not part of the views: its links change during searches, but the vectors of a view
// do not.
//
// Every slot with a vector is always in at least one of three sets: in the graph with its
// present vector, at or above inserted (the tail), or dirty. A search uses the graph for the
// first and scans the other two. Only [View.Maintain] moves a slot into the graph, from a
// published view, and then updates the state.
type annGraph struct {
	stepCost int // defaultStepCost; less in tests with few vectors

	mu           sync.Mutex
	publications uint64            // number of publications
	current      graphState        // the state that readers take
	dirtySince   map[uint32]uint64 // dirty slots: the publication that showed their last change
	searches     atomic.Int64      // number of queries answered with the graph
	rebuilt      *rebuiltGraph     // the partition before its rebuild; nil: none
}

// graphState is the state of the graph as a reader takes it.
type graphState struct {
	graph    *hnsw.Graph // nil: the partition is small, or its graph is being carried over
	inserted uint32      // lower slots are in the graph or dirty, or have no vector
	dirty    []uint32    // sorted
}

// rebuiltGraph refers to a partition before its rebuild: its last view, and the new numbers of
// its slots.
type rebuiltGraph struct {
	lastView *View
	newSlots []uint32
}

// InheritGraph gives a new channel the graph of the channel that its partition had before a
// rebuild: from is the last view, to maps its slots to the new ones. The next maintenance step
// carries the graph over.
func (c *Builder) InheritGraph(from *View, to []uint32) {
	c.ann.rebuilt, c.ann.stepCost = &rebuiltGraph{from, to}, from.ann.stepCost
}

func newAnnGraph() *annGraph {
	return &annGraph{stepCost: defaultStepCost, dirtySince: map[uint32]uint64{}}
}

func (m *annGraph) state() graphState {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.current
}

// markDirty counts a publication and marks the published slots that it changes as dirty.
func (m *annGraph) markDirty(changed []uint32) (version uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.publications++
	if len(changed) > 0 && (m.current.graph != nil || m.rebuilt != nil) {
		for _, slot := range changed {
			m.dirtySince[slot] = m.publications
		}
		m.sortDirty()
	}
	return m.publications
}

// sortDirty makes a new sorted list of the dirty slots. The caller holds the lock.
func (m *annGraph) sortDirty() {
	loose := make([]uint32, 0, len(m.dirtySince))
	for slot := range m.dirtySince {
		loose = append(loose, slot)
	}
	slices.Sort(loose)
	m.current.dirty = loose
}

// clearDirty records that the slots below built are processed, and that the given slots are in
// the graph, or absent, as in the view of a version. Slots that changed after that version stay
// dirty.
func (m *annGraph) clearDirty(built uint32, slots []uint32, version uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.current.inserted = built
	before := len(m.dirtySince)
	for _, slot := range slots {
		if since, waits := m.dirtySince[slot]; waits && since <= version {
			delete(m.dirtySince, slot)
		}
	}
	if len(m.dirtySince) < before {
		m.sortDirty()
	}
}

// setGraph sets a graph. The slots of missing, which are below built but not in the graph,
// become dirty.
func (m *annGraph) setGraph(g *hnsw.Graph, built uint32, missing []uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, slot := range missing {
		m.dirtySince[slot] = max(m.dirtySince[slot], m.publications)
	}
	m.current.graph, m.current.inserted, m.rebuilt = g, built, nil
	m.sortDirty()
}

// rebuiltFrom returns the partition before its rebuild. If none is set, it first discards that.
func (m *annGraph) rebuiltFrom(none bool) *rebuiltGraph {
	m.mu.Lock()
	defer m.mu.Unlock()
	if none {
		m.rebuilt = nil
	}
	return m.rebuilt
}

// SetGraph sets the graph that was read from a snapshot. It returns false if the graph does not
// fit the vectors.
func (c *Builder) SetGraph(g *hnsw.Graph) bool {
	v := c.Publish(nil)
	missing := v.missingFrom(g, v.n)
	withVector := 0
	for slot := range uint32(v.n) {
		if v.Has(slot) {
			withVector++
		}
	}
	if g.Len()+len(missing) != withVector {
		return false // it contains other nodes
	}
	c.ann.setGraph(g, uint32(v.n), missing)
	return true
}

// Graph returns a copy of the graph with slots renumbered by to, without nodes that differ from
// the view; nil if there is no graph. It changes to.
func (c *View) Graph(to []uint32) *hnsw.Graph {
	m := c.ann.state()
	if m.graph == nil {
		return nil
	}
	for slot := range to {
		if !c.Has(uint32(slot)) {
			to[slot] = hnsw.Removed
		}
	}
	for _, slot := range m.dirty {
		if int(slot) < len(to) {
			to[slot] = hnsw.Removed
		}
	}
	return m.graph.Renumber(to)
}
