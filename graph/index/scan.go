package index

import "slices"

// scan is the exact vector channel: it looks at every vector that passes.
type scan struct {
	dim     int
	rows    [][]float32 // by slot; nil: none
	blocks  []*block
	changed bool
}

type block [chunkSize][]float32

func newScan() *scan { return &scan{} }

func (s *scan) put(slot uint32, v []float32) bool {
	if s.dim == 0 {
		s.dim = len(v)
	}
	if len(v) != s.dim {
		return false
	}
	b := s.own(slot)
	b[slot&chunkMask] = v
	return true
}

func (s *scan) drop(slot uint32) {
	if int(slot>>chunkBits) < len(s.blocks) {
		s.own(slot)[slot&chunkMask] = nil
	}
}

func (s *scan) own(slot uint32) *block {
	c := int(slot >> chunkBits)
	for len(s.blocks) <= c {
		s.blocks = append(s.blocks, &block{})
	}
	fresh := *s.blocks[c]
	s.blocks[c] = &fresh
	return &fresh
}

func (s *scan) publish() vectorReader { return &scanView{s.dim, slices.Clone(s.blocks)} }

type scanView struct {
	dim    int
	blocks []*block
}

func (v *scanView) dimension() int { return v.dim }

func (v *scanView) nearest(queries [][]float32, pass bitmap, k int, floor float32, first order) [][]hit {
	out := make([][]hit, len(queries))
	for q, query := range queries {
		best := newTop(k, first)
		pass.each(func(slot uint32) {
			if s := dot(query, v.blocks[slot>>chunkBits][slot&chunkMask]); s >= floor {
				best.offer(slot, s)
			}
		})
		out[q] = best.hits
	}
	return out
}

// dot is the inner product of two vectors of one length.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
