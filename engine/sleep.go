package engine

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// Sleep runs the consolidation cycle, or resumes an interrupted one.
func (e *Engine) Sleep(ctx context.Context, c Caller, in SleepInput) (_ *SleepReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleep")
	defer end(&err)
	return e.sleep.Sleep(ctx, c, in)
}

// SleepProgress streams the progress of sleeps on any server until ctx ends.
func (e *Engine) SleepProgress(ctx context.Context, c Caller) (_ <-chan SleepProgress, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepProgress")
	defer end(&err)
	return e.sleep.SleepProgress(ctx, c)
}

// MorningReports streams the report of every sleep that ends on any server. If after is set,
// it first sends the reports after that one.
func (e *Engine) MorningReports(ctx context.Context, c Caller, after graph.ID) (_ <-chan SleepReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepReports")
	defer end(&err)
	return e.sleep.MorningReports(ctx, c, after)
}

// Consolidate consolidates memories by a strategy: it merges groups about one subject into
// summaries, and archives memories without a group unchanged.
func (e *Engine) Consolidate(ctx context.Context, c Caller, in ConsolidateInput) (_ *SleepReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "consolidate")
	defer end(&err)
	return e.sleep.Consolidate(ctx, c, in)
}

// DecayForecast lists the ACTIVE memories that fade within days (1 to 365) without further
// use, soonest first, at most first (0: 50).
func (e *Engine) DecayForecast(ctx context.Context, c Caller, days int, namespaces []string, user string, first int) (_ []Forecast, err error) {
	ctx, end := e.ws.Begin(ctx, c, "decayForecast")
	defer end(&err)
	return e.sleep.DecayForecast(ctx, c, days, namespaces, user, first)
}

// Rollback reverts a sleep or a consolidation, or all that ended after an instant, in a namespace
// or in all. Every memory returns to its earlier state and derived memories are archived. The
// history of the reverted states stays.
func (e *Engine) Rollback(ctx context.Context, c Caller, in RollbackInput) (_ *RollbackResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "rollback")
	defer end(&err)
	return e.sleep.Rollback(ctx, c, in)
}

// SleepReports lists morning reports, newest first, after the cursor after, at most first (0:
// 20), and reports whether there are more.
func (e *Engine) SleepReports(ctx context.Context, c Caller, first int, after graph.ID) (_ []SleepReport, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepReports")
	defer end(&err)
	return e.sleep.SleepReports(ctx, c, first, after)
}

// SleepReport returns one morning report, or MEMORY_NOT_FOUND.
func (e *Engine) SleepReport(ctx context.Context, c Caller, id graph.ID) (_ *SleepReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepReport")
	defer end(&err)
	return e.sleep.SleepReport(ctx, c, id)
}

// SleepOwnersLeft returns the owners whose clustering the time of a sleep cut off or did not reach, at most
// first (0: 200), the one to go on with first. One that has no memory any more is left out.
func (e *Engine) SleepOwnersLeft(ctx context.Context, c Caller, report graph.ID, first int) (_ []ClusterOwner, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepOwnersLeft")
	defer end(&err)
	return e.sleep.OwnersLeft(ctx, c, report, first)
}

// SleepSteps lists the steps of a sleep and the memories that they changed, in order, at most
// first (0: 200, up to 1,000).
func (e *Engine) SleepSteps(ctx context.Context, c Caller, report graph.ID, first int) (_ []SleepStep, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepSteps")
	defer end(&err)
	return e.sleep.SleepSteps(ctx, c, report, first)
}

// SleepStatus returns the state of consolidation for the caller's tenant.
func (e *Engine) SleepStatus(ctx context.Context, c Caller) (_ *SleepStatus, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepStatus")
	defer end(&err)
	return e.sleep.SleepStatus(ctx, c)
}
