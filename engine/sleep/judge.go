package sleep

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// rival is a memory of which the rules can't say whether it stands against another.
type rival struct {
	content string
	rules   float64 // score
	weight  float64 // of its authority against the other's, [0,1]
}

// withstands reports whether a memory withstands its rivals: none of them stands against
// it with the score or more. The model is asked as long as it answers and the night has time.
func (n *run) withstands(ctx context.Context, m *graph.Memory, rivals []rival, score float64) (bool, error) {
	for _, x := range rivals {
		counts := x.rules
		if n.asks() {
			var j workspace.Judgement
			err := n.wait(func() (err error) { j, err = n.svc.Judge(ctx, x.content, m.Content, x.rules); return err })
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			if err != nil {
				n.miss(m.ID, err)
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

// The patience of a night with the language model.
const (
	modelBudget = 10 * time.Minute // that it waits in all
	maxMisses   = 3                // failed calls
)

// asks reports whether a night still asks the language model.
func (n *run) asks() bool {
	return n.svc.Chat != nil && n.misses < maxMisses && n.waited < modelBudget && (n.checkpoint.MaxTime == 0 || n.spent() < n.checkpoint.MaxTime)
}

// wait makes a call of the language model, whose time is not the step's own.
func (n *run) wait(call func() error) error {
	from := n.svc.Now()
	err := call()
	took := n.svc.Now().Sub(from)
	n.idle, n.waited = n.idle+took, n.waited+took
	return err
}

// miss notes that the language model was away, for the report: what was asked is done
// without it.
func (n *run) miss(id graph.ID, err error) {
	n.svc.Log.Warn("[SLEEP] the language model is away", "id", id, "error", err)
	n.misses++
	if !slices.Contains(n.missed, workspace.PartChat) {
		n.missed = append(n.missed, workspace.PartChat)
	}
}
