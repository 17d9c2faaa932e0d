package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// asleep is what the engine keeps in memory about the sleep of one tenant.
type asleep struct {
	mu       sync.Mutex
	night    *night // under way in this process; nil: awake
	progress broadcast[SleepProgress]
	reports  broadcast[SleepReport]
	watchers watchers // where others write too, see sleep_watch.go
}

// Sleep runs the consolidation cycle, or goes on with one that was interrupted. One at a
// time in a tenant: SLEEP_RUNNING while another is under way. It runs on when ctx ends
// before it; with Wait it answers when it is over, else at once.
func (e *Engine) Sleep(ctx context.Context, c Caller, in SleepInput) (*SleepReport, error) {
	kind := DeepSleep
	if !in.Deep {
		kind = LightSleep
	}
	return e.sleep(ctx, c, in, kind, TriggerHand)
}

func (e *Engine) sleep(ctx context.Context, c Caller, in SleepInput, kind SleepKind, why SleepTrigger) (*SleepReport, error) {
	if err := c.wholeTenant(); err != nil {
		return nil, err
	}
	fresh := &cycle{Report: SleepReport{Kind: kind, Trigger: why, BudgetKept: true, DryRun: in.DryRun}}
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
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	if in.DryRun {
		return e.rehearseSleep(ctx, t, fresh)
	}
	n, err := e.fallAsleep(ctx, t, fresh)
	if err != nil {
		return nil, e.whole(err)
	}
	if !in.Wait {
		r := n.taken
		return &r, nil
	}
	return e.awaken(ctx, n)
}

// awaken waits until a night is over. It runs on where ctx ends before it.
func (e *Engine) awaken(ctx context.Context, n *night) (*SleepReport, error) {
	select {
	case <-n.ended:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if n.err != nil {
		return nil, e.whole(n.err)
	}
	r := n.c.Report
	return &r, nil
}

// wholeTenant answers FORBIDDEN where the caller sees only a part of the tenant.
func (c Caller) wholeTenant() error {
	if c.User != "" || len(c.Namespaces) > 0 {
		return graph.Errorf(graph.CodeForbidden, "sleep is for the whole tenant; the credentials grant a part of it")
	}
	return nil
}

// fallAsleep takes the tenant's sleep up and lets it run.
func (e *Engine) fallAsleep(ctx context.Context, t *tenant, fresh *cycle) (*night, error) {
	t.sleep.mu.Lock()
	defer t.sleep.mu.Unlock()
	if t.sleep.night != nil {
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is under way")
	}
	// One that failed half way, as a recess that was away makes it.
	if err := e.resumeRollback(ctx, t); err != nil {
		return nil, err
	}
	if err := e.dated(t, fresh); err != nil {
		return nil, err
	}
	c, err := e.begin(ctx, t, fresh)
	if err != nil {
		return nil, err
	}
	n := &night{e: e, t: t, c: c, phases: phasesOf(c.Report.Kind), from: e.Now(), taken: c.Report.clone(), ended: make(chan struct{})}
	if err := e.spawn(func() { n.sleep(e.ctx) }); err != nil {
		return nil, err
	}
	t.sleep.night = n // n.sleep resets it under the same lock
	return n, nil
}

// dated gives a cycle its instant and its name.
func (e *Engine) dated(t *tenant, c *cycle) (err error) {
	c.At = t.Now()
	if c.ID, err = e.newID(c.At); err != nil {
		return err
	}
	c.Report.ID, c.Report.StartedAt = c.ID, c.At
	return nil
}

// sleep runs the night and lets go of the tenant.
func (n *night) sleep(ctx context.Context) {
	held, stop := context.WithCancelCause(ctx)
	var keeper sync.WaitGroup
	c := n.c // its name and holder never change
	keeper.Go(func() { n.keepLease(held, c, stop) })
	n.err = n.run(held)
	if errors.Is(context.Cause(held), errLeaseLost) {
		n.err = errLeaseLost
	}
	stop(nil)
	keeper.Wait()
	if n.err != nil {
		n.e.log.Warn("[SLEEP] interrupted; the next sleep goes on from the checkpoint", "report", n.c.ID, "error", n.err)
		if err := n.letGo(context.WithoutCancel(ctx)); err != nil {
			n.e.log.Warn("[SLEEP] the lease was not given back", "report", n.c.ID, "error", err)
		}
	}
	n.t.sleep.mu.Lock()
	n.t.sleep.night = nil
	if n.e.exclusive() {
		n.t.sleep.progress.quiet()
	}
	n.t.sleep.mu.Unlock()
	close(n.ended)
}

// phasesOf are the phases of a kind of sleep, in order.
func phasesOf(k SleepKind) []phase {
	rank := phase{name: PhaseN1, plan: planRank}
	strengthen := phase{name: PhaseN2, plan: planStrengthen, apply: applyStrengthen}
	merge := phase{name: PhaseN3, plan: planMerge, apply: applyMerge}
	switch k {
	case LightSleep:
		return []phase{rank, strengthen, merge}
	case ByHandSleep:
		return []phase{byHand}
	}
	return []phase{rank, strengthen, merge, rem(acts)}
}

// rehearseSleep answers what a sleep would do, and does nothing. What a phase would find after
// the phases before it have changed something is not in it.
func (e *Engine) rehearseSleep(ctx context.Context, t *tenant, c *cycle) (*SleepReport, error) {
	if err := e.dated(t, c); err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	n := &night{e: e, t: t, c: c, phases: phasesOf(c.Report.Kind), from: e.Now(), rehearsal: true}
	err := t.View(ctx, func(r graph.Reader) error {
		var before last
		_, err := readSetting(r, lastSetting, &before)
		c.follow(before)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, p := range n.phases {
		steps, err := p.plan(ctx, n)
		if err != nil {
			return nil, fmt.Errorf("plan %s: %w", p.name, err)
		}
		n.rehearsed = append(n.rehearsed, steps)
		c.Plans = append(c.Plans, plan{Steps: len(steps)})
		c.Report.ran(p.name, len(steps), 0)
		for _, s := range steps {
			c.Report.expect(s)
			if p.apply != nil && len(c.Report.Planned) < maxSteps {
				c.Report.Planned = append(c.Report.Planned, s.planned(p.name))
			}
		}
	}
	c.Report.CompletedAt, c.Report.Complete = e.Now(), true
	return &c.Report, nil
}

// planned is a step as people see it before it is taken.
func (s step) planned(p SleepPhase) SleepStep {
	if s.Verb == StepMerge {
		return SleepStep{Phase: p, Verb: s.Verb, From: s.IDs[1:], To: s.IDs[0]}
	}
	return SleepStep{Phase: p, Verb: s.Verb, From: s.IDs}
}

// expect counts what a step would do.
func (r *SleepReport) expect(s step) {
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
func (e *Engine) SleepProgress(ctx context.Context, c Caller) (<-chan SleepProgress, error) {
	if err := c.wholeTenant(); err != nil {
		return nil, err
	}
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	if err := e.hearSleeps(ctx, t); err != nil {
		return nil, err
	}
	return t.sleep.progress.listen(ctx, e.ctx), nil
}

// MorningReports streams the report of every sleep that ends, whichever server slept: from
// now on, or those behind a report first. Who resumes behind the last one it had misses none
// and gets none twice.
func (e *Engine) MorningReports(ctx context.Context, c Caller, after graph.ID) (<-chan SleepReport, error) {
	if err := c.wholeTenant(); err != nil {
		return nil, err
	}
	if after != "" && !after.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	if err := e.hearSleeps(ctx, t); err != nil {
		return nil, err
	}
	live := t.sleep.reports.listen(ctx, e.ctx)
	if after == "" {
		return live, nil
	}
	stored, err := e.reportsBehind(ctx, t, after)
	if err != nil {
		return nil, e.whole(err)
	}
	out := make(chan SleepReport)
	go resume(ctx, stored, live, out)
	return out, nil
}

// resume hands on what is stored, then what comes in that was not among it.
func resume(ctx context.Context, stored []SleepReport, live <-chan SleepReport, out chan<- SleepReport) {
	defer close(out)
	var last graph.ID
	send := func(r SleepReport) bool {
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

// hearSleeps lets listeners hear of sleeps until ctx ends: those of this engine are told as
// they happen where it is alone, and else all are read from the store.
func (e *Engine) hearSleeps(ctx context.Context, t *tenant) error {
	if e.exclusive() {
		return nil
	}
	if err := e.watch(ctx, t); err != nil {
		return e.whole(err)
	}
	return nil
}
