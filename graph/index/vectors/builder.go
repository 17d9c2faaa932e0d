package vectors

import "github.com/somnograph/somnograph/graph"

// Builder is the mutable side of a partition's vector channel: the codes of all vectors and, for
// a large partition, a neighbour graph. The codes and the exact vectors determine every score
// and can answer every query alone; the graph only proposes slots.
type Builder struct {
	*codeStore
	ann     *annGraph
	changed []uint32 // published slots that were written since the last publication
}

// NewBuilder makes an empty channel; workers is the number of goroutines for one search.
func NewBuilder(workers int, files *Files) *Builder {
	return &Builder{codeStore: newCodeStore(workers, files), ann: newAnnGraph()}
}

// Put adds the vector of a slot that has none. It returns false if the vector cannot be searched
// because its dimension differs from the others.
func (c *Builder) Put(slot uint32, at Ref, r *Encoded) bool {
	if !c.codeStore.put(slot, at, r) {
		return false
	}
	c.noteChange(slot)
	return true
}

// Drop removes a vector. The next published view contains no trace of it.
func (c *Builder) Drop(slot uint32) {
	c.codeStore.drop(slot)
	c.noteChange(slot)
}

// noteChange records a slot whose node in the graph may be outdated.
func (c *Builder) noteChange(slot uint32) {
	if int(slot) < c.publishedEnd {
		c.changed = append(c.changed, slot)
	}
}

// Publish returns a view of all writes so far. id returns the id of the memory in a slot. If id
// is nil, vectors that cannot be read from their file are not loaded from the store.
func (c *Builder) Publish(id func(slot uint32) (graph.ID, bool)) *View {
	v := &View{codeView: c.codeStore.publish(), ann: c.ann}
	v.docID = id
	v.publication = c.ann.markDirty(c.changed)
	c.changed = c.changed[:0]
	return v
}

// View is a channel as of one publication. Its graph continues to change.
type View struct {
	*codeView
	ann         *annGraph
	publication uint64 // compared with annGraph.dirtySince
}

// SetStepCost sets the cost of a step of a graph search, in rows of a scan. Tests with few
// vectors use it.
func (c *Builder) SetStepCost(cost int) { c.ann.stepCost = cost }

// GraphSearches returns the number of queries that the graph has answered.
func (c *Builder) GraphSearches() int64 { return c.ann.searches.Load() }
