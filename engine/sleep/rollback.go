package sleep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

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
	t.sleep.mu.Lock() // no sleep begins meanwhile
	defer t.sleep.mu.Unlock()
	if t.sleep.run != nil {
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

func readUndo(r graph.Reader, job *rollbackJob, number int) (*undoRecord, error) {
	id, err := undoNoteID(job.At, job.Report, number)
	if err != nil {
		return nil, err
	}
	note, err := r.Note(graph.NoteUndo, id)
	if err != nil {
		return nil, fmt.Errorf("read what to undo: %w", err)
	}
	var u undoRecord
	if err := json.Unmarshal(note.Data, &u); err != nil {
		return nil, fmt.Errorf("%w: undo note: %w", graph.ErrIntegrity, err)
	}
	return &u, nil
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

// takenBack reports whether a rollback is under way.
func rollbackRunning(r graph.Reader) (bool, error) {
	var job rollbackJob
	return lifecycle.ReadSetting(r, rollbackSetting, &job)
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

// undo takes the steps of one transaction back.
func (svc *Service) revert(tx graph.Tx, t *tenant, job *rollbackJob, u *undoRecord) error {
	now := t.Now()
	for _, p := range u.Memories {
		if err := p.revert(tx, now); err != nil {
			return err
		}
	}
	for _, id := range u.Vectors {
		if err := restoreVector(tx, job, id); err != nil {
			return err
		}
	}
	made := map[graph.ID]bool{}
	for _, p := range u.Memories {
		made[p.ID] = p.Made
	}
	for i := len(u.Edges) - 1; i >= 0; i-- {
		// What was made stays readable, so its origin stays too: an erasure has to find it.
		if made[u.Edges[i].From] && u.Edges[i].Kind == graph.DerivedFrom {
			continue
		}
		if err := u.Edges[i].revert(tx); err != nil {
			return err
		}
	}
	for i := len(u.Relations) - 1; i >= 0; i-- {
		if err := u.Relations[i].revert(tx); err != nil {
			return err
		}
	}
	for _, id := range u.Dropped {
		if err := restoreRelation(tx, job, id); err != nil {
			return err
		}
	}
	// With all that came back in its place: what changed meanwhile is taken into account.
	for _, p := range u.Memories {
		if p.Before == nil || p.Before.Status != graph.Active || p.After.Status == graph.Active {
			continue
		}
		m, err := tx.Memory(p.ID)
		if err != nil {
			return err
		}
		if m.Status() != graph.Active {
			continue // erased meanwhile
		}
		if err := lifecycle.RecomputeReactivated(tx, m, now); err != nil {
			return err
		}
	}
	return nil
}

func (p memoryPatch) revert(tx graph.Tx, now time.Time) error {
	m, err := tx.Memory(p.ID)
	if err != nil {
		return err
	}
	if m.Status() == graph.Forgotten {
		return nil
	}
	if p.Made {
		if m.Status() == graph.Archived {
			return nil
		}
		m.SetState(now, func(s *graph.State) { s.Status = graph.Archived })
		m.UpdatedAt = now
		if err := tx.PutMemory(m, graph.EventArchived); err != nil {
			return err
		}
		return lifecycle.RecomputeConflicts(tx, m, now)
	}
	is, err := fieldsOf(m)
	if err != nil {
		return err
	}
	before := map[string]json.RawMessage{}
	for name, c := range p.Fields {
		if bytes.Equal(is[name], c.After) {
			before[name] = c.Before
		}
	}
	text, err := json.Marshal(before)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, m); err != nil {
		return fmt.Errorf("%w: undo note: %w", graph.ErrIntegrity, err)
	}
	if p.Before != nil && sameState(m.State(), *p.After) {
		m.SetState(now, func(s *graph.State) { s.Status, s.Tier, s.ValidTo = p.Before.Status, p.Before.Tier, p.Before.ValidTo })
	}
	return tx.PutMemory(m, graph.EventUpdated)
}

// kept reads what a note of its own keeps; false where an erasure has emptied it.
func (job *rollbackJob) readSaved(r graph.Reader, kind string, id graph.ID, into any) (bool, error) {
	at, err := savedNoteID(job.At, job.Report, kind, id)
	if err != nil {
		return false, err
	}
	note, err := r.Note(graph.NoteUndo, at)
	if err != nil || note.Data == nil {
		return false, err
	}
	if err := json.Unmarshal(note.Data, into); err != nil {
		return false, fmt.Errorf("%w: undo note: %w", graph.ErrIntegrity, err)
	}
	return true, nil
}

// restoreVector puts back the vector that a sleep replaced, unless it is one of a model
// that is not in use any more.
func restoreVector(tx graph.Tx, job *rollbackJob, id graph.ID) error {
	var since time.Time
	if _, err := lifecycle.ReadSetting(tx, workspace.SinceSetting, &since); err != nil || !job.At.After(since) {
		return err
	}
	var v []float32
	if there, err := job.readSaved(tx, savedVector, id, &v); err != nil || !there {
		return err
	}
	return tx.PutEmbedding(id, v)
}

// restoreRelation puts back a relation that a sleep dropped, unless it was said anew.
func restoreRelation(tx graph.Tx, job *rollbackJob, id graph.ID) error {
	var x graph.Relation
	if there, err := job.readSaved(tx, savedRelation, id, &x); err != nil || !there {
		return err
	}
	if _, err := tx.Relation(x.Source, x.Predicate, x.Target); !errors.Is(err, graph.ErrNotFound) {
		return err
	}
	for _, end := range []graph.ID{x.Source, x.Target} {
		if _, err := tx.Entity(end); errors.Is(err, graph.ErrNotFound) {
			return nil // it went with an erasure
		} else if err != nil {
			return err
		}
	}
	return tx.PutRelation(&x)
}

func (p *edgePatch) revert(tx graph.Tx) error {
	if p.Before == nil {
		return tx.DeleteEdge(p.From, p.Kind, p.To)
	}
	gone, err := anyForgotten(tx, p.From, p.To)
	if err != nil || gone {
		return err
	}
	return tx.PutEdge(*p.Before)
}

// undo gives a relation the strength it had, unless it has another since.
func (p *relationPatch) revert(tx graph.Tx) error {
	x, err := tx.RelationByID(p.ID)
	if errors.Is(err, graph.ErrNotFound) {
		return nil
	}
	if err != nil || !strengthOf(x).equal(p.After) {
		return err
	}
	x.Strength, x.StrengthAt = p.Before.Raw, p.Before.At
	return tx.PutRelation(x)
}

// anyForgotten reports whether one of the memories was erased.
func anyForgotten(r graph.Reader, ids ...graph.ID) (bool, error) {
	found, err := r.Memories(ids)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(found, func(m *graph.Memory) bool { return m == nil || m.Status() == graph.Forgotten }), nil
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
