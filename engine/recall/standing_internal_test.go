package recall

import (
	"math"
	"testing"

	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// The expected values are computed by hand: the score uses S(t) for salience, the thresholds
// come from the policy, and only the remaining tiers have one.
func TestDemoteDisputed(t *testing.T) {
	p := policy.Default()
	p.Coefficients.Alpha, p.PromoteAt, p.EngraveDays = 2, 1.75, 7
	at := func(tier graph.Tier, status graph.Status, days int) *workspace.View {
		m := &graph.Memory{Content: "The gate is green.", History: []graph.State{{Status: status, Tier: tier}}, Salience: 0.5, Authority: 0.4, Conflict: 0.1, Surprise: 0.25, Confidence: 0.9}
		m.Usage.Count, m.Usage.Days, m.Usage.Sessions = days, make([]int32, days), make(graph.Sessions, min(days, 3))
		return &workspace.View{Memory: m, State: graph.State{Tier: tier, Status: status}, Retention: 0.5}
	}
	for _, c := range []struct {
		name            string
		view            *workspace.View
		promotes, gates bool
		open            bool
	}{
		{"the buffer", at(graph.L0, graph.Active, 0), true, true, false},
		{"the index", at(graph.L1, graph.Active, 6), true, true, false},
		{"the index, all gates open", at(graph.L1, graph.Active, 7), true, true, true},
		{"the schema", at(graph.L2, graph.Active, 7), false, true, true},
		{"the recess", at(graph.L3, graph.Active, 7), false, false, false},
		{"no longer in force", at(graph.L1, graph.Superseded, 7), false, false, false},
	} {
		s := standingOf(c.view, p)
		// α·S₀·retention + β·ln(1+U) + γ·A − λ·C + δ·Δ
		want := 2*0.5*0.5 + 0.3*math.Log1p(float64(c.view.Usage.Count)) + 0.5*0.4 - 0.7*0.1 + 0.4*0.25
		if math.Abs(s.Score-want) > 1e-6 {
			t.Errorf("%s: the score is %v, want %v", c.name, s.Score, want)
		}
		if (s.PromotesAt != nil) != c.promotes || c.promotes && *s.PromotesAt != 1.75 {
			t.Errorf("%s: promotes at %v", c.name, s.PromotesAt)
		}
		if (s.Gates != nil) != c.gates || c.gates && (s.Gates.Open != c.open || s.Gates.NeededDays != 7 || s.Gates.NeededConfidence != 0.85 || s.Gates.MaxConflict != 0.2) {
			t.Errorf("%s: the gates are %+v", c.name, s.Gates)
		}
	}
	if s := standingOf(at(graph.L1, graph.Forgotten, 3), p); s.Score != 0 || s.PromotesAt != nil || s.Gates != nil {
		t.Errorf("erased: %+v", s)
	}
}
