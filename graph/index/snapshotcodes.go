package index

import "github.com/somnograph/somnograph/graph/index/hnsw"

// codes writes the 8-bit codes of the vectors of memories.
func (e *encoder) codes(v *view, all []memoryEntry) {
	if v.vectors.Dimension() == 0 {
		return
	}
	slots := make([]uint32, len(all))
	for i, k := range all {
		slots[i] = k.slot
	}
	e.buf = v.vectors.AppendCodes(e.buf, slots)
	e.section(sectionCodes)
}

// readVectors reads the codes of a partition's memories and its neighbour graph. It does not set
// the references of the exact vectors; finish does.
func (p *partitionReader) readVectors(d *decoder) bool {
	s := p.partition.writer.vectors
	if p.dim > 0 {
		s.SetDimension(p.dim)
	}
	left := p.memories
	for _, at := range p.codeSections {
		if !d.openSection(at) {
			return false
		}
		n, whole := s.ReadCodes(d.buf, left)
		if !whole {
			return false
		}
		left -= n
	}
	if p.dim > 0 && left > 0 || p.dim == 0 && len(p.codeSections) > 0 {
		return false
	}
	return p.readGraph(d)
}

// readGraph reads the neighbour graph, if there is one.
func (p *partitionReader) readGraph(d *decoder) bool {
	if len(p.graphSections) == 0 {
		return len(p.nodeSections) == 0
	}
	if !d.openSection(p.graphSections[0]) {
		return false
	}
	l, err := hnsw.NewLoader(d.buf)
	if err != nil {
		return false
	}
	for _, at := range p.nodeSections {
		if !d.openSection(at) || l.Add(d.buf) != nil {
			return false
		}
	}
	p.graph, err = l.Graph()
	return err == nil
}
