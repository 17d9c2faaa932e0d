package rank

import "github.com/somnograph/somnograph/graph"

// How much diversity counts against the score.
const (
	DiversityWeight         = 0.3
	DiversityWeightAccurate = 0.4
	similarAbove            = 0.5 // cosine from which two hits say some of the same
	overlapAbove            = 0.8 // entity Jaccard with a better hit that is punished
	overlapPenalty          = 0.1 // of a hit that says all of the same besides
)

// Item is a hit that diversity chooses from.
type Item struct {
	Score    float64   // fused, [0,1]
	Vector   []float32 // unit length; nil: likeness unknown, taken as 0
	Entities []graph.ID
}

// MMR orders items so that the next one is good and unlike those before it:
// (1−weight)·relevance − weight·likeness, less a penalty by likeness where its entities,
// two at least, are nearly those of a chosen one. Relevance is the score against the best
// one: fused scores stay far below 1 and cosines do not, so that likeness would drown
// what was asked. Likeness is how far the highest cosine to a chosen one lies above
// ½, in [0,1]: hits are alike for they answer one question, and two turns of the same
// two people name the same two; only what is said twice is worth less the second time.
// It answers the places of at most k items, which must come in order of falling score;
// ties keep that order.
func MMR(items []Item, weight float64, k int) []int {
	k = min(k, len(items))
	chosen := make([]int, 0, k)
	taken := make([]bool, len(items))
	similarity := make([]float64, len(items))    // how alike the likest chosen item is
	entityOverlap := make([]float64, len(items)) // of what has nearly the same entities as a chosen item: how alike
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
					l = 1 // the entities are all there is to go by
				}
				entityOverlap[i] = max(entityOverlap[i], l)
			}
		}
	}
	return chosen
}

// excessCosine is how far the cosine lies above alikeAbove, in [0,1], and whether there is one.
func excessCosine(a, b []float32) (likeness float64, known bool) {
	if len(a) != len(b) || len(a) == 0 {
		return 0, false
	}
	return max(0, (cosine(a, b)-similarAbove)/(1-similarAbove)), true
}

// relativeScore is a score against the best; 1 where nothing scores.
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
