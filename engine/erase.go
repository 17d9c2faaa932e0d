package engine

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// erase runs a job to its end and completes the receipt. Running it again after a
// crash goes on where it stopped.
func (e *Engine) erase(ctx context.Context, t *tenant, job *erasure) (*graph.Receipt, error) {
	for after := graph.ID(""); ; {
		var page []*graph.Memory
		err := t.Update(ctx, func(tx graph.Tx) (err error) {
			if page, err = job.next(tx, after); err != nil {
				return err
			}
			reached := newReach()
			for _, m := range page {
				if job.takes(m) {
					if err := reached.from(tx, m.ID); err != nil {
						return err
					}
				}
			}
			return e.eraseAll(tx, job, reached)
		})
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		after = job.last(page, after)
	}
	if err := e.EraseSessions(ctx, t, job.Selection); err != nil {
		return nil, err
	}
	e.servedByNone()
	return e.completeForget(ctx, t, job)
}

// eraseAll erases the ids, closes their chains, and takes away what only they named. What
// is a matter of safety is kept in a form that names nobody.
func (e *Engine) eraseAll(tx graph.Tx, job *erasure, reached reach) error {
	ids := sortedIDs(reached.taken)
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
		k, err := e.anonymous(tx, job, m)
		if err != nil {
			return err
		}
		if k != nil {
			kept = append(kept, k)
		}
		if err := settle(tx, m, job.At); err != nil {
			return err
		}
		if err := release(tx, m, reached.taken, job.At); err != nil {
			return err
		}
		if err := closeChain(tx, m, job.At); err != nil {
			return err
		}
		if err := tx.Erase(id, job.At); err != nil {
			return err
		}
	}
	if len(ids) == 0 {
		return nil
	}
	for _, id := range sortedIDs(reached.twins) {
		if reached.taken[id] {
			continue
		}
		if err := ownVector(tx, id, job.At); err != nil {
			return err
		}
	}
	for entity := range named {
		if err := dropUnnamed(tx, entity); err != nil {
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

// release makes ACTIVE again what was folded into a memory that goes, but for what goes
// with it: a summary is made anew from what is left, in the next sleep.
func release(tx graph.Tx, m *graph.Memory, taken map[graph.ID]bool, at time.Time) error {
	folded, err := tx.Edges(m.ID, graph.In, graph.ConsolidatedInto)
	if err != nil {
		return err
	}
	for _, edge := range folded {
		if taken[edge.From] {
			continue
		}
		source, err := tx.Memory(edge.From)
		if err != nil {
			return err
		}
		// Evidence that the gate took in never stood by itself.
		stood := slices.ContainsFunc(source.History, func(s graph.State) bool { return s.Status == graph.Active })
		if source.Status() != graph.Consolidated || source.Consolidated != m.ID || !stood {
			continue
		}
		if err := comeBack(tx, source, at); err != nil {
			return err
		}
		if err := again(tx, source.ID); err != nil {
			return err
		}
	}
	return nil
}

// ownVector takes what was erased out of the vector of a memory that it had been folded
// into: the vector goes, and comes back from the memory's own words.
func ownVector(tx graph.Tx, id graph.ID, at time.Time) error {
	m, err := tx.Memory(id)
	if err != nil || m.Status() == graph.Forgotten || m.EmbeddingModel == "" {
		return err
	}
	v, err := tx.Embedding(id)
	if err != nil {
		return err
	}
	if err := tx.PutEmbedding(id, make([]float32, len(v))); err != nil {
		return err
	}
	m.EmbeddingModel, m.UpdatedAt = "", at
	return tx.PutMemory(m, graph.EventUpdated)
}

const (
	againSetting = "sleep.again" // memories whose summary went: the next night looks at them again
	againKept    = 1000
)

// again has the next night distil a memory that was distilled before.
func again(tx graph.Tx, id graph.ID) error {
	var ids []graph.ID
	if _, err := readSetting(tx, againSetting, &ids); err != nil {
		return err
	}
	if len(ids) >= againKept || slices.Contains(ids, id) {
		return nil // what is over waits until something new belongs to it
	}
	return putSetting(tx, againSetting, append(ids, id))
}

// closeChain joins the versions before and behind m, where they point to it: what was
// superseded by hand points to a memory of another chain, which does not point back.
func closeChain(tx graph.Tx, m *graph.Memory, at time.Time) error {
	for _, side := range []struct {
		id      graph.ID
		pointer func(*graph.Memory) *graph.ID
		to      graph.ID
	}{
		{m.Supersedes, func(before *graph.Memory) *graph.ID { return &before.SupersededBy }, m.SupersededBy},
		{m.SupersededBy, func(behind *graph.Memory) *graph.ID { return &behind.Supersedes }, m.Supersedes},
	} {
		if side.id == "" {
			continue
		}
		n, err := tx.Memory(side.id)
		if err != nil {
			return err
		}
		if n.Status() == graph.Forgotten || *side.pointer(n) != m.ID {
			continue
		}
		*side.pointer(n) = side.to
		n.UpdatedAt = at
		if err := tx.PutMemory(n, graph.EventUpdated); err != nil {
			return err
		}
	}
	return nil
}

// dropUnnamed removes an entity that no memory mentions any more, with its relations:
// a name is personal data too.
func dropUnnamed(tx graph.Tx, entity graph.ID) error {
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
