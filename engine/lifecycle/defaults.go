package lifecycle

import (
	"math"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// Defaults of a write.
const (
	DefaultConfidence  = 0.7
	DefaultImportance  = 0.5
	DefaultCriticality = 0.5
	WorkingTTL         = 48 * time.Hour
)

// AuthorityOf is the default authority of a source kind, [0,1].
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

// DecayClassOf is the default decay class of a memory type.
func DecayClassOf(t graph.Type) graph.DecayClass {
	switch t {
	case graph.Working:
		return graph.DecayFast
	case graph.Episodic:
		return graph.DecayMedium
	}
	return graph.DecaySlow
}

// Admits returns CONSENT_REQUIRED where the policy of a namespace refuses writes with the
// consent, else nil.
func Admits(p policy.Policy, c graph.Consent) error {
	if p.AllowsConsent(c) {
		return nil
	}
	return graph.FieldError(graph.CodeConsentRequired, "consent", "%s is too weak for this namespace, which requires %s", c, p.MinConsent)
}

// BindPolicy sets what the policy of its namespace decides about the life of a memory: the
// decay constant of its class, unless the memory has its own, and the end of its time to
// live by sensitivity, unless an earlier end is set. Both are stored with the memory, so a
// later policy does not change them (ADR 16).
func BindPolicy(m *graph.Memory, p policy.Policy) {
	if !m.OwnDecay {
		m.DecayK = p.DecayK[m.DecayClass]
		if m.DecayK == 0 {
			m.DecayK = untilDue(m)
		}
	}
	if ttl, ends := p.TTL[m.Sensitivity]; ends {
		m.ExpiresAt = earlier(m.ExpiresAt, m.CreatedAt.Add(ttl))
	}
}

// untilDue returns the decay constant, per day, of a memory that states only what begins later than the half-life of its class: half of it remains on
// that day. It is 0 for any other memory.
func untilDue(m *graph.Memory) float64 {
	if !IsYetToCome(m, m.CreatedAt) {
		return 0
	}
	var due time.Time
	for i := range m.Claims {
		due = Later(due, m.Claims[i].State().ValidFrom)
	}
	if days := due.Sub(m.CreatedAt).Hours() / 24; days > decay.HalfLife(m.DecayClass) {
		return math.Ln2 / days
	}
	return 0
}

// Thresholds of conflict scores, [0,1].
const (
	DuplicateConflict = 0.2 // a near duplicate scores below it
	ContestedAbove    = 0.3 // an unresolved conflict scores above it
	SurelyContested   = 0.7 // from here on two statements surely exclude each other
)

// Plasticity is the plasticity score of a memory when it is written, with the coefficients
// of its namespace. Salience is S₀ after the uses.
func Plasticity(m *graph.Memory, p policy.Policy) float64 {
	salience, _ := CurrentSalience(m)
	return plasticity.Score(plasticity.Signals{
		Salience: salience, Usage: m.Usage.Count, Authority: m.Authority, Conflict: m.Conflict, Surprise: m.Surprise,
	}, p.Coefficients)
}
