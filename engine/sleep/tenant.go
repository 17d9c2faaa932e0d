package sleep

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// tenantSleep is what the engine keeps in memory about the sleep of one tenant.
type tenantSleep struct {
	mu       sync.Mutex
	run      *sleepRun // under way in this process; nil: awake
	progress broadcast[Progress]
	reports  broadcast[Report]
	watchers watchers // where others write too, see sleep_watch.go
}

// Sleep runs the consolidation cycle, or goes on with one that was interrupted. One at a
// time in a tenant: SLEEP_RUNNING while another is under way. It runs on when ctx ends
// before it; with Wait it answers when it is over, else at once.
func (svc *Service) Sleep(ctx context.Context, c workspace.Caller, in Input) (*Report, error) {
	kind := DeepSleep
	if !in.Deep {
		kind = LightSleep
	}
	return svc.sleep(ctx, c, in, kind, TriggerHand)
}

func (svc *Service) sleep(ctx context.Context, c workspace.Caller, in Input, kind Kind, why Trigger) (*Report, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	fresh := &checkpoint{Report: Report{Kind: kind, Trigger: why, BudgetKept: true, DryRun: in.DryRun}}
	for _, b := range []struct {
		field string
		value *int
		max   int
	}{{"maxItems", in.MaxItems, 1 << 30}, {"maxSeconds", in.MaxSeconds, 7 * 86400}} {
		if b.value != nil && (*b.value < 1 || *b.value > b.max) {
			return nil, graph.FieldError(graph.CodeInvalidRequest, b.field, "must be 1 to %d", b.max)
		}
	}
	if in.MaxItems != nil {
		fresh.MaxItems = *in.MaxItems
	}
	if in.MaxSeconds != nil {
		fresh.MaxTime = time.Duration(*in.MaxSeconds) * time.Second
	}
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if in.DryRun {
		return svc.dryRun(ctx, t, fresh)
	}
	run, err := svc.start(ctx, t, fresh)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	if !in.Wait {
		r := run.startReport
		return &r, nil
	}
	return svc.wait(ctx, run)
}

// wait waits until a night is over. It runs on where ctx ends before it.
func (svc *Service) wait(ctx context.Context, run *sleepRun) (*Report, error) {
	select {
	case <-run.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if run.err != nil {
		return nil, svc.PublicError(run.err)
	}
	r := run.checkpoint.Report
	return &r, nil
}

// KeepAwake keeps a tenant from falling asleep until release is called. SLEEP_RUNNING while a
// sleep is under way.
func (svc *Service) KeepAwake(wt *workspace.Tenant) (release func(), err error) {
	t := svc.tenants.Of(wt)
	t.sleep.mu.Lock()
	if t.sleep.run != nil {
		t.sleep.mu.Unlock()
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is under way")
	}
	return t.sleep.mu.Unlock, nil
}

// start takes the tenant's sleep up and lets it run.
func (svc *Service) start(ctx context.Context, t *tenant, fresh *checkpoint) (*sleepRun, error) {
	t.sleep.mu.Lock()
	defer t.sleep.mu.Unlock()
	if t.sleep.run != nil {
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is under way")
	}
	// One that failed half way, as a recess that was away makes it.
	if err := svc.ResumeRollback(ctx, t.Tenant); err != nil {
		return nil, err
	}
	if err := svc.assignID(t, fresh); err != nil {
		return nil, err
	}
	c, err := svc.takeLease(ctx, t, fresh)
	if err != nil {
		return nil, err
	}
	run := &sleepRun{svc: svc, t: t, checkpoint: c, phases: phasesOf(c.Report.Kind), startedAt: svc.Now(), startReport: c.Report.clone(), done: make(chan struct{})}
	if err := svc.Spawn(func() { run.runToEnd(svc.Ctx) }); err != nil {
		return nil, err
	}
	t.sleep.run = run // n.sleep resets it under the same lock
	return run, nil
}

// dated gives a cycle its instant and its name.
func (svc *Service) assignID(t *tenant, c *checkpoint) (err error) {
	c.At = t.Now()
	if c.ID, err = svc.NewID(c.At); err != nil {
		return err
	}
	c.Report.ID, c.Report.StartedAt = c.ID, c.At
	return nil
}

// runToEnd runs the night and lets go of the tenant.
func (run *sleepRun) runToEnd(ctx context.Context) {
	held, stop := context.WithCancelCause(ctx)
	var keeper sync.WaitGroup
	c := run.checkpoint // its name and holder never change
	keeper.Go(func() { run.keepLease(held, c, stop) })
	run.err = run.runPhases(held)
	if errors.Is(context.Cause(held), errLeaseLost) {
		run.err = errLeaseLost
	}
	stop(nil)
	keeper.Wait()
	if run.err != nil {
		run.svc.Log.Warn("[SLEEP] interrupted; the next sleep goes on from the checkpoint", "report", run.checkpoint.ID, "error", run.err)
		if err := run.releaseLease(context.WithoutCancel(ctx)); err != nil {
			run.svc.Log.Warn("[SLEEP] the lease was not given back", "report", run.checkpoint.ID, "error", err)
		}
	}
	run.t.sleep.mu.Lock()
	run.t.sleep.run = nil
	if run.svc.Exclusive() {
		run.t.sleep.progress.clear()
	}
	run.t.sleep.mu.Unlock()
	close(run.done)
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

// rehearseSleep answers what a sleep would do, and does nothing. What a phase would find after
// the phases before it have changed something is not in it.
func (svc *Service) dryRun(ctx context.Context, t *tenant, c *checkpoint) (*Report, error) {
	if err := svc.assignID(t, c); err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	run := &sleepRun{svc: svc, t: t, checkpoint: c, phases: phasesOf(c.Report.Kind), startedAt: svc.Now(), dryRun: true}
	err := t.View(ctx, func(r graph.Reader) error {
		var previous lastSleep
		_, err := lifecycle.ReadSetting(r, lastSleepSetting, &previous)
		c.continueFrom(previous)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, p := range run.phases {
		steps, err := p.plan(ctx, run)
		if err != nil {
			return nil, fmt.Errorf("plan %s: %w", p.name, err)
		}
		run.dryRunSteps = append(run.dryRunSteps, steps)
		c.Plans = append(c.Plans, storedPlan{Steps: len(steps)})
		c.Report.addPhase(p.name, len(steps), 0)
		for _, s := range steps {
			c.Report.countPlanned(s)
			if p.apply != nil && len(c.Report.Planned) < maxListedSteps {
				c.Report.Planned = append(c.Report.Planned, s.asStep(p.name))
			}
		}
	}
	c.Report.CompletedAt, c.Report.Complete = svc.Now(), true
	return &c.Report, nil
}

// planned is a step as people see it before it is taken.
func (s plannedStep) asStep(p Phase) Step {
	if s.Verb == StepMerge {
		return Step{Phase: p, Verb: s.Verb, From: s.IDs[1:], To: s.IDs[0]}
	}
	return Step{Phase: p, Verb: s.Verb, From: s.IDs}
}

// expect counts what a step would do.
func (r *Report) countPlanned(s plannedStep) {
	switch s.Verb {
	case StepStrengthen:
		r.Reinforced++
	case StepArchive:
		r.Pruned++
	case StepMerge:
		r.Deduplicated += len(s.IDs) - 1
	case StepPromote:
		r.Promoted++
	case StepEngrave:
		r.Engraved++
	case StepDream:
		r.Dreamed++
	case StepDistil, StepSummarise, StepPattern:
		r.Derived++
	case StepSparsify:
		r.Sparsified += len(s.IDs)
	}
}

// SleepProgress streams how far sleeps have come, whichever server sleeps, until ctx ends.
// One that runs already is told first.
func (svc *Service) SleepProgress(ctx context.Context, c workspace.Caller) (<-chan Progress, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := svc.watchIfShared(ctx, t); err != nil {
		return nil, err
	}
	return t.sleep.progress.subscribe(ctx, svc.Ctx), nil
}

// MorningReports streams the report of every sleep that ends, whichever server slept: from
// now on, or those behind a report first. Who resumes behind the last one it had misses none
// and gets none twice.
func (svc *Service) MorningReports(ctx context.Context, c workspace.Caller, after graph.ID) (<-chan Report, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	if after != "" && !after.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := svc.watchIfShared(ctx, t); err != nil {
		return nil, err
	}
	live := t.sleep.reports.subscribe(ctx, svc.Ctx)
	if after == "" {
		return live, nil
	}
	stored, err := svc.reportsAfter(ctx, t, after)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	out := make(chan Report)
	go storedThenLive(ctx, stored, live, out)
	return out, nil
}

// resume hands on what is stored, then what comes in that was not among it.
func storedThenLive(ctx context.Context, stored []Report, live <-chan Report, out chan<- Report) {
	defer close(out)
	var last graph.ID
	send := func(r Report) bool {
		select {
		case out <- r:
			last = r.ID
			return true
		case <-ctx.Done():
			return false
		}
	}
	for _, r := range stored {
		if !send(r) {
			return
		}
	}
	for r := range live {
		if r.ID > last && !send(r) { // sleeps of a tenant end in the order of their ids
			return
		}
	}
}

// follow lets listeners hear of sleeps until ctx ends: those of this engine are told as
// they happen where it is alone, and else all are read from the store.
func (svc *Service) watchIfShared(ctx context.Context, t *tenant) error {
	if svc.Exclusive() {
		return nil
	}
	if err := svc.watch(ctx, t); err != nil {
		return svc.PublicError(err)
	}
	return nil
}
