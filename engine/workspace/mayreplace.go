package workspace

import "github.com/somnograph/somnograph/graph"

// MayReplace reports whether the source of a later memory is of a kind that may replace an earlier
// one: what a user said is replaced by users and the system only.
func MayReplace(later, earlier *graph.Memory) bool {
	return earlier.SourceKind != graph.FromUser || later.SourceKind == graph.FromUser || later.SourceKind == graph.FromSystem
}
