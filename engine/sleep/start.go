package sleep

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Input is a request for a sleep.
type Input struct {
	MaxItems, MaxSeconds *int
	Deep, DryRun, Wait   bool
}

// Sleep runs the consolidation cycle, or resumes an interrupted one. A tenant has one sleep
// at a time: SLEEP_RUNNING while another runs. The sleep continues if ctx ends first. With
// Wait, Sleep returns at the end of the sleep, otherwise at once.
func (svc *Service) Sleep(ctx context.Context, c workspace.Caller, in Input) (*Report, error) {
	t, err := svc.openWhole(ctx, c)
	if err != nil {
		return nil, err
	}
	kind := DeepSleep
	if !in.Deep {
		kind = LightSleep
	}
	fresh := &checkpoint{Report: Report{Kind: kind, Trigger: TriggerHand, BudgetKept: true, DryRun: in.DryRun}}
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
	if err := svc.addClusters(ctx, t, fresh); err != nil {
		return nil, svc.PublicError(err)
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

// start takes the lease of the tenant's sleep and runs it in the background.
func (svc *Service) start(ctx context.Context, t *tenant, fresh *checkpoint) (*sleepRun, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running != nil {
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is in progress")
	}
	// Finish a rollback that failed, for example because the recess was unavailable.
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
	run := &sleepRun{svc: svc, t: t, checkpoint: c, phases: phasesOf(c), startedAt: svc.Now(), startReport: c.Report.clone(), done: make(chan struct{})}
	if err := svc.Spawn(func() { run.runToEnd(telemetry.Within(audit.Within(audit.As(svc.Ctx, "sleep"), ctx), ctx)) }); err != nil {
		return nil, err
	}
	t.running = run // runToEnd resets it under the same lock
	return run, nil
}

// assignID sets the instant and the id of a cycle.
func (svc *Service) assignID(t *tenant, c *checkpoint) (err error) {
	c.At = t.Now()
	if c.ID, err = svc.NewID(c.At); err != nil {
		return err
	}
	c.Report.ID, c.Report.StartedAt = c.ID, c.At
	c.Report.MaxTime = c.MaxTime
	if eta := svc.Guards.Eta(); eta > 1 {
		c.EtaFactor = eta
		svc.Log.Info("[SLEEP] an alarm raises η of this sleep", "tenant", t.Scope.Tenant, "report", c.ID, "factor", eta)
	}
	return nil
}

// runToEnd runs the sleep, then releases the tenant.
func (run *sleepRun) runToEnd(ctx context.Context) {
	held, stop := context.WithCancelCause(ctx)
	var keeper sync.WaitGroup
	c := run.checkpoint // its id and holder never change
	keeper.Go(func() { run.keepLease(held, c, stop) })
	traced, end := run.svc.Probe.Sleep(held, string(c.Report.Kind))
	run.err = run.runPhases(traced)
	// A sleep that has ended has given its lease up, which a late renewal finds as a lost one.
	if run.err != nil && errors.Is(context.Cause(held), errLeaseLost) {
		run.err = errLeaseLost
	}
	end(run.err)
	stop(nil)
	keeper.Wait()
	if run.err == nil {
		run.deleteSpent(ctx)
	}
	if run.err != nil {
		run.svc.Log.Warn("[SLEEP] interrupted; the next sleep continues from the checkpoint", "report", run.checkpoint.ID, "error", run.err)
		if err := run.releaseLease(context.WithoutCancel(ctx)); err != nil {
			run.svc.Log.Warn("[SLEEP] the lease was not released", "report", run.checkpoint.ID, "error", err)
		}
	}
	run.t.mu.Lock()
	run.t.running = nil
	if run.svc.Exclusive() {
		run.t.progress.Clear()
	}
	run.t.mu.Unlock()
	close(run.done)
}

// wait waits for the end of a sleep. The sleep continues if ctx ends first.
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

// KeepAwake prevents a sleep of the tenant until release is called. SLEEP_RUNNING while a
// sleep runs.
func (svc *Service) KeepAwake(wt *workspace.Tenant) (release func(), err error) {
	t := svc.tenants.Of(wt)
	t.mu.Lock()
	if t.running != nil {
		t.mu.Unlock()
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is in progress")
	}
	return t.mu.Unlock, nil
}
