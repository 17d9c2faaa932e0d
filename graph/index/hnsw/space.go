package hnsw

import "unsafe"

// Batch is how many nodes a Space is asked about at once, at most.
const Batch = 2*MaxM + 1

// Space says how alike nodes are. Its methods are called at once from many goroutines.
type Space interface {
	// Stand makes the vector of a node what Compare compares with.
	Load(p *Probe, node uint32)
	// Compare writes how alike each of the nodes, at most Batch, is to the probe: the
	// higher the nearer. It is only asked about nodes that were inserted with the space,
	// or are below the Limit of a search.
	Compare(p *Probe, nodes []uint32, scores []float32)
}

// Probe is a vector in the form in which a space compares it. It is used again and
// again; a space fills in what it needs.
type Probe struct {
	codeRow []uint8

	Floats []float32
	Codes  []int8
	Scale  float32 // of the codes
	Bias   int32   // what the kernel adds for the codes

	Rows     [Batch]unsafe.Pointer // for Compare
	Products [Batch]int32          // for Compare
}

// forget leaves nothing of what was asked.
func (p *Probe) reset() {
	clear(p.Rows[:])
	p.Floats, p.Codes, p.codeRow = cleared(p.Floats), cleared(p.Codes), cleared(p.codeRow)
}

func cleared[T any](b []T) []T {
	clear(b[:cap(b)])
	return b[:0]
}
