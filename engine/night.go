package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/policy"
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
	plan func(ctx context.Context, n *night) ([]step, error)
	// prepare takes what is slow out of the transaction; nil: nothing is.
	prepare func(ctx context.Context, n *night, s step) (any, error)
	// apply carries a step out, unless it does not hold any more. It may run again. Nil:
	// the plan is all there is.
	apply func(b *batch, s step, ready any) error
}

// batch is the transaction that carries out some steps.
type batch struct {
	*recorder
	e      *Engine
	n      *night
	now    time.Time
	report *SleepReport // counts; of this run of the transaction

	pending bool // something was made that waits for its embedding
}

// did notes what a step did, for those who want to see it.
func (b *batch) did(v StepVerb, to graph.ID, from ...graph.ID) {
	b.undo.Steps = append(b.undo.Steps, SleepStep{Phase: b.n.phases[b.n.c.Phase].name, Verb: v, From: from, To: to})
}

// night is a sleep under way in this process.
type night struct {
	e      *Engine
	t      *tenant
	c      *cycle
	phases []phase
	from   time.Time   // when this process took it up
	taken  SleepReport // as it stood then
	ended  chan struct{}
	err    error // once ended

	rehearsal bool // plans are kept here and nothing is written
	rehearsed [][]step

	missed  []Part        // away tonight, and done without
	misses  int           // how often
	waited  time.Duration // for the language model
	refused bool          // the recess, however often it was asked
	idle    time.Duration // of the step that is prepared: waited, not worked

	policies policies
	chunk    struct { // the note of the plan that was read last
		phase, number int
		steps         []step
	}
}

// run carries the cycle to its end.
func (n *night) run(ctx context.Context) error {
	for n.c.Phase < len(n.phases) && !n.c.Spare {
		if err := n.runPhase(ctx); err != nil {
			return err
		}
	}
	return n.finish(ctx)
}

// runPhase plans a phase, unless its plan is there already, and carries it out from the
// checkpoint on. It stops where the budget is spent.
func (n *night) runPhase(ctx context.Context) error {
	p := n.phases[n.c.Phase]
	began := n.e.Now()
	if len(n.c.Plans) == n.c.Phase {
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
	total := n.c.Plans[n.c.Phase].Steps
	n.tell(p.name, min(n.c.Done, total), total, nil)
	for p.apply != nil && n.c.Done < total {
		if n.overspent() {
			n.c.Spare = true // endPhase writes it down
			break
		}
		if err := n.runBatch(ctx, p, total); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if p.apply == nil {
		n.c.Done = total
		n.tell(p.name, total, total, nil)
	}
	return n.endPhase(ctx, p, began)
}

// caughtUp waits until the index knows all that is stored, another server's steps too.
func (n *night) caughtUp(ctx context.Context) error {
	head, err := n.e.store.Head(ctx, n.t.scope)
	if err != nil {
		return err
	}
	return n.e.index.WaitFor(ctx, n.t.scope, head)
}

// overspent reports whether the budget leaves nothing more to do. Something is done in
// any case: else a night that takes its time to plan would never come to an end.
func (n *night) overspent() bool {
	if n.c.MaxItems > 0 && n.c.Items >= n.c.MaxItems {
		return true
	}
	return n.c.MaxTime > 0 && n.c.Items > 0 && n.spent() >= n.c.MaxTime
}

func (n *night) spent() time.Duration { return n.c.Spent + n.e.Now().Sub(n.from) }

// writePlan writes the plan of the phase down, note by note, and marks it as planned with
// the last one.
func (n *night) writePlan(ctx context.Context, steps []step) error {
	p := plan{Steps: len(steps)}
	for at := 0; at < len(steps); {
		data, size, err := chunkOf(steps[at:])
		if err != nil {
			return err
		}
		id, err := n.c.planNote(n.c.Phase, len(p.Chunks))
		if err != nil {
			return err
		}
		at += size
		p.Chunks = append(p.Chunks, at)
		err = n.t.Update(ctx, func(tx graph.Tx) error {
			if err := n.c.held(tx); err != nil {
				return err
			}
			return tx.PutNote(graph.Note{Kind: graph.NotePlan, ID: id, At: n.c.At, Data: data})
		})
		if err != nil {
			return err
		}
	}
	return n.checkpoint(ctx, func(c *cycle) { c.Plans, c.Done = append(slices.Clip(c.Plans), p), 0 })
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

// checkpoint changes what is stored of the cycle.
func (n *night) checkpoint(ctx context.Context, change func(*cycle)) error {
	var next cycle
	err := n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.c.held(tx); err != nil {
			return err
		}
		next = *n.c
		change(&next)
		return n.save(tx, &next)
	})
	if err == nil {
		n.c = &next
	}
	return err
}

// letGo gives the lease back, so that nobody has to wait until it runs out. What is stored
// of the cycle stands: it may be ahead of what this process knows.
func (n *night) letGo(ctx context.Context) error {
	return n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.c.held(tx); err != nil {
			return err
		}
		under, err := readCycle(tx)
		if err != nil {
			return err
		}
		under.Holder, under.Spent = "", n.spent()
		return putSetting(tx, cycleSetting, under)
	})
}

// save writes the checkpoint and renews the lease.
func (n *night) save(tx graph.Tx, next *cycle) error {
	stored := *next
	stored.Spent, stored.Until = n.spent(), n.e.Now().Add(leaseFor)
	return putSetting(tx, cycleSetting, &stored)
}

// steps reads the steps of a planned phase from number at on, to the end of the note
// they stand in.
func (n *night) steps(ctx context.Context, phase, at int) ([]step, error) {
	if n.rehearsal {
		return n.rehearsed[phase][at:], nil
	}
	p := n.c.Plans[phase]
	number, from := 0, 0
	for number < len(p.Chunks) && p.Chunks[number] <= at {
		from = p.Chunks[number]
		number++
	}
	if number == len(p.Chunks) {
		return nil, nil
	}
	if n.chunk.steps == nil || n.chunk.phase != phase || n.chunk.number != number {
		id, err := n.c.planNote(phase, number)
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
func (n *night) runBatch(ctx context.Context, p phase, total int) error {
	steps, err := n.steps(ctx, n.c.Phase, n.c.Done)
	if err != nil {
		return err
	}
	steps = steps[:min(len(steps), n.e.sleepBatch)]
	if left := n.c.MaxItems - n.c.Items; n.c.MaxItems > 0 {
		steps = steps[:min(len(steps), left)]
	}
	n.e.front.giveWay(ctx, giveWayFor)
	ready := make([]any, len(steps))
	slow := make([]bool, len(steps))
	for i, s := range steps {
		if p.prepare == nil {
			break
		}
		from := n.e.Now()
		n.idle = 0
		if ready[i], err = p.prepare(ctx, n, s); err != nil {
			return err
		}
		slow[i] = n.e.Now().Sub(from)-n.idle > slowStep
	}
	for {
		// A commit that was begun is waited for: where the checkpoint stands must be known.
		err := n.e.alone(context.WithoutCancel(ctx), n.t, func(ctx context.Context) error { return n.commit(ctx, p, steps, ready, slow) })
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
func (n *night) commit(ctx context.Context, p phase, steps []step, ready []any, slow []bool) error {
	var next cycle
	var did []SleepStep
	var pending bool
	err := n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.c.held(tx); err != nil {
			return err
		}
		next = *n.c
		next.Report = n.c.Report.clone()
		b := &batch{recorder: record(tx), e: n.e, n: n, now: n.t.Now(), report: &next.Report}
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
		n.t.wakePending()
	}
	n.c = &next
	n.tell(p.name, next.Done, next.Plans[next.Phase].Steps, did)
	return nil
}

// endPhase moves the checkpoint behind a phase and writes the report as it stands.
func (n *night) endPhase(ctx context.Context, p phase, began time.Time) error {
	var next cycle
	err := n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.c.held(tx); err != nil {
			return err
		}
		next = *n.c
		next.Report = n.c.Report.clone()
		next.Report.ran(p.name, next.Done, n.e.Now().Sub(began))
		next.Phase, next.Done = next.Phase+1, 0
		if err := putReport(tx, &next); err != nil {
			return err
		}
		return n.save(tx, &next)
	})
	if err == nil {
		n.c = &next // not before: the transaction may run again
	}
	return err
}

// policy is that of a namespace, the same through the night.
func (n *night) policy(r graph.Reader, namespace string) (policy.Policy, error) {
	if n.policies == nil {
		n.policies = policies{}
	}
	return n.policies.in(r, namespace)
}

// tell says how far the phase is to everybody who listens.
func (n *night) tell(p SleepPhase, done, total int, steps []SleepStep) {
	if !n.e.exclusive() {
		n.t.sleep.watchers.nudge() // it reads what is stored
		return
	}
	progress := SleepProgress{Report: n.c.ID, Phase: p, Done: done, Total: total, Steps: steps}
	n.t.sleep.progress.say(progress, true)
}

// clone is a report that can be changed without changing r.
func (r SleepReport) clone() SleepReport {
	r.Phases, r.Skipped = slices.Clone(r.Phases), slices.Clone(r.Skipped)
	r.Review, r.Doubts = slices.Clone(r.Review), slices.Clone(r.Doubts)
	return r
}

// miss notes the parts that were away.
func (r *SleepReport) miss(parts []Part) {
	for _, p := range parts {
		if !slices.Contains(r.Degraded, p) {
			r.Degraded = append(slices.Clip(r.Degraded), p)
		}
	}
}

// listed is how many ids a report names of each sort.
const listed = 200

// skip notes memories that took too long.
func (r *SleepReport) skip(ids []graph.ID) { r.Skipped = note(r.Skipped, ids...) }

// note adds ids to a list of a report as long as it has room.
func note(list []graph.ID, ids ...graph.ID) []graph.ID {
	return append(list, ids[:max(0, min(len(ids), listed-len(list)))]...)
}

// ran notes how a phase went; where a crash cut it in two, the two are one.
func (r *SleepReport) ran(p SleepPhase, items int, took time.Duration) {
	if i := len(r.Phases) - 1; i >= 0 && r.Phases[i].Phase == p {
		r.Phases[i].Items, r.Phases[i].Duration = items, r.Phases[i].Duration+took
		return
	}
	r.Phases = append(r.Phases, PhaseRun{p, items, took})
}
