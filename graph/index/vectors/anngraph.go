package vectors

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph/index/hnsw"
)

// mesh is the graph of neighbours of a large partition, and what it does not hold yet. It
// lives beside the views: its links change while readers walk, the vectors that they are
// walked with do not.
//
// Every slot with a vector is at any time in at least one of three: in the graph as it is,
// behind built (the fresh tail), or loose. A search walks the first and looks at each of
// the others. Only [mesh.tend] moves a slot into the graph, from a view that was published,
// and tells so when it is there.
type annGraph struct {
	stepCost int // stepCost, less where a test has no time for as many vectors

	mu           sync.Mutex
	publications uint64            // counts publications
	current      graphState        // what readers take
	dirtySince   map[uint32]uint64 // loose slots: the publication that showed their last change
	searches     atomic.Int64      // questions that were answered by walking
	rebuilt      *rebuiltGraph     // what the partition was before it was rebuilt; nil: nothing
}

// meshState is a mesh as a reader takes it.
type graphState struct {
	graph    *hnsw.Graph // nil: the partition is small, or being carried over
	inserted uint32      // slots below are in the graph or loose, or have no vector
	dirty    []uint32    // sorted
}

// carried is what is left of a partition that was rebuilt: its last view, and what its
// slots are called now.
type rebuiltGraph struct {
	lastView *View
	newSlots []uint32
}

// inherit gives a new channel the graph of the one that its partition was rebuilt from: from is its
// last view, to answers where its slots are now. The next step of tending carries it over.
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

// loosen counts a publication and the published slots that it shows changed.
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

// list makes the sorted list of what is loose anew. Its caller holds the lock.
func (m *annGraph) sortDirty() {
	loose := make([]uint32, 0, len(m.dirtySince))
	for slot := range m.dirtySince {
		loose = append(loose, slot)
	}
	slices.Sort(loose)
	m.current.dirty = loose
}

// tighten says that slots below built were looked at, and that some are in the graph, or
// out of it, as the view of a version shows them; what changed since stays loose.
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

// adopt takes a graph: slots below built that are not in it but in missing are loose.
func (m *annGraph) setGraph(g *hnsw.Graph, built uint32, missing []uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, slot := range missing {
		m.dirtySince[slot] = max(m.dirtySince[slot], m.publications)
	}
	m.current.graph, m.current.inserted, m.rebuilt = g, built, nil
	m.sortDirty()
}

// inheritance is what a rebuilt partition was before; none takes it off.
func (m *annGraph) rebuiltFrom(none bool) *rebuiltGraph {
	m.mu.Lock()
	defer m.mu.Unlock()
	if none {
		m.rebuilt = nil
	}
	return m.rebuilt
}

// takeGraph gives a channel that was read from a snapshot the graph that belongs to it. It answers
// false where the two do not fit.
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
		return false // it holds others
	}
	c.ann.setGraph(g, uint32(v.n), missing)
	return true
}

// graph is the graph of a view with its slots renumbered, without those that it does not hold as the
// view shows them; nil where there is none. to is changed.
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
