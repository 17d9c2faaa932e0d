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
const slowStep = 200 * time.Millisecond

// step is one thing that a phase plans to do. It holds ids and no words, so that a plan
// has nothing that an erasure would have to scrub.
type step struct {
	Verb StepVerb   `json:"v"`
	IDs  []graph.ID `json:"i"`
	Key  string     `json:"k,omitempty"` // what the verb needs besides, as a month; never content
}

// phase is one phase of a sleep.
type phase struct {
	name SleepPhase
	// plan reads, and says what is to be done. It must depend on nothing but what is
	// stored and on the cycle's instant.
	plan func(ctx context.Context, n *run) ([]step, error)
	// prepare takes what is slow out of the transaction; nil: nothing is.
	prepare func(ctx context.Context, n *run, s step) (any, error)
	// apply carries a step out, unless it does not hold any more. It may run again. Nil:
	// the plan is all there is.
	apply func(b *batch, s step, ready any) error
}

// batch is the transaction that carries out some steps.
type batch struct {
	*recorder
	svc    *Service
	n      *run
	now    time.Time
	report *SleepReport // counts; of this run of the transaction

	pending bool // something was made that waits for its embedding
}

// did notes what a step did, for those who want to see it.
func (b *batch) did(v StepVerb, to graph.ID, from ...graph.ID) {
	b.undo.Steps = append(b.undo.Steps, SleepStep{Phase: b.n.phases[b.n.checkpoint.Phase].name, Verb: v, From: from, To: to})
}

// run is a sleep under way in this process.
type run struct {
	svc        *Service
	t          *tenant
	checkpoint *checkpoint
	phases     []phase
	from       time.Time   // when this process took it up
	taken      SleepReport // as it stood then
	done       chan struct{}
	err        error // once ended

	rehearsal bool // plans are kept here and nothing is written
	rehearsed [][]step

	missed  []workspace.Part // away tonight, and done without
	misses  int              // how often
	waited  time.Duration    // for the language model
	refused bool             // the recess, however often it was asked
	idle    time.Duration    // of the step that is prepared: waited, not worked

	policies workspace.PolicyCache
	chunk    struct { // the note of the plan that was read last
		phase, number int
		steps         []step
	}
}

// runPhases carries the cycle to its end.
func (n *run) runPhases(ctx context.Context) error {
	for n.checkpoint.Phase < len(n.phases) && !n.checkpoint.Spare {
		if err := n.runPhase(ctx); err != nil {
			return err
		}
	}
	return n.finish(ctx)
}

// runPhase plans a phase, unless its plan is there already, and carries it out from the
// checkpoint on. It stops where the budget is spent.
func (n *run) runPhase(ctx context.Context) error {
	p := n.phases[n.checkpoint.Phase]
	began := n.svc.Now()
	if len(n.checkpoint.Plans) == n.checkpoint.Phase {
		n.tell(p.name, 0, 0, nil)
		if err := n.caughtUp(ctx); err != nil {
			return err
		}
		steps, err := p.plan(ctx, n)
		if err != nil {
			return fmt.Errorf("plan %s: %w", p.name, err)
		}
		if err := n.writePlan(ctx, steps); err != nil {
			return fmt.Errorf("write the plan of %s: %w", p.name, err)
		}
	}
	total := n.checkpoint.Plans[n.checkpoint.Phase].Steps
	n.tell(p.name, min(n.checkpoint.Done, total), total, nil)
	for p.apply != nil && n.checkpoint.Done < total {
		if n.overspent() {
			n.checkpoint.Spare = true // endPhase writes it down
			break
		}
		if err := n.runBatch(ctx, p, total); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if p.apply == nil {
		n.checkpoint.Done = total
		n.tell(p.name, total, total, nil)
	}
	return n.endPhase(ctx, p, began)
}

// caughtUp waits until the index knows all that is stored, another server's steps too.
func (n *run) caughtUp(ctx context.Context) error {
	head, err := n.svc.Store.Head(ctx, n.t.Scope)
	if err != nil {
		return err
	}
	return n.svc.Index.WaitFor(ctx, n.t.Scope, head)
}

// overspent reports whether the budget leaves nothing more to do. Something is done in
// any case: else a night that takes its time to plan would never come to an end.
func (n *run) overspent() bool {
	if n.checkpoint.MaxItems > 0 && n.checkpoint.Items >= n.checkpoint.MaxItems {
		return true
	}
	return n.checkpoint.MaxTime > 0 && n.checkpoint.Items > 0 && n.spent() >= n.checkpoint.MaxTime
}

func (n *run) spent() time.Duration { return n.checkpoint.Spent + n.svc.Now().Sub(n.from) }

// writePlan writes the plan of the phase down, note by note, and marks it as planned with
// the last one.
func (n *run) writePlan(ctx context.Context, steps []step) error {
	p := plan{Steps: len(steps)}
	for at := 0; at < len(steps); {
		data, size, err := chunkOf(steps[at:])
		if err != nil {
			return err
		}
		id, err := n.checkpoint.planNote(n.checkpoint.Phase, len(p.Chunks))
		if err != nil {
			return err
		}
		at += size
		p.Chunks = append(p.Chunks, at)
		err = n.t.Update(ctx, func(tx graph.Tx) error {
			if err := n.checkpoint.held(tx); err != nil {
				return err
			}
			return tx.PutNote(graph.Note{Kind: graph.NotePlan, ID: id, At: n.checkpoint.At, Data: data})
		})
		if err != nil {
			return err
		}
	}
	return n.saveCheckpoint(ctx, func(c *checkpoint) { c.Plans, c.Done = append(slices.Clip(c.Plans), p), 0 })
}

// chunkOf encodes as many steps as one note takes.
func chunkOf(steps []step) (data []byte, size int, err error) {
	data = append(data, '[')
	for ; size < len(steps) && size < stepsAChunk; size++ {
		one, err := json.Marshal(steps[size])
		if err != nil {
			return nil, 0, err
		}
		if size > 0 && len(data)+len(one) > chunkBytes {
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
func (n *run) saveCheckpoint(ctx context.Context, change func(*checkpoint)) error {
	var next checkpoint
	err := n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.checkpoint.held(tx); err != nil {
			return err
		}
		next = *n.checkpoint
		change(&next)
		return n.save(tx, &next)
	})
	if err == nil {
		n.checkpoint = &next
	}
	return err
}

// release gives the lease back, so that nobody has to wait until it runs out. What is stored
// of the cycle stands: it may be ahead of what this process knows.
func (n *run) release(ctx context.Context) error {
	return n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.checkpoint.held(tx); err != nil {
			return err
		}
		under, err := readCycle(tx)
		if err != nil {
			return err
		}
		under.Holder, under.Spent = "", n.spent()
		return lifecycle.PutSetting(tx, cycleSetting, under)
	})
}

// save writes the checkpoint and renews the lease.
func (n *run) save(tx graph.Tx, next *checkpoint) error {
	stored := *next
	stored.Spent, stored.Until = n.spent(), n.svc.Now().Add(leaseFor)
	return lifecycle.PutSetting(tx, cycleSetting, &stored)
}

// steps reads the steps of a planned phase from number at on, to the end of the note
// they stand in.
func (n *run) steps(ctx context.Context, phase, at int) ([]step, error) {
	if n.rehearsal {
		return n.rehearsed[phase][at:], nil
	}
	p := n.checkpoint.Plans[phase]
	number, from := 0, 0
	for number < len(p.Chunks) && p.Chunks[number] <= at {
		from = p.Chunks[number]
		number++
	}
	if number == len(p.Chunks) {
		return nil, nil
	}
	if n.chunk.steps == nil || n.chunk.phase != phase || n.chunk.number != number {
		id, err := n.checkpoint.planNote(phase, number)
		if err != nil {
			return nil, err
		}
		var steps []step
		err = n.t.View(ctx, func(r graph.Reader) (err error) { steps, err = readPlan(r, id); return err })
		if err != nil {
			return nil, err
		}
		n.chunk.phase, n.chunk.number, n.chunk.steps = phase, number, steps
	}
	return n.chunk.steps[at-from:], nil
}

// runBatch carries out the next steps in one transaction.
func (n *run) runBatch(ctx context.Context, p phase, total int) error {
	steps, err := n.steps(ctx, n.checkpoint.Phase, n.checkpoint.Done)
	if err != nil {
		return err
	}
	steps = steps[:min(len(steps), n.svc.options.Batch)]
	if left := n.checkpoint.MaxItems - n.checkpoint.Items; n.checkpoint.MaxItems > 0 {
		steps = steps[:min(len(steps), left)]
	}
	n.svc.Foreground.Yield(ctx, workspace.YieldFor)
	ready := make([]any, len(steps))
	slow := make([]bool, len(steps))
	for i, s := range steps {
		if p.prepare == nil {
			break
		}
		from := n.svc.Now()
		n.idle = 0
		if ready[i], err = p.prepare(ctx, n, s); err != nil {
			return err
		}
		slow[i] = n.svc.Now().Sub(from)-n.idle > slowStep
	}
	for {
		// A commit that was begun is waited for: where the checkpoint stands must be known.
		err := n.svc.serial.RunExclusive(context.WithoutCancel(ctx), n.t.Tenant, func(ctx context.Context) error { return n.commit(ctx, p, steps, ready, slow) })
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
func (n *run) commit(ctx context.Context, p phase, steps []step, ready []any, slow []bool) error {
	var next checkpoint
	var did []SleepStep
	var pending bool
	err := n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.checkpoint.held(tx); err != nil {
			return err
		}
		next = *n.checkpoint
		next.Report = n.checkpoint.Report.clone()
		b := &batch{recorder: record(tx), svc: n.svc, n: n, now: n.t.Now(), report: &next.Report}
		for i, s := range steps {
			if slow[i] {
				next.Report.skip(s.IDs)
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
		next.Report.miss(n.missed)
		did, pending = b.undo.Steps, b.pending
		for _, s := range did {
			if s.Verb == StepDream {
				next.Dreamt = append(slices.Clip(next.Dreamt), s.From...)
			}
		}
		if err := b.write(&next); err != nil {
			return err
		}
		return n.save(tx, &next)
	})
	if err != nil {
		return err
	}
	if pending {
		n.t.WakePending()
	}
	n.checkpoint = &next
	n.tell(p.name, next.Done, next.Plans[next.Phase].Steps, did)
	return nil
}

// endPhase moves the checkpoint behind a phase and writes the report as it stands.
func (n *run) endPhase(ctx context.Context, p phase, began time.Time) error {
	var next checkpoint
	err := n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.checkpoint.held(tx); err != nil {
			return err
		}
		next = *n.checkpoint
		next.Report = n.checkpoint.Report.clone()
		next.Report.ran(p.name, next.Done, n.svc.Now().Sub(began))
		next.Phase, next.Done = next.Phase+1, 0
		if err := putReport(tx, &next); err != nil {
			return err
		}
		return n.save(tx, &next)
	})
	if err == nil {
		n.checkpoint = &next // not before: the transaction may run again
	}
	return err
}

// policy is that of a namespace, the same through the night.
func (n *run) policy(r graph.Reader, namespace string) (policy.Policy, error) {
	if n.policies == nil {
		n.policies = workspace.PolicyCache{}
	}
	return n.policies.In(r, namespace)
}

// tell says how far the phase is to everybody who listens.
func (n *run) tell(p SleepPhase, done, total int, steps []SleepStep) {
	if !n.svc.Exclusive() {
		n.t.sleep.watchers.nudge() // it reads what is stored
		return
	}
	progress := SleepProgress{Report: n.checkpoint.ID, Phase: p, Done: done, Total: total, Steps: steps}
	n.t.sleep.progress.say(progress, true)
}

// clone is a report that can be changed without changing r.
func (r SleepReport) clone() SleepReport {
	r.Phases, r.Skipped = slices.Clone(r.Phases), slices.Clone(r.Skipped)
	r.Review, r.Doubts = slices.Clone(r.Review), slices.Clone(r.Doubts)
	return r
}

// miss notes the parts that were away.
func (r *SleepReport) miss(parts []workspace.Part) {
	for _, p := range parts {
		if !slices.Contains(r.Degraded, p) {
			r.Degraded = append(slices.Clip(r.Degraded), p)
		}
	}
}

// listed is how many ids a report names of each sort.
const MaxListed = 200

// skip notes memories that took too long.
func (r *SleepReport) skip(ids []graph.ID) { r.Skipped = note(r.Skipped, ids...) }

// note adds ids to a list of a report as long as it has room.
func note(list []graph.ID, ids ...graph.ID) []graph.ID {
	return append(list, ids[:max(0, min(len(ids), MaxListed-len(list)))]...)
}

// ran notes how a phase went; where a crash cut it in two, the two are one.
func (r *SleepReport) ran(p SleepPhase, items int, took time.Duration) {
	if i := len(r.Phases) - 1; i >= 0 && r.Phases[i].Phase == p {
		r.Phases[i].Items, r.Phases[i].Duration = items, r.Phases[i].Duration+took
		return
	}
	r.Phases = append(r.Phases, PhaseRun{p, items, took})
}
