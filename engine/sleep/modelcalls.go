package sleep

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Limits of one sleep for the language model.
const (
	modelBudget      = 10 * time.Minute // total waiting time
	maxModelFailures = 3                // failed calls
)

// mayAskModel reports whether the sleep may still call the language model.
func (run *sleepRun) mayAskModel() bool {
	return run.svc.Chat != nil && run.modelFailures < maxModelFailures && run.modelTime < modelBudget && (run.checkpoint.MaxTime == 0 || run.timeSpent() < run.checkpoint.MaxTime)
}

// callModel calls the language model. Its time does not count as preparation time of the
// step.
func (run *sleepRun) callModel(call func() error) error {
	from := run.svc.Now()
	err := call()
	took := run.svc.Now().Sub(from)
	run.waitTime, run.modelTime = run.waitTime+took, run.modelTime+took
	return err
}

// noteModelUnavailable records for the report that the language model was unavailable. The step
// continues without it.
func (run *sleepRun) noteModelUnavailable(id graph.ID, err error) {
	run.svc.Log.Warn("[SLEEP] the language model can't be reached", "id", id, "error", err)
	run.modelFailures++
	if !slices.Contains(run.degraded, workspace.PartChat) {
		run.degraded = append(run.degraded, workspace.PartChat)
	}
}
