package vectors

import (
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// A view is the space that the mesh is walked in: it compares the codes that it holds, so
// that no walk sees a vector that the view does not show. Slots that lost theirs are as
// far from everything as can be without being opposed.

// Load is hnsw.Space's.
func (v *codeView) Load(p *hnsw.Probe, slot uint32) {
	codes, quant := v.code(slot)
	p.LoadCodes(unsafe.Slice(codes, v.stride), quant)
}

// Compare is hnsw.Space's.
func (v *codeView) Compare(p *hnsw.Probe, slots []uint32, scores []float32) {
	var scales [hnsw.Batch]float32
	for i, slot := range slots {
		codes, quant := v.code(slot)
		p.Rows[i], scales[i] = unsafe.Pointer(codes), quant.Scale
	}
	kernel.CodeProductsAt(p.Codes, p.Bias, p.Rows[:len(slots)], p.Products[:])
	for i := range slots {
		scores[i] = float32(p.Products[i]) * p.Scale * scales[i]
	}
}

// code is where the codes of a slot below n lie, and what they stand for.
func (v *codeView) code(slot uint32) (*uint8, kernel.Quantised) {
	if c, i := int(slot>>slots.ChunkBits), int(slot&slots.ChunkMask); c < len(v.blocks) {
		if b := v.blocks[c]; b != nil && i < len(b.quantised) {
			return &b.codes[i*v.stride], b.quantised[i]
		}
	}
	return &v.zeros[0], kernel.Quantised{}
}
