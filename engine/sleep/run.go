package sleep

import (
	"context"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// step is one thing that a phase plans to do. It holds ids and no words, so that a plan
// has nothing that an erasure would have to scrub.
type plannedStep struct {
	Verb StepVerb   `json:"v"`
	IDs  []graph.ID `json:"i"`
	Key  string     `json:"k,omitempty"` // what the verb needs besides, as a month; never content
}

// phase is one phase of a sleep.
type phaseSpec struct {
	name Phase
	// plan reads, and says what is to be done. It must depend on nothing but what is
	// stored and on the cycle's instant.
	plan func(ctx context.Context, run *sleepRun) ([]plannedStep, error)
	// prepare takes what is slow out of the transaction; nil: nothing is.
	prepare func(ctx context.Context, run *sleepRun, s plannedStep) (any, error)
	// apply carries a step out, unless it does not hold any more. It may run again. Nil:
	// the plan is all there is.
	apply func(b *batch, s plannedStep, ready any) error
}

// phasesOf are the phases of a kind of sleep, in order.
func phasesOf(k Kind) []phaseSpec {
	rank := phaseSpec{name: PhaseN1, plan: planRank}
	strengthen := phaseSpec{name: PhaseN2, plan: planStrengthen, apply: applyStrengthen}
	merge := phaseSpec{name: PhaseN3, plan: planMerge, apply: applyMerge}
	switch k {
	case LightSleep:
		return []phaseSpec{rank, strengthen, merge}
	case ByHandSleep:
		return []phaseSpec{manualPhase}
	}
	return []phaseSpec{rank, strengthen, merge, remPhase(remParts)}
}

// run is a sleep under way in this process.
type sleepRun struct {
	svc         *Service
	t           *tenant
	checkpoint  *checkpoint
	phases      []phaseSpec
	startedAt   time.Time // when this process took it up
	startReport Report    // as it stood then
	done        chan struct{}
	err         error // once ended

	dryRun      bool // plans are kept here and nothing is written
	dryRunSteps [][]plannedStep

	degraded      []workspace.Part // away tonight, and done without
	modelFailures int              // how often
	modelTime     time.Duration    // for the language model
	recessRefused bool             // the recess, however often it was asked
	waitTime      time.Duration    // of the step that is prepared: waited, not worked

	policies workspace.PolicyCache
	chunk    struct { // the note of the plan that was read last
		phase, number int
		steps         []plannedStep
	}
}

// runPhases carries the cycle to its end.
func (run *sleepRun) runPhases(ctx context.Context) error {
	for run.checkpoint.Phase < len(run.phases) && !run.checkpoint.BudgetSpent {
		if err := run.runPhase(ctx); err != nil {
			return err
		}
	}
	return run.finish(ctx)
}

// runPhase plans a phase, unless its plan is there already, and carries it out from the
// checkpoint on. It stops where the budget is spent.
func (run *sleepRun) runPhase(ctx context.Context) error {
	p := run.phases[run.checkpoint.Phase]
	began := run.svc.Now()
	if len(run.checkpoint.Plans) == run.checkpoint.Phase {
		run.publishProgress(p.name, 0, 0, nil)
		if err := run.waitForIndex(ctx); err != nil {
			return err
		}
		steps, err := p.plan(ctx, run)
		if err != nil {
			return fmt.Errorf("plan %s: %w", p.name, err)
		}
		if err := run.writePlan(ctx, steps); err != nil {
			return fmt.Errorf("write the plan of %s: %w", p.name, err)
		}
	}
	total := run.checkpoint.Plans[run.checkpoint.Phase].Steps
	run.publishProgress(p.name, min(run.checkpoint.Done, total), total, nil)
	for p.apply != nil && run.checkpoint.Done < total {
		if run.budgetSpent() {
			run.checkpoint.BudgetSpent = true // endPhase writes it down
			break
		}
		if err := run.runBatch(ctx, p, total); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if p.apply == nil {
		run.checkpoint.Done = total
		run.publishProgress(p.name, total, total, nil)
	}
	return run.endPhase(ctx, p, began)
}

// endPhase moves the checkpoint behind a phase and writes the report as it stands.
func (run *sleepRun) endPhase(ctx context.Context, p phaseSpec, began time.Time) error {
	var next checkpoint
	err := run.t.Update(ctx, func(tx graph.Tx) error {
		if err := run.checkpoint.checkLease(tx); err != nil {
			return err
		}
		next = *run.checkpoint
		next.Report = run.checkpoint.Report.clone()
		next.Report.addPhase(p.name, next.Done, run.svc.Now().Sub(began))
		next.Phase, next.Done = next.Phase+1, 0
		if err := putReport(tx, &next); err != nil {
			return err
		}
		return run.putCheckpoint(tx, &next)
	})
	if err == nil {
		run.checkpoint = &next // not before: the transaction may run again
	}
	return err
}

// caughtUp waits until the index knows all that is stored, another server's steps too.
func (run *sleepRun) waitForIndex(ctx context.Context) error {
	head, err := run.svc.Store.Head(ctx, run.t.Scope)
	if err != nil {
		return err
	}
	return run.svc.Index.WaitFor(ctx, run.t.Scope, head)
}

// overspent reports whether the budget leaves nothing more to do. Something is done in
// any case: else a night that takes its time to plan would never come to an end.
func (run *sleepRun) budgetSpent() bool {
	if run.checkpoint.MaxItems > 0 && run.checkpoint.Items >= run.checkpoint.MaxItems {
		return true
	}
	return run.checkpoint.MaxTime > 0 && run.checkpoint.Items > 0 && run.timeSpent() >= run.checkpoint.MaxTime
}

func (run *sleepRun) timeSpent() time.Duration {
	return run.checkpoint.TimeSpent + run.svc.Now().Sub(run.startedAt)
}

// policy is that of a namespace, the same through the night.
func (run *sleepRun) policy(r graph.Reader, namespace string) (policy.Policy, error) {
	if run.policies == nil {
		run.policies = workspace.PolicyCache{}
	}
	return run.policies.In(r, namespace)
}

// tell says how far the phase is to everybody who listens.
func (run *sleepRun) publishProgress(p Phase, done, total int, steps []Step) {
	if !run.svc.Exclusive() {
		run.t.watchers.notify() // it reads what is stored
		return
	}
	progress := Progress{Report: run.checkpoint.ID, Phase: p, Done: done, Total: total, Steps: steps}
	run.t.progress.send(progress, true)
}
