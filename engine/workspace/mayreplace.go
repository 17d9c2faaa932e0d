package workspace

import (
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// MayReplace reports whether the source of a later memory is of a kind that may replace an earlier
// one: what a user said is replaced by users and the system only.
func MayReplace(later, earlier *graph.Memory) bool {
	return earlier.SourceKind != graph.FromUser || later.SourceKind == graph.FromUser || later.SourceKind == graph.FromSystem
}

// CompareRivals orders two memories that contradict each other, see lifecycle.ComparePrecedence.
func CompareRivals(a, b *index.Doc) int {
	return lifecycle.ComparePrecedence(lifecycle.Precedence{Consent: a.Consent, Safety: a.SafetyCritical, Kind: a.SourceKind},
		lifecycle.Precedence{Consent: b.Consent, Safety: b.SafetyCritical, Kind: b.SourceKind})
}
