package index

import (
	"math"
	"sync"

	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// The meaning of a turn depends on the turns around it: "Yes, three of them" has the meaning of
// the question before it. The context vector of a memory is its vector plus a share of those of its
// neighbours in the session. The share is the boost of neighbourboost.go:
//
//	u = v + Σ boostStep^steps · boostLength/(boostLength + |d|) · v_neighbour
//
// Only neighbours that pass the filter and have a vector of the same dimension count.

// cosine returns the cosine of q, of unit length, to the vector or context vector of a slot. It
// returns false if the slot has no vector of q's dimension.
func (p *partitionQuery) cosine(q []float32, slot uint32, inContext bool, last *vectorCache) (cosine float64, ok bool) {
	own := last.vector(p.view, slot, len(q))
	if own == nil {
		return 0, false
	}
	dot := float64(kernel.Dot(q, own))
	c, i := p.view.columnsOf(slot)
	if !inContext || c.session[i] == 0 {
		return dot, true
	}
	var vectors [2*boostSteps + 1][]float32
	var weights [2*boostSteps + 1]float64
	vectors[0], weights[0] = own, 1
	n := 1
	for _, later := range [...]bool{false, true} {
		share, at := float64(boostTaken(c.length[i])), slot
		for step := range boostSteps {
			if at = p.view.neighbour(at, p.matches.all, later); at == slots.None {
				break
			}
			share *= boostStep
			if v := last.vector(p.view, at, len(q)); v != nil {
				vectors[n], weights[n] = v, share
				if !later && step == 0 {
					before, j := p.view.columnsOf(at)
					weights[n] *= float64(answerBoost(before.questionShare[j], c.questionShare[i]))
				}
				n++
			}
		}
	}
	// |u|² from the cosines between the vectors of the sum, all of unit length; the sum vector is never built.
	square := 1.0
	for i := 1; i < n; i++ {
		dot += weights[i] * float64(kernel.Dot(q, vectors[i]))
		square += weights[i] * weights[i]
		for j := range i {
			square += 2 * weights[i] * weights[j] * float64(kernel.Dot(vectors[i], vectors[j]))
		}
	}
	return dot / math.Sqrt(max(square, 1e-6)), true // the vectors may cancel each other out
}

// vectorCache keeps the most recently used vectors: the memories of a session use each other's
// vectors. A returned vector stays valid while the other vectors of the same sum are read,
// because the cache has more entries than a sum has vectors.
type vectorCache struct {
	entries [4 * (2*boostSteps + 1)]struct {
		view *view
		slot uint32
		used uint64
		v    []float32
		buf  []byte
	}
	uses uint64
}

var vectorCachePool = sync.Pool{New: func() any { return new(vectorCache) }}

// vector returns the vector of a slot, or nil if it has none of the dimension.
func (l *vectorCache) vector(v *view, slot uint32, dim int) []float32 {
	l.uses++
	oldest := 0
	for i := range l.entries {
		e := &l.entries[i]
		if e.view == v && e.slot == slot {
			e.used = l.uses
			return e.v
		}
		if e.used < l.entries[oldest].used {
			oldest = i
		}
	}
	e := &l.entries[oldest]
	e.view, e.slot, e.used = v, slot, l.uses
	if v.vectors.Dimension() == dim && v.vectors.Has(slot) {
		e.v = v.vectors.Vector(slot, &e.buf) // its place is stored with the codes, so no Doc is read
	} else {
		e.v = v.vectorOf(slot, dim, &e.buf)
	}
	return e.v
}

// free clears the cache and returns it to its pool.
func (l *vectorCache) free() {
	for i := range l.entries {
		l.entries[i].view, l.entries[i].v = nil, nil
	}
	vectorCachePool.Put(l)
}
