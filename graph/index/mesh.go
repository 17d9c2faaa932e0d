package index

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
type mesh struct {
	step int // stepCost, less where a test has no time for as many vectors

	mu      sync.Mutex
	version uint64            // counts publications
	now     meshState         // what readers take
	pending map[uint32]uint64 // loose slots: the publication that showed their last change
	walked  atomic.Int64      // questions that were answered by walking
	carry   *carried          // what the partition was before it was rebuilt; nil: nothing
}

// meshState is a mesh as a reader takes it.
type meshState struct {
	graph *hnsw.Graph // nil: the partition is small, or being carried over
	built uint32      // slots below are in the graph or loose, or have no vector
	loose []uint32    // sorted
}

// carried is what is left of a partition that was rebuilt: its last view, and what its
// slots are called now.
type carried struct {
	from *channelView
	to   []uint32
}

// inherit gives a new channel the graph of the one that its partition was rebuilt from: from is its
// last view, to answers where its slots are now. The next step of tending carries it over.
func (c *channel) inherit(from *channelView, to []uint32) {
	c.mesh.carry, c.mesh.step = &carried{from, to}, from.mesh.step
}

func newMesh() *mesh { return &mesh{step: stepCost, pending: map[uint32]uint64{}} }

func (m *mesh) state() meshState {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// loosen counts a publication and the published slots that it shows changed.
func (m *mesh) loosen(changed []uint32) (version uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.version++
	if len(changed) > 0 && (m.now.graph != nil || m.carry != nil) {
		for _, slot := range changed {
			m.pending[slot] = m.version
		}
		m.list()
	}
	return m.version
}

// list makes the sorted list of what is loose anew. Its caller holds the lock.
func (m *mesh) list() {
	loose := make([]uint32, 0, len(m.pending))
	for slot := range m.pending {
		loose = append(loose, slot)
	}
	slices.Sort(loose)
	m.now.loose = loose
}

// tighten says that slots below built were looked at, and that some are in the graph, or
// out of it, as the view of a version shows them; what changed since stays loose.
func (m *mesh) tighten(built uint32, slots []uint32, version uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.built = built
	before := len(m.pending)
	for _, slot := range slots {
		if since, waits := m.pending[slot]; waits && since <= version {
			delete(m.pending, slot)
		}
	}
	if len(m.pending) < before {
		m.list()
	}
}

// adopt takes a graph: slots below built that are not in it but in missing are loose.
func (m *mesh) adopt(g *hnsw.Graph, built uint32, missing []uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, slot := range missing {
		m.pending[slot] = max(m.pending[slot], m.version)
	}
	m.now.graph, m.now.built, m.carry = g, built, nil
	m.list()
}

// inheritance is what a rebuilt partition was before; none takes it off.
func (m *mesh) inheritance(none bool) *carried {
	m.mu.Lock()
	defer m.mu.Unlock()
	if none {
		m.carry = nil
	}
	return m.carry
}

// takeGraph gives a channel that was read from a snapshot the graph that belongs to it. It answers
// false where the two do not fit.
func (c *channel) takeGraph(g *hnsw.Graph) bool {
	v := c.publish(nil)
	missing := v.missing(g, v.n)
	withVector := 0
	for slot := range uint32(v.n) {
		if v.has(slot) {
			withVector++
		}
	}
	if g.Len()+len(missing) != withVector {
		return false // it holds others
	}
	c.mesh.adopt(g, uint32(v.n), missing)
	return true
}

// graph is the graph of a view with its slots renumbered, without those that it does not hold as the
// view shows them; nil where there is none. to is changed.
func (c *channelView) graph(to []uint32) *hnsw.Graph {
	m := c.mesh.state()
	if m.graph == nil {
		return nil
	}
	for slot := range to {
		if !c.has(uint32(slot)) {
			to[slot] = hnsw.Gone
		}
	}
	for _, slot := range m.loose {
		if int(slot) < len(to) {
			to[slot] = hnsw.Gone
		}
	}
	return m.graph.Renumber(to)
}
