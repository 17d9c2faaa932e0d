package vectors

import (
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// A view is the space of its neighbour graph. It compares its own codes, so no search uses a
// vector that the view does not contain. A slot without a vector has zero codes and so the score
// 0.

// Load implements hnsw.Space.
func (v *codeView) Load(p *hnsw.Probe, slot uint32) {
	codes, quant := v.code(slot)
	p.LoadCodes(unsafe.Slice(codes, v.stride), quant)
}

// Compare implements hnsw.Space.
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

// code returns the codes of a slot and their description; zeros for a slot without a vector.
func (v *codeView) code(slot uint32) (*uint8, kernel.Quantised) {
	if c, i := int(slot>>slots.ChunkBits), int(slot&slots.ChunkMask); c < len(v.blocks) {
		if b := v.blocks[c]; b != nil && i < len(b.quantised) {
			return &b.codes[i*v.stride], b.quantised[i]
		}
	}
	return &v.zeros[0], kernel.Quantised{}
}
