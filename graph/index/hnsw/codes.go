package hnsw

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

// Codes is the space of vectors rounded to 8 bits for each dimension. It takes a quarter of the
// memory, and a search reads a quarter of the bytes. Scores are those of the rounded vectors, so
// the best hits should be compared again exactly (see [Hit]).
type Codes struct {
	stride int
	pages  atomic.Pointer[[]*codePage]
	growMu sync.Mutex
}

type codePage struct {
	codes     []uint8
	quantised [pageSize]kernel.Quantised
}

// NewCodes makes a space of vectors of dim dimensions, at least 1.
func NewCodes(dim int) *Codes {
	c := &Codes{stride: kernel.PaddedLength(dim)}
	c.pages.Store(&[]*codePage{})
	return c
}

// Set stores the vector of a node. It must be called before the node is inserted.
func (c *Codes) Set(node uint32, v []float32) {
	for int(node>>pageBits) >= len(*c.pages.Load()) {
		c.growMu.Lock()
		if pages := *c.pages.Load(); int(node>>pageBits) >= len(pages) {
			pages = append(pages[:len(pages):len(pages)], &codePage{codes: make([]uint8, pageSize*c.stride)})
			c.pages.Store(&pages)
		}
		c.growMu.Unlock()
	}
	p, i := (*c.pages.Load())[node>>pageBits], int(node&pageMask)
	p.quantised[i] = kernel.Quantise(v, p.codes[i*c.stride:(i+1)*c.stride])
}

// SetQuery makes v the query of the searcher.
func (c *Codes) SetQuery(s *Searcher, v []float32) { s.SetCodes(v, c.stride) }

// SetCodes makes v, rounded to a row of stride codes, the vector of the probe.
func (p *Probe) SetCodes(v []float32, stride int) {
	p.Floats = append(p.Floats[:0], v...)
	p.codeRow = resized(p.codeRow, stride)
	q := kernel.Quantise(v, p.codeRow)
	p.LoadCodes(p.codeRow, q)
}

// LoadCodes makes a row of codes the vector of the probe.
func (p *Probe) LoadCodes(codes []uint8, q kernel.Quantised) {
	p.Codes = resized(p.Codes, len(codes))
	kernel.ToSigned(codes, p.Codes)
	p.Scale, p.Bias = q.Scale, q.Bias
}

// Load implements Space.
func (c *Codes) Load(p *Probe, node uint32) {
	page, i := (*c.pages.Load())[node>>pageBits], int(node&pageMask)
	p.LoadCodes(page.codes[i*c.stride:(i+1)*c.stride], page.quantised[i])
}

// Compare implements Space.
func (c *Codes) Compare(p *Probe, nodes []uint32, scores []float32) {
	pages := *c.pages.Load()
	for i, n := range nodes {
		p.Rows[i] = unsafe.Pointer(&pages[n>>pageBits].codes[int(n&pageMask)*c.stride])
	}
	kernel.CodeProductsAt(p.Codes, p.Bias, p.Rows[:len(nodes)], p.Products[:])
	for i, n := range nodes {
		scores[i] = float32(p.Products[i]) * p.Scale * pages[n>>pageBits].quantised[n&pageMask].Scale
	}
}

// Bytes returns the size of the codes in memory.
func (c *Codes) Bytes() int {
	return len(*c.pages.Load()) * pageSize * (c.stride + int(unsafe.Sizeof(kernel.Quantised{})))
}

// resized returns a slice of length n, in the memory of b if that is large enough.
func resized[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	return b[:n]
}
