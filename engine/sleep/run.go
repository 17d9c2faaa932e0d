package sleep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// slowStep is how long one step may take to prepare; a slower one is left for the next
// sleep.
const slowStepAfter = 200 * time.Millisecond

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

// batch is the transaction that carries out some steps.
type batch struct {
	*recorder
	svc    *Service
	run    *sleepRun
	now    time.Time
	report *Report // counts; of this run of the transaction

	pending bool // something was made that waits for its embedding
}

// did notes what a step did, for those who want to see it.
func (b *batch) did(v StepVerb, to graph.ID, from ...graph.ID) {
	b.undo.Steps = append(b.undo.Steps, Step{Phase: b.run.phases[b.run.checkpoint.Phase].name, Verb: v, From: from, To: to})
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

// writePlan writes the plan of the phase down, note by note, and marks it as planned with
// the last one.
func (run *sleepRun) writePlan(ctx context.Context, steps []plannedStep) error {
	p := storedPlan{Steps: len(steps)}
	for at := 0; at < len(steps); {
		data, size, err := chunkOf(steps[at:])
		if err != nil {
			return err
		}
		id, err := run.checkpoint.planNoteID(run.checkpoint.Phase, len(p.Chunks))
		if err != nil {
			return err
		}
		at += size
		p.Chunks = append(p.Chunks, at)
		err = run.t.Update(ctx, func(tx graph.Tx) error {
			if err := run.checkpoint.checkLease(tx); err != nil {
				return err
			}
			return tx.PutNote(graph.Note{Kind: graph.NotePlan, ID: id, At: run.checkpoint.At, Data: data})
		})
		if err != nil {
			return err
		}
	}
	return run.saveCheckpoint(ctx, func(c *checkpoint) { c.Plans, c.Done = append(slices.Clip(c.Plans), p), 0 })
}

// chunkOf encodes as many steps as one note takes.
func chunkOf(steps []plannedStep) (data []byte, size int, err error) {
	data = append(data, '[')
	for ; size < len(steps) && size < maxChunkSteps; size++ {
		one, err := json.Marshal(steps[size])
		if err != nil {
			return nil, 0, err
		}
		if size > 0 && len(data)+len(one) > maxChunkBytes {
			break
		}
		if size > 0 {
			data = append(data, ',')
		}
		data = append(data, one...)
	}
	return append(data, ']'), size, nil
}

// saveCheckpoint changes what is stored of the cycle.
func (run *sleepRun) saveCheckpoint(ctx context.Context, change func(*checkpoint)) error {
	var next checkpoint
	err := run.t.Update(ctx, func(tx graph.Tx) error {
		if err := run.checkpoint.checkLease(tx); err != nil {
			return err
		}
		next = *run.checkpoint
		change(&next)
		return run.putCheckpoint(tx, &next)
	})
	if err == nil {
		run.checkpoint = &next
	}
	return err
}

// release gives the lease back, so that nobody has to wait until it runs out. What is stored
// of the cycle stands: it may be ahead of what this process knows.
func (run *sleepRun) releaseLease(ctx context.Context) error {
	return run.t.Update(ctx, func(tx graph.Tx) error {
		if err := run.checkpoint.checkLease(tx); err != nil {
			return err
		}
		current, err := readCheckpoint(tx)
		if err != nil {
			return err
		}
		current.Holder, current.TimeSpent = "", run.timeSpent()
		return lifecycle.PutSetting(tx, checkpointSetting, current)
	})
}

// save writes the checkpoint and renews the lease.
func (run *sleepRun) putCheckpoint(tx graph.Tx, next *checkpoint) error {
	stored := *next
	stored.TimeSpent, stored.LeaseUntil = run.timeSpent(), run.svc.Now().Add(leaseDuration)
	return lifecycle.PutSetting(tx, checkpointSetting, &stored)
}

// steps reads the steps of a planned phase from number at on, to the end of the note
// they stand in.
func (run *sleepRun) stepsFrom(ctx context.Context, phase, at int) ([]plannedStep, error) {
	if run.dryRun {
		return run.dryRunSteps[phase][at:], nil
	}
	p := run.checkpoint.Plans[phase]
	number, from := 0, 0
	for number < len(p.Chunks) && p.Chunks[number] <= at {
		from = p.Chunks[number]
		number++
	}
	if number == len(p.Chunks) {
		return nil, nil
	}
	if run.chunk.steps == nil || run.chunk.phase != phase || run.chunk.number != number {
		id, err := run.checkpoint.planNoteID(phase, number)
		if err != nil {
			return nil, err
		}
		var steps []plannedStep
		err = run.t.View(ctx, func(r graph.Reader) (err error) { steps, err = readPlan(r, id); return err })
		if err != nil {
			return nil, err
		}
		run.chunk.phase, run.chunk.number, run.chunk.steps = phase, number, steps
	}
	return run.chunk.steps[at-from:], nil
}

// runBatch carries out the next steps in one transaction.
func (run *sleepRun) runBatch(ctx context.Context, p phaseSpec, total int) error {
	steps, err := run.stepsFrom(ctx, run.checkpoint.Phase, run.checkpoint.Done)
	if err != nil {
		return err
	}
	steps = steps[:min(len(steps), run.svc.options.Batch)]
	if left := run.checkpoint.MaxItems - run.checkpoint.Items; run.checkpoint.MaxItems > 0 {
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
		// A commit that was begun is waited for: where the checkpoint stands must be known.
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

// commit is the transaction of a batch, with its undoing and the checkpoint behind it.
func (run *sleepRun) commit(ctx context.Context, p phaseSpec, steps []plannedStep, ready []any, slow []bool) error {
	var next checkpoint
	var did []Step
	var pending bool
	err := run.t.Update(ctx, func(tx graph.Tx) error {
		if err := run.checkpoint.checkLease(tx); err != nil {
			return err
		}
		next = *run.checkpoint
		next.Report = run.checkpoint.Report.clone()
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
				next.Items++ // what was only looked at must not use a budget up night after night
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
		if err := b.writeUndo(&next); err != nil {
			return err
		}
		return run.putCheckpoint(tx, &next)
	})
	if err != nil {
		return err
	}
	if pending {
		run.t.WakePending()
	}
	run.checkpoint = &next
	run.publishProgress(p.name, next.Done, next.Plans[next.Phase].Steps, did)
	return nil
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
		run.t.sleep.watchers.notify() // it reads what is stored
		return
	}
	progress := Progress{Report: run.checkpoint.ID, Phase: p, Done: done, Total: total, Steps: steps}
	run.t.sleep.progress.send(progress, true)
}

// clone is a report that can be changed without changing r.
func (r Report) clone() Report {
	r.Phases, r.Skipped = slices.Clone(r.Phases), slices.Clone(r.Skipped)
	r.Review, r.Doubts = slices.Clone(r.Review), slices.Clone(r.Doubts)
	return r
}

// miss notes the parts that were away.
func (r *Report) addDegraded(parts []workspace.Part) {
	for _, p := range parts {
		if !slices.Contains(r.Degraded, p) {
			r.Degraded = append(slices.Clip(r.Degraded), p)
		}
	}
}

// listed is how many ids a report names of each sort.
const maxListed = 200

// skip notes memories that took too long.
func (r *Report) addSkipped(ids []graph.ID) { r.Skipped = appendListed(r.Skipped, ids...) }

// note adds ids to a list of a report as long as it has room.
func appendListed(list []graph.ID, ids ...graph.ID) []graph.ID {
	return append(list, ids[:max(0, min(len(ids), maxListed-len(list)))]...)
}

// ran notes how a phase went; where a crash cut it in two, the two are one.
func (r *Report) addPhase(p Phase, items int, took time.Duration) {
	if i := len(r.Phases) - 1; i >= 0 && r.Phases[i].Phase == p {
		r.Phases[i].Items, r.Phases[i].Duration = items, r.Phases[i].Duration+took
		return
	}
	r.Phases = append(r.Phases, PhaseRun{p, items, took})
}
