package hnsw

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

// Floats is the space of float32 vectors and their inner product, which is the cosine
// where they have unit length. It keeps copies.
type Floats struct {
	dim, stride int
	pages       atomic.Pointer[[][]float32]
	growMu      sync.Mutex
}

// NewFloats makes a space of vectors of a dimension, which is at least 1.
func NewFloats(dim int) *Floats {
	f := &Floats{dim: dim, stride: (dim + 15) / 16 * 16}
	f.pages.Store(&[][]float32{})
	return f
}

// Set stores the vector of a node, before it is inserted.
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

// Ask makes v what the searcher looks for.
func (f *Floats) SetQuery(s *Searcher, v []float32) { s.Floats = append(s.Floats[:0], v...) }

// Stand is Space's.
func (f *Floats) Load(p *Probe, node uint32) { p.Floats = append(p.Floats[:0], f.row(node)...) }

// Compare is Space's.
func (f *Floats) Compare(p *Probe, nodes []uint32, scores []float32) {
	pages := *f.pages.Load()
	for i, n := range nodes {
		p.Rows[i] = unsafe.Pointer(&pages[n>>pageBits][int(n&pageMask)*f.stride])
	}
	kernel.DotsAt(p.Floats, p.Rows[:len(nodes)], scores)
}

// Bytes is the memory that the vectors take.
func (f *Floats) Bytes() int { return len(*f.pages.Load()) * pageSize * f.stride * 4 }
