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
	strongShare = 0.2 // of the ranking, from the top
	weakShare   = 0.4 // of the ranking, from the bottom
	rankedIDs   = 250 // ids of one step
	faded       = 0.01
	doubted     = 0.5 // confidence of a fact below which a person should look at it
)

// The verbs of N1's plan, which is its result: where a memory stands in the ranking.
const (
	rankStrong StepVerb = "STRONG"
	rankMiddle StepVerb = "MIDDLE"
	rankWeak   StepVerb = "WEAK"
)

// sleeper is an ACTIVE memory as the plan of a phase sees it.
type sleeper struct {
	*index.Doc
	state graph.State
	left  float64 // retention at the cycle's instant
}

// salience is S(t).
func (s *sleeper) salience() float64 { return s.Salience * s.left }

// since is how long the memory was not used: since its last use, else its creation.
func (s *sleeper) since(at time.Time) time.Duration {
	return at.Sub(lifecycle.FirstTime(s.Usage.Last, s.CreatedAt))
}

// sleepers are the memories that the cycle is about: everybody, and in a light sleep those
// that were made, used or changed since the one before.
func (n *run) sleepers() []*sleeper {
	all := n.everybody()
	if n.checkpoint.Report.Kind == LightSleep {
		all = slices.DeleteFunc(all, func(s *sleeper) bool { return !n.recent(s.Doc) })
	}
	return all
}

// everybody are the ACTIVE memories that were there at the cycle's instant, by id.
func (n *run) everybody() []*sleeper {
	var all []*sleeper
	n.svc.Index.Docs(n.t.Scope, func(d *index.Doc) bool {
		s, known := graph.StateAt(d.History, d.ExpiresAt, lifecycle.Later(n.checkpoint.At, d.History[len(d.History)-1].From))
		if known && s.Status == graph.Active && !d.CreatedAt.After(n.checkpoint.At) {
			all = append(all, &sleeper{d, s, decay.RetentionAt(workspace.DecayOfDoc(d, s), n.checkpoint.At)})
		}
		return true
	})
	slices.SortFunc(all, func(a, b *sleeper) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// recent reports whether a memory was made, used or changed since what the sleep before
// looked at.
func (n *run) recent(d *index.Doc) bool {
	for _, at := range []time.Time{d.CreatedAt, d.AnchorAt, d.Usage.Last, d.History[len(d.History)-1].From} {
		if at.After(n.checkpoint.Since) {
			return true
		}
	}
	return false
}

// health is H over everybody, as the memory stands: the mean of importance.Health, 1 where
// there is nobody.
func (n *run) health() float64 {
	all, sum := n.everybody(), 0.0
	for _, s := range all {
		sum += importance.Health(s.Confidence, s.left)
	}
	if len(all) == 0 {
		return 1
	}
	return sum / float64(len(all))
}

// planRank ranks, and takes the measure of the memory before anything changes.
func planRank(_ context.Context, n *run) ([]step, error) {
	all := n.sleepers()
	n.checkpoint.Report.HealthBefore = n.health()
	for _, s := range all {
		before := 1.0
		if !n.checkpoint.Before.IsZero() && s.CreatedAt.Before(n.checkpoint.Before) {
			before = decay.RetentionAt(workspace.DecayOfDoc(s.Doc, s.state), n.checkpoint.Before)
		}
		if before-s.left > faded {
			n.checkpoint.Report.Decayed++
		}
		if s.state.Tier == graph.L1 {
			n.checkpoint.Report.InL1++
		}
		if s.Type == graph.Semantic && s.Confidence < doubted {
			n.checkpoint.Report.Review = note(n.checkpoint.Report.Review, s.ID)
		}
	}
	n.checkpoint.Report.Balance.In = len(all)
	rank := func(s *sleeper) float64 { return s.salience() * float64(1+s.Usage.Count) * s.Authority }
	slices.SortStableFunc(all, func(a, b *sleeper) int { return cmp.Compare(rank(b), rank(a)) })
	strong, weak := shares(len(all))
	var steps []step
	for _, part := range []struct {
		verb     StepVerb
		from, to int
	}{{rankStrong, 0, strong}, {rankMiddle, strong, len(all) - weak}, {rankWeak, len(all) - weak, len(all)}} {
		for at := part.from; at < part.to; at += rankedIDs {
			s := step{Verb: part.verb}
			for _, one := range all[at:min(at+rankedIDs, part.to)] {
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
func (n *run) ranking(ctx context.Context) (map[graph.ID]StepVerb, error) {
	at := map[graph.ID]StepVerb{}
	for i := 0; i < n.checkpoint.Plans[0].Steps; {
		steps, err := n.steps(ctx, 0, i)
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
func (n *run) vectors(ctx context.Context, of []*sleeper) ([][]float32, error) {
	docs := make([]*index.Doc, len(of))
	for i, s := range of {
		docs[i] = s.Doc
	}
	return n.svc.Index.Vectors(ctx, n.t.Scope, docs)
}
