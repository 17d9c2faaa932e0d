package sleep

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// engraving is the result of preparing to engrave a memory.
type engraving struct {
	doubt bool // an ACTIVE memory contradicts it
	tried bool // the attempt was made
	done  bool // it is in the recess
}

// tookEffect reports an engram that is in the recess. On a slow disk no memory would ever become permanent if its step were skipped then.
func (e engraving) tookEffect() bool { return e.done }

// prepareEngrave takes a second look for contradictions and engraves the memory in the
// recess. An engram in the recess whose memory is not in L3 is harmless: the row decides
// the tier.
func prepareEngrave(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	var m *graph.Memory
	var vector []float32
	var ready engraving
	var rivals []rival
	below := 0.0
	shared := false // the vector includes merged memories; an engram never changes, so it gets the vector of its own content
	err := run.view(ctx, func(r graph.Reader) (err error) {
		if m, err = r.Memory(s.IDs[0]); err != nil {
			return err
		}
		if vector, err = r.Embedding(m.ID); err != nil && !errors.Is(err, graph.ErrNotFound) {
			return err
		}
		p, err := run.policy(r, m.Namespace)
		if err != nil {
			return err
		}
		if opens, err := run.gatesOpen(r, m, p); err != nil || !opens {
			m = nil
			return err
		}
		folded, err := r.Edges(m.ID, graph.Out, graph.DerivedFrom)
		if err != nil {
			return err
		}
		shared = len(folded) > 0 && vector != nil && !lifecycle.MadeOfOthers(m)
		below = p.EngraveConflict
		ready.doubt, rivals, err = run.secondLook(ctx, r, m, vector, p)
		return err
	})
	if err != nil || m == nil || ready.doubt {
		return ready, err
	}
	if fine, err := run.uncontradicted(ctx, m, rivals, below); err != nil || !fine {
		ready.doubt = !fine && err == nil
		return ready, err
	}
	ready.tried = true
	if run.dryRun {
		ready.done = true
		return ready, nil
	}
	if shared && run.svc.Ceilings.Embedder.Allows(m) {
		vectors, err := run.svc.Embedder.Embed(ctx, []string{m.Content}, models.Passage)
		if err != nil {
			run.svc.Log.Warn("[ENGRAM] not engraved: the embedder is not available", "id", m.ID, "error", err)
			return ready, ctx.Err()
		}
		vector = vectors[0]
	}
	if err := run.engraveWithRetries(ctx, m, vector); err != nil {
		// The memory stays in L2 and is tried again in the next night. The other steps
		// continue.
		run.svc.Log.Error("[ENGRAM] not engraved", "id", m.ID, "error", err)
		return ready, ctx.Err()
	}
	ready.done = true
	return ready, nil
}

func applyEngrave(b *batch, s plannedStep, ready any) error {
	found := ready.(engraving)
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	if found.doubt {
		b.report.Doubts = appendListed(b.report.Doubts, m.ID)
		return nil
	}
	p, err := b.run.policy(b, m.Namespace)
	if err != nil || !found.done || m.State().Tier != graph.L2 {
		return err
	}
	if opens, err := b.run.gatesOpen(b, m, p); err != nil || !opens {
		return err
	}
	m.SetState(b.now, func(s *graph.State) { s.Tier = graph.L3 })
	m.UpdatedAt = b.now
	b.report.Engraved++
	b.undo.Engraved = append(b.undo.Engraved, m.ID)
	b.did(StepEngrave, "", m.ID)
	if err := workspace.DropLetter(b, m, workspace.WorkEngrave); err != nil {
		return err
	}
	return b.PutMemory(m, graph.EventEngraved)
}

// gatesOpen reports whether all gates to L3 are open for a memory. The memory may still be about to rise from L1.
func (run *sleepRun) gatesOpen(r graph.Reader, m *graph.Memory, p policy.Policy) (bool, error) {
	if m.Pattern != nil {
		return false, nil // it has versions, and is derived again
	}
	s := m.State()
	if s.Status == graph.Active && (s.Tier == graph.L2 || run.promotable(m, p)) && engraves(p, m.Usage, m.Confidence, m.Conflict) && lifecycle.MayBePermanent(m) {
		return true, nil
	}
	return lifecycle.SucceedsEngram(r, m)
}

// engraves reports whether the gates of a policy are open for a memory with this usage.
func engraves(p policy.Policy, u graph.Usage, confidence, conflict float64) bool {
	return p.Engraves(len(u.CertainDays()), len(u.Sessions), confidence, conflict)
}

// engraveWaits returns the default waits before further attempts to engrave a memory that
// the recess refused.
func engraveWaits() []time.Duration {
	return []time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second, time.Minute}
}

// engraveWithRetries engraves a memory, with retries if the recess refuses it. After the
// last attempt it writes a dead letter, health reports a warning, and the next night tries
// again. The remaining memories of this night get one attempt each, because an unavailable
// recess would delay every one of them.
func (run *sleepRun) engraveWithRetries(ctx context.Context, m *graph.Memory, vector []float32) error {
	attempts := 0
	try := func() error {
		attempts++
		return run.svc.Recess.Engrave(ctx, run.t.Scope, m, vector, run.checkpoint.At)
	}
	err := try()
	from := run.svc.Now()
	for _, wait := range run.svc.options.EngraveWaits {
		if err == nil || run.recessRefused || run.checkpoint.MaxTime > 0 && run.timeSpent()+wait > run.checkpoint.MaxTime {
			break
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		err = try()
	}
	run.waitTime += run.svc.Now().Sub(from)
	if err != nil {
		run.recessRefused = true
		run.svc.recordRefusal(ctx, run.t, m, attempts, err)
	}
	return err
}

// recordRefusal writes a dead letter for a memory that the recess refused.
func (svc *Service) recordRefusal(ctx context.Context, t *tenant, m *graph.Memory, attempts int, why error) {
	at := t.Now()
	err := t.Update(ctx, func(tx graph.Tx) error {
		if now, err := tx.Memory(m.ID); err != nil || now.Status() == graph.Forgotten {
			return err
		}
		return workspace.PutLetter(tx, m, workspace.WorkEngrave, attempts, why, at)
	})
	if err != nil {
		svc.Log.Error("[ENGRAM] the dead letter of a refused engraving could not be written", "id", m.ID, "error", err)
	}
}

// RetryEngrave makes one attempt to engrave a memory that the recess refused, if the gates
// are still open. Otherwise it deletes the dead letter; a sleep engraves the memory when
// the gates are open again.
func (svc *Service) RetryEngrave(ctx context.Context, wt *workspace.Tenant, m *graph.Memory) error {
	t := svc.tenants.Of(wt)
	if err := t.Current(ctx); err != nil {
		return err
	}
	run := &sleepRun{svc: svc, t: t, checkpoint: &checkpoint{At: t.Now()}, recessRefused: true} // a single attempt, without waits
	ready, err := prepareEngrave(ctx, run, plannedStep{Verb: StepEngrave, IDs: []graph.ID{m.ID}})
	if err != nil {
		return err
	}
	found := ready.(engraving)
	if found.tried && !found.done {
		return nil // the dead letter was updated
	}
	return t.Update(ctx, func(tx graph.Tx) error {
		m, err := tx.Memory(m.ID)
		if err != nil {
			return err
		}
		if err := workspace.DropLetter(tx, m, workspace.WorkEngrave); err != nil || !found.done {
			return err
		}
		p, err := run.policy(tx, m.Namespace)
		if err != nil {
			return err
		}
		if opens, err := run.gatesOpen(tx, m, p); err != nil || !opens || m.State().Tier != graph.L2 {
			return err
		}
		m.UpdatedAt = m.SetState(t.Now(), func(s *graph.State) { s.Tier = graph.L3 })
		return tx.PutMemory(m, graph.EventEngraved)
	})
}

// EngraveSuccessor engraves the memory that has just replaced an engram, and updates its
// view. If the recess refuses it, it stays in L2 and the next sleep engraves it.
func (svc *Service) EngraveSuccessor(ctx context.Context, wt *workspace.Tenant, v *workspace.View) {
	t := svc.tenants.Of(wt)
	if svc.Recess == nil {
		return
	}
	ctx = context.WithoutCancel(ctx) // the correction is stored, so the caller's cancellation does not apply
	var m *graph.Memory
	var vector []float32
	succeeds := false
	err := t.View(ctx, func(r graph.Reader) (err error) {
		if m, err = r.Memory(v.ID); err != nil {
			return err
		}
		if succeeds, err = lifecycle.SucceedsEngram(r, m); err != nil || !succeeds {
			return err
		}
		if vector, err = r.Embedding(m.ID); errors.Is(err, graph.ErrNotFound) {
			return nil
		}
		return err
	})
	if err == nil && succeeds {
		if err = svc.Recess.Engrave(ctx, t.Scope, m, vector, t.Now()); err != nil {
			svc.recordRefusal(ctx, t, m, 1, err)
		} else {
			err = t.Update(ctx, func(tx graph.Tx) (err error) {
				if m, err = tx.Memory(v.ID); err != nil {
					return err
				}
				if still, err := lifecycle.SucceedsEngram(tx, m); err != nil || !still {
					return err
				}
				m.UpdatedAt = m.SetState(t.Now(), func(s *graph.State) { s.Tier = graph.L3 })
				return tx.PutMemory(m, graph.EventEngraved)
			})
		}
		if err == nil {
			*v = *workspace.NewView(m, v.Access, t.Now())
		}
	}
	if err != nil {
		svc.Log.Error("[ENGRAM] the successor of an engram could not be engraved; the next sleep tries again", "id", v.ID, "error", err)
	}
}
