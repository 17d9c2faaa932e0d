package network

import (
	"cmp"
	"math"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Constants of relations, SPEC sections 3 and 4.
const (
	Zeta         = 0.01                // ζ, the learning rate
	HalfLife     = 90 * 24 * time.Hour // of a relation's strength
	MaxRelations = 256                 // an entity may have; the weakest makes room
)

// Hebb is the strength and its anchor after two ends were used or replayed together:
// strength' = strength + ζ·sim(a,b), what fires together wires together (Hebb, The
// Organization of Behavior, 1949). sim is a cosine, clamped to [0,1].
func Hebb(strength float64, anchor time.Time, sim float64, now time.Time) (float64, time.Time) {
	if !(sim > 0) {
		sim = 0
	}
	return Raise(strength, anchor, Zeta*min(1, sim), now)
}

// Raise adds a gain to a raw strength that is stored with its anchor, and answers both
// as they are to be stored: what is left of the strength at now, plus the gain, anchored
// at now. A gain from before the anchor is added as what is left of it at the anchor,
// which stays. So the strength at t is Σ gain·2^(−(t − its time)/90 d), and the order
// of raises makes no difference, at one instant or between many.
func Raise(strength float64, anchor time.Time, gain float64, now time.Time) (float64, time.Time) {
	if now.Before(anchor) {
		return strength + gain*remaining(anchor.Sub(now)), anchor
	}
	return strength*remaining(now.Sub(anchor)) + gain, now
}

// Strength is what is left of a relation's strength at t, ≥ 0. Before its anchor it is
// what is stored: how it came to be is not kept.
func Strength(r *graph.Relation, t time.Time) float64 {
	return r.Strength * remaining(t.Sub(r.StrengthAt))
}

// remaining is the share of a strength that is left after an age: 2^(−age/90 d).
func remaining(age time.Duration) float64 {
	return math.Exp2(-max(0, age.Hours()) / HalfLife.Hours())
}

// Weights are the strengths of a node's relations at t ÷ their sum: all relations of
// the node must be given. They sum to 1, or are all 0 where nothing is left.
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

// Weakest is the place of the relation that makes room: the one with the least strength
// left at t, the oldest of equals by id; −1 where there is none.
func Weakest(relations []*graph.Relation, t time.Time) int {
	best := -1
	for i, r := range relations {
		if best < 0 || cmp.Or(cmp.Compare(Strength(r, t), Strength(relations[best], t)), cmp.Compare(r.ID, relations[best].ID)) < 0 {
			best = i
		}
	}
	return best
}
