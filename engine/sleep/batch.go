package sleep

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// slowStepAfter is the longest preparation of a step. A slower step is skipped and retried
// in the next sleep.
const slowStepAfter = 200 * time.Millisecond

// batch is the transaction that carries out some steps.
type batch struct {
	*recorder
	svc    *Service
	run    *sleepRun
	now    time.Time
	report *Report // counts of this attempt of the transaction

	pending bool // a new memory waits for its embedding
}

// did records a completed step for the list of steps.
func (b *batch) did(v StepVerb, to graph.ID, from ...graph.ID) {
	b.undo.Steps = append(b.undo.Steps, Step{Phase: b.run.phases[b.run.checkpoint.Phase].name, Verb: v, From: from, To: to})
}

// active reads the memory of a planned step; nil if it is no longer ACTIVE.
func (b *batch) active(id graph.ID) (*graph.Memory, error) {
	m, err := b.Memory(id)
	if err != nil {
		return nil, err
	}
	if m.Status() != graph.Active || lifecycle.IsExpired(m, b.now) {
		return nil, nil
	}
	return m, nil
}

// runBatch carries out the next steps in one transaction.
func (run *sleepRun) runBatch(ctx context.Context, p phaseSpec, total int) error {
	steps, err := run.stepsFrom(ctx, run.checkpoint.Phase, run.checkpoint.Done)
	if err != nil {
		return err
	}
	steps = steps[:min(len(steps), run.svc.options.Batch)]
	if left := max(run.checkpoint.MaxItems-run.checkpoint.Items, run.checkpoint.Announced-run.checkpoint.Done); run.checkpoint.MaxItems > 0 {
		steps = steps[:min(len(steps), left)]
	}
	run.svc.Foreground.Yield(ctx, workspace.YieldFor)
	ready := make([]any, len(steps))
	slow := make([]bool, len(steps))
	for i, s := range steps {
		if p.prepare == nil {
			break
		}
		from := run.svc.Now()
		run.waitTime = 0
		if ready[i], err = p.prepare(ctx, run, s); err != nil {
			return err
		}
		slow[i] = run.svc.Now().Sub(from)-run.waitTime > slowStepAfter
	}
	for {
		if err := run.announce(ctx, p, steps, ready, slow); errors.Is(err, graph.ErrTooLarge) && len(steps) > 1 {
			steps = steps[:len(steps)/2]
			continue
		} else if err != nil {
			return err
		}
		// A commit that has begun is not cancelled: the position of the checkpoint must be
		// known.
		err := run.svc.serial.RunExclusive(context.WithoutCancel(ctx), run.t.Tenant, func(ctx context.Context) error { return run.commit(ctx, p, steps, ready, slow) })
		if errors.Is(err, graph.ErrTooLarge) && len(steps) > 1 {
			steps = steps[:len(steps)/2]
			continue
		}
		if err != nil {
			return err
		}
		break
	}
	return nil
}

// announce runs the transaction that stores what replaces other memories, before the one that
// replaces them, and waits until the index has it.
func (run *sleepRun) announce(ctx context.Context, p phaseSpec, steps []plannedStep, ready []any, slow []bool) error {
	if p.announces == nil || !slices.ContainsFunc(steps, p.announces) {
		return nil
	}
	err := run.svc.serial.RunExclusive(context.WithoutCancel(ctx), run.t.Tenant, func(ctx context.Context) error {
		return run.advance(ctx, func(tx graph.Tx, next *checkpoint) error {
			b := &batch{recorder: newRecorder(tx), svc: run.svc, run: run, now: run.t.Now(), report: &Report{}}
			for i, s := range steps {
				if !p.announces(s) || slow[i] {
					continue
				}
				if err := p.announce(b, s, ready[i]); err != nil {
					return err
				}
			}
			next.Announced = next.Done + len(steps)
			return b.writeUndo(next)
		})
	})
	if err != nil {
		return err
	}
	return run.waitForIndex(ctx)
}

// commit runs the transaction of a batch: the steps, their undo record and the new
// checkpoint.
func (run *sleepRun) commit(ctx context.Context, p phaseSpec, steps []plannedStep, ready []any, slow []bool) error {
	var did []Step
	var pending bool
	err := run.advance(ctx, func(tx graph.Tx, next *checkpoint) error {
		b := &batch{recorder: newRecorder(tx), svc: run.svc, run: run, now: run.t.Now(), report: &next.Report}
		for i, s := range steps {
			if slow[i] {
				next.Report.addSkipped(s.IDs)
				continue
			}
			before := b.changes()
			if err := p.apply(b, s, ready[i]); err != nil {
				return err
			}
			if b.changes() > before {
				next.Items++ // a budget counts only steps with effect
			}
		}
		next.Done += len(steps)
		next.Report.addDegraded(run.degraded)
		did, pending = b.undo.Steps, b.pending
		for _, s := range did {
			if s.Verb == StepDream {
				next.Dreamed = append(slices.Clip(next.Dreamed), s.From...)
			}
		}
		return b.writeUndo(next)
	})
	if err != nil {
		return err
	}
	if pending {
		run.t.WakePending()
	}
	c := run.checkpoint
	run.publishProgress(p.name, c.Done, c.Plans[c.Phase].Steps, did)
	return nil
}
