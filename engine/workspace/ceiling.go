package workspace

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Ceiling limits which memories may be sent to a model outside this machine. Nil: all. ADR 76.
type Ceiling struct {
	Sensitivity graph.Sensitivity // the highest that may be sent
	Consent     graph.Consent     // the weakest that may be sent
}

// Allows reports whether a memory may be sent. A memory whose sensitivity or consent is not known
// yet may not.
func (c *Ceiling) Allows(m *graph.Memory) bool {
	if c == nil {
		return true
	}
	sensitivity, consent := slices.Index(graph.Sensitivities, m.Sensitivity), slices.Index(graph.Consents, m.Consent)
	return sensitivity >= 0 && sensitivity <= slices.Index(graph.Sensitivities, c.Sensitivity) &&
		consent >= 0 && consent <= slices.Index(graph.Consents, c.Consent)
}

// AllowsAll reports whether every one of some memories may be sent.
func (c *Ceiling) AllowsAll(all ...*graph.Memory) bool {
	return !slices.ContainsFunc(all, func(m *graph.Memory) bool { return !c.Allows(m) })
}

// Ceilings are the ceilings of the models in use.
type Ceilings struct{ Embedder, Chat, Reranker *Ceiling }
