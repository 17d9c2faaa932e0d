package policy

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/graph"
)

// Ranges. Those of the coefficients are in package plasticity.
const (
	// Below 0.5 the word of one tool would change a belief. Above 1 no single principal could,
	// not even the person it is about.
	MinQuorum, MaxQuorum = 0.5, 1.0
	// Without use the signals sum to at most 3.8, so above 4 unused memories are never
	// promoted.
	MinPromoteAt, MaxPromoteAt = 0.5, 4.0
	MaxEngraveDays             = 3650
	MaxDecayK                  = 1000.0                 // per day: half is lost after a minute
	MaxTTL                     = 36500 * 24 * time.Hour // 100 years of 365 days
	MaxSingleValued            = 100                    // predicates; the stored form fits into a setting
)

// Validate returns an INVALID_REQUEST error that names the field in the spelling of the API.
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
	for _, c := range graph.DecayClasses { // in a fixed order, so that the same field is reported each time
		if k, set := p.DecayK[c]; set && c == graph.DecayNone {
			return invalidField("decayK", "must not be set for %s, which never fades", c)
		} else if set && !(k > 0 && k <= MaxDecayK) {
			return invalidField("decayK", "%s must be above 0, at most %v a day", c, MaxDecayK)
		}
	}
	for c := range p.DecayK {
		if !c.Valid() {
			return invalidField("decayK", "can be set only for SLOW, MEDIUM and FAST")
		}
	}
	if !p.MinConsent.Valid() {
		return invalidField("minConsent", "must be %s", joinNames(graph.Consents))
	}
	if !p.DefaultConsent.Valid() {
		return invalidField("defaultConsent", "must be %s", joinNames(DefaultConsents))
	}
	if c := p.ConsentFor(""); c != "" && !p.AllowsConsent(c) {
		return invalidField("defaultConsent", "is weaker than minConsent, %s", p.MinConsent)
	}
	if !p.Revision.Valid() {
		return invalidField("revision", "must be %s", joinNames(Revisions))
	}
	if err := p.validatePredicates(); err != nil {
		return err
	}
	for _, s := range graph.Sensitivities {
		if ttl, set := p.TTL[s]; set && (ttl <= 0 || ttl > MaxTTL || ttl%time.Second != 0) {
			return invalidField("ttlSeconds", "%s must be 1 to %d whole seconds", s, MaxTTL/time.Second)
		}
	}
	for s := range p.TTL {
		if !s.Valid() {
			return invalidField("ttlSeconds", "can be set only for %s", joinNames(graph.Sensitivities))
		}
	}
	return nil
}

// validatePredicates checks the names of the predicates with one value.
func (p Policy) validatePredicates() error {
	if n := len(p.SingleValued); n > MaxSingleValued {
		return graph.FieldError(graph.CodeLimitExceeded, "singleValued", "has %d predicates, more than %d", n, MaxSingleValued)
	}
	for i, name := range p.SingleValued {
		switch {
		case strings.TrimSpace(name) == "" || !utf8.ValidString(name):
			return invalidField("singleValued", "item %d must be a predicate such as \"sponsor\", in UTF-8", i+1)
		case len(name) > graph.MaxName:
			return graph.FieldError(graph.CodeLimitExceeded, "singleValued", "item %d has %d bytes, more than %d", i+1, len(name), graph.MaxName)
		}
	}
	return nil
}

// validateGates checks that the gates to the recess are at least as tight as the fixed ones.
func (p Policy) validateGates() error {
	switch {
	case p.EngraveDays < plasticity.EngraveDays || p.EngraveDays > MaxEngraveDays:
		return invalidField("engraveDays", "can only be tightened: %d to %d", plasticity.EngraveDays, MaxEngraveDays)
	case !inRange(p.EngraveConfidence, plasticity.EngraveTrust, 1):
		return invalidField("engraveConfidence", "can only be tightened: %v to 1", plasticity.EngraveTrust)
	case !(p.EngraveConflict > 0 && p.EngraveConflict <= plasticity.EngraveConflict): // a conflict is never below 0
		return invalidField("engraveConflict", "can only be tightened: above 0, at most %v", plasticity.EngraveConflict)
	}
	return nil
}

// inRange reports whether x is a number in [lo, hi].
func inRange(x, lo, hi float64) bool { return x >= lo && x <= hi }

func invalidField(field, format string, args ...any) error {
	return graph.FieldError(graph.CodeInvalidRequest, field, format, args...)
}

func invalidPreset() error { return invalidField("preset", "must be %s", joinNames(Presets)) }

// joinNames lists the values of an enumeration for an error message.
func joinNames[E ~string](values []E) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}
