package sleep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// readUndo reads the undo record with a number, of a sleep with its instant and report.
func readUndo(r graph.Reader, at time.Time, report graph.ID, number int) (*undoRecord, error) {
	id, err := undoNoteID(at, report, number)
	if err != nil {
		return nil, err
	}
	note, err := r.Note(graph.NoteUndo, id)
	if err != nil {
		return nil, fmt.Errorf("read an undo note: %w", err)
	}
	var u undoRecord
	if err := json.Unmarshal(note.Data, &u); err != nil {
		return nil, fmt.Errorf("%w: undo note: %w", graph.ErrIntegrity, err)
	}
	return &u, nil
}

// revert undoes the steps of one transaction.
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
		// Memories made by the sleep stay readable, so their origin stays too: an erasure
		// must find it.
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
	for _, id := range u.Clusters {
		if err := grouping.Remove(tx, id, now); err != nil {
			return err
		}
	}
	// After everything is restored, conflicts are recomputed, because other memories may
	// have changed in the meantime.
	var unfolded []graph.ID
	for _, p := range u.Memories {
		if p.Before == nil || p.Before.Status != graph.Active || p.After.Status == graph.Active {
			continue
		}
		m, err := tx.Memory(p.ID)
		if err != nil {
			return err
		}
		if m.Status() != graph.Active {
			continue // erased in the meantime
		}
		if err := lifecycle.RecomputeReactivated(tx, m, now); err != nil {
			return err
		}
		if p.After.Status == graph.Consolidated {
			unfolded = append(unfolded, p.ID)
		}
	}
	return lifecycle.MarkForReview(tx, unfolded...)
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

// readSaved reads the value in a separate note; false if an erasure has emptied the note.
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

// restoreVector restores a vector that a sleep replaced, unless its model is no longer in
// use: the time of the change is known, or the present vector has another dimension.
func restoreVector(tx graph.Tx, job *rollbackJob, id graph.ID) error {
	var since time.Time
	if _, err := lifecycle.ReadSetting(tx, workspace.SinceSetting, &since); err != nil || !job.At.After(since) {
		return err
	}
	var v []float32
	if there, err := job.readSaved(tx, savedVector, id, &v); err != nil || !there {
		return err
	}
	now, err := tx.Embedding(id)
	if known, err := graph.Found(err); err != nil || known && len(now) != len(v) {
		return err
	}
	return tx.PutEmbedding(id, v)
}

// restoreRelation restores a relation that a sleep dropped, unless it was added again.
func restoreRelation(tx graph.Tx, job *rollbackJob, id graph.ID) error {
	var x graph.Relation
	if there, err := job.readSaved(tx, savedRelation, id, &x); err != nil || !there {
		return err
	}
	if _, err := tx.Relation(x.Source, x.Predicate, x.Target); !errors.Is(err, graph.ErrNotFound) {
		return err
	}
	for _, end := range []graph.ID{x.Source, x.Target} {
		_, err := tx.Entity(end)
		if known, err := graph.Found(err); !known {
			return err // without an error: deleted by an erasure
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

// revert restores the previous strength of a relation, unless the strength has changed
// since.
func (p *relationPatch) revert(tx graph.Tx) error {
	x, err := tx.RelationByID(p.ID)
	if known, err := graph.Found(err); !known || !strengthOf(x).equal(p.After) {
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
