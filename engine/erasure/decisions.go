package erasure

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// eraseDecisions deletes the decisions that a job selects and that wrote no memory. The ledger has their ids first, so that an older copy of
// the store does not bring them back.
func (svc *Service) eraseDecisions(ctx context.Context, t *tenant, job *erasureJob) error {
	var err error
	for after, more := graph.ID(""), true; more && err == nil; {
		var last graph.ID
		err = t.Update(ctx, func(tx graph.Tx) (err error) {
			last, more, err = svc.decisions.EraseDecisions(tx, job.Selection, job.names, svc.recordDecisions(t, job), after)
			return err
		})
		after = last
	}
	return err
}

// eraseDecisionsOf deletes such decisions about the memories that the transaction erases. After it they would no longer name their owners.
func (svc *Service) eraseDecisionsOf(tx graph.Tx, t *tenant, job *erasureJob, set erasureSet) error {
	return svc.decisions.EraseDecisionsOf(tx, slices.Sorted(maps.Keys(set.erased)), job.Selection, job.names, svc.recordDecisions(t, job))
}

// recordDecisions records ids in the ledger.
func (svc *Service) recordDecisions(t *tenant, job *erasureJob) func(ids []graph.ID) error {
	return func(ids []graph.ID) error {
		if svc.Erasures == nil || len(ids) == 0 {
			return nil
		}
		return svc.Erasures.Append(t.Scope, job.Receipt, job.At, ids)
	}
}

// replayDecisions deletes again the decisions among ids of the ledger that are no memories. One that can't be read can't be shown either.
func (svc *Service) replayDecisions(ctx context.Context, t *tenant, ids []graph.ID) error {
	total := 0
	for some := range slices.Chunk(ids, workspace.MaxMany) {
		var back []graph.ID // a store that has none is not written
		err := t.View(ctx, func(r graph.Reader) error {
			back = nil
			for _, id := range some {
				_, err := r.Note(graph.NoteDecision, id)
				if errors.Is(err, graph.ErrIntegrity) {
					continue
				}
				known, err := graph.Found(err)
				if err != nil {
					return err
				}
				if known {
					back = append(back, id)
				}
			}
			return nil
		})
		if err == nil && len(back) > 0 {
			err = t.Update(ctx, func(tx graph.Tx) error { return deleteNotes(tx, graph.NoteDecision, back) })
		}
		if err != nil {
			return err
		}
		total += len(back)
	}
	return svc.deletedAgain(ctx, t, total)
}

func deleteNotes(tx graph.Tx, kind graph.NoteKind, ids []graph.ID) error {
	for _, id := range ids {
		if err := tx.DeleteNote(kind, id); err != nil {
			return err
		}
	}
	return nil
}

// deletedAgain destroys the keys of records that an older copy brought back, once they are deleted, and logs how many there were.
func (svc *Service) deletedAgain(ctx context.Context, t *tenant, count int) error {
	if count == 0 {
		return nil
	}
	svc.ForgetWords(t.Tenant)
	svc.Log.Warn("[RTBF] erased records beside memories were back, from an older copy or export; they are deleted again", "tenant", t.Scope.Tenant, "count", count)
	_, err := graph.Shred(ctx, svc.Store, t.Scope)
	return err
}
