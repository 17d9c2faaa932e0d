// Package gate decides whether evidence may change a belief: reconsolidation (SPEC
// section 6). A belief that is recalled with evidence against it turns labile; enough
// evidence from independent principals replaces it, less leaves it as it was. The
// idea is that of memory reconsolidation: Nader, Schafe, LeDoux, "Fear memories require
// protein synthesis in the amygdala for reconsolidation after retrieval", Nature 2000.
// Pure functions.
package gate

// Thresholds.
const (
	ConflictAbove   = 0.3  // above it the fact contradicts the belief
	SimilarityAbove = 0.7  // above it the fact says what the belief says
	epsilon         = 1e-9 // sums of decimal fractions are not exact
)

// Decision is what the gate did with a fact.
type Decision string

// The decisions.
const (
	Stored   Decision = "STORED"   // a new belief: nothing stands against it or says it already
	Merged   Decision = "MERGED"   // the belief says so already and is strengthened
	Replaced Decision = "REPLACED" // the evidence reached the quorum: a new version
	Rejected Decision = "REJECTED" // it did not: the belief stands
)

// Candidate is a belief that a fact may touch.
type Candidate struct {
	Conflict   float64 // of the two texts, [0,1]
	Similarity float64 // cosine clamped at 0; 1 for the same subject and functional predicate
}

// Choose answers the place of the belief that decides: the one with the highest
// max(conflict, similarity), the first of equals; −1 where there is none.
func Choose(beliefs []Candidate) int {
	best := -1
	for i, b := range beliefs {
		if best < 0 || max(b.Conflict, b.Similarity) > max(beliefs[best].Conflict, beliefs[best].Similarity) {
			best = i
		}
	}
	return best
}

// Decide applies the thresholds to the belief that decides. quorum is the evidence that
// was reached, required what is asked for; both count only where there is a conflict.
func Decide(belief Candidate, quorum, required float64) Decision {
	switch {
	case belief.Conflict > ConflictAbove && quorum+epsilon >= required:
		return Replaced
	case belief.Conflict > ConflictAbove:
		return Rejected
	case belief.Similarity > SimilarityAbove:
		return Merged
	}
	return Stored
}

// Evidence is one item that speaks for a fact.
type Evidence struct {
	Principal  string  // who is behind it; items of one principal count once
	Weight     float64 // as claimed, [0,1]
	Grant      float64 // the most that the principal is believed, [0,1]
	Confidence float64 // [0,1]
}

// value is effective weight · confidence, the effective weight being at most the grant.
func (e Evidence) value() float64 { return min(e.Weight, e.Grant) * e.Confidence }

// Quorum is Σ effective weight · confidence over distinct principals, each with its
// best item.
func Quorum(items []Evidence) float64 {
	best := make(map[string]float64, len(items))
	var order []string // sums in one order give one result
	for _, e := range items {
		if _, seen := best[e.Principal]; !seen {
			order = append(order, e.Principal)
		}
		best[e.Principal] = max(best[e.Principal], e.value())
	}
	sum := 0.0
	for _, p := range order {
		sum += best[p]
	}
	return sum
}
