package sleep

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// urgentScore is the score above which a memory is engraved before the others.
const urgentScore = 2.2

// planPromotion lists the promotions from L1 to L2 by score, then the engravings from L2 to
// L3 through the three gates. Urgent engravings come first, because the budget may
// end before the last.
func planPromotion(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	all := run.candidates()
	var promote, engrave []plannedStep
	urgent := map[graph.ID]bool{}
	err := run.view(ctx, func(r graph.Reader) error {
		promote, engrave = nil, nil
		for _, c := range all {
			if c.state.Tier == graph.L0 || c.state.Tier == graph.L3 || c.Type == graph.Working || c.Pattern != "" {
				continue
			}
			p, err := run.policy(r, c.Namespace)
			if err != nil {
				return err
			}
			// The index alone excludes most memories: surprise is at most 1.
			most := plasticity.Score(plasticity.Signals{Salience: c.salience(), Usage: c.Usage.Count, Authority: c.Authority, Conflict: c.Conflict, Surprise: 1}, p.Coefficients)
			gates := engraves(p, c.Usage, c.Confidence, c.Conflict) || run.succeedsEngram(c)
			if !gates && (c.state.Tier == graph.L2 || most <= p.PromoteAt) {
				continue
			}
			m, err := graph.Readable(r, c.ID)
			if err != nil {
				return err
			}
			if m == nil {
				continue
			}
			rises := run.promotable(m, p)
			if rises {
				promote = append(promote, plannedStep{Verb: StepPromote, IDs: []graph.ID{m.ID}})
			}
			if gates && (rises || m.State().Tier == graph.L2) && run.svc.Recess != nil {
				engrave = append(engrave, plannedStep{Verb: StepEngrave, IDs: []graph.ID{m.ID}})
				urgent[m.ID] = run.score(m, p) > urgentScore
			}
		}
		return nil
	})
	rank := func(s plannedStep) int {
		if urgent[s.IDs[0]] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(engrave, func(a, b plannedStep) int { return cmp.Compare(rank(a), rank(b)) })
	return append(promote, engrave...), err
}

func preparePromotion(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	if s.Verb == StepPromote {
		return nil, nil
	}
	return prepareEngrave(ctx, run, s)
}

func applyPromotion(b *batch, s plannedStep, ready any) error {
	if s.Verb == StepPromote {
		return applyPromote(b, s, ready)
	}
	return applyEngrave(b, s, ready)
}

// promotable reports whether a memory's score promotes it from L1 to L2 at the cycle's
// instant.
func (run *sleepRun) promotable(m *graph.Memory, p policy.Policy) bool {
	return m.State().Tier == graph.L1 && run.score(m, p) > p.PromoteAt
}

// score is the plasticity of a memory at the cycle's instant. It uses S(t) as salience.
func (run *sleepRun) score(m *graph.Memory, p policy.Policy) float64 {
	return plasticity.Score(plasticity.Signals{
		Salience: m.Salience * decay.RetentionAt(workspace.DecayOf(m, m.State()), run.checkpoint.At), Usage: m.Usage.Count,
		Authority: m.Authority, Conflict: m.Conflict, Surprise: m.Surprise,
	}, p.Coefficients)
}

// succeedsEngram reports the same as lifecycle.SucceedsEngram, from the index.
func (run *sleepRun) succeedsEngram(c *candidate) bool {
	if c.Supersedes == "" || c.state.Tier != graph.L2 {
		return false
	}
	before, known := run.svc.Index.Doc(run.t.Scope, c.Supersedes)
	return known && before.History[len(before.History)-1].Tier == graph.L3
}

func applyPromote(b *batch, s plannedStep, _ any) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	p, err := b.run.policy(b, m.Namespace)
	if err != nil || !b.run.promotable(m, p) {
		return err
	}
	m.SetState(b.now, func(s *graph.State) { s.Tier = graph.L2 })
	m.UpdatedAt = b.now
	b.report.Promoted++
	b.did(StepPromote, "", m.ID)
	return b.PutMemory(m, graph.EventPromoted)
}
