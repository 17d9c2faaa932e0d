package ingest

import (
	"context"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxDecisions is the number of adjudications in one transaction.
const maxDecisions = 16

// decision is a queued adjudication.
type decision struct {
	*workspace.Ticket
	caller   workspace.Caller
	draft    *Draft
	in       AdjudicateInput
	quorum   float64
	opinions map[graph.ID]opinion
	answer   *Adjudication
	err      error
	done     chan struct{} // closed when answer or err is set
}

// sequence returns the name of the sequence that the decision needs.
func (x *decision) sequence() string {
	return workspace.SubjectSequence(x.draft.Memory.Namespace, x.draft.Memory.Subject)
}

// decide queues a decision and waits for its result.
func (svc *Service) decide(ctx context.Context, t *tenant, x *decision) (*Adjudication, error) {
	reach := svc.StoreAlive(ctx)
	if reach.Err() != nil {
		return nil, workspace.ErrStoreUnavailable
	}
	x.Ticket, x.done, x.draft.call = t.Enqueue(ctx), make(chan struct{}), audit.From(ctx)
	select {
	case t.decisions <- x:
	case <-reach.Done():
		x.Leave()
		return nil, workspace.ErrStoreUnavailable
	case <-x.UntilTooLate.Done():
		x.Leave()
		return nil, x.Refusal()
	case <-svc.Ctx.Done():
		x.Leave()
		return nil, workspace.ErrClosing
	}
	if err := x.Await(ctx, x.done, reach); err != nil {
		return nil, err
	}
	return x.answer, x.err
}

// runDecisions takes the decisions of a tenant through its writer until Close. Decisions
// that are queued together share a transaction if their subjects differ. Decisions on one
// subject are serial in order of arrival.
func (svc *Service) runDecisions(t *tenant) {
	var waiting []*decision
	for {
		if len(waiting) == 0 {
			select {
			case <-svc.Ctx.Done():
				return
			case x := <-t.decisions:
				waiting = append(waiting, x)
			}
		}
		err := svc.RunExclusive(context.WithoutCancel(svc.Ctx), t.Tenant, func(ctx context.Context) error {
			var group []*decision
			group, waiting = selectIndependent(collectWaiting(t, waiting))
			svc.decideAll(ctx, t, group)
			return nil
		})
		if err != nil {
			for _, x := range waiting {
				x.err = err
				close(x.done)
			}
			return
		}
	}
}

// collectWaiting appends the decisions that are queued now.
func collectWaiting(t *tenant, waiting []*decision) []*decision {
	for len(waiting) < 2*maxDecisions {
		select {
		case x := <-t.decisions:
			waiting = append(waiting, x)
			continue
		default:
		}
		break
	}
	return waiting
}

// selectIndependent selects the decisions that can share a transaction: the first one of
// each sequence.
func selectIndependent(waiting []*decision) (group, deferred []*decision) {
	sequences := map[string]bool{}
	for _, x := range waiting {
		sequence := x.sequence()
		if sequences[sequence] || len(group) == maxDecisions {
			sequences[sequence] = true // keeps the order within a sequence
			deferred = append(deferred, x)
			continue
		}
		if !x.Begin() {
			x.err = x.Refusal()
			close(x.done)
			continue
		}
		sequences[sequence] = true
		group = append(group, x)
	}
	return group, deferred
}

// decideAll sets the result of each decision in a group. If the group fails because of one
// decision, each is decided in its own transaction, so that only the faulty one fails.
func (svc *Service) decideAll(ctx context.Context, t *tenant, group []*decision) {
	err := svc.decideTogether(ctx, t, group)
	for _, x := range group {
		switch {
		case err == nil:
		case len(group) > 1 && graph.CodeOf(err) != graph.CodeUnavailable:
			x.err = svc.decideTogether(ctx, t, []*decision{x})
		default:
			x.err = err
		}
		close(x.done)
	}
}

// decideTogether decides a group in one transaction.
func (svc *Service) decideTogether(ctx context.Context, t *tenant, group []*decision) error {
	if len(group) == 0 {
		return nil
	}
	drafts, sequenceNames := make([]*Draft, len(group)), make([]string, len(group))
	for i, x := range group {
		drafts[i], sequenceNames[i] = x.draft, x.sequence()
	}
	return t.InSequences(ctx, sequenceNames, func(ctx context.Context, sequences []*workspace.Sequence) error {
		now := t.Now()
		near, err := svc.neighbours(ctx, t, drafts, now)
		if err != nil {
			return err
		}
		expected := graph.Expected{Settings: sequenceNames}
		for i, d := range drafts {
			expected.Subjects = append(expected.Subjects, d.Memory.Subject)
			for _, n := range near[i] {
				expected.Memories = append(expected.Memories, n.ID)
			}
		}
		answers := make([]*Adjudication, len(group))
		charge := t.Charge(ctx)
		err = t.Update(ctx, func(tx graph.Tx) error {
			charge.Reset()
			if err := expect(tx, drafts, expected); err != nil {
				return err
			}
			s := &WriteTx{svc: svc, t: t, Tx: tx, Now: now, charge: charge}
			for i, x := range group {
				audit.Attribute(tx, x.draft.call)
				s.sequence, s.opinions = sequences[i], x.opinions
				draft := *x.draft // a second run of the transaction needs the original
				memory := *x.draft.Memory
				draft.Memory = &memory
				if answers[i], err = s.adjudicate(ctx, x.caller, &draft, x.in, x.quorum, near[i]); err != nil {
					return err
				}
			}
			return nil
		})
		charge.End(err == nil)
		if err == nil {
			for i, x := range group {
				x.answer = answers[i]
			}
		}
		return err
	})
}

// visibleNeighbours returns the neighbours of a draft after the earlier decisions of this
// transaction: with the memories that they wrote, and without those that they replaced.
func (s *WriteTx) visibleNeighbours(d *Draft, near []Neighbour) []Neighbour {
	if len(s.written) == 0 && len(s.replaced) == 0 {
		return near
	}
	return s.WithWritten(d, near)
}

// noteClosed removes a replaced belief from the neighbours of later decisions, and adds
// its successor.
func (s *WriteTx) noteClosed(belief, next *graph.Memory, d *Draft) {
	if s.replaced == nil {
		s.replaced = map[graph.ID]bool{}
	}
	s.replaced[belief.ID] = true
	s.NoteWritten(next, d)
}
