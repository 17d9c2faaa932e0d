package sleep

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// EngraveSuccessor engraves what has just replaced an engram, and says so in its view.
// Where the recess does not take it, it stays in L2 and the next sleep engraves it.
func (svc *Service) EngraveSuccessor(ctx context.Context, wt *workspace.Tenant, v *workspace.View) {
	t := svc.tenants.Of(wt)
	if svc.Recess == nil {
		return
	}
	ctx = context.WithoutCancel(ctx) // the correction stands: who asked for it may have gone
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
		svc.Log.Error("[ENGRAM] the successor of an engram waits for the next sleep", "id", v.ID, "error", err)
	}
}

// engraveWaits is how long a sleep waits before each further attempt to engrave what the
// recess refused. SPEC section 5.
func engraveWaits() []time.Duration {
	return []time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second, time.Minute}
}

// engrave hands a memory to the recess, and again after a while where it is refused. When
// all attempts were in vain, a letter says so, health warns of it and the memory comes
// again in the next night; the others of this night are tried once each, for a recess that
// is away would keep every one of them waiting.
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

// unengraved writes down that the recess refused a memory.
func (svc *Service) recordRefusal(ctx context.Context, t *tenant, m *graph.Memory, attempts int, why error) {
	at := t.Now()
	err := t.Update(ctx, func(tx graph.Tx) error {
		if now, err := tx.Memory(m.ID); err != nil || now.Status() == graph.Forgotten {
			return err
		}
		return workspace.PutLetter(tx, m, workspace.WorkEngrave, attempts, why, at)
	})
	if err != nil {
		svc.Log.Error("[ENGRAM] that it was refused could not be written down", "id", m.ID, "error", err)
	}
}

// RetryEngrave engraves what the recess refused, where the gates are still open: else the
// letter goes, and a sleep looks at the memory when they are open again.
func (svc *Service) RetryEngrave(ctx context.Context, wt *workspace.Tenant, m *graph.Memory) error {
	t := svc.tenants.Of(wt)
	if err := t.Current(ctx); err != nil {
		return err
	}
	run := &sleepRun{svc: svc, t: t, checkpoint: &checkpoint{At: t.Now()}, recessRefused: true} // one attempt: nobody waits for a ladder
	ready, err := prepareEngrave(ctx, run, plannedStep{Verb: StepEngrave, IDs: []graph.ID{m.ID}})
	if err != nil {
		return err
	}
	found := ready.(engraving)
	if found.tried && !found.done {
		return nil // the letter says so
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
