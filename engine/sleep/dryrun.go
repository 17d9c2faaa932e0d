package sleep

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/rehearsal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// dryRun returns what a sleep would do, and changes nothing: it plans and carries out the steps of
// every phase in a rehearsal. Only an engraving is not tried, because the recess has no rehearsal.
func (svc *Service) dryRun(ctx context.Context, t *tenant, c *checkpoint) (*Report, error) {
	if err := svc.assignID(t, c); err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	run := &sleepRun{svc: svc, t: t, checkpoint: c, phases: phasesOf(c), startedAt: svc.Now(), dryRun: true}
	err := t.View(ctx, func(r graph.Reader) error {
		fresh := *c
		run.checkpoint, run.dryRunSteps, run.policies = &fresh, nil, nil
		run.checkpoint.Report = c.Report.clone()
		run.rehearsal = rehearsal.New(r)
		var previous lastSleep
		if _, err := lifecycle.ReadSetting(r, lastSleepSetting, &previous); err != nil {
			return err
		}
		run.checkpoint.continueFrom(previous)
		return run.rehearse(ctx)
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	report := &run.checkpoint.Report
	report.CompletedAt, report.Complete = svc.Now(), true
	return report, nil
}

// view reads the store, or in a dry run the rehearsal.
func (run *sleepRun) view(ctx context.Context, fn func(graph.Reader) error) error {
	if run.dryRun {
		return fn(run.rehearsal)
	}
	return run.t.View(ctx, fn)
}

// rehearse plans and carries out all phases in the rehearsal.
func (run *sleepRun) rehearse(ctx context.Context) error {
	if err := run.readSmallClusters(ctx); err != nil {
		return err
	}
	c := run.checkpoint
	folded, archived := map[graph.ID]bool{}, map[graph.ID]bool{}
	for at, p := range run.phases {
		c.Phase = at
		steps, err := p.plan(ctx, run)
		if err != nil {
			return fmt.Errorf("plan %s: %w", p.name, err)
		}
		run.dryRunSteps = append(run.dryRunSteps, steps)
		c.Plans = append(c.Plans, storedPlan{Steps: len(steps)})
		c.Report.addPhase(p.name, len(steps), 0)
		if p.apply == nil {
			continue
		}
		for _, s := range steps {
			if c.MaxItems > 0 && c.Items >= c.MaxItems {
				break
			}
			did, err := run.rehearseStep(ctx, p, s, folded)
			if graph.DamagedRow(err) {
				continue // as in the sleep
			}
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			markArchived(did, archived)
			for _, x := range did {
				if len(c.Report.Planned) < maxListedSteps {
					c.Report.Planned = append(c.Report.Planned, x)
				}
			}
		}
	}
	return run.rehearsedBalance(ctx, folded, archived)
}

// rehearseStep carries out one step, returns what it did and adds the memories that it merges to
// folded. A memory that it derives has no id.
func (run *sleepRun) rehearseStep(ctx context.Context, p phaseSpec, s plannedStep, folded map[graph.ID]bool) ([]Step, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var ready any
	var err error
	if p.prepare != nil {
		if ready, err = p.prepare(ctx, run, s); err != nil {
			return nil, err
		}
	}
	b := &batch{recorder: newRecorder(run.rehearsal), svc: run.svc, run: run, now: run.t.Now(), report: &run.checkpoint.Report}
	if p.announces != nil && p.announces(s) {
		if err := p.announce(b, s, ready); err != nil {
			return nil, err
		}
	}
	before := b.changes()
	if err := p.apply(b, s, ready); err != nil {
		return nil, err
	}
	if b.changes() > before {
		run.checkpoint.Items++
	}
	for id, was := range b.memories {
		if was == nil {
			continue
		}
		now, err := b.Memory(id)
		if err != nil {
			return nil, err
		}
		if isFolded(was.State(), now.State()) {
			folded[id] = true
		}
	}
	for i, x := range b.undo.Steps {
		if x.To != "" && b.memories[x.To] == nil { // the step made it
			b.undo.Steps[i].To = ""
		}
		if x.Verb == StepDream {
			run.checkpoint.Dreamed = append(run.checkpoint.Dreamed, x.From...)
		}
	}
	return b.undo.Steps, nil
}

// rehearsedDoc returns the index entry of a memory as the rehearsal left it.
func (run *sleepRun) rehearsedDoc(d *index.Doc) *index.Doc {
	if !run.dryRun {
		return d
	}
	return withChanges(d, run.rehearsal.Changed()[d.ID])
}

// withChanges returns the index entry of a memory as m is; nil: unchanged.
func withChanges(d *index.Doc, m *graph.Memory) *index.Doc {
	if m == nil {
		return d
	}
	now, treatment := *d, *d.Treatment
	treatment.Type, treatment.Consent, treatment.Sensitivity = m.Type, m.Consent, m.Sensitivity
	treatment.Authority, treatment.Conflict = m.Authority, m.Conflict
	now.Treatment = &treatment
	now.Importance, now.Confidence, now.Salience, now.History = m.Importance, m.Confidence, m.Salience, m.History
	return &now
}

// rehearsedBalance accounts for every memory as balance does after a sleep.
func (run *sleepRun) rehearsedBalance(ctx context.Context, folded, archived map[graph.ID]bool) error {
	r := &run.checkpoint.Report
	in := map[graph.ID]bool{}
	if run.phases[0].apply == nil {
		rank, err := run.ranking(ctx)
		if err != nil {
			return err
		}
		for id := range rank {
			in[id] = true
		}
	}
	moved := 0
	for _, ids := range []map[graph.ID]bool{folded, archived} {
		for id := range ids {
			in[id] = true
			moved++
		}
	}
	total := max(len(in), r.Balance.In)
	r.Balance = Balance{In: total, Kept: total - moved, Merged: len(folded), Archived: len(archived), Derived: r.Derived}
	health := run.rehearsedHealth()
	r.HealthAfter = &health
	return nil
}

// rehearsedHealth is health with the memories that the rehearsal made.
func (run *sleepRun) rehearsedHealth() float64 {
	all := run.activeMemories()
	sum, n := 0.0, len(all)
	for _, c := range all {
		sum += importance.Health(c.Confidence, c.retention)
	}
	for _, m := range run.rehearsal.Changed() {
		if _, indexed := run.svc.Index.Doc(run.t.Scope, m.ID); !indexed && m.Status() == graph.Active {
			sum += importance.Health(m.Confidence, decay.RetentionAt(workspace.DecayOf(m, m.State()), run.checkpoint.At))
			n++
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}
