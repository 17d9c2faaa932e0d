package rank

import "github.com/somnograph/somnograph/graph"

// Diversity says how much a hit loses that says what a better hit says.
type Diversity struct {
	Weight float64 // of the similarity, [0,1]
	Above  float64 // cosine above which two hits overlap in content, [0,1)
}

// Overlapping demotes hits that overlap with better ones, Repeated only those that say nearly the
// same.
var (
	Overlapping = Diversity{0.3, 0.5}
	Repeated    = Diversity{0.3, 0.9}
)

// Penalties of diversity.
const (
	overlapAbove   = 0.8  // Jaccard index of the entities with a better hit above which a hit is penalised
	overlapPenalty = 0.1  // maximum penalty, for a hit with the same content
	groupPenalty   = 0.02 // for each chosen hit of the same group
	groupHits      = 3    // chosen hits of a group that count
)

// Item is a candidate for MMR.
type Item struct {
	Score    float64   // fused, [0,1]
	Vector   []float32 // unit length; nil: similarity unknown, taken as 0
	Entities []graph.ID
	Group    string // the hits shall come from several groups; empty: none
}

// MMR orders items by maximal marginal relevance: (1−d.Weight)·relevance − d.Weight·similarity,
// minus a penalty for an item with at least two entities that are nearly those of a chosen
// item; the penalty is proportional to the similarity. An item also loses a little for each of
// the first chosen items of its group. Relevance is the score divided by the
// best score, because fused scores are far below 1 while cosines are not. Similarity is how far
// the highest cosine to a chosen item is above d.Above, scaled to [0,1]: hits for one question are
// always somewhat similar, and only repeated content should lose. MMR returns the indices of at
// most k items. The items must come in order of falling score; ties keep that order.
func MMR(items []Item, d Diversity, k int) []int {
	k = min(k, len(items))
	chosen := make([]int, 0, k)
	groups := map[string]int{} // chosen items
	taken := make([]bool, len(items))
	similarity := make([]float64, len(items))    // similarity to the most similar chosen item
	entityOverlap := make([]float64, len(items)) // similarity to a chosen item with nearly the same entities
	for len(chosen) < k {
		best, bestValue := -1, 0.0
		for i, x := range items {
			if taken[i] {
				continue
			}
			value := (1-d.Weight)*relativeScore(x.Score, items[0].Score) - d.Weight*similarity[i] - overlapPenalty*entityOverlap[i] -
				groupPenalty*float64(min(groups[x.Group], groupHits))
			if best < 0 || value > bestValue {
				best, bestValue = i, value
			}
		}
		taken[best] = true
		chosen = append(chosen, best)
		if g := items[best].Group; g != "" {
			groups[g]++
		}
		for i, x := range items {
			if taken[i] {
				continue
			}
			l, known := d.excessCosine(x.Vector, items[best].Vector)
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

// excessCosine is how far the cosine is above d.Above, scaled to [0,1], and whether there
// is a cosine.
func (d Diversity) excessCosine(a, b []float32) (likeness float64, known bool) {
	if len(a) != len(b) || len(a) == 0 {
		return 0, false
	}
	return max(0, (cosine(a, b)-d.Above)/(1-d.Above)), true
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
