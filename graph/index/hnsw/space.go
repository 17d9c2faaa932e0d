package hnsw

import "unsafe"

// Batch is the maximum number of nodes in one call of Space.Compare.
const Batch = 2*MaxM + 1

// Space computes how similar nodes are. Its methods are called concurrently.
type Space interface {
	// Load makes the vector of a node the one that Compare compares with.
	Load(p *Probe, node uint32)
	// Compare writes the similarity of each of the nodes, at most Batch, to the probe; a higher
	// score is nearer. It is called only for nodes that were inserted with the space, or are
	// below the NodeLimit of a search.
	Compare(p *Probe, nodes []uint32, scores []float32)
}

// Probe is a vector in the form in which a space compares it. It is reused; a space sets the
// fields that it needs.
type Probe struct {
	codeRow []uint8

	Floats []float32
	Codes  []int8
	Scale  float32 // of the codes
	Bias   int32   // of the codes, see kernel.Quantised

	Rows     [Batch]unsafe.Pointer // buffer of Compare
	Products [Batch]int32          // buffer of Compare
}

// reset clears the probe.
func (p *Probe) reset() {
	clear(p.Rows[:])
	p.Floats, p.Codes, p.codeRow = cleared(p.Floats), cleared(p.Codes), cleared(p.codeRow)
}

func cleared[T any](b []T) []T {
	clear(b[:cap(b)])
	return b[:0]
}
