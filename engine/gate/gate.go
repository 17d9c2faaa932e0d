// Package gate decides whether evidence may change a belief (reconsolidation). A belief that is
// recalled together with contradicting evidence can change: enough evidence from independent
// principals replaces it, less leaves it as it was. The idea is that of memory reconsolidation:
// Nader, Schafe, LeDoux, "Fear memories require protein synthesis in the amygdala for
// reconsolidation after retrieval", Nature 2000. All functions are pure.
package gate

// Thresholds.
const (
	ConflictAbove   = 0.3  // above it the fact contradicts the belief
	SimilarityAbove = 0.7  // above it the fact repeats the belief
	epsilon         = 1e-9 // tolerance for sums of decimal fractions
)

// Decision is the gate's decision on a fact.
type Decision string

// The decisions.
const (
	Stored   Decision = "STORED"   // a new belief: no other belief contradicts or repeats it
	Merged   Decision = "MERGED"   // the belief says the same and is strengthened
	Replaced Decision = "REPLACED" // the evidence reached the quorum: a new version
	Rejected Decision = "REJECTED" // the evidence did not reach the quorum: the belief stays
)

// Decisions lists every Decision.
var Decisions = []Decision{Stored, Merged, Replaced, Rejected}

// Candidate is a belief that the fact may contradict or repeat.
type Candidate struct {
	Conflict   float64 // of the two texts, [0,1]
	Similarity float64 // cosine clamped at 0; 1 for the same subject and functional predicate
}

// above reports whether the fact contradicts or repeats the belief.
func (c Candidate) above() bool {
	return c.Conflict > ConflictAbove || c.Similarity > SimilarityAbove
}

// Choose returns the index of the belief that decides: of those that the fact contradicts or repeats, otherwise of all, the one
// with the highest max(conflict, similarity), the first on ties; −1 if there is none.
func Choose(beliefs []Candidate) int {
	best := -1
	for i, b := range beliefs {
		switch {
		case best < 0 || b.above() && !beliefs[best].above():
			best = i
		case b.above() == beliefs[best].above() && max(b.Conflict, b.Similarity) > max(beliefs[best].Conflict, beliefs[best].Similarity):
			best = i
		}
	}
	return best
}

// Decide applies the thresholds to the belief that decides. quorum is the evidence found,
// required the evidence needed; both count only if there is a conflict.
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

// Evidence is one item of evidence for a fact.
type Evidence struct {
	Principal  string  // source of the evidence; items of one principal count once, see SamePrincipal
	Weight     float64 // as claimed, [0,1]
	Grant      float64 // maximum weight of the principal, [0,1]
	Confidence float64 // [0,1]
}

// value is effective weight · confidence. The effective weight is at most the grant.
func (e Evidence) value() float64 { return min(e.Weight, e.Grant) * e.Confidence }

// Quorum is the sum of effective weight · confidence over distinct principals, compared by
// SamePrincipal. The best item of each principal counts. If a name looks like two others, the
// three are one principal.
func Quorum(items []Evidence) float64 {
	group := make([]int, len(items)) // the first item of the same principal
	for i := range items {
		group[i] = i
		for j := range i {
			if group[j] == group[i] || !SamePrincipal(items[i].Principal, items[j].Principal) {
				continue
			}
			from, to := max(group[i], group[j]), min(group[i], group[j])
			for k := range i + 1 {
				if group[k] == from {
					group[k] = to
				}
			}
		}
	}
	best := make([]float64, len(items))
	for i, e := range items {
		best[group[i]] = max(best[group[i]], e.value())
	}
	sum := 0.0
	for _, value := range best { // a fixed order makes the sum deterministic
		sum += value
	}
	return sum
}
