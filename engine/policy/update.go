package policy

import (
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Update is a partial change of a policy: nil fields stay as they are.
type Update struct {
	Preset                            *Preset // resets all other settings to those of the preset
	Alpha, Beta, Gamma, Lambda, Delta *float64
	Quorum, PromoteAt                 *float64
	EngraveDays                       *int
	EngraveConfidence                 *float64
	EngraveConflict                   *float64
	DecayK                            map[graph.DecayClass]float64 // the whole map; empty: none
	MinConsent                        *graph.Consent
	DefaultConsent                    *DefaultConsent
	TTL                               map[graph.Sensitivity]time.Duration // the whole map; empty: none
	Revision                          *Revision
	SingleValued                      []string // all of them; empty: none
}

// Merge returns the base with the update applied, or the INVALID_REQUEST error of Validate. The
// result shares no maps with either.
func Merge(base Policy, u Update) (Policy, error) {
	p := base
	if u.Preset != nil {
		var err error
		if p, err = FromPreset(*u.Preset); err != nil {
			return Policy{}, err
		}
	}
	setIfGiven(&p.Coefficients.Alpha, u.Alpha)
	setIfGiven(&p.Coefficients.Beta, u.Beta)
	setIfGiven(&p.Coefficients.Gamma, u.Gamma)
	setIfGiven(&p.Coefficients.Lambda, u.Lambda)
	setIfGiven(&p.Coefficients.Delta, u.Delta)
	setIfGiven(&p.Quorum, u.Quorum)
	setIfGiven(&p.PromoteAt, u.PromoteAt)
	setIfGiven(&p.EngraveDays, u.EngraveDays)
	setIfGiven(&p.EngraveConfidence, u.EngraveConfidence)
	setIfGiven(&p.EngraveConflict, u.EngraveConflict)
	setIfGiven(&p.MinConsent, u.MinConsent)
	setIfGiven(&p.DefaultConsent, u.DefaultConsent)
	setIfGiven(&p.Revision, u.Revision)
	if u.DecayK != nil {
		p.DecayK = u.DecayK
	}
	if u.TTL != nil {
		p.TTL = u.TTL
	}
	if u.SingleValued != nil {
		p.SingleValued = u.SingleValued
	}
	p.SingleValued = slices.Clone(p.SingleValued)
	p.DecayK, p.TTL = maps.Clone(p.DecayK), maps.Clone(p.TTL)
	if err := p.Validate(); err != nil {
		return Policy{}, err
	}
	return p, nil
}

func setIfGiven[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}
