package policy

import (
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/graph"
)

// Preset names a policy to start from.
type Preset string

// The presets. MEDICAL and FINANCIAL require more evidence (quorum 0.9) and give authority more
// weight (γ 0.9).
const (
	PresetDefault   Preset = "DEFAULT"
	PresetMedical   Preset = "MEDICAL"
	PresetFinancial Preset = "FINANCIAL"
)

// Presets lists every Preset in the order of the API.
var Presets = []Preset{PresetDefault, PresetMedical, PresetFinancial}

// Valid reports whether p is one of Presets.
func (p Preset) Valid() bool { return slices.Contains(Presets, p) }

// DefaultConsent says which consent a write has that names none.
type DefaultConsent string

// The settings of DefaultConsent. A default is at most IMPLICIT: EXPLICIT means that the person
// agreed, and no setting can say that.
const (
	DefaultOfServer DefaultConsent = "SERVER"   // that of the server
	DefaultStrict   DefaultConsent = "STRICT"   // none: the write is refused
	DefaultImplicit DefaultConsent = "IMPLICIT" // IMPLICIT
	DefaultNone     DefaultConsent = "NONE"     // NONE
)

// DefaultConsents lists every DefaultConsent in the order of the API.
var DefaultConsents = []DefaultConsent{DefaultOfServer, DefaultStrict, DefaultImplicit, DefaultNone}

// Valid reports whether d is one of DefaultConsents.
func (d DefaultConsent) Valid() bool { return slices.Contains(DefaultConsents, d) }

// Revision says whether later statements revise earlier ones by themselves.
type Revision string

// The settings of revision. With RevisionOff, later statements become rivals of those that
// they would revise.
const (
	RevisionOn  Revision = "ON"
	RevisionOff Revision = "OFF"
)

// Revisions lists every Revision in the order of the API.
var Revisions = []Revision{RevisionOn, RevisionOff}

// Valid reports whether r is one of Revisions.
func (r Revision) Valid() bool { return slices.Contains(Revisions, r) }

// Policy is the settings of a namespace. The zero value is not valid; start with Default or
// FromPreset. Copies share the maps; Merge makes a policy with its own maps.
type Policy struct {
	Preset            Preset // preset that the policy started from
	Coefficients      plasticity.Coefficients
	DecayK            map[graph.DecayClass]float64        // k per day; a class without an entry uses its half-life
	Quorum            float64                             // evidence that the gate requires
	PromoteAt         float64                             // L1→L2 when the score is above it
	EngraveDays       int                                 // L2→L3: minimum days of use
	EngraveConfidence float64                             // L2→L3: minimum
	EngraveConflict   float64                             // L2→L3: below it
	MinConsent        graph.Consent                       // weakest consent that a write may have
	TTL               map[graph.Sensitivity]time.Duration // whole seconds; a sensitivity without an entry has no lifetime
	DefaultConsent    DefaultConsent                      // consent of a write that names none
	Revision          Revision                            // whether later statements revise earlier ones
	SingleValued      []string                            // predicates with one value at a time, besides those that the reader knows
}

// Default is the policy of a namespace without its own.
func Default() Policy {
	return Policy{
		Preset: PresetDefault, Coefficients: plasticity.Defaults(), Quorum: 0.8, PromoteAt: plasticity.PromoteAt,
		EngraveDays: plasticity.EngraveDays, EngraveConfidence: plasticity.EngraveTrust, EngraveConflict: plasticity.EngraveConflict,
		MinConsent: graph.ConsentNone, DefaultConsent: DefaultOfServer, Revision: RevisionOn,
	}
}

// FromPreset returns the policy of a preset. An unknown preset is INVALID_REQUEST.
func FromPreset(preset Preset) (Policy, error) {
	p := Default()
	p.Preset = preset
	switch preset {
	case PresetDefault:
	case PresetMedical, PresetFinancial:
		p.Quorum, p.Coefficients.Gamma = 0.9, 0.9
	default:
		return Policy{}, invalidPreset()
	}
	return p, nil
}

// Engraves reports whether the gates to L3 are open. Both the namespace's gates and the fixed
// ones must be open, so a policy can't loosen them.
func (p Policy) Engraves(usageDays, sessions int, confidence, conflict float64) bool {
	return plasticity.GatesOpen(usageDays, sessions, confidence, conflict) &&
		usageDays >= p.EngraveDays && confidence >= p.EngraveConfidence && conflict < p.EngraveConflict
}

// AllowsConsent reports whether a write with this consent is allowed.
func (p Policy) AllowsConsent(c graph.Consent) bool {
	return c.Valid() && slices.Index(graph.Consents, c) <= slices.Index(graph.Consents, p.MinConsent)
}

// ConsentFor returns the consent of a write that names none, where server is the default of the
// server; empty: the write is refused.
func (p Policy) ConsentFor(server graph.Consent) graph.Consent {
	switch p.DefaultConsent {
	case DefaultImplicit, DefaultNone:
		return graph.Consent(p.DefaultConsent)
	case DefaultStrict:
		return ""
	}
	return server
}

// Equal reports whether two policies have the same settings and preset.
func (p Policy) Equal(q Policy) bool {
	return p.Preset == q.Preset && p.Coefficients == q.Coefficients && maps.Equal(p.DecayK, q.DecayK) &&
		p.Quorum == q.Quorum && p.PromoteAt == q.PromoteAt && p.EngraveDays == q.EngraveDays &&
		p.EngraveConfidence == q.EngraveConfidence && p.EngraveConflict == q.EngraveConflict &&
		p.MinConsent == q.MinConsent && maps.Equal(p.TTL, q.TTL) && p.DefaultConsent == q.DefaultConsent && p.Revision == q.Revision &&
		slices.Equal(p.SingleValued, q.SingleValued)
}
