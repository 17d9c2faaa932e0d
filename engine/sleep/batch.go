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

// slowStepAfter is the longest preparation of a step. A slower step is skipped and retried in the next sleep, unless its preparation has
// taken effect.
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

// prepared is what the preparation of a step said.
type prepared struct {
	ready         any
	slow, damaged bool // the step is not carried out
}

// effective is the result of a preparation that can take effect itself, outside the transaction.
type effective interface{ tookEffect() bool }

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
	states := make([]prepared, len(steps))
	for i, s := range steps {
		if p.prepare == nil {
			break
		}
		from := run.svc.Now()
		run.waitTime = 0
		states[i].ready, err = p.prepare(ctx, run, s)
		states[i].damaged = graph.DamagedRow(err)
		if err != nil && !states[i].damaged {
			return err
		}
		made, _ := states[i].ready.(effective)
		states[i].slow = run.svc.Now().Sub(from)-run.waitTime > slowStepAfter && (made == nil || !made.tookEffect())
	}
	for {
		err := run.announce(ctx, p, steps, states)
		if err == nil {
			// A commit that has begun is not cancelled: the position of the checkpoint must be known.
			err = run.svc.serial.RunExclusive(context.WithoutCancel(ctx), run.t.Tenant, func(ctx context.Context) error { return run.commit(ctx, p, steps, states) })
		}
		damaged := graph.DamagedRow(err)
		switch {
		case (damaged || errors.Is(err, graph.ErrTooLarge)) && len(steps) > 1:
			steps = steps[:len(steps)/2]
		case damaged && !states[0].damaged:
			run.svc.Log.Error("[SLEEP] a step is skipped: it reads a damaged row", "step", steps[0].Verb, "ids", steps[0].IDs, "error", err)
			states[0].damaged = true
		default:
			return err
		}
	}
}

// announce runs the transaction that stores what replaces other memories, before the one that
// replaces them, and waits until the index has it.
func (run *sleepRun) announce(ctx context.Context, p phaseSpec, steps []plannedStep, states []prepared) error {
	if p.announces == nil || !slices.ContainsFunc(steps, p.announces) {
		return nil
	}
	err := run.svc.serial.RunExclusive(context.WithoutCancel(ctx), run.t.Tenant, func(ctx context.Context) error {
		return run.advance(ctx, func(tx graph.Tx, next *checkpoint) error {
			b := &batch{recorder: newRecorder(tx), svc: run.svc, run: run, now: run.t.Now(), report: &Report{}}
			for i, s := range steps {
				if !p.announces(s) || states[i].slow || states[i].damaged {
					continue
				}
				if err := p.announce(b, s, states[i].ready); err != nil {
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

// commit runs the transaction of a batch: the steps, their undo record and the new checkpoint.
func (run *sleepRun) commit(ctx context.Context, p phaseSpec, steps []plannedStep, states []prepared) error {
	var did []Step
	var pending bool
	err := run.advance(ctx, func(tx graph.Tx, next *checkpoint) error {
		b := &batch{recorder: newRecorder(tx), svc: run.svc, run: run, now: run.t.Now(), report: &next.Report}
		for i, s := range steps {
			if states[i].damaged {
				continue
			}
			if states[i].slow {
				next.Report.addSkipped(s.IDs)
				continue
			}
			before := b.changes()
			if err := p.apply(b, s, states[i].ready); err != nil {
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
