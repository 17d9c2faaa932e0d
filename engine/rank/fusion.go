package rank

import (
	"math"
	"slices"
	"time"
)

// RRFConstant reduces the weight of the first ranks of a channel.
const RRFConstant = 60

// RRF is Σ 1/(60+rank) over the channels. Ranks count from 1; 0 means not found.
func RRF(places ...int) float64 {
	sum := 0.0
	for _, p := range places {
		if p > 0 {
			sum += 1 / float64(RRFConstant+p)
		}
	}
	return sum
}

// Reranked is 0.6·rrf + 0.4·importance, both in [0,1].
func Reranked(rrf, importanceNow float64) float64 { return 0.6*rrf + 0.4*importanceNow }

// Recency is e^(−days/30) for an age; an age below 0 counts as 0.
func Recency(age time.Duration) float64 {
	return math.Exp(-max(0, age.Hours()/24) / 30)
}

// Jaccard is |a∩b| ÷ |a∪b| of two sets without duplicates; 0 if one is empty.
func Jaccard[T comparable](a, b []T) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
