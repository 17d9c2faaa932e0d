package vectors

import "github.com/somnograph/somnograph/graph"

// channel is the vector channel of a partition: a scan of all, and where the partition is
// large a mesh over it. The scan decides what a score is and can answer everything alone;
// the mesh only proposes slots.
type Builder struct {
	*codeStore
	ann     *annGraph
	changed []uint32 // published slots that were written since the last publication
}

func NewBuilder(workers int, files *Files) *Builder {
	return &Builder{codeStore: newCodeStore(workers, files), ann: newAnnGraph()}
}

// take is that of the scan.
func (c *Builder) Put(slot uint32, at Ref, r *Encoded) bool {
	if !c.codeStore.put(slot, at, r) {
		return false
	}
	c.noteChange(slot)
	return true
}

// drop takes a vector out and leaves no trace of it in what is published next.
func (c *Builder) Drop(slot uint32) {
	c.codeStore.drop(slot)
	c.noteChange(slot)
}

// note remembers a slot that the mesh may hold as it was.
func (c *Builder) noteChange(slot uint32) {
	if int(slot) < c.publishedEnd {
		c.changed = append(c.changed, slot)
	}
}

// publish makes what was written so far readable. id answers the id of the memory in a slot; nil:
// vectors that cannot be read are not asked for.
func (c *Builder) Publish(id func(slot uint32) (graph.ID, bool)) *View {
	v := &View{codeView: c.codeStore.publish(), ann: c.ann}
	v.docID = id
	v.publication = c.ann.markDirty(c.changed)
	c.changed = c.changed[:0]
	return v
}

// channelView is a channel as it was published. The mesh goes on changing.
type View struct {
	*codeView
	ann         *annGraph
	publication uint64 // of what is loose, see mesh
}

// SetStepCost sets what a step of a graph search costs, in rows of a scan; tests have few vectors.
func (c *Builder) SetStepCost(cost int) { c.ann.stepCost = cost }

// GraphSearches answers how many queries the graph has answered.
func (c *Builder) GraphSearches() int64 { return c.ann.searches.Load() }
