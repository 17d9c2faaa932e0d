package sleep

import (
	"context"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// secondLookLimit is the maximum number of memories on the subject that the second look
// reads.
const secondLookLimit = 64

// rival is a memory for which the rules can't decide whether it contradicts another.
type rival struct {
	content string
	rules   float64 // conflict score by the rules
	weight  float64 // ratio of its authority to the other's, [0,1]
}

// secondLook reports whether an ACTIVE memory on the subject, or one similar in meaning,
// contradicts the memory. It also returns the rivals, for which the rules can't decide.
func (run *sleepRun) secondLook(ctx context.Context, r graph.Reader, m *graph.Memory, vector []float32, p policy.Policy) (doubt bool, rivals []rival, err error) {
	var others []*graph.Memory
	if m.Subject != "" {
		found, err := r.ListMemories(graph.MemoryQuery{
			Undamaged: true, Namespaces: []string{m.Namespace}, Subject: m.Subject, Statuses: []graph.Status{graph.Active}, Descending: true, Limit: secondLookLimit,
		})
		if err != nil {
			return false, nil, err
		}
		others = found
	}
	if vector != nil {
		k := workspace.Circle{Namespace: m.Namespace, User: m.User}
		near, err := run.svc.Index.Nearest(ctx, run.t.Scope, [][]float32{vector}, k.Filter(), run.checkpoint.At, workspace.NeighbourLimit, workspace.NeighbourFloor)
		if err != nil {
			return false, nil, err
		}
		for _, x := range near[0] {
			found, err := graph.Readable(r, x.Doc.ID)
			if err != nil {
				return false, nil, err
			}
			if found != nil {
				others = append(others, found)
			}
		}
	}
	reading := run.svc.Readings.Read(run.t.Scope.Tenant, m)
	for _, other := range others {
		if other.ID == m.ID || other.Status() != graph.Active || !workspace.SameOwner(m.User, other.User) {
			continue
		}
		if fine, err := lifecycle.IsDismissed(r, m.ID, other.ID); err != nil {
			return false, nil, err
		} else if fine {
			continue
		}
		against := run.svc.Readings.Read(run.t.Scope.Tenant, other)
		score, weight := conflict.Compare(reading, against).Score, min(1, lifecycle.Ratio(other.Authority, m.Authority))
		if run.svc.Chat != nil && run.svc.Ceilings.Chat.AllowsAll(other, m) && workspace.Undecided(score, reading, against) {
			rivals = append(rivals, rival{other.Content, score, weight})
		} else if score*weight >= p.EngraveConflict {
			return true, nil, nil
		}
	}
	return false, rivals, nil
}

// uncontradicted reports whether no rival contradicts a memory with at least the score. It
// asks the language model while the limits of the sleep allow it, and otherwise uses the
// rules' score.
func (run *sleepRun) uncontradicted(ctx context.Context, m *graph.Memory, rivals []rival, score float64) (bool, error) {
	for _, x := range rivals {
		counts := x.rules
		if run.mayAskModel() {
			var j workspace.Judgement
			err := run.callModel(func() (err error) { j, err = run.svc.Judge(ctx, x.content, m.Content, x.rules); return err })
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			if err != nil {
				run.noteModelUnavailable(m.ID, err)
			} else {
				counts = j.Score
			}
		}
		if counts*x.weight >= score {
			return false, nil
		}
	}
	return true, nil
}
