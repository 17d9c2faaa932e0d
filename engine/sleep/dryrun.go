package sleep

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// dryRun returns what a sleep would do, and changes nothing. It omits steps that only
// follow from the changes of an earlier phase.
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

// asStep returns a planned step in its public form.
func (s plannedStep) asStep(p Phase) Step {
	if s.Verb == StepMerge {
		return Step{Phase: p, Verb: s.Verb, From: s.IDs[1:], To: s.IDs[0]}
	}
	return Step{Phase: p, Verb: s.Verb, From: s.IDs}
}

// countPlanned counts what a step would do.
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
