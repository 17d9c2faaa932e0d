package recall

import (
	"context"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Standing is the progress of a memory to the next tier.
type Standing struct {
	Score      float64  // current plasticity, with S(t) for salience; 0 if erased
	PromotesAt *float64 // score above which it moves to L2; nil: already in L2 or L3, or not ACTIVE
	Gates      *Gates   // conditions for L3; nil: already in L3, or not ACTIVE
}

// Gates are the conditions for engraving and the memory's values.
type Gates struct {
	Days, NeededDays             int     // distinct UTC days of use
	Sessions, NeededSessions     int     // distinct sessions of use; of more than graph.MaxSessions that many
	Confidence, NeededConfidence float64 // NeededConfidence is a minimum
	Conflict, MaxConflict        float64 // MaxConflict is exclusive
	Passing                      bool    // it states what passes by itself, so it is never engraved
	Open                         bool    // all conditions hold
}

// Standings returns the standing of each view, in order, under the policy of its namespace.
func (svc *Service) Standings(ctx context.Context, c workspace.Caller, views []*workspace.View) ([]Standing, error) {
	out := make([]Standing, len(views))
	err := svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		rules := workspace.PolicyCache{}
		for i, v := range views {
			p, err := rules.In(r, v.Namespace)
			if err != nil {
				return err
			}
			out[i] = standingOf(v, p)
		}
		return nil
	})
	return out, err
}

// standingOf computes the standing of one view without I/O.
func standingOf(v *workspace.View, p policy.Policy) Standing {
	if v.State.Status == graph.Forgotten {
		return Standing{}
	}
	s := Standing{Score: plasticity.Score(plasticity.Signals{
		Salience: v.Salience * v.Retention, Usage: v.Usage.Count, Authority: v.Authority, Conflict: v.Conflict, Surprise: v.Surprise,
	}, p.Coefficients)}
	if v.State.Status != graph.Active || v.State.Tier == graph.L3 {
		return s
	}
	if v.State.Tier != graph.L2 {
		s.PromotesAt = &p.PromoteAt
	}
	days, sessions := len(v.Usage.CertainDays()), len(v.Usage.Sessions)
	passing := lifecycle.Passes(v.Memory)
	s.Gates = &Gates{
		Days: days, NeededDays: p.EngraveDays, Sessions: sessions, NeededSessions: plasticity.EngraveSessions, Passing: passing, Confidence: v.Confidence, NeededConfidence: p.EngraveConfidence,
		Conflict: v.Conflict, MaxConflict: p.EngraveConflict, Open: lifecycle.MayBePermanent(v.Memory) && p.Engraves(days, sessions, v.Confidence, v.Conflict),
	}
	return s
}
