package badgerstore

import (
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Erase turns a memory into a FORGOTTEN stub at the instant. It removes its vector, usage,
// edges, mentions, index rows and the requests that made it. It removes the memory from the
// relations that it states, and removes relations that no other memory states.
func (t *tx) Erase(id graph.ID, at time.Time) error {
	b, err := t.keyOf(id)
	if err != nil {
		return err
	}
	old, err := t.readMemory(id, b)
	if err != nil || old.Status() == graph.Forgotten {
		return err
	}
	s := old.Stub(at)
	payload, err := encodeMemory(s)
	if err != nil {
		return err
	}
	err = t.apply(func(w *txWriter) {
		w.replaceRow(w.ks.rowKey(rowMemory, b[:]), payload, stubMeta, true)
		w.updateIndex(old, s, b)
		for _, row := range []byte{rowAttached, rowEmbedding, rowUsage} {
			w.deleteRow(w.ks.rowKey(row, b[:]))
		}
		w.fail(errors.Join(w.deleteEdges(b), w.clearNotes(b), w.deleteRequests(b)))
	})
	if err != nil {
		return err
	}
	if err := t.removeFromRelations(id, b); err != nil {
		return err
	}
	t.addChange(graph.NodeMemory, graph.EventForgotten, id, s.Namespace, s.DeletedAt)
	t.erased = append(t.erased, id)
	return nil
}

// deleteEdges removes every edge of a memory, from both ends.
func (w *txWriter) deleteEdges(b [16]byte) error {
	ends, err := w.edgeEndsOf(b, graph.Both)
	for _, e := range ends {
		w.deleteEdge(e)
	}
	return err
}

// deleteRequests removes the idempotency records of the writes that made a memory or a decision.
func (w *txWriter) deleteRequests(b [16]byte) error {
	names, err := w.keyTails(w.namedKey(rowRequestOf, b[:]))
	for _, n := range names {
		w.deleteRow(w.namedKey(rowRequest, n))
		w.deleteKey(w.namedKey(rowRequestOf, b[:], n))
	}
	return err
}

// removeFromRelations removes a memory from the relations that it states.
func (t *tx) removeFromRelations(id graph.ID, b [16]byte) error {
	tails, err := t.keyTails(t.ks.rowKey(rowSays, b[:]))
	if err != nil {
		return err
	}
	for _, tail := range tails {
		rel, err := lastID(tail)
		if err != nil {
			return err
		}
		r, err := t.listedRelation(rel)
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(r.Memories), func(m graph.ID) bool { return m == id })
		if len(left) == 0 {
			err = t.deleteRelation(r)
		} else {
			r.Memories = left
			err = t.PutRelation(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
