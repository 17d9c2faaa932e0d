package sleep

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// rollbackPeriod is the time after its end during which a sleep can be rolled back.
const rollbackPeriod = 7 * 24 * time.Hour

// RollbackInput selects the sleeps and consolidations to roll back: one by its report, or all that
// ended after an instant.
type RollbackInput struct {
	ID        graph.ID  // of a report; empty: To
	To        time.Time // not in the future and at most 7 days ago; zero: ID
	Namespace string    // only what was done to memories of this namespace; empty: all
	DryRun    bool      // change nothing: the figures after are a prediction
}

// RollbackResult says what a rollback did.
type RollbackResult struct {
	Reports       []Report // of what was rolled back, newest first
	Restored      int      // memories that were put back into an earlier status or tier
	Withdrawn     int      // memories that the sleeps created, and that were archived
	Before, After Figures  // of the namespace, or of the tenant
}

// Rollback rolls sleeps and consolidations back, newest first. It restores the previous state of
// every memory and archives the memories that a sleep created. The history keeps the states in
// between. Uses and reinforcements since the sleep stay. Erased memories stay erased. A
// sleep can be rolled back up to 7 days after its end, newest first: VERSION_CONFLICT if a
// later sleep or another change depends on its result. With a namespace, the other
// namespaces stay as the sleep left them and can be rolled back later. Everything is checked
// before the first write.
func (svc *Service) Rollback(ctx context.Context, c workspace.Caller, in RollbackInput) (*RollbackResult, error) {
	t, err := svc.openWhole(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := svc.checkRollbackInput(in); err != nil {
		return nil, err
	}
	t.mu.Lock() // no sleep begins in the meantime
	defer t.mu.Unlock()
	if t.running != nil {
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is in progress")
	}
	if err := svc.ResumeRollback(ctx, t.Tenant); err != nil {
		return nil, svc.PublicError(err)
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	plan := &rollbackPlan{svc: svc, t: t, in: in}
	if err := t.View(ctx, plan.read); err != nil {
		return nil, svc.PublicError(err)
	}
	if !in.DryRun && len(plan.jobs) > 0 {
		ctx = context.WithoutCancel(ctx) // a client that disconnects does not interrupt a rollback
		job := plan.jobs[0]
		job.Rest = plan.jobs[1:]
		err = t.Update(ctx, func(tx graph.Tx) error { return job.start(tx) })
		if err == nil {
			err = svc.runRollback(ctx, t, job)
			svc.groups.Changed(t.Tenant)
		}
		if err != nil {
			return nil, svc.PublicError(err)
		}
	}
	return plan.result(ctx)
}

func (svc *Service) checkRollbackInput(in RollbackInput) error {
	now := svc.Now()
	switch {
	case in.ID == "" && in.To.IsZero():
		return graph.FieldError(graph.CodeInvalidRequest, "id", "must be given, unless to is")
	case in.ID != "" && !in.To.IsZero():
		return graph.FieldError(graph.CodeInvalidRequest, "to", "can't be given together with id")
	case in.ID != "" && !in.ID.Valid():
		return graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	case in.To.After(now):
		return graph.FieldError(graph.CodeInvalidRequest, "to", "must not be in the future")
	case !in.To.IsZero() && now.Sub(in.To) > rollbackPeriod:
		return graph.FieldError(graph.CodeInvalidRequest, "to", "must be at most 7 days ago")
	case in.Namespace != "" && !graph.ValidNamespace(in.Namespace):
		return graph.NamespaceError("namespace")
	}
	return nil
}

// runRollback runs a rollback to its end. A call after a crash resumes it.
func (svc *Service) runRollback(ctx context.Context, t *tenant, job *rollbackJob) error {
	for {
		for ; job.Next >= 0; job.Next-- {
			if err := svc.runRollbackNote(ctx, t, job); err != nil {
				return err
			}
		}
		if err := t.Update(ctx, func(tx graph.Tx) error { return job.finish(tx, t.Now()) }); err != nil {
			return err
		}
		if len(job.Rest) == 0 {
			return nil
		}
		job = job.following()
	}
}

// runRollbackNote undoes one transaction of a sleep.
func (svc *Service) runRollbackNote(ctx context.Context, t *tenant, job *rollbackJob) error {
	engraved := 0
	err := svc.serial.RunExclusive(ctx, t.Tenant, func(ctx context.Context) error {
		return t.Update(ctx, func(tx graph.Tx) error {
			if err := job.checkCurrent(tx); err != nil {
				return err
			}
			u, err := job.readUndo(tx, job.Next)
			if err != nil {
				return err
			}
			if err := svc.revert(tx, t, job, u); err != nil {
				return err
			}
			if engraved = len(u.Engraved); engraved > 0 {
				return nil // advance only after the engravings are withdrawn
			}
			return job.advance(tx)
		})
	})
	if err != nil || engraved == 0 {
		return err
	}
	if err := svc.withdrawEngravings(ctx, t, job); err != nil {
		return err
	}
	return t.Update(ctx, job.advance)
}

// withdrawEngravings withdraws the engravings of one transaction, after the rows are
// restored: an engram without an L3 row is harmless, an L3 row without an engram is not. A
// memory that is still in L3, because it was superseded in the meantime, keeps its engram.
func (svc *Service) withdrawEngravings(ctx context.Context, t *tenant, job *rollbackJob) error {
	var ids []graph.ID
	err := t.View(ctx, func(r graph.Reader) error {
		u, err := job.readUndo(r, job.Next)
		if err != nil {
			return err
		}
		found, err := r.Memories(u.Engraved)
		ids = slices.DeleteFunc(slices.Clone(u.Engraved), func(id graph.ID) bool {
			return slices.ContainsFunc(found, func(m *graph.Memory) bool { return m != nil && m.ID == id && m.State().Tier == graph.L3 })
		})
		return err
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	if svc.Recess == nil {
		return graph.Errorf(graph.CodeUnavailable, "the recess is not open; its engravings can't be withdrawn")
	}
	return svc.Recess.Withdraw(ctx, t.Scope, ids)
}

// ResumeRollback finishes an interrupted rollback.
func (svc *Service) ResumeRollback(ctx context.Context, wt *workspace.Tenant) error {
	t := svc.tenants.Of(wt)
	var job rollbackJob
	var found bool
	err := t.View(ctx, func(r graph.Reader) (err error) {
		found, err = lifecycle.ReadSetting(r, rollbackSetting, &job)
		return err
	})
	if err != nil || !found {
		return err
	}
	return svc.runRollback(ctx, t, &job)
}

// finish records in the report that the rollback is done, and continues with the next one.
func (job *rollbackJob) finish(tx graph.Tx, now time.Time) error {
	if err := job.checkCurrent(tx); err != nil {
		return err
	}
	note, err := tx.Note(graph.NoteSleep, job.Report)
	if err != nil {
		return err
	}
	stored, err := readReport(note)
	if err != nil {
		return err
	}
	if job.Namespace == "" || job.Namespace == stored.Namespace {
		stored.Report.RolledBackAt = now
	} else {
		stored.Report.RolledBackIn = append(stored.Report.RolledBackIn, NamespaceRollback{job.Namespace, now})
	}
	if note.Data, err = json.Marshal(stored); err != nil {
		return err
	}
	if err := tx.PutNote(*note); err != nil {
		return err
	}
	var last lastSleep
	if _, err := lifecycle.ReadSetting(tx, lastSleepSetting, &last); err != nil {
		return err
	}
	if stored.Report.Kind == DeepSleep {
		last.CompleteDeepAt = time.Time{} // the work of its night is to be done again
	}
	if err := lifecycle.PutSetting(tx, lastSleepSetting, last); err != nil {
		return err
	}
	if len(job.Rest) == 0 {
		return tx.PutSetting(rollbackSetting, nil)
	}
	return lifecycle.PutSetting(tx, rollbackSetting, job.following())
}
