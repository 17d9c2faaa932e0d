// Package plasticity computes the score that decides on promotion, and how use changes salience
// and confidence. All functions are pure.
//
//	score = α·S + β·ln(1+U) + γ·A − λ·C + δ·Δ
//
// S salience, U usage, A authority, C conflict, Δ surprise. The terms are modelled on the
// brain: salience on dopamine, surprise on noradrenaline, reinforcement on long-term
// potentiation.
package plasticity

import (
	"math"

	"github.com/somnograph/somnograph/graph"
)

// Thresholds.
const (
	PromoteAt       = 1.5 // L1→L2 above this score
	EngraveDays     = 5   // distinct days of use
	EngraveSessions = 3   // distinct sessions of use
	EngraveTrust    = 0.85
	EngraveConflict = 0.2
	Eta             = 0.05 // η of reinforcement
	Eta1            = 0.05 // η₁ of confidence
	Eta2            = 0.03 // η₂ of confidence
	MaxConflict     = 0.3  // above it confidence only falls
)

// Coefficients are the weights of the score.
type Coefficients struct{ Alpha, Beta, Gamma, Lambda, Delta float64 }

// Defaults are the coefficients of a namespace without its own.
func Defaults() Coefficients { return Coefficients{1.0, 0.3, 0.5, 0.7, 0.4} }

// Validate returns an INVALID_REQUEST error that names a coefficient outside its range.
func (c Coefficients) Validate() error {
	for _, x := range []struct {
		name          string
		value, lo, hi float64
	}{
		{"alpha", c.Alpha, 0.5, 2.0}, {"beta", c.Beta, 0.1, 0.5}, {"gamma", c.Gamma, 0.3, 1.0}, {"lambda", c.Lambda, 0.5, 1.5}, {"delta", c.Delta, 0.2, 0.8},
	} {
		if math.IsNaN(x.value) || x.value < x.lo || x.value > x.hi {
			return graph.FieldError(graph.CodeInvalidRequest, x.name, "must be %v to %v", x.lo, x.hi)
		}
	}
	return nil
}

// Signals are the five inputs. All are in [0,1] except Usage ≥ 0.
type Signals struct {
	Salience  float64
	Usage     int
	Authority float64
	Conflict  float64
	Surprise  float64
}

// Score is α·S + β·ln(1+U) + γ·A − λ·C + δ·Δ.
func Score(s Signals, c Coefficients) float64 {
	return c.Alpha*s.Salience + c.Beta*math.Log1p(float64(max(0, s.Usage))) + c.Gamma*s.Authority - c.Lambda*s.Conflict + c.Delta*s.Surprise
}

// GatesOpen reports whether the gates to L3 are open: days and sessions of use, confidence and
// conflict.
func GatesOpen(usageDays, sessions int, confidence, conflict float64) bool {
	return usageDays >= EngraveDays && sessions >= EngraveSessions && confidence >= EngraveTrust && conflict < EngraveConflict
}

// Reinforce is S + η·(1+Δ)·(1−S). It stays in [0,1]. Surprise raises the learning rate.
func Reinforce(salience, eta, surprise float64) float64 {
	return min(1, salience+eta*(1+surprise)*(1-salience))
}

// Confidence is the confidence after a day of use: clamp(conf + η₁·(A + S + ln(1+U)) − η₂·C),
// without the gain if C > 0.3. With a single source it is at most (1+A)/2.
func Confidence(conf float64, s Signals, singleSource bool) float64 {
	gain := Eta1 * (s.Authority + s.Salience + math.Log1p(float64(max(0, s.Usage))))
	if s.Conflict > MaxConflict {
		gain = 0
	}
	next := max(0, min(1, conf+gain-Eta2*s.Conflict))
	if singleSource {
		next = min(next, SingleSourceCap(s.Authority))
	}
	return next
}

// Doubt is the confidence after a memory did harm: conf·(1 − η).
func Doubt(conf float64) float64 { return conf * (1 - Eta) }

// SingleSourceCap is the maximum confidence with one source of this authority: (1+A)/2.
func SingleSourceCap(authority float64) float64 { return (1 + authority) / 2 }
