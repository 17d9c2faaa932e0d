package vectors

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// scan is the exact side of the vector channel. It keeps every vector rounded to 8 bits a
// dimension in contiguous blocks of chunkSize rows, and where it is exact. A search
// reads the codes of everything that passes, which are a quarter of the bytes, and
// knows how wrong each estimate can be; only what could be among the best is then
// compared exactly (see kernel.Quantised). The answer is that of a plain scan, but where
// sketches are asked first (sketch.go), which may lose one in a thousand at the very end.
type codeStore struct {
	files        *Files
	file         *vectorFile // of the dimension; nil before the first vector
	dim          int
	stride       int
	blocks       []*block
	bounds       []kernel.Quantised // by block: no row has more of anything
	sketchBounds []kernel.Sketch    // by block: no row has more of anything
	sketching    bool               // sketches are drawn
	owned        map[int]bool       // blocks that were copied since the last publication
	end          int                // slots up to the last that ever had a vector
	publishedEnd int                // used, at the last publication
	workers      int                // goroutines of one search
	zeros        []uint8
}

// block holds the vectors of up to chunkSize slots. It begins small, for a namespace
// may stay so.
type block struct {
	codes     []uint8
	quantised []kernel.Quantised
	refs      []recordRef // of the exact vectors
	signs     []uint8     // sketches of the rows in groups (kernel.SketchGroup); nil: there are none
}

// firstRows is how many rows a block begins with; it grows fourfold.
const initialRows = 16

func newCodeStore(workers int, files *Files) *codeStore {
	return &codeStore{files: files, owned: map[int]bool{}, workers: workers, sketching: kernel.SketchesAreFast()}
}

// rounded is a vector as codes.
type Encoded struct {
	codes     []uint8
	quantised kernel.Quantised
	signs     []uint8 // nil: no sketch was drawn
	sketch    kernel.Sketch
}

// round is worth doing ahead: it takes longer than all else that a scan does with a vector.
func Encode(v []float32) *Encoded {
	r := &Encoded{codes: make([]uint8, kernel.PaddedLength(len(v)))}
	r.quantised = kernel.Quantise(v, r.codes)
	if kernel.SketchesAreFast() && sketchable(len(r.codes)) {
		r.addSketch()
	}
	return r
}

// take takes the vector of a slot that has none, rounded. It answers false where it cannot be
// searched, for its dimension is not that of the others.
func (s *codeStore) put(slot uint32, at Ref, r *Encoded) bool {
	if s.dim == 0 {
		s.SetDimension(int(at.Dim))
	}
	if int(at.Dim) != s.dim {
		return false
	}
	c, i := int(slot>>slots.ChunkBits), int(slot&slots.ChunkMask)
	for len(s.blocks) <= c {
		s.blocks, s.bounds, s.sketchBounds = append(s.blocks, nil), append(s.bounds, kernel.Quantised{}), append(s.sketchBounds, kernel.Sketch{})
	}
	b := s.blocks[c]
	switch {
	case b == nil || i >= len(b.refs):
		b = s.growBlock(c, i+1)
	case int(slot) < s.publishedEnd: // a view may be reading the row; it reads none behind its end
		b = s.ownBlock(c)
	}
	s.end = max(s.end, int(slot)+1)
	b.refs[i], b.quantised[i] = at.recordRef, r.quantised
	copy(b.codes[i*s.stride:(i+1)*s.stride], r.codes)
	s.raiseBounds(c, b.quantised[i])
	if s.sketching {
		s.putSketch(c, i, r)
	}
	return true
}

// at says where the vector of a slot is whose codes were read; false where there are none.
func (s *codeStore) SetRef(slot uint32, at Ref) bool {
	c, i := int(slot>>slots.ChunkBits), int(slot&slots.ChunkMask)
	if at.Serial == 0 || int(at.Dim) != s.dim || c >= len(s.blocks) || s.blocks[c] == nil || i >= len(s.blocks[c].refs) {
		return false
	}
	s.blocks[c].refs[i] = at.recordRef
	return true
}

// begin settles the dimension of what is searched.
func (s *codeStore) SetDimension(dim int) {
	s.dim, s.stride = dim, kernel.PaddedLength(dim)
	s.file, s.zeros = s.files.file(s.dim), make([]uint8, s.stride)
	s.sketching = s.sketching && sketchable(s.stride)
}

// sketchRow keeps the sketch of row i of a block.
func (s *codeStore) putSketch(c, i int, r *Encoded) {
	r.addSketch()
	writeSketch(s.blocks[c].signs, i, s.stride, r.signs)
	m := &s.sketchBounds[c]
	m.Gain, m.Deviation = max(m.Gain, r.sketch.Gain), max(m.Deviation, r.sketch.Deviation)
}

// reach raises what no row of a block has more of.
func (s *codeStore) raiseBounds(c int, q kernel.Quantised) {
	m := &s.bounds[c]
	m.Scale, m.Error, m.Norm = max(m.Scale, q.Scale), max(m.Error, q.Error), max(m.Norm, q.Norm)
}

func (s *codeStore) drop(slot uint32) {
	c, i := int(slot>>slots.ChunkBits), int(slot&slots.ChunkMask)
	if c >= len(s.blocks) || s.blocks[c] == nil || i >= len(s.blocks[c].refs) || s.blocks[c].refs[i].Serial == 0 {
		return
	}
	b := s.ownBlock(c)
	b.refs[i], b.quantised[i] = recordRef{}, kernel.Quantised{}
	clear(b.codes[i*s.stride : (i+1)*s.stride])
	if b.signs != nil {
		writeSketch(b.signs, i, s.stride, s.zeros[:s.stride/8])
	}
}

// copied is a block that no reader has.
func (s *codeStore) ownBlock(c int) *block {
	if !s.owned[c] {
		b := s.blocks[c]
		s.blocks[c], s.owned[c] = &block{slices.Clone(b.codes), slices.Clone(b.quantised), slices.Clone(b.refs), slices.Clone(b.signs)}, true
	}
	return s.blocks[c]
}

// grown is a block with at least n rows that no reader has.
func (s *codeStore) growBlock(c, n int) *block {
	size := initialRows
	for size < n {
		size = min(4*size, slots.ChunkSize)
	}
	fresh := &block{codes: make([]uint8, size*s.stride), quantised: make([]kernel.Quantised, size), refs: make([]recordRef, size)}
	if s.sketching {
		fresh.signs = make([]uint8, sketchSize(size, s.stride))
	}
	if b := s.blocks[c]; b != nil {
		copy(fresh.codes, b.codes)
		copy(fresh.quantised, b.quantised)
		copy(fresh.refs, b.refs)
		copy(fresh.signs, b.signs)
	}
	s.blocks[c], s.owned[c] = fresh, true
	return fresh
}

func (s *codeStore) publish() *codeView {
	clear(s.owned)
	s.publishedEnd = s.end
	return &codeView{files: s.files, file: s.file, n: s.end, dim: s.dim, stride: s.stride, blocks: slices.Clone(s.blocks), bounds: slices.Clone(s.bounds), sketchBounds: slices.Clone(s.sketchBounds), sketching: s.sketching, workers: s.workers, zeros: s.zeros}
}

// scanView is a scan as it was published.
type codeView struct {
	files        *Files
	file         *vectorFile
	docID        func(slot uint32) (graph.ID, bool) // of the memory in a slot; nil: there are no memories
	n            int                                // slots it may read
	dim, stride  int
	blocks       []*block
	bounds       []kernel.Quantised
	sketchBounds []kernel.Sketch
	sketching    bool
	workers      int
	zeros        []uint8 // the codes of a slot without a vector
}

// dimension of the vectors that are searched; 0 while there are none.
func (v *codeView) Dimension() int { return v.dim }

// ref says where the vector of a slot is, nowhere where it has none.
func (v *codeView) record(slot uint32) recordRef {
	if c := int(slot >> slots.ChunkBits); int(slot) < v.n && c < len(v.blocks) && v.blocks[c] != nil && int(slot&slots.ChunkMask) < len(v.blocks[c].refs) {
		return v.blocks[c].refs[slot&slots.ChunkMask]
	}
	return recordRef{}
}

// has reports whether a slot has a vector.
func (v *codeView) Has(slot uint32) bool { return v.record(slot).Serial != 0 }

// rounded are the codes of a slot, nil where it has none.
func (v *codeView) Encoded(slot uint32) *Encoded {
	if !v.Has(slot) {
		return nil
	}
	b, i := v.blocks[slot>>slots.ChunkBits], int(slot&slots.ChunkMask)
	return &Encoded{codes: b.codes[i*v.stride : (i+1)*v.stride], quantised: b.quantised[i]}
}

// vector reads the vector of a slot, nil where it has none or it was dropped meanwhile. It
// may lie in buf.
func (v *codeView) Vector(slot uint32, buf *[]byte) []float32 {
	r := v.record(slot)
	if r.Serial == 0 {
		return nil
	}
	if x := v.file.read(r, buf); x != nil {
		return x
	}
	if v.docID == nil {
		return nil
	}
	id, known := v.docID(slot)
	if !known {
		return nil
	}
	return v.files.fromStore(id, v.file, r)
}

// Read reads the vector of a memory, searched or not, nil where it has none. It may lie in buf.
func (v *codeView) Read(id graph.ID, r Ref, buf *[]byte) []float32 { return v.files.Vector(id, r, buf) }

// rowsOf is how many rows of a block are kept.
func (v *codeView) rowsOf(c int) int {
	if v.blocks[c] == nil {
		return 0
	}
	return len(v.blocks[c].quantised)
}

// asked is a query in the form that codes are compared with: q ≈ q̂ = scale·codes.
type query struct {
	vector      []float32
	codes       []int8
	bias        int32
	scale       float32
	codeError   float32              // |q − q̂|
	length      float32              // |q̂|, at least
	rotated     *kernel.RotatedQuery // nil: sketches are not asked
	approximate bool                 // what codes lose counts for nothing
}

func (v *codeView) newQuery(q []float32) *query {
	row := make([]uint8, v.stride)
	got := kernel.Quantise(q, row)
	a := &query{vector: q, codes: make([]int8, v.stride), scale: got.Scale, codeError: got.Error, length: got.Norm + got.Error}
	kernel.ToSigned(row, a.codes)
	a.bias = got.Bias
	return a
}
