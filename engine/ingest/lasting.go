package ingest

import (
	"slices"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// LastingType is the type of a memory whose claims are read, of a type as its text was read. What states what harm follows from
// lasts, if the user says so, also if its words tell of an event: "I could die from peanuts".
func LastingType(m *graph.Memory, read graph.Type) graph.Type {
	if read == graph.Episodic && lifecycle.LaysDownRules(m.SourceKind) && statesHarm(m) {
		return graph.Semantic
	}
	return read
}

// statesHarm reports whether a memory asserts what harm follows from if it is not heeded.
func statesHarm(m *graph.Memory) bool {
	return slices.ContainsFunc(m.Claims, func(c graph.Claim) bool {
		return c.Modality == reader.Asserted.String() && slices.ContainsFunc(attribute.Of(m, &c, c.State()), func(x attribute.Stated) bool { return x.Attribute == attribute.Care })
	})
}
