package index

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/kernel"
)

// scan is the exact side of the vector channel. It keeps every vector rounded to 8 bits a
// dimension in contiguous blocks of chunkSize rows, and where it is exact. A search
// reads the codes of everything that passes, which are a quarter of the bytes, and
// knows how wrong each estimate can be; only what could be among the best is then
// compared exactly (see kernel.Quantised). The answer is that of a plain scan, but where
// sketches are asked first (sketch.go), which may lose one in a thousand at the very end.
type scan struct {
	files   *vectorFiles
	file    *vectorFile // of the dimension; nil before the first vector
	dim     int
	stride  int
	blocks  []*block
	most    []kernel.Quantised // by block: no row has more of anything
	drawn   []kernel.Sketch    // by block: no row has more of anything
	sketch  bool               // sketches are drawn
	own     map[int]bool       // blocks that were copied since the last publication
	used    int                // slots up to the last that ever had a vector
	seen    int                // used, at the last publication
	pool    int                // goroutines of one search
	nothing []uint8
}

// block holds the vectors of up to chunkSize slots. It begins small, for a namespace
// may stay so.
type block struct {
	codes []uint8
	quant []kernel.Quantised
	refs  []vectorRef // of the exact vectors
	signs []uint8     // sketches of the rows in groups (kernel.SketchGroup); nil: there are none
}

// firstRows is how many rows a block begins with; it grows fourfold.
const firstRows = 16

func newScan(workers int, files *vectorFiles) *scan {
	return &scan{files: files, own: map[int]bool{}, pool: workers, sketch: kernel.Sketching()}
}

// rounded is a vector as codes.
type rounded struct {
	codes  []uint8
	quant  kernel.Quantised
	signs  []uint8 // nil: no sketch was drawn
	sketch kernel.Sketch
}

// round is worth doing ahead: it takes longer than all else that a scan does with a vector.
func round(v []float32) *rounded {
	r := &rounded{codes: make([]uint8, kernel.Padded(len(v)))}
	r.quant = kernel.Quantise(v, r.codes)
	if kernel.Sketching() && sketched(len(r.codes)) {
		r.draw()
	}
	return r
}

// take takes the vector of a slot that has none, rounded. It answers false where it cannot be
// searched, for its dimension is not that of the others.
func (s *scan) take(slot uint32, at heldAt, r *rounded) bool {
	if s.dim == 0 {
		s.begin(int(at.dim))
	}
	if int(at.dim) != s.dim {
		return false
	}
	c, i := int(slot>>chunkBits), int(slot&chunkMask)
	for len(s.blocks) <= c {
		s.blocks, s.most, s.drawn = append(s.blocks, nil), append(s.most, kernel.Quantised{}), append(s.drawn, kernel.Sketch{})
	}
	b := s.blocks[c]
	switch {
	case b == nil || i >= len(b.refs):
		b = s.grown(c, i+1)
	case int(slot) < s.seen: // a view may be reading the row; it reads none behind its end
		b = s.copied(c)
	}
	s.used = max(s.used, int(slot)+1)
	b.refs[i], b.quant[i] = at.vectorRef, r.quant
	copy(b.codes[i*s.stride:(i+1)*s.stride], r.codes)
	s.reach(c, b.quant[i])
	if s.sketch {
		s.sketchRow(c, i, r)
	}
	return true
}

// at says where the vector of a slot is whose codes were read; false where there are none.
func (s *scan) at(slot uint32, at heldAt) bool {
	c, i := int(slot>>chunkBits), int(slot&chunkMask)
	if at.serial == 0 || int(at.dim) != s.dim || c >= len(s.blocks) || s.blocks[c] == nil || i >= len(s.blocks[c].refs) {
		return false
	}
	s.blocks[c].refs[i] = at.vectorRef
	return true
}

// begin settles the dimension of what is searched.
func (s *scan) begin(dim int) {
	s.dim, s.stride = dim, kernel.Padded(dim)
	s.file, s.nothing = s.files.of(s.dim), make([]uint8, s.stride)
	s.sketch = s.sketch && sketched(s.stride)
}

// sketchRow keeps the sketch of row i of a block.
func (s *scan) sketchRow(c, i int, r *rounded) {
	r.draw()
	putSketch(s.blocks[c].signs, i, s.stride, r.signs)
	m := &s.drawn[c]
	m.Gain, m.Doubt = max(m.Gain, r.sketch.Gain), max(m.Doubt, r.sketch.Doubt)
}

// reach raises what no row of a block has more of.
func (s *scan) reach(c int, q kernel.Quantised) {
	m := &s.most[c]
	m.Scale, m.Wrong, m.Norm = max(m.Scale, q.Scale), max(m.Wrong, q.Wrong), max(m.Norm, q.Norm)
}

func (s *scan) drop(slot uint32) {
	c, i := int(slot>>chunkBits), int(slot&chunkMask)
	if c >= len(s.blocks) || s.blocks[c] == nil || i >= len(s.blocks[c].refs) || s.blocks[c].refs[i].serial == 0 {
		return
	}
	b := s.copied(c)
	b.refs[i], b.quant[i] = vectorRef{}, kernel.Quantised{}
	clear(b.codes[i*s.stride : (i+1)*s.stride])
	if b.signs != nil {
		putSketch(b.signs, i, s.stride, s.nothing[:s.stride/8])
	}
}

// copied is a block that no reader has.
func (s *scan) copied(c int) *block {
	if !s.own[c] {
		b := s.blocks[c]
		s.blocks[c], s.own[c] = &block{slices.Clone(b.codes), slices.Clone(b.quant), slices.Clone(b.refs), slices.Clone(b.signs)}, true
	}
	return s.blocks[c]
}

// grown is a block with at least n rows that no reader has.
func (s *scan) grown(c, n int) *block {
	size := firstRows
	for size < n {
		size = min(4*size, chunkSize)
	}
	fresh := &block{codes: make([]uint8, size*s.stride), quant: make([]kernel.Quantised, size), refs: make([]vectorRef, size)}
	if s.sketch {
		fresh.signs = make([]uint8, sketchBytes(size, s.stride))
	}
	if b := s.blocks[c]; b != nil {
		copy(fresh.codes, b.codes)
		copy(fresh.quant, b.quant)
		copy(fresh.refs, b.refs)
		copy(fresh.signs, b.signs)
	}
	s.blocks[c], s.own[c] = fresh, true
	return fresh
}

func (s *scan) publish() *scanView {
	clear(s.own)
	s.seen = s.used
	return &scanView{files: s.files, file: s.file, n: s.used, dim: s.dim, stride: s.stride, blocks: slices.Clone(s.blocks), most: slices.Clone(s.most), drawn: slices.Clone(s.drawn), sketch: s.sketch, workers: s.pool, nothing: s.nothing}
}

// scanView is a scan as it was published.
type scanView struct {
	files       *vectorFiles
	file        *vectorFile
	id          func(slot uint32) (graph.ID, bool) // of the memory in a slot; nil: there are no memories
	n           int                                // slots it may read
	dim, stride int
	blocks      []*block
	most        []kernel.Quantised
	drawn       []kernel.Sketch
	sketch      bool
	workers     int
	nothing     []uint8 // the codes of a slot without a vector
}

// dimension of the vectors that are searched; 0 while there are none.
func (v *scanView) dimension() int { return v.dim }

// ref says where the vector of a slot is, nowhere where it has none.
func (v *scanView) ref(slot uint32) vectorRef {
	if c := int(slot >> chunkBits); int(slot) < v.n && c < len(v.blocks) && v.blocks[c] != nil && int(slot&chunkMask) < len(v.blocks[c].refs) {
		return v.blocks[c].refs[slot&chunkMask]
	}
	return vectorRef{}
}

// has reports whether a slot has a vector.
func (v *scanView) has(slot uint32) bool { return v.ref(slot).serial != 0 }

// rounded are the codes of a slot, nil where it has none.
func (v *scanView) rounded(slot uint32) *rounded {
	if !v.has(slot) {
		return nil
	}
	b, i := v.blocks[slot>>chunkBits], int(slot&chunkMask)
	return &rounded{codes: b.codes[i*v.stride : (i+1)*v.stride], quant: b.quant[i]}
}

// vector reads the vector of a slot, nil where it has none or it was dropped meanwhile. It
// may lie in buf.
func (v *scanView) vector(slot uint32, buf *[]byte) []float32 {
	r := v.ref(slot)
	if r.serial == 0 {
		return nil
	}
	if x := v.file.read(r, buf); x != nil {
		return x
	}
	if v.id == nil {
		return nil
	}
	id, known := v.id(slot)
	if !known {
		return nil
	}
	return v.files.find(id, v.file, r)
}

// rowsOf is how many rows of a block are kept.
func (v *scanView) rowsOf(c int) int {
	if v.blocks[c] == nil {
		return 0
	}
	return len(v.blocks[c].quant)
}

// asked is a query in the form that codes are compared with: q ≈ q̂ = scale·codes.
type asked struct {
	exact  []float32
	codes  []int8
	bias   int32
	scale  float32
	wrong  float32        // |q − q̂|
	length float32        // |q̂|, at least
	turned *kernel.Turned // nil: sketches are not asked
	brief  bool           // what codes lose counts for nothing
}

func (v *scanView) ask(q []float32) *asked {
	row := make([]uint8, v.stride)
	got := kernel.Quantise(q, row)
	a := &asked{exact: q, codes: make([]int8, v.stride), scale: got.Scale, wrong: got.Wrong, length: got.Norm + got.Wrong}
	kernel.Signed(row, a.codes)
	a.bias = got.Bias
	return a
}
