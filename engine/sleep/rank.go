package sleep

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	strongShare    = 0.2 // of the ranking, from the top
	weakShare      = 0.4 // of the ranking, from the bottom
	idsPerRankStep = 250 // ids of one step
	decayedAbove   = 0.01
	reviewBelow    = 0.5 // confidence below which a fact is listed for review
)

// The verbs of N1's plan, which is its result: the class of a memory in the ranking.
const (
	rankStrong StepVerb = "STRONG"
	rankMiddle StepVerb = "MIDDLE"
	rankWeak   StepVerb = "WEAK"
)

// planRank ranks the memories by S(t)·(1+U)·A, ties by id, and takes the measurements that
// need the state before the first change.
func planRank(_ context.Context, run *sleepRun) ([]plannedStep, error) {
	all := run.candidates()
	run.checkpoint.Report.HealthBefore = run.health()
	for _, c := range all {
		before := 1.0
		if !run.checkpoint.PreviousAt.IsZero() && c.CreatedAt.Before(run.checkpoint.PreviousAt) {
			before = decay.RetentionAt(workspace.DecayOfDoc(c.Doc, c.state), run.checkpoint.PreviousAt)
		}
		if before-c.retention > decayedAbove {
			run.checkpoint.Report.Decayed++
		}
		if c.state.Tier == graph.L1 {
			run.checkpoint.Report.InL1++
		}
		if c.Type == graph.Semantic && c.Confidence < reviewBelow {
			run.checkpoint.Report.Review = appendListed(run.checkpoint.Report.Review, c.ID)
		}
	}
	run.checkpoint.Report.Balance.In = len(all)
	run.checkpoint.Report.SafetyEnded = run.safetyEnded()
	rank := func(c *candidate) float64 { return c.salience() * float64(1+c.Usage.Count) * c.Authority }
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(rank(b), rank(a)) })
	strong, weak := shares(len(all))
	var steps []plannedStep
	for _, part := range []struct {
		verb     StepVerb
		from, to int
	}{{rankStrong, 0, strong}, {rankMiddle, strong, len(all) - weak}, {rankWeak, len(all) - weak, len(all)}} {
		for at := part.from; at < part.to; at += idsPerRankStep {
			s := plannedStep{Verb: part.verb}
			for _, one := range all[at:min(at+idsPerRankStep, part.to)] {
				s.IDs = append(s.IDs, one.ID)
			}
			steps = append(steps, s)
		}
	}
	return steps, nil
}

// safetyEnded returns the safety-critical memories whose time to live ended since the previous sleep.
// Nothing else ends them without a decision, so the report names them.
func (run *sleepRun) safetyEnded() (ids []graph.ID) {
	run.svc.Index.Docs(run.t.Scope, func(d *index.Doc) bool {
		if end := d.ExpiresAt; d.SafetyCritical && !end.IsZero() && !end.After(run.checkpoint.At) && end.After(run.checkpoint.PreviousAt) {
			if s, known := graph.StateAt(d.History, end, run.checkpoint.At); known && s.Status == graph.Expired {
				ids = appendListed(ids, d.ID)
			}
		}
		return true
	})
	slices.Sort(ids)
	return ids
}

// shares returns how many of n memories are strong and how many weak. A single memory is
// strong.
func shares(n int) (strong, weak int) {
	strong = int(strongShare*float64(n) + 0.999999)
	return strong, min(n-strong, int(weakShare*float64(n)))
}

// ranking reads N1's result: the class of each memory.
func (run *sleepRun) ranking(ctx context.Context) (map[graph.ID]StepVerb, error) {
	at := map[graph.ID]StepVerb{}
	for i := 0; i < run.checkpoint.Plans[0].Steps; {
		steps, err := run.stepsFrom(ctx, 0, i)
		if err != nil {
			return nil, err
		}
		for _, s := range steps {
			for _, id := range s.IDs {
				at[id] = s.Verb
			}
		}
		i += len(steps)
	}
	return at, nil
}
