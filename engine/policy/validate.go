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
		return noPreset()
	}
	if err := p.Coefficients.Validate(); err != nil {
		return err
	}
	if !inside(p.Quorum, MinQuorum, MaxQuorum) {
		return refuse("quorum", "must be %v to %v", MinQuorum, MaxQuorum)
	}
	if !inside(p.PromoteAt, MinPromoteAt, MaxPromoteAt) {
		return refuse("promoteAt", "must be %v to %v", MinPromoteAt, MaxPromoteAt)
	}
	if err := p.validateGates(); err != nil {
		return err
	}
	for _, c := range graph.DecayClasses { // in one order, so that the same field is named each time
		if k, set := p.DecayK[c]; set && c == graph.DecayNone {
			return refuse("decayK", "%s never fades and takes no k", c)
		} else if set && !(k > 0 && k <= MaxDecayK) {
			return refuse("decayK", "%s must be above 0, at most %v a day", c, MaxDecayK)
		}
	}
	for c := range p.DecayK {
		if !c.Valid() {
			return refuse("decayK", "is for SLOW, MEDIUM and FAST")
		}
	}
	if !p.MinConsent.Valid() {
		return refuse("minConsent", "must be %s", oneOf(graph.Consents))
	}
	for _, s := range graph.Sensitivities {
		if ttl, set := p.TTL[s]; set && (ttl <= 0 || ttl > MaxTTL || ttl%time.Second != 0) {
			return refuse("ttlSeconds", "%s must be 1 to %d whole seconds", s, MaxTTL/time.Second)
		}
	}
	for s := range p.TTL {
		if !s.Valid() {
			return refuse("ttlSeconds", "is for %s", oneOf(graph.Sensitivities))
		}
	}
	return nil
}

// validateGates sees to it that the gates to the recess are as tight as the fixed ones.
func (p Policy) validateGates() error {
	switch {
	case p.EngraveDays < plasticity.EngraveDays || p.EngraveDays > MaxEngraveDays:
		return refuse("engraveDays", "can only be tightened: %d to %d", plasticity.EngraveDays, MaxEngraveDays)
	case !inside(p.EngraveConfidence, plasticity.EngraveTrust, 1):
		return refuse("engraveConfidence", "can only be tightened: %v to 1", plasticity.EngraveTrust)
	case !(p.EngraveConflict > 0 && p.EngraveConflict <= plasticity.EngraveConflict): // nothing is below 0
		return refuse("engraveConflict", "can only be tightened: above 0, at most %v", plasticity.EngraveConflict)
	}
	return nil
}

// inside reports whether x is a number from lo to hi.
func inside(x, lo, hi float64) bool { return x >= lo && x <= hi }

func refuse(field, format string, args ...any) error {
	return graph.FieldError(graph.CodeInvalidRequest, field, format, args...)
}

func noPreset() error { return refuse("preset", "must be %s", oneOf(Presets)) }

// oneOf lists the values of an enumeration for a sentence.
func oneOf[E ~string](values []E) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}
