package hnsw

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

// Floats is the space of float32 vectors and their inner product, which is the cosine if they
// have unit length. It copies the vectors.
type Floats struct {
	dim, stride int
	pages       atomic.Pointer[[][]float32]
	growMu      sync.Mutex
}

// NewFloats makes a space of vectors of dim dimensions, at least 1.
func NewFloats(dim int) *Floats {
	f := &Floats{dim: dim, stride: (dim + 15) / 16 * 16}
	f.pages.Store(&[][]float32{})
	return f
}

// Set stores the vector of a node. It must be called before the node is inserted.
func (f *Floats) Set(node uint32, v []float32) {
	for int(node>>pageBits) >= len(*f.pages.Load()) {
		f.growMu.Lock()
		if pages := *f.pages.Load(); int(node>>pageBits) >= len(pages) {
			pages = append(pages[:len(pages):len(pages)], make([]float32, pageSize*f.stride))
			f.pages.Store(&pages)
		}
		f.growMu.Unlock()
	}
	copy(f.row(node), v)
}

func (f *Floats) row(node uint32) []float32 {
	at := int(node&pageMask) * f.stride
	return (*f.pages.Load())[node>>pageBits][at : at+f.dim]
}

// SetQuery makes v the query of the searcher.
func (f *Floats) SetQuery(s *Searcher, v []float32) { s.Floats = append(s.Floats[:0], v...) }

// Load implements Space.
func (f *Floats) Load(p *Probe, node uint32) { p.Floats = append(p.Floats[:0], f.row(node)...) }

// Compare implements Space.
func (f *Floats) Compare(p *Probe, nodes []uint32, scores []float32) {
	pages := *f.pages.Load()
	for i, n := range nodes {
		p.Rows[i] = unsafe.Pointer(&pages[n>>pageBits][int(n&pageMask)*f.stride])
	}
	kernel.DotsAt(p.Floats, p.Rows[:len(nodes)], scores)
}

// Bytes returns the size of the vectors in memory.
func (f *Floats) Bytes() int { return len(*f.pages.Load()) * pageSize * f.stride * 4 }
