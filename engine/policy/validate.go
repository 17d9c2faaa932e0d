package policy

import (
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/graph"
)

// Ranges. What plasticity's coefficients may be is said there.
const (
	// Below half a quorum one tool's word would change a belief; above 1 no single
	// principal could, not even the one person who knows.
	MinQuorum, MaxQuorum = 0.5, 1.0
	// Above 4 nothing is promoted that was not used: the signals sum to 3.8 at most.
	MinPromoteAt, MaxPromoteAt = 0.5, 4.0
	MaxEngraveDays             = 3650
	MaxDecayK                  = 1000.0                 // per day: half is gone after a minute
	MaxTTL                     = 36500 * 24 * time.Hour // 100 years of 365 days
)

// Validate answers an INVALID_REQUEST error that names the field at fault as the API
// spells it.
func (p Policy) Validate() error {
	if !p.Preset.Valid() {
		return invalidPreset()
	}
	if err := p.Coefficients.Validate(); err != nil {
		return err
	}
	if !inRange(p.Quorum, MinQuorum, MaxQuorum) {
		return invalidField("quorum", "must be %v to %v", MinQuorum, MaxQuorum)
	}
	if !inRange(p.PromoteAt, MinPromoteAt, MaxPromoteAt) {
		return invalidField("promoteAt", "must be %v to %v", MinPromoteAt, MaxPromoteAt)
	}
	if err := p.validateGates(); err != nil {
		return err
	}
	for _, c := range graph.DecayClasses { // in one order, so that the same field is named each time
		if k, set := p.DecayK[c]; set && c == graph.DecayNone {
			return invalidField("decayK", "%s never fades and takes no k", c)
		} else if set && !(k > 0 && k <= MaxDecayK) {
			return invalidField("decayK", "%s must be above 0, at most %v a day", c, MaxDecayK)
		}
	}
	for c := range p.DecayK {
		if !c.Valid() {
			return invalidField("decayK", "is for SLOW, MEDIUM and FAST")
		}
	}
	if !p.MinConsent.Valid() {
		return invalidField("minConsent", "must be %s", joinNames(graph.Consents))
	}
	for _, s := range graph.Sensitivities {
		if ttl, set := p.TTL[s]; set && (ttl <= 0 || ttl > MaxTTL || ttl%time.Second != 0) {
			return invalidField("ttlSeconds", "%s must be 1 to %d whole seconds", s, MaxTTL/time.Second)
		}
	}
	for s := range p.TTL {
		if !s.Valid() {
			return invalidField("ttlSeconds", "is for %s", joinNames(graph.Sensitivities))
		}
	}
	return nil
}

// validateGates sees to it that the gates to the recess are as tight as the fixed ones.
func (p Policy) validateGates() error {
	switch {
	case p.EngraveDays < plasticity.EngraveDays || p.EngraveDays > MaxEngraveDays:
		return invalidField("engraveDays", "can only be tightened: %d to %d", plasticity.EngraveDays, MaxEngraveDays)
	case !inRange(p.EngraveConfidence, plasticity.EngraveTrust, 1):
		return invalidField("engraveConfidence", "can only be tightened: %v to 1", plasticity.EngraveTrust)
	case !(p.EngraveConflict > 0 && p.EngraveConflict <= plasticity.EngraveConflict): // nothing is below 0
		return invalidField("engraveConflict", "can only be tightened: above 0, at most %v", plasticity.EngraveConflict)
	}
	return nil
}

// inRange reports whether x is a number from lo to hi.
func inRange(x, lo, hi float64) bool { return x >= lo && x <= hi }

func invalidField(field, format string, args ...any) error {
	return graph.FieldError(graph.CodeInvalidRequest, field, format, args...)
}

func invalidPreset() error { return invalidField("preset", "must be %s", joinNames(Presets)) }

// joinNames lists the values of an enumeration for a sentence.
func joinNames[E ~string](values []E) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}
