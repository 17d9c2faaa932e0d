package sleep

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/rehearsal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// plannedStep is one planned step of a phase. It holds ids and no content, so that an
// erasure has nothing to remove from a plan.
type plannedStep struct {
	Verb StepVerb   `json:"v"`
	IDs  []graph.ID `json:"i"`
	Key  string     `json:"k,omitempty"` // further input of the verb, for example a month; never content
}

// phaseSpec is one phase of a sleep.
type phaseSpec struct {
	name Phase
	// plan reads the store and returns the steps. It must depend only on stored data and
	// the cycle's instant.
	plan func(ctx context.Context, run *sleepRun) ([]plannedStep, error)
	// prepare does slow work outside the transaction; nil: there is none.
	prepare func(ctx context.Context, run *sleepRun, s plannedStep) (any, error)
	// announces reports whether a step is announced: announce runs in a transaction before that
	// of apply, and the index has its changes before apply runs. Nil: no step is.
	announces func(s plannedStep) bool
	announce  func(b *batch, s plannedStep, ready any) error
	// apply carries out a step, unless its conditions no longer hold. It can run more than
	// once. Nil: the plan is the result of the phase.
	apply func(b *batch, s plannedStep, ready any) error
	// planned says that planning does the work: what is planned is carried out even if the time is spent.
	planned bool
	// after runs when the phase has ended, outside of any transaction; nil: nothing does.
	after func(run *sleepRun)
}

// phasesOf returns the phases of a cycle, in order.
func phasesOf(c *checkpoint) []phaseSpec {
	rank := phaseSpec{name: PhaseN1, plan: planRank}
	strengthen := phaseSpec{name: PhaseN2, plan: planStrengthen, apply: applyStrengthen}
	merge := phaseSpec{name: PhaseN3, plan: planMerge, apply: applyMerge}
	if c.Report.Kind == ByHandSleep {
		if c.Cluster != "" {
			return []phaseSpec{patternPhase}
		}
		return []phaseSpec{manualPhase}
	}
	phases := append([]phaseSpec{rank, strengthen, merge}, slices.Repeat([]phaseSpec{clusterPhase}, c.ClusterRounds)...)
	if c.Report.Kind == LightSleep {
		return phases
	}
	return append(phases, clusterPhase, remPhase(remParts), patternPhase)
}

// sleepRun is a sleep that runs in this process.
type sleepRun struct {
	svc         *Service
	t           *tenant
	checkpoint  *checkpoint
	phases      []phaseSpec
	startedAt   time.Time // when this process started or resumed it
	startReport Report    // the report at that time
	done        chan struct{}
	err         error // set at the end

	dryRun      bool // plans stay in memory and nothing is written
	dryRunSteps [][]plannedStep
	rehearsal   *rehearsal.Tx // of a dry run

	degraded      []workspace.Part // parts that were unavailable in this run
	modelFailures int              // failed calls
	modelTime     time.Duration    // spent on the language model
	recessRefused bool             // the recess refused an engraving despite retries
	waitTime      time.Duration    // of the step in preparation: waiting, not work

	spent    []deferredArchival // plans that nothing needs after the end of the sleep
	refused  []pattern.Refused  // candidates that became no pattern
	repeated []graph.ID         // stored patterns that were found again unchanged
	small    map[graph.ID]bool  // members of small clusters

	anotherRound bool // the plan of clusters left owners to a further phase of the same sleep

	policies workspace.PolicyCache
	settled  []*grouping.Settlement // clusters that this process found in this sleep
	chunk    struct {               // the plan note that was read last
		phase, number int
		steps         []plannedStep
	}
}

// runPhases runs the cycle to its end.
func (run *sleepRun) runPhases(ctx context.Context) error {
	if err := run.readSmallClusters(ctx); err != nil {
		return err
	}
	for run.checkpoint.Phase < len(run.phases) && !run.checkpoint.BudgetSpent {
		if err := run.runPhase(ctx); err != nil {
			return err
		}
	}
	return run.finish(ctx)
}

// runPhase plans a phase, unless its plan is already stored, and runs it from the
// checkpoint. It stops when the budget is spent.
func (run *sleepRun) runPhase(ctx context.Context) (err error) {
	p := run.phases[run.checkpoint.Phase]
	began, before := run.svc.Now(), run.checkpoint.Items
	ctx, end := run.svc.Probe.Phase(ctx, string(p.name))
	defer func() { end(run.checkpoint.Items-before, err) }()
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
		if run.budgetSpent() && run.checkpoint.Announced <= run.checkpoint.Done && !(p.planned && run.itemsLeft()) {
			run.checkpoint.BudgetSpent = true // endPhase stores it
			break
		}
		if err := run.runBatch(ctx, p, total); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if run.checkpoint.Report.ClustersLeft > 0 {
		run.checkpoint.BudgetSpent = true // endPhase stores it
	}
	if p.apply == nil {
		run.checkpoint.Done = total
		run.publishProgress(p.name, total, total, nil)
	}
	return run.endPhase(ctx, p, began)
}

// endPhase moves the checkpoint to the next phase and stores the report.
func (run *sleepRun) endPhase(ctx context.Context, p phaseSpec, began time.Time) error {
	err := run.advance(ctx, func(tx graph.Tx, next *checkpoint) error {
		items := next.Done
		if n := len(next.Report.Phases); n > 0 && next.Phase > 0 && run.phases[next.Phase-1].name == p.name {
			items += next.Report.Phases[n-1].Items
		}
		next.Report.addPhase(p.name, items, run.svc.Now().Sub(began))
		next.Phase, next.Done, next.Announced = next.Phase+1, 0, 0
		return putReport(tx, next)
	})
	if err == nil && p.after != nil {
		p.after(run)
	}
	return err
}

// waitForIndex waits until the index includes everything stored, also by other servers.
func (run *sleepRun) waitForIndex(ctx context.Context) error {
	head, err := run.svc.Store.Head(ctx, run.t.Scope)
	if err != nil {
		return err
	}
	return run.svc.Index.WaitFor(ctx, run.t.Scope, head)
}

// budgetSpent reports whether the budget is spent. At least one item is processed in any
// case, because otherwise a sleep with slow planning would never finish.
func (run *sleepRun) budgetSpent() bool {
	if !run.itemsLeft() {
		return true
	}
	return run.checkpoint.MaxTime > 0 && run.checkpoint.Items > 0 && run.timeSpent() >= run.checkpoint.MaxTime
}

// itemsLeft reports whether the budget of items, if there is one, allows another.
func (run *sleepRun) itemsLeft() bool {
	return run.checkpoint.MaxItems == 0 || run.checkpoint.Items < run.checkpoint.MaxItems
}

func (run *sleepRun) timeSpent() time.Duration {
	return run.checkpoint.TimeSpent + run.svc.Now().Sub(run.startedAt)
}

// policy returns the policy of a namespace. It is constant during a sleep.
func (run *sleepRun) policy(r graph.Reader, namespace string) (policy.Policy, error) {
	if run.policies == nil {
		run.policies = workspace.PolicyCache{}
	}
	return run.policies.In(r, namespace)
}

// publishProgress sends the progress of the phase to all listeners.
func (run *sleepRun) publishProgress(p Phase, done, total int, steps []Step) {
	if !run.svc.Exclusive() {
		run.t.watchers.notify() // the watcher reads the store
		return
	}
	progress := Progress{Report: run.checkpoint.ID, Phase: p, Done: done, Total: total, Steps: steps}
	run.t.progress.Send(progress, true)
}
