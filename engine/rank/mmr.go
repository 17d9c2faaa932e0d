package rank

import "github.com/somnograph/somnograph/graph"

// Weights and thresholds of diversity.
const (
	DiversityWeight         = 0.3
	DiversityWeightAccurate = 0.4
	similarAbove            = 0.5 // cosine above which two hits overlap in content
	overlapAbove            = 0.8 // Jaccard index of the entities with a better hit above which a hit is penalised
	overlapPenalty          = 0.1 // maximum penalty, for a hit with the same content
)

// Item is a candidate for MMR.
type Item struct {
	Score    float64   // fused, [0,1]
	Vector   []float32 // unit length; nil: similarity unknown, taken as 0
	Entities []graph.ID
}

// MMR orders items by maximal marginal relevance: (1−weight)·relevance − weight·similarity,
// minus a penalty for an item with at least two entities that are nearly those of a chosen
// item; the penalty is proportional to the similarity. Relevance is the score divided by the
// best score, because fused scores are far below 1 while cosines are not. Similarity is how far
// the highest cosine to a chosen item is above ½, scaled to [0,1]: hits for one question are
// always somewhat similar, and only repeated content should lose. MMR returns the indices of at
// most k items. The items must come in order of falling score; ties keep that order.
func MMR(items []Item, weight float64, k int) []int {
	k = min(k, len(items))
	chosen := make([]int, 0, k)
	taken := make([]bool, len(items))
	similarity := make([]float64, len(items))    // similarity to the most similar chosen item
	entityOverlap := make([]float64, len(items)) // similarity to a chosen item with nearly the same entities
	for len(chosen) < k {
		best, bestValue := -1, 0.0
		for i, x := range items {
			if taken[i] {
				continue
			}
			value := (1-weight)*relativeScore(x.Score, items[0].Score) - weight*similarity[i] - overlapPenalty*entityOverlap[i]
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
			l, known := excessCosine(x.Vector, items[best].Vector)
			similarity[i] = max(similarity[i], l)
			if len(x.Entities) > 1 && Jaccard(x.Entities, items[best].Entities) > overlapAbove {
				if !known {
					l = 1 // without vectors only the entities count
				}
				entityOverlap[i] = max(entityOverlap[i], l)
			}
		}
	}
	return chosen
}

// excessCosine is how far the cosine is above similarAbove, scaled to [0,1], and whether there
// is a cosine.
func excessCosine(a, b []float32) (likeness float64, known bool) {
	if len(a) != len(b) || len(a) == 0 {
		return 0, false
	}
	return max(0, (cosine(a, b)-similarAbove)/(1-similarAbove)), true
}

// relativeScore is a score divided by the best; 1 if the best is 0.
func relativeScore(score, best float64) float64 {
	if best <= 0 {
		return 1
	}
	return score / best
}

func cosine(a, b []float32) float64 {
	var s float32
	for i := range a {
		s += a[i] * b[i]
	}
	return float64(s)
}
