package sleep

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// N1 ranks every ACTIVE memory by S(t)·(1+U)·A, ties by id. SPEC section 9.

const (
	strongShare    = 0.2 // of the ranking, from the top
	weakShare      = 0.4 // of the ranking, from the bottom
	idsPerRankStep = 250 // ids of one step
	decayedAbove   = 0.01
	reviewBelow    = 0.5 // confidence of a fact below which a person should look at it
)

// The verbs of N1's plan, which is its result: where a memory stands in the ranking.
const (
	rankStrong StepVerb = "STRONG"
	rankMiddle StepVerb = "MIDDLE"
	rankWeak   StepVerb = "WEAK"
)

// sleeper is an ACTIVE memory as the plan of a phase sees it.
type candidate struct {
	*index.Doc
	state     graph.State
	retention float64 // retention at the cycle's instant
}

// salience is S(t).
func (c *candidate) salience() float64 { return c.Salience * c.retention }

// since is how long the memory was not used: since its last use, else its creation.
func (c *candidate) unusedFor(at time.Time) time.Duration {
	return at.Sub(lifecycle.FirstTime(c.Usage.Last, c.CreatedAt))
}

// sleepers are the memories that the cycle is about: everybody, and in a light sleep those
// that were made, used or changed since the one before.
func (run *sleepRun) candidates() []*candidate {
	all := run.activeMemories()
	if run.checkpoint.Report.Kind == LightSleep {
		all = slices.DeleteFunc(all, func(c *candidate) bool { return !run.isRecent(c.Doc) })
	}
	return all
}

// everybody are the ACTIVE memories that were there at the cycle's instant, by id.
func (run *sleepRun) activeMemories() []*candidate {
	var all []*candidate
	run.svc.Index.Docs(run.t.Scope, func(d *index.Doc) bool {
		s, known := graph.StateAt(d.History, d.ExpiresAt, lifecycle.Later(run.checkpoint.At, d.History[len(d.History)-1].From))
		if known && s.Status == graph.Active && !d.CreatedAt.After(run.checkpoint.At) {
			all = append(all, &candidate{d, s, decay.RetentionAt(workspace.DecayOfDoc(d, s), run.checkpoint.At)})
		}
		return true
	})
	slices.SortFunc(all, func(a, b *candidate) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// recent reports whether a memory was made, used or changed since what the sleep before
// looked at.
func (run *sleepRun) isRecent(d *index.Doc) bool {
	for _, at := range []time.Time{d.CreatedAt, d.AnchorAt, d.Usage.Last, d.History[len(d.History)-1].From} {
		if at.After(run.checkpoint.Since) {
			return true
		}
	}
	return false
}

// health is H over everybody, as the memory stands: the mean of importance.Health, 1 where
// there is nobody.
func (run *sleepRun) health() float64 {
	all, sum := run.activeMemories(), 0.0
	for _, c := range all {
		sum += importance.Health(c.Confidence, c.retention)
	}
	if len(all) == 0 {
		return 1
	}
	return sum / float64(len(all))
}

// planRank ranks, and takes the measure of the memory before anything changes.
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

// shares are how many of n memories are strong and how many weak. One alone is strong.
func shares(n int) (strong, weak int) {
	strong = int(strongShare*float64(n) + 0.999999)
	return strong, min(n-strong, int(weakShare*float64(n)))
}

// ranking reads N1's result: where each memory stands.
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

// vectors are those of sleepers, in their order; nil where one has none any more.
func (run *sleepRun) vectors(ctx context.Context, of []*candidate) ([][]float32, error) {
	docs := make([]*index.Doc, len(of))
	for i, c := range of {
		docs[i] = c.Doc
	}
	return run.svc.Index.Vectors(ctx, run.t.Scope, docs)
}
