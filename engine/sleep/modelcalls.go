package sleep

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

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
