package erasure

import (
	"context"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/graph"
)

// erase runs a job to its end and completes the receipt. Running it again after a
// crash goes on where it stopped.
func (svc *Service) runJob(ctx context.Context, t *tenant, job *erasureJob) (*graph.Receipt, error) {
	for after := graph.ID(""); ; {
		var page []*graph.Memory
		err := t.Update(ctx, func(tx graph.Tx) (err error) {
			if page, err = job.nextPage(tx, after); err != nil {
				return err
			}
			set := newErasureSet()
			for _, m := range page {
				if job.selects(m) {
					if err := set.addWithDerived(tx, m.ID); err != nil {
						return err
					}
				}
			}
			return svc.eraseMemories(tx, job, set)
		})
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		after = job.lastOf(page, after)
	}
	if err := svc.sessions.EraseSessions(ctx, t.Tenant, job.Selection); err != nil {
		return nil, err
	}
	svc.WaitForStaleHits()
	return svc.completeForget(ctx, t, job)
}

// eraseAll erases the ids, closes their chains, and takes away what only they named. What
// is a matter of safety is kept in a form that names nobody.
func (svc *Service) eraseMemories(tx graph.Tx, job *erasureJob, set erasureSet) error {
	ids := sleep.SortedIDs(set.erased)
	named := map[graph.ID]bool{}
	var kept []*graph.Memory
	for _, id := range ids {
		m, err := tx.Memory(id)
		if err != nil {
			return err
		}
		if m.Status() == graph.Forgotten {
			continue
		}
		for _, entity := range m.Entities {
			named[entity] = true
		}
		k, err := svc.anonymisedCopy(tx, job, m)
		if err != nil {
			return err
		}
		if k != nil {
			kept = append(kept, k)
		}
		if err := lifecycle.RecomputeConflicts(tx, m, job.At); err != nil {
			return err
		}
		if err := lifecycle.ReactivateMerged(tx, m, set.erased, job.At); err != nil {
			return err
		}
		if err := lifecycle.CloseChain(tx, m, job.At); err != nil {
			return err
		}
		if err := tx.Erase(id, job.At); err != nil {
			return err
		}
	}
	if len(ids) == 0 {
		return nil
	}
	for _, id := range sleep.SortedIDs(set.mergeTargets) {
		if set.erased[id] {
			continue
		}
		if err := lifecycle.ClearVector(tx, id, job.At); err != nil {
			return err
		}
	}
	for entity := range named {
		if err := deleteUnmentioned(tx, entity); err != nil {
			return err
		}
	}
	if len(kept) > 0 {
		receipt, err := tx.Receipt(job.Receipt)
		if err != nil {
			return err
		}
		receipt.Anonymised += len(kept)
		if err := tx.PutReceipt(*receipt); err != nil {
			return err
		}
	}
	for _, m := range kept {
		if err := tx.PutMemory(m, graph.EventCreated); err != nil {
			return err
		}
	}
	return tx.PutReceiptIDs(job.Receipt, ids)
}

// dropUnnamed removes an entity that no memory mentions any more, with its relations:
// a name is personal data too.
func deleteUnmentioned(tx graph.Tx, entity graph.ID) error {
	left, err := tx.Mentions(entity, "", 1)
	if err != nil || len(left) > 0 {
		return err
	}
	for {
		relations, err := tx.Relations(entity, graph.Both, "", graph.MaxPage)
		if err != nil {
			return err
		}
		for _, r := range relations {
			if err := tx.DeleteRelation(r.Source, r.Predicate, r.Target); err != nil {
				return err
			}
		}
		if len(relations) < graph.MaxPage {
			return tx.DeleteEntity(entity)
		}
	}
}
