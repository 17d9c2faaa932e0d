package engine

import (
	"context"

	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/graph"
)

// Standing is how far a memory is on its way to the next tier.
type Standing struct {
	Score      float64  // plasticity now, with S(t) for salience; 0 once erased
	PromotesAt *float64 // score above which it goes to L2; nil: it is beyond L1, or not ACTIVE
	Gates      *Gates   // to L3; nil: it is there, or not ACTIVE
}

// Gates are what a memory needs to be engraved, and what it has.
type Gates struct {
	Days, NeededDays             int     // distinct UTC days of use
	Confidence, NeededConfidence float64 // at least
	Conflict, MaxConflict        float64 // below
	Open                         bool    // all three
}

// Standings answers how far each memory is on its way, in the order of views.
func (e *Engine) Standings(_ context.Context, _ Caller, views []*View) ([]Standing, error) {
	out := make([]Standing, len(views))
	for i, v := range views {
		out[i] = standing(v, plasticity.Defaults())
	}
	return out, nil
}

// standing is the pure step of Standings.
func standing(v *View, k plasticity.Coefficients) Standing {
	if v.State.Status == graph.Forgotten {
		return Standing{}
	}
	s := Standing{Score: plasticity.Score(plasticity.Signals{
		Salience: v.Salience * v.Retention, Usage: v.Usage.Count, Authority: v.Authority, Conflict: v.Conflict, Surprise: v.Surprise,
	}, k)}
	if v.State.Status != graph.Active || v.State.Tier == graph.L3 {
		return s
	}
	if v.State.Tier != graph.L2 {
		at := plasticity.PromoteAt
		s.PromotesAt = &at
	}
	days := len(v.Usage.Days)
	s.Gates = &Gates{
		Days: days, NeededDays: plasticity.EngraveDays, Confidence: v.Confidence, NeededConfidence: plasticity.EngraveTrust,
		Conflict: v.Conflict, MaxConflict: plasticity.EngraveConflict, Open: plasticity.Engraves(days, v.Confidence, v.Conflict),
	}
	return s
}
