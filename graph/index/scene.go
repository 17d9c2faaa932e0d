package index

import (
	"math"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

// What a turn means hangs on the turns around it: "Yes, three of them" has the meaning
// of the question before it. The scene of a memory is its vector and a share of those
// of its neighbours in the session, the share of words.go:
//
//	u = v + Σ shareStep^steps · shareLength/(shareLength + |d|) · v_neighbour
//
// Neighbours are those that pass the filter and have a vector of the dimension.

// cosine is that of q, of unit length, to the vector of a slot, or to its scene. The
// slot has a vector of q's dimension.
func (p *partQuery) cosine(q []float32, slot uint32, scene bool) float64 {
	own := p.view.doc(slot).Vector
	dot := float64(kernel.Dot(q, own))
	c, i := p.view.columns(slot)
	if !scene || c.session[i] == 0 {
		return dot
	}
	var vectors [2*shareSteps + 1][]float32
	var weights [2*shareSteps + 1]float64
	vectors[0], weights[0] = own, 1
	n := 1
	for _, later := range [...]bool{false, true} {
		share, at := float64(borrowed(c.length[i])), slot
		for step := range shareSteps {
			if at = p.view.neighbour(at, p.pass.all, later); at == none {
				break
			}
			share *= shareStep
			if v := p.view.doc(at).Vector; len(v) == len(q) {
				vectors[n], weights[n] = v, share
				if !later && step == 0 {
					before, j := p.view.columns(at)
					weights[n] *= float64(answered(before.asks[j], c.asks[i]))
				}
				n++
			}
		}
	}
	// |u|² from the cosines within the scene, all of unit length: no sum is written out.
	square := 1.0
	for i := 1; i < n; i++ {
		dot += weights[i] * float64(kernel.Dot(q, vectors[i]))
		square += weights[i] * weights[i]
		for j := range i {
			square += 2 * weights[i] * weights[j] * float64(kernel.Dot(vectors[i], vectors[j]))
		}
	}
	return dot / math.Sqrt(max(square, 1e-6)) // they may cancel each other out
}
