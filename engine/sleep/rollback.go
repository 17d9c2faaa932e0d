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

// rollbackPeriod is how long after its end a sleep can be rolled back.
const rollbackPeriod = 7 * 24 * time.Hour

// rollbackSetting holds the rollback under way, so that a crash can't leave it half done.
const rollbackSetting = "sleep.rollback"

// taking is a rollback under way.
type rollbackJob struct {
	Report graph.ID  `json:"report"`
	At     time.Time `json:"at"`   // instant of the cycle
	Next   int       `json:"next"` // the note of undoing that comes next, from the last to 0
}

// Rollback takes a sleep or a consolidation back: every memory stands as it did, what was
// made is archived, and the record of when it stood otherwise stays. What was used or
// reinforced since keeps that; what was erased stays erased. At most 7 days after it
// ended, and newest first: VERSION_CONFLICT where a later one, or another change, stands
// on what it did.
func (svc *Service) Rollback(ctx context.Context, c workspace.Caller, id graph.ID) (*Report, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	t.mu.Lock() // no sleep begins meanwhile
	defer t.mu.Unlock()
	if t.running != nil {
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is under way")
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
	ctx = context.WithoutCancel(ctx) // once begun, it is not torn by a client that goes away
	err = t.Update(ctx, func(tx graph.Tx) error { return job.start(tx) })
	if err == nil {
		err = svc.runRollback(ctx, t, job)
	}
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return svc.SleepReport(ctx, c, id)
}

// takesBack checks that a sleep may be taken back now.
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
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is under way")
	}
	later, err := r.Notes(graph.NoteSleep, report.ID, false, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	for _, note := range later {
		other, err := readReport(note)
		if err != nil {
			return nil, err
		}
		if other.Report.RolledBackAt.IsZero() && other.UndoNotes > 0 && stored.overlaps(other) {
			return nil, conflict("sleep %s came after it; roll that one back first", other.Report.ID)
		}
	}
	return &rollbackJob{Report: report.ID, At: stored.At, Next: stored.UndoNotes - 1}, nil
}

// meets reports whether two sleeps may have touched the same memories.
func (r *storedReport) overlaps(other *storedReport) bool {
	return r.Namespace == "" || other.Namespace == "" || r.Namespace == other.Namespace
}

// whetherFree checks that nothing else has changed what the sleep left, before anything
// is written.
func (svc *Service) checkUnchanged(r graph.Reader, stored *storedReport, job *rollbackJob) error {
	checked := map[graph.ID]bool{}
	for number := job.Next; number >= 0; number-- {
		u, err := readUndo(r, job, number)
		if err != nil {
			return err
		}
		for _, p := range u.Memories {
			if checked[p.ID] {
				continue // an earlier step of the same sleep: the last one stands
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

// signals are fields that use and other memories move too: what they are now stays where
// it is not what the sleep left.
var liveFields = []string{"Salience", "Confidence", "ConfidenceDay", "Conflict", "AnchorAt", "UpdatedAt", "Importance", "EmbeddingModel", "Position"}

// stands answers VERSION_CONFLICT where a memory is not any more as the sleep left it.
func (p memoryPatch) checkUnchanged(m *graph.Memory) error {
	if m.Status() == graph.Forgotten {
		return nil
	}
	changed := func(what string) error {
		return graph.FieldError(graph.CodeVersionConflict, "id", "memory %s has another %s since", p.ID, what)
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

// alike reports whether two states are the same in what a sleep changes.
func sameState(a, b graph.State) bool {
	return a.Status == b.Status && a.Tier == b.Tier && a.ValidTo.Equal(b.ValidTo)
}

// restored reports whether a memory that was folded stands by itself again, as it does
// where what it was folded into was erased.
func (p memoryPatch) alreadyRestored(m *graph.Memory) bool {
	return p.Before != nil && p.After.Status == graph.Consolidated && sameState(m.State(), *p.Before)
}

// takeBack runs a rollback to its end. Running it again after a crash goes on where it
// stopped.
func (svc *Service) runRollback(ctx context.Context, t *tenant, job *rollbackJob) error {
	for ; job.Next >= 0; job.Next-- {
		engraved := 0
		err := svc.serial.RunExclusive(ctx, t.Tenant, func(ctx context.Context) error {
			return t.Update(ctx, func(tx graph.Tx) error {
				if err := job.checkCurrent(tx); err != nil {
					return err
				}
				u, err := readUndo(tx, job, job.Next)
				if err != nil {
					return err
				}
				if err := svc.revert(tx, t, job, u); err != nil {
					return err
				}
				if engraved = len(u.Engraved); engraved > 0 {
					return nil // not done until they are withdrawn
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

// takenBack reports whether a rollback is under way.
func rollbackRunning(r graph.Reader) (bool, error) {
	var job rollbackJob
	return lifecycle.ReadSetting(r, rollbackSetting, &job)
}

// begin writes the rollback down, unless another server sleeps or takes something back.
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
		return graph.Errorf(graph.CodeSleepRunning, "a sleep or a rollback is under way")
	}
	return lifecycle.PutSetting(tx, rollbackSetting, job)
}

// held checks that the rollback still stands where this server has brought it: the guard
// of each of its transactions.
func (job *rollbackJob) checkCurrent(tx graph.Tx) error {
	var left rollbackJob
	if found, err := lifecycle.ReadSetting(tx, rollbackSetting, &left); err != nil {
		return err
	} else if !found || left.Report != job.Report || left.Next != job.Next {
		return graph.Errorf(graph.CodeUnavailable, "another server goes on with this rollback")
	}
	return nil
}

// behind writes down that the note that came next is done.
func (job *rollbackJob) advance(tx graph.Tx) error {
	if err := job.checkCurrent(tx); err != nil {
		return err
	}
	left := *job
	left.Next--
	return lifecycle.PutSetting(tx, rollbackSetting, &left)
}

// withdraw takes the engravings of one transaction back, behind the memories: an engram
// that no row stands for is harmless, a row without its engram is not. One that was
// superseded meanwhile stays engraved.
func (svc *Service) withdrawEngravings(ctx context.Context, t *tenant, job *rollbackJob) error {
	var ids []graph.ID
	err := t.View(ctx, func(r graph.Reader) error {
		u, err := readUndo(r, job, job.Next)
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

// ResumeRollback finishes a rollback that was interrupted.
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
