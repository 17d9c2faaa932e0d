package lifecycle

import (
	"time"

	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// Defaults at write, SPEC section 5.
const (
	DefaultConfidence  = 0.7
	DefaultImportance  = 0.5
	DefaultCriticality = 0.5
	WorkingTTL         = 48 * time.Hour
)

// AuthorityOf is the authority a source of the kind has where none is given.
func AuthorityOf(k graph.SourceKind) float64 {
	switch k {
	case graph.FromUser:
		return 0.8
	case graph.FromDocument:
		return 0.7
	case graph.FromTool:
		return 0.6
	case graph.FromSystem:
		return 0.9
	}
	return 0.4
}

// DecayClassOf is the decay class of a type, SPEC section 4.
func DecayClassOf(t graph.Type) graph.DecayClass {
	switch t {
	case graph.Working:
		return graph.DecayFast
	case graph.Episodic:
		return graph.DecayMedium
	}
	return graph.DecaySlow
}

// Admits answers CONSENT_REQUIRED where a namespace takes no write under the consent.
func Admits(p policy.Policy, c graph.Consent) error {
	if p.AllowsConsent(c) {
		return nil
	}
	return graph.FieldError(graph.CodeConsentRequired, "consent", "%s is too weak for this namespace: it asks for %s", c, p.MinConsent)
}

// BindPolicy gives a memory what its namespace decides about its life: the decay constant
// of its class, unless it has one of its own, and an end by its sensitivity, counted from its recording, where none is
// earlier. It is bound to the memory, so that a later policy does not change the past
// (ADR 16).
func BindPolicy(m *graph.Memory, p policy.Policy) {
	if !m.OwnDecay {
		m.DecayK = p.DecayK[m.DecayClass]
	}
	if ttl, ends := p.TTL[m.Sensitivity]; ends {
		m.ExpiresAt = earlier(m.ExpiresAt, m.CreatedAt.Add(ttl))
	}
}

const (
	DuplicateConflict = 0.2
	ContestedAbove    = 0.3 // unresolved conflict above it
)

// Plasticity is the plasticity of a memory at write, as its namespace weighs it: S is S₀.
func Plasticity(m *graph.Memory, p policy.Policy) float64 {
	return plasticity.Score(plasticity.Signals{
		Salience: m.Salience, Usage: m.Usage.Count, Authority: m.Authority, Conflict: m.Conflict, Surprise: m.Surprise,
	}, p.Coefficients)
}
