package erasure

import (
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// eraseMemories erases the memories of a set, closes their chains, and deletes entities
// that only they mentioned, and records of conversations that only they belong to. It keeps
// anonymised copies of safety-critical memories.
func (svc *Service) eraseMemories(tx graph.Tx, job *erasureJob, set erasureSet) error {
	ids := slices.Sorted(maps.Keys(set.erased))
	named, conversations := map[graph.ID]bool{}, map[workspace.Conversation]bool{}
	var kept []*graph.Memory
	restored, err := saidBefore(tx, set.erased)
	if err != nil {
		return err
	}
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
		if m.Session != "" {
			conversations[workspace.ConversationOf(m)] = true
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
	for _, x := range restored {
		if err := x.restore(tx, job.At); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(set.mergeTargets)) {
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
	for k := range conversations {
		if err := svc.sessions.EraseEmptySession(tx, k); err != nil {
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

// deleteUnmentioned deletes an entity without mentions, and its relations: a name is
// personal data too.
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

// erasureSet is the extent of an erasure.
type erasureSet struct {
	erased       map[graph.ID]bool // erased memories
	mergeTargets map[graph.ID]bool // memories into which erased duplicates were merged; they are kept
}

func newErasureSet() erasureSet { return erasureSet{map[graph.ID]bool{}, map[graph.ID]bool{}} }

// addSelected adds a memory that an erasure selects, with what derives from it. A statement that a turn makes together with an earlier one
// takes the turn with it: they are what the user said once.
func (x erasureSet) addSelected(r graph.Reader, m *graph.Memory) error {
	if err := x.addWithDerived(r, m.ID); err != nil {
		return err
	}
	turn, _, err := lifecycle.CompletedFrom(r, m)
	if err != nil || turn == "" {
		return err
	}
	return x.addWithDerived(r, turn)
}

// addWithDerived adds a memory and every memory whose words derive from it. A memory with
// words of its own, into which sleep merged a duplicate, is not added. ADR 19.
func (x erasureSet) addWithDerived(r graph.Reader, id graph.ID) error {
	if x.erased[id] {
		return nil
	}
	x.erased[id] = true
	derived, err := r.Edges(id, graph.In, graph.DerivedFrom)
	if err != nil {
		return err
	}
	for _, edge := range derived {
		m, err := r.Memory(edge.From)
		if err != nil {
			return err
		}
		derives, err := lifecycle.TextDerives(r, m, id)
		if err != nil {
			return err
		}
		if !derives {
			x.mergeTargets[m.ID] = true
			continue
		}
		if err := x.addWithDerived(r, m.ID); err != nil {
			return err
		}
	}
	return nil
}
