package network

import (
	"cmp"
	"math"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Constants of relations.
const (
	Zeta         = 0.01                // ζ, the learning rate
	HalfLife     = 90 * 24 * time.Hour // of a relation's strength
	MaxRelations = 256                 // of an entity; beyond it the weakest is dropped
)

// Hebb returns the strength and its anchor after both ends were used or replayed together:
// strength' = strength + ζ·sim(a,b) (Hebb, The Organization of Behavior, 1949). sim is a
// cosine, clamped to [0,1].
func Hebb(strength float64, anchor time.Time, sim float64, now time.Time) (float64, time.Time) {
	if !(sim > 0) {
		sim = 0
	}
	return Raise(strength, anchor, Zeta*min(1, sim), now)
}

// Raise adds a gain to a stored strength and its anchor, and returns both as they are to be
// stored: the strength remaining at now plus the gain, with now as the anchor. If now is before
// the anchor, the part of the gain that remains at the anchor is added, and the anchor stays.
// The strength at t is therefore Σ gain·2^(−(t − its time)/90 d), in whatever order the raises
// come.
func Raise(strength float64, anchor time.Time, gain float64, now time.Time) (float64, time.Time) {
	if now.Before(anchor) {
		return strength + gain*remaining(anchor.Sub(now)), anchor
	}
	return strength*remaining(now.Sub(anchor)) + gain, now
}

// Strength is the remaining strength of a relation at t, ≥ 0. Before the anchor it is the
// stored strength, because earlier values are not kept.
func Strength(r *graph.Relation, t time.Time) float64 {
	return r.Strength * remaining(t.Sub(r.StrengthAt))
}

// remaining is the share of a strength that remains after an age: 2^(−age/90 d).
func remaining(age time.Duration) float64 {
	return math.Exp2(-max(0, age.Hours()) / HalfLife.Hours())
}

// Weights are the strengths of a node's relations at t ÷ their sum. All relations of the node
// must be given. The weights sum to 1, or are all 0 if no strength remains.
func Weights(relations []*graph.Relation, t time.Time) []float64 {
	weights, sum := make([]float64, len(relations)), 0.0
	for i, r := range relations {
		weights[i] = Strength(r, t)
		sum += weights[i]
	}
	for i := range weights {
		if sum > 0 {
			weights[i] /= sum
		}
	}
	return weights
}

// Weakest is the index of the relation with the least strength at t, on ties the lowest id; −1
// if there is none.
func Weakest(relations []*graph.Relation, t time.Time) int {
	best := -1
	for i, r := range relations {
		if best < 0 || cmp.Or(cmp.Compare(Strength(r, t), Strength(relations[best], t)), cmp.Compare(r.ID, relations[best].ID)) < 0 {
			best = i
		}
	}
	return best
}
