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
				run.noteModelAway(m.ID, err)
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
	modelBudget      = 10 * time.Minute // that it waits in all
	maxModelFailures = 3                // failed calls
)

// asks reports whether a night still asks the language model.
func (run *sleepRun) mayAskModel() bool {
	return run.svc.Chat != nil && run.modelFailures < maxModelFailures && run.modelTime < modelBudget && (run.checkpoint.MaxTime == 0 || run.timeSpent() < run.checkpoint.MaxTime)
}

// wait makes a call of the language model, whose time is not the step's own.
func (run *sleepRun) callModel(call func() error) error {
	from := run.svc.Now()
	err := call()
	took := run.svc.Now().Sub(from)
	run.waitTime, run.modelTime = run.waitTime+took, run.modelTime+took
	return err
}

// miss notes that the language model was away, for the report: what was asked is done
// without it.
func (run *sleepRun) noteModelAway(id graph.ID, err error) {
	run.svc.Log.Warn("[SLEEP] the language model is away", "id", id, "error", err)
	run.modelFailures++
	if !slices.Contains(run.degraded, workspace.PartChat) {
		run.degraded = append(run.degraded, workspace.PartChat)
	}
}
