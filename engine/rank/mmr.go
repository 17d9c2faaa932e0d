package rank

import "github.com/somnograph/somnograph/graph"

// How much diversity counts against the score.
const (
	Diversity         = 0.3
	DiversityAccurate = 0.4
	overlapAbove      = 0.8 // entity Jaccard with a better hit that is punished
	overlapPenalty    = 0.1
)

// Item is a hit that diversity chooses from.
type Item struct {
	Score    float64   // fused, [0,1]
	Vector   []float32 // unit length; nil: likeness unknown, taken as 0
	Entities []graph.ID
}

// MMR orders items so that the next one is good and unlike those before it:
// (1−weight)·relevance − weight·(highest cosine to a chosen one), less a penalty where
// its entities, two at least, are nearly those of a chosen one. Relevance is the score
// against the best one: fused scores stay far below 1 and cosines do not, so that
// likeness would drown what was asked. It answers the places of at most k items, which
// must come in order of falling score; ties keep that order.
func MMR(items []Item, weight float64, k int) []int {
	k = min(k, len(items))
	chosen := make([]int, 0, k)
	taken := make([]bool, len(items))
	like := make([]float64, len(items)) // highest cosine to a chosen item
	twins := make([]bool, len(items))   // entities nearly those of a chosen item
	for len(chosen) < k {
		best, bestValue := -1, 0.0
		for i, x := range items {
			if taken[i] {
				continue
			}
			value := (1-weight)*relevance(x.Score, items[0].Score) - weight*like[i]
			if twins[i] {
				value -= overlapPenalty
			}
			if best < 0 || value > bestValue {
				best, bestValue = i, value
			}
		}
		taken[best] = true
		chosen = append(chosen, best)
		for i, x := range items {
			if taken[i] {
				continue
			}
			like[i] = max(like[i], cosine(x.Vector, items[best].Vector))
			twins[i] = twins[i] || len(x.Entities) > 1 && Jaccard(x.Entities, items[best].Entities) > overlapAbove
		}
	}
	return chosen
}

// relevance is a score against the best; 1 where nothing scores.
func relevance(score, best float64) float64 {
	if best <= 0 {
		return 1
	}
	return score / best
}

func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var s float32
	for i := range a {
		s += a[i] * b[i]
	}
	return float64(s)
}
