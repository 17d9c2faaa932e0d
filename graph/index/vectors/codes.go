package vectors

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// codeStore keeps every vector quantised to 8 bits for each dimension, in contiguous blocks of
// slots.ChunkSize rows, and the references of the exact vectors. A search reads the codes of all
// passing rows, which are a quarter of the bytes, and has a bound on the error of each estimate.
// Only rows that may be among the best are then compared exactly (see kernel.Quantised). The
// result equals that of a plain scan, except if sketches are used first (prefilter.go): they may
// lose one in a thousand at the last places.
type codeStore struct {
	files        *Files
	file         *vectorFile // of dim; nil before the first vector
	dim          int
	stride       int
	blocks       []*block
	bounds       []kernel.Quantised // by block: maximum of each field
	sketchBounds []kernel.Sketch    // by block: maximum of each field
	sketching    bool               // rows have sketches
	owned        map[int]bool       // blocks copied since the last publication
	end          int                // one above the highest slot that ever had a vector
	publishedEnd int                // end at the last publication
	workers      int                // goroutines for one search
	zeros        []uint8
}

// block holds the vectors of up to slots.ChunkSize slots. It starts small, because a namespace
// may stay small.
type block struct {
	codes     []uint8
	quantised []kernel.Quantised
	refs      []recordRef // of the exact vectors
	signs     []uint8     // sketches of the rows in groups (kernel.SketchGroup); nil: none
}

// initialRows is the initial number of rows of a block; it grows by a factor of four.
const initialRows = 16

func newCodeStore(workers int, files *Files) *codeStore {
	return &codeStore{files: files, owned: map[int]bool{}, workers: workers, sketching: kernel.SketchesAreFast()}
}

// Encoded is a vector as codes.
type Encoded struct {
	codes     []uint8
	quantised kernel.Quantised
	signs     []uint8 // nil: no sketch yet
	sketch    kernel.Sketch
}

// Encode quantises a vector. It takes longer than the rest of an insertion, so callers do it
// outside the write lock.
func Encode(v []float32) *Encoded {
	r := &Encoded{codes: make([]uint8, kernel.PaddedLength(len(v)))}
	r.quantised = kernel.Quantise(v, r.codes)
	if kernel.SketchesAreFast() && sketchable(len(r.codes)) {
		r.addSketch()
	}
	return r
}

// put adds the encoded vector of a slot that has none. It returns false if the vector cannot be
// searched because its dimension differs from the others.
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
	case int(slot) < s.publishedEnd: // a view may read the row; views read nothing at or above their end
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

// SetRef sets the reference of a slot whose codes were read; false if it has no codes.
func (s *codeStore) SetRef(slot uint32, at Ref) bool {
	c, i := int(slot>>slots.ChunkBits), int(slot&slots.ChunkMask)
	if at.Serial == 0 || int(at.Dim) != s.dim || c >= len(s.blocks) || s.blocks[c] == nil || i >= len(s.blocks[c].refs) {
		return false
	}
	s.blocks[c].refs[i] = at.recordRef
	return true
}

// SetDimension sets the dimension of the searched vectors.
func (s *codeStore) SetDimension(dim int) {
	s.dim, s.stride = dim, kernel.PaddedLength(dim)
	s.file, s.zeros = s.files.file(s.dim), make([]uint8, s.stride)
	s.sketching = s.sketching && sketchable(s.stride)
}

// putSketch stores the sketch of row i of a block.
func (s *codeStore) putSketch(c, i int, r *Encoded) {
	r.addSketch()
	writeSketch(s.blocks[c].signs, i, s.stride, r.signs)
	m := &s.sketchBounds[c]
	m.Gain, m.Deviation = max(m.Gain, r.sketch.Gain), max(m.Deviation, r.sketch.Deviation)
}

// raiseBounds raises the maximum of each field of a block.
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

// ownBlock returns a block for writing, copied if it was published.
func (s *codeStore) ownBlock(c int) *block {
	if !s.owned[c] {
		b := s.blocks[c]
		s.blocks[c], s.owned[c] = &block{slices.Clone(b.codes), slices.Clone(b.quantised), slices.Clone(b.refs), slices.Clone(b.signs)}, true
	}
	return s.blocks[c]
}

// growBlock replaces a block by an unpublished one with at least n rows.
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

// codeView is a codeStore as of one publication.
type codeView struct {
	files        *Files
	file         *vectorFile
	docID        func(slot uint32) (graph.ID, bool) // id of the memory in a slot; nil: unknown
	n            int                                // slots that it may read
	dim, stride  int
	blocks       []*block
	bounds       []kernel.Quantised
	sketchBounds []kernel.Sketch
	sketching    bool
	workers      int
	zeros        []uint8 // the codes of a slot without a vector
}

// Dimension returns the dimension of the searched vectors; 0 while there are none.
func (v *codeView) Dimension() int { return v.dim }

// record returns the reference of a slot's vector, zero if it has none.
func (v *codeView) record(slot uint32) recordRef {
	if c := int(slot >> slots.ChunkBits); int(slot) < v.n && c < len(v.blocks) && v.blocks[c] != nil && int(slot&slots.ChunkMask) < len(v.blocks[c].refs) {
		return v.blocks[c].refs[slot&slots.ChunkMask]
	}
	return recordRef{}
}

// Has reports whether a slot has a vector.
func (v *codeView) Has(slot uint32) bool { return v.record(slot).Serial != 0 }

// Encoded returns the codes of a slot, nil if it has none.
func (v *codeView) Encoded(slot uint32) *Encoded {
	if !v.Has(slot) {
		return nil
	}
	b, i := v.blocks[slot>>slots.ChunkBits], int(slot&slots.ChunkMask)
	return &Encoded{codes: b.codes[i*v.stride : (i+1)*v.stride], quantised: b.quantised[i]}
}

// Vector reads the vector of a slot, nil if it has none or it was dropped meanwhile. The vector
// may use buf.
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

// Read reads the vector of a memory, whether it is searched or not; nil if it has none. The
// vector may use buf.
func (v *codeView) Read(id graph.ID, r Ref, buf *[]byte) []float32 { return v.files.Vector(id, r, buf) }

// rowsOf returns the number of rows of a block.
func (v *codeView) rowsOf(c int) int {
	if v.blocks[c] == nil {
		return 0
	}
	return len(v.blocks[c].quantised)
}

// query is a query in the form that is compared with codes: q ≈ q̂ = scale·codes.
type query struct {
	vector      []float32
	codes       []int8
	bias        int32
	scale       float32
	codeError   float32              // |q − q̂|
	length      float32              // upper bound of |q̂|
	rotated     *kernel.RotatedQuery // nil: no sketches
	approximate bool                 // ignore the error of codes
}

func (v *codeView) newQuery(q []float32) *query {
	row := make([]uint8, v.stride)
	got := kernel.Quantise(q, row)
	a := &query{vector: q, codes: make([]int8, v.stride), scale: got.Scale, codeError: got.Error, length: got.Norm + got.Error}
	kernel.ToSigned(row, a.codes)
	a.bias = got.Bias
	return a
}
