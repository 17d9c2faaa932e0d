package sleep

import (
	"bytes"
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

// rollbackSetting holds the running rollback, so that a rollback interrupted by a crash is
// resumed.
const rollbackSetting = "sleep.rollback"

// rollbackJob is a running rollback.
type rollbackJob struct {
	Report graph.ID  `json:"report"`
	At     time.Time `json:"at"`   // instant of the cycle
	Next   int       `json:"next"` // the next undo note, from the last down to 0
}

// Rollback rolls a sleep or a consolidation back. It restores the previous state of every
// memory and archives the memories that the sleep created. The history keeps the states in
// between. Uses and reinforcements since the sleep stay. Erased memories stay erased. A
// sleep can be rolled back up to 7 days after its end, newest first: VERSION_CONFLICT if a
// later sleep or another change depends on its result.
func (svc *Service) Rollback(ctx context.Context, c workspace.Caller, id graph.ID) (*Report, error) {
	t, err := svc.openWhole(ctx, c)
	if err != nil {
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
	var job *rollbackJob
	err = svc.report(ctx, c, id, func(r graph.Reader, stored *storedReport) error {
		if job, err = svc.checkRollback(r, stored); err != nil {
			return err
		}
		return svc.checkUnchanged(r, stored, job)
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	ctx = context.WithoutCancel(ctx) // a client that disconnects does not interrupt a rollback
	err = t.Update(ctx, func(tx graph.Tx) error { return job.start(tx) })
	if err == nil {
		err = svc.runRollback(ctx, t, job)
	}
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return svc.SleepReport(ctx, c, id)
}

// checkRollback checks that a sleep can be rolled back now.
func (svc *Service) checkRollback(r graph.Reader, stored *storedReport) (*rollbackJob, error) {
	conflict := func(format string, args ...any) error {
		return graph.FieldError(graph.CodeVersionConflict, "id", format, args...)
	}
	report := stored.Report
	switch {
	case report.CompletedAt.IsZero():
		return nil, graph.FieldError(graph.CodeSleepRunning, "id", "has not ended yet")
	case !report.RolledBackAt.IsZero():
		return nil, conflict("was rolled back already")
	case svc.Now().Sub(report.CompletedAt) > rollbackPeriod:
		return nil, conflict("ended more than 7 days ago")
	}
	if current, err := readCheckpoint(r); err != nil || current != nil {
		if err != nil {
			return nil, err
		}
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is in progress")
	}
	later, err := listReports(r, report.ID, false, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	for _, other := range later {
		if other.Report.RolledBackAt.IsZero() && other.UndoNotes > 0 && stored.overlaps(other) {
			return nil, conflict("sleep %s is later; roll that one back first", other.Report.ID)
		}
	}
	return &rollbackJob{Report: report.ID, At: stored.At, Next: stored.UndoNotes - 1}, nil
}

// overlaps reports whether two sleeps may have changed the same memories.
func (r *storedReport) overlaps(other *storedReport) bool {
	return r.Namespace == "" || other.Namespace == "" || r.Namespace == other.Namespace
}

// checkUnchanged checks before the first write that nothing else has changed the result of
// the sleep.
func (svc *Service) checkUnchanged(r graph.Reader, stored *storedReport, job *rollbackJob) error {
	checked := map[graph.ID]bool{}
	for number := job.Next; number >= 0; number-- {
		u, err := readUndo(r, job.At, job.Report, number)
		if err != nil {
			return err
		}
		for _, p := range u.Memories {
			if checked[p.ID] {
				continue // an earlier step of the same sleep; only the last one must match
			}
			checked[p.ID] = true
			m, err := r.Memory(p.ID)
			if err != nil {
				return err
			}
			if err := p.checkUnchanged(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// liveFields are fields that uses and other memories change too. A rollback keeps their
// present value if it differs from the value that the sleep left.
var liveFields = []string{"Salience", "Confidence", "ConfidenceDay", "Conflict", "AnchorAt", "UpdatedAt", "Importance", "EmbeddingModel", "Position"}

// checkUnchanged returns VERSION_CONFLICT if a memory has changed since the sleep.
func (p memoryPatch) checkUnchanged(m *graph.Memory) error {
	if m.Status() == graph.Forgotten {
		return nil
	}
	changed := func(what string) error {
		return graph.FieldError(graph.CodeVersionConflict, "id", "the %[2]s of memory %[1]s has changed since", p.ID, what)
	}
	if p.After != nil && !sameState(m.State(), *p.After) && !p.alreadyRestored(m) {
		return changed("state")
	}
	is, err := fieldsOf(m)
	if err != nil {
		return err
	}
	for name, c := range p.Fields {
		if !slices.Contains(liveFields, name) && !bytes.Equal(is[name], c.After) && !bytes.Equal(is[name], c.Before) {
			return changed(name)
		}
	}
	return nil
}

// sameState reports whether two states agree in the fields that a sleep changes.
func sameState(a, b graph.State) bool {
	return a.Status == b.Status && a.Tier == b.Tier && a.ValidTo.Equal(b.ValidTo)
}

// alreadyRestored reports whether a merged memory is already restored, because the memory
// that it was merged into was erased.
func (p memoryPatch) alreadyRestored(m *graph.Memory) bool {
	return p.Before != nil && p.After.Status == graph.Consolidated && sameState(m.State(), *p.Before)
}

// runRollback runs a rollback to its end. A call after a crash resumes it.
func (svc *Service) runRollback(ctx context.Context, t *tenant, job *rollbackJob) error {
	for ; job.Next >= 0; job.Next-- {
		engraved := 0
		err := svc.serial.RunExclusive(ctx, t.Tenant, func(ctx context.Context) error {
			return t.Update(ctx, func(tx graph.Tx) error {
				if err := job.checkCurrent(tx); err != nil {
					return err
				}
				u, err := readUndo(tx, job.At, job.Report, job.Next)
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
		if err != nil {
			return err
		}
		if engraved == 0 {
			continue
		}
		if err := svc.withdrawEngravings(ctx, t, job); err != nil {
			return err
		}
		if err := t.Update(ctx, job.advance); err != nil {
			return err
		}
	}
	return t.Update(ctx, func(tx graph.Tx) error {
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
		stored.Report.RolledBackAt = t.Now()
		if note.Data, err = json.Marshal(stored); err != nil {
			return err
		}
		if err := tx.PutNote(*note); err != nil {
			return err
		}
		return tx.PutSetting(rollbackSetting, nil)
	})
}

// rollbackRunning reports whether a rollback is running.
func rollbackRunning(r graph.Reader) (bool, error) {
	var job rollbackJob
	return lifecycle.ReadSetting(r, rollbackSetting, &job)
}

// start stores the rollback, unless a sleep or another rollback is running.
func (job *rollbackJob) start(tx graph.Tx) error {
	current, err := readCheckpoint(tx)
	if err != nil {
		return err
	}
	taken, err := rollbackRunning(tx)
	if err != nil {
		return err
	}
	if current != nil || taken {
		return graph.Errorf(graph.CodeSleepRunning, "a sleep or a rollback is in progress")
	}
	return lifecycle.PutSetting(tx, rollbackSetting, job)
}

// checkCurrent checks that no other server has advanced the rollback. It guards each
// transaction of a rollback.
func (job *rollbackJob) checkCurrent(tx graph.Tx) error {
	var left rollbackJob
	if found, err := lifecycle.ReadSetting(tx, rollbackSetting, &left); err != nil {
		return err
	} else if !found || left.Report != job.Report || left.Next != job.Next {
		return graph.Errorf(graph.CodeUnavailable, "another server continues this rollback")
	}
	return nil
}

// advance records that the current undo note is done.
func (job *rollbackJob) advance(tx graph.Tx) error {
	if err := job.checkCurrent(tx); err != nil {
		return err
	}
	left := *job
	left.Next--
	return lifecycle.PutSetting(tx, rollbackSetting, &left)
}

// withdrawEngravings withdraws the engravings of one transaction, after the rows are
// restored: an engram without an L3 row is harmless, an L3 row without an engram is not. A
// memory that is still in L3, because it was superseded in the meantime, keeps its engram.
func (svc *Service) withdrawEngravings(ctx context.Context, t *tenant, job *rollbackJob) error {
	var ids []graph.ID
	err := t.View(ctx, func(r graph.Reader) error {
		u, err := readUndo(r, job.At, job.Report, job.Next)
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
