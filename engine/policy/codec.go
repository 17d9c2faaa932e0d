package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/graph"
)

// Version of the stored form.
const Version = 1

// stored is the JSON form of a policy.
type stored struct {
	Version           int                          `json:"version"`
	Preset            Preset                       `json:"preset"`
	Alpha             float64                      `json:"alpha"`
	Beta              float64                      `json:"beta"`
	Gamma             float64                      `json:"gamma"`
	Lambda            float64                      `json:"lambda"`
	Delta             float64                      `json:"delta"`
	Quorum            float64                      `json:"quorum"`
	PromoteAt         float64                      `json:"promoteAt"`
	EngraveDays       int                          `json:"engraveDays"`
	EngraveConfidence float64                      `json:"engraveConfidence"`
	EngraveConflict   float64                      `json:"engraveConflict"`
	DecayK            map[graph.DecayClass]float64 `json:"decayK,omitempty"`
	MinConsent        graph.Consent                `json:"minConsent"`
	TTLSeconds        map[graph.Sensitivity]int64  `json:"ttlSeconds,omitempty"`
	DefaultConsent    DefaultConsent               `json:"defaultConsent,omitempty"` // empty: SERVER
	Revision          Revision                     `json:"revision,omitempty"`       // empty: ON
	SingleValued      []string                     `json:"singleValued,omitempty"`
}

// Encode returns the stored form of a policy, or the error of Validate. The same policy gives
// the same bytes.
func Encode(p Policy) ([]byte, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	c := p.Coefficients
	s := stored{
		Version: Version, Preset: p.Preset,
		Alpha: c.Alpha, Beta: c.Beta, Gamma: c.Gamma, Lambda: c.Lambda, Delta: c.Delta,
		Quorum: p.Quorum, PromoteAt: p.PromoteAt,
		EngraveDays: p.EngraveDays, EngraveConfidence: p.EngraveConfidence, EngraveConflict: p.EngraveConflict,
		DecayK: p.DecayK, MinConsent: p.MinConsent, TTLSeconds: make(map[graph.Sensitivity]int64, len(p.TTL)),
	}
	if p.DefaultConsent != DefaultOfServer {
		s.DefaultConsent = p.DefaultConsent
	}
	s.SingleValued = p.SingleValued
	if p.Revision != RevisionOn {
		s.Revision = p.Revision
	}
	for k, ttl := range p.TTL {
		s.TTLSeconds[k] = int64(ttl / time.Second)
	}
	return json.Marshal(s)
}

// Decode reads what Encode wrote. Anything else is graph.ErrIntegrity: another version, an
// unknown field, a value outside its range, trailing bytes.
func Decode(data []byte) (Policy, error) {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil { // fails on trailing bytes too
		return Policy{}, integrityError(err)
	}
	if head.Version != Version { // checked first, because other versions have other fields
		return Policy{}, integrityError(fmt.Errorf("version %d, want %d", head.Version, Version))
	}
	var s stored
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return Policy{}, integrityError(err)
	}
	p := Policy{
		Preset:       s.Preset,
		Coefficients: plasticity.Coefficients{Alpha: s.Alpha, Beta: s.Beta, Gamma: s.Gamma, Lambda: s.Lambda, Delta: s.Delta},
		DecayK:       s.DecayK, Quorum: s.Quorum, PromoteAt: s.PromoteAt,
		EngraveDays: s.EngraveDays, EngraveConfidence: s.EngraveConfidence, EngraveConflict: s.EngraveConflict,
		MinConsent: s.MinConsent, TTL: make(map[graph.Sensitivity]time.Duration, len(s.TTLSeconds)),
	}
	if p.DefaultConsent = s.DefaultConsent; p.DefaultConsent == "" {
		p.DefaultConsent = DefaultOfServer
	}
	if p.Revision = s.Revision; p.Revision == "" {
		p.Revision = RevisionOn
	}
	p.SingleValued = s.SingleValued
	for k, seconds := range s.TTLSeconds {
		if seconds < 1 || seconds > int64(MaxTTL/time.Second) { // a time.Duration may overflow
			return Policy{}, integrityError(fmt.Errorf("ttlSeconds of %d", seconds))
		}
		p.TTL[k] = time.Duration(seconds) * time.Second
	}
	if err := p.Validate(); err != nil {
		return Policy{}, integrityError(err)
	}
	return p, nil
}

// integrityError makes an integrity error. It includes the cause as text and does not wrap it,
// because the caller's request is not at fault.
func integrityError(err error) error {
	return fmt.Errorf("%w: namespace policy: %v", graph.ErrIntegrity, err)
}
