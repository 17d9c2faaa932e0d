package index

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

// scan is the exact side of the vector channel. It keeps every vector twice: as it is, and
// rounded to 8 bits a dimension in contiguous blocks of chunkSize rows. A search
// reads the codes of everything that passes, which are a quarter of the bytes, and
// knows how wrong each estimate can be; only what could be among the best is then
// compared exactly (see kernel.Quantised). The answer is that of a plain scan.
type scan struct {
	dim     int
	stride  int
	blocks  []*block
	own     map[int]bool // blocks that were copied since the last publication
	used    int          // slots up to the last that ever had a vector
	seen    int          // used, at the last publication
	pool    int          // goroutines of one search
	nothing []uint8
}

// block holds the vectors of up to chunkSize slots. It begins small, for a namespace
// may stay so.
type block struct {
	codes []uint8
	quant []kernel.Quantised
	rows  [][]float32
}

// firstRows is how many rows a block begins with; it grows fourfold.
const firstRows = 16

func newScan(workers int) *scan { return &scan{own: map[int]bool{}, pool: workers} }

func (s *scan) put(slot uint32, v []float32) bool {
	if s.dim == 0 {
		s.dim, s.stride = len(v), kernel.Padded(len(v))
		s.nothing = make([]uint8, s.stride)
	}
	if len(v) != s.dim {
		return false
	}
	c, i := int(slot>>chunkBits), int(slot&chunkMask)
	for len(s.blocks) <= c {
		s.blocks = append(s.blocks, nil)
	}
	b := s.blocks[c]
	switch {
	case b == nil || i >= len(b.rows):
		b = s.grown(c, i+1)
	case int(slot) < s.seen: // a view may be reading the row; it reads none behind its end
		b = s.copied(c)
	}
	s.used = max(s.used, int(slot)+1)
	b.rows[i] = v
	b.quant[i] = kernel.Quantise(v, b.codes[i*s.stride:(i+1)*s.stride])
	return true
}

func (s *scan) drop(slot uint32) {
	c, i := int(slot>>chunkBits), int(slot&chunkMask)
	if c >= len(s.blocks) || s.blocks[c] == nil || i >= len(s.blocks[c].rows) || s.blocks[c].rows[i] == nil {
		return
	}
	b := s.copied(c)
	b.rows[i], b.quant[i] = nil, kernel.Quantised{}
	clear(b.codes[i*s.stride : (i+1)*s.stride])
}

// copied is a block that no reader has.
func (s *scan) copied(c int) *block {
	if !s.own[c] {
		b := s.blocks[c]
		s.blocks[c], s.own[c] = &block{slices.Clone(b.codes), slices.Clone(b.quant), slices.Clone(b.rows)}, true
	}
	return s.blocks[c]
}

// grown is a block with at least n rows that no reader has.
func (s *scan) grown(c, n int) *block {
	size := firstRows
	for size < n {
		size = min(4*size, chunkSize)
	}
	fresh := &block{make([]uint8, size*s.stride), make([]kernel.Quantised, size), make([][]float32, size)}
	if b := s.blocks[c]; b != nil {
		copy(fresh.codes, b.codes)
		copy(fresh.quant, b.quant)
		copy(fresh.rows, b.rows)
	}
	s.blocks[c], s.own[c] = fresh, true
	return fresh
}

func (s *scan) publish() *scanView {
	clear(s.own)
	s.seen = s.used
	return &scanView{n: s.used, dim: s.dim, stride: s.stride, blocks: slices.Clone(s.blocks), workers: s.pool, nothing: s.nothing}
}

// scanView is a scan as it was published.
type scanView struct {
	n           int // slots it may read
	dim, stride int
	blocks      []*block
	workers     int
	nothing     []uint8 // the codes of a slot without a vector
}

// dimension of the vectors that are searched; 0 while there are none.
func (v *scanView) dimension() int { return v.dim }

// row is the vector of a slot, nil where it has none.
func (v *scanView) row(slot uint32) []float32 {
	if c := int(slot >> chunkBits); int(slot) < v.n && c < len(v.blocks) && v.blocks[c] != nil && int(slot&chunkMask) < len(v.blocks[c].rows) {
		return v.blocks[c].rows[slot&chunkMask]
	}
	return nil
}

// asked is a query in the form that codes are compared with: q ≈ q̂ = scale·codes.
type asked struct {
	exact  []float32
	codes  []int8
	bias   int32
	scale  float32
	wrong  float32 // |q − q̂|
	length float32 // |q̂|, at least
}

func (v *scanView) ask(q []float32) *asked {
	row := make([]uint8, v.stride)
	got := kernel.Quantise(q, row)
	a := &asked{exact: q, codes: make([]int8, v.stride), scale: got.Scale, wrong: got.Wrong, length: got.Norm + got.Wrong}
	kernel.Signed(row, a.codes)
	a.bias = got.Bias
	return a
}

// parallelRows is how many rows are worth a second goroutine.
const parallelRows = 16 << 10

func (v *scanView) nearest(queries [][]float32, pass bitmap, k int, floor float32, first order) [][]hit {
	asks := make([]*asked, len(queries))
	for i, q := range queries {
		asks[i] = v.ask(q)
	}
	parts := 1
	if len(v.blocks)*chunkSize*len(queries) >= 2*parallelRows {
		parts = min(v.workers, len(v.blocks))
	}
	runs := make([]*scanRun, parts)
	for p := range runs {
		runs[p] = &scanRun{v: v, asks: asks, pass: pass, from: p * len(v.blocks) / parts, to: (p + 1) * len(v.blocks) / parts}
		runs[p].open(k, floor)
	}
	var wg sync.WaitGroup
	for _, r := range runs[1:] {
		wg.Go(r.sweep)
	}
	runs[0].sweep()
	wg.Wait()
	out := make([][]hit, len(queries))
	for i, a := range asks {
		out[i] = v.settle(a, runs, i, k, floor, first)
	}
	return out
}

// scanRun sweeps some of the blocks for all queries.
type scanRun struct {
	v        *scanView
	asks     []*asked
	pass     bitmap
	from, to int
	states   []sweepState
	out      [chunkSize]int32
}

// sweepState is what one query has met so far.
type sweepState struct {
	certain *top    // the k highest scores that are certain at the least
	bar     float32 // what can be no higher than this is out
	likely  []hit   // what could be higher: its highest possible score
}

func (r *scanRun) open(k int, floor float32) {
	r.states = make([]sweepState, len(r.asks))
	for i := range r.states {
		r.states[i] = sweepState{certain: newTop(k, bySlot), bar: floor}
	}
}

func bySlot(a, b uint32) bool { return a < b }

func (r *scanRun) sweep() {
	for c := r.from; c < r.to; c++ {
		b := r.v.blocks[c]
		words := r.words(c)
		if b == nil || len(words) == 0 {
			continue
		}
		n := 0
		for _, w := range words {
			n += bits.OnesCount64(w)
		}
		for i, a := range r.asks {
			if n > 0 {
				r.block(a, &r.states[i], b, c, words, n)
			}
		}
	}
}

// words are the words of pass that stand for a block.
func (r *scanRun) words(c int) []uint64 {
	from := c * chunkSize / 64
	return r.pass[min(from, len(r.pass)):min(from+chunkSize/64, len(r.pass))]
}

// block compares one query with the n passing rows of a block.
func (r *scanRun) block(a *asked, st *sweepState, b *block, c int, words []uint64, n int) {
	stride := r.v.stride
	dense := n > chunkSize/8
	if dense {
		kernel.Rows(a.codes, a.bias, b.codes, r.out[:min(len(b.rows), r.v.n-c*chunkSize)])
	}
	for w, word := range words {
		for ; word != 0; word &= word - 1 {
			i := w*64 + bits.TrailingZeros64(word)
			if !dense {
				kernel.Rows(a.codes, a.bias, b.codes[i*stride:(i+1)*stride], r.out[i:i+1])
			}
			q := &b.quant[i]
			// |q·v − q̂·v̂| ≤ |q̂|·|v − v̂| + |q − q̂|·|v|, and what float32 loses.
			estimate := float32(r.out[i]) * (a.scale * q.Scale)
			off := a.length*q.Wrong + a.wrong*q.Norm + 1e-5*a.length*q.Norm
			if estimate+off < st.bar {
				continue
			}
			slot := uint32(c<<chunkBits + i)
			st.likely = append(st.likely, hit{slot, estimate + off})
			st.certain.offer(slot, estimate-off)
			if st.certain.full() {
				st.bar = max(st.bar, st.certain.floor())
			}
		}
	}
}

// settle compares exactly what could be among the k best of one query: first those
// that are the best for certain, whose exact scores raise the bar for the rest.
func (v *scanView) settle(a *asked, runs []*scanRun, i, k int, floor float32, first order) []hit {
	exact := func(slot uint32) float32 {
		return kernel.Dot(a.exact, v.blocks[slot>>chunkBits].rows[slot&chunkMask])
	}
	bar := floor
	good := newTop(k, bySlot)
	for _, r := range runs {
		bar = max(bar, r.states[i].bar)
		for _, h := range r.states[i].certain.hits {
			good.offer(h.slot, exact(h.slot))
		}
	}
	if good.full() {
		bar = max(bar, good.floor())
	}
	best := newTop(k, first)
	for _, r := range runs {
		for _, h := range r.states[i].likely {
			if h.score < bar {
				continue
			}
			if s := exact(h.slot); s >= floor {
				best.offer(h.slot, s)
			}
		}
	}
	return best.hits
}
