package rank

import (
	"cmp"
	"maps"
	"slices"
)

// A relevance model says which words the answers to a question use: the rare words of the
// memories that score best (Lavrenko and Croft, "Relevance-based language models", SIGIR 2001).
// It reorders a pool of candidates and finds no others.
//
// The constants were chosen on the development conversations of LoCoMo and BEAM. Recall changes
// by less than .003 for a share of .1 to .2, 3 to 5 memories and 16 to 32 words.
const (
	ModelPool   = 100 // candidates that are reordered
	ModelTop    = 5   // best memories that the model is made from; a smaller pool is not reordered
	modelTerms  = 24  // words of the model
	ModelShare  = 0.2 // share of the model in the score of a reordered candidate
	modelK1     = 1.2 // saturation of repeated words, as in BM25
	modelLength = 0.5 // influence of the length, [0,1]; BM25 has 0.75
)

// Text is a candidate of a pool: its distinct terms and its score.
type Text struct {
	Terms []Term
	Score float64
}

// Term is a term of a text.
type Term struct {
	Text      string
	Frequency float64 // > 0
	Rarity    float64 // ≥ 0; equal for equal terms of a pool
}

// ByModel returns how much of the relevance model each text of a pool contains, relative to the
// text that contains most, in [0,1]. The pool is ordered by falling score. All values are 0 if
// the best texts have no rare term.
func ByModel(pool []Text) []float64 {
	model, mean := strongest(weigh(pool)), meanLength(pool)
	values, best := make([]float64, len(pool)), 0.0
	for i, x := range pool {
		norm := modelK1 * (1 - modelLength)
		if mean > 0 {
			norm += modelK1 * modelLength * x.length() / mean
		}
		for _, t := range x.Terms {
			values[i] += model[t.Text] * t.Frequency / (t.Frequency + norm)
		}
		best = max(best, values[i])
	}
	if best > 0 {
		for i := range values {
			values[i] /= best
		}
	}
	return values
}

// length is the number of terms with repeats.
func (x Text) length() float64 {
	sum := 0.0
	for _, t := range x.Terms {
		sum += t.Frequency
	}
	return sum
}

func meanLength(pool []Text) float64 {
	sum := 0.0
	for _, x := range pool {
		sum += x.length() / float64(len(pool))
	}
	return sum
}

// weigh adds up the rarity of each term of the best texts, times the relative score of each
// text that contains it.
func weigh(pool []Text) map[string]float64 {
	weights := map[string]float64{}
	for _, x := range pool[:min(ModelTop, len(pool))] {
		share := relativeScore(x.Score, pool[0].Score)
		for _, t := range x.Terms {
			weights[t.Text] += t.Rarity * share
		}
	}
	return weights
}

// strongest returns the terms with the highest weights; ties are decided by term.
func strongest(weights map[string]float64) map[string]float64 {
	terms := slices.SortedFunc(maps.Keys(weights), func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	model := map[string]float64{}
	for _, t := range terms[:min(modelTerms, len(terms))] {
		model[t] = weights[t]
	}
	return model
}
