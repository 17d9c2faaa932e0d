package badgerstore

import (
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Erase turns a memory into a FORGOTTEN stub at the instant. It removes its vector, usage,
// edges, mentions, index rows and the requests that made it. It removes the memory from the
// relations that it states, and removes relations that no other memory states.
func (t *tx) Erase(id graph.ID, at time.Time) error {
	b, err := id.Bytes()
	if err != nil {
		return errors.Join(t.usable(), graph.ErrNotFound)
	}
	old, err := t.currentMemory(id, b)
	if err != nil {
		return err
	}
	if old == nil {
		return graph.ErrNotFound
	}
	if old.Status() == graph.Forgotten {
		return nil
	}
	s := wire.Stub(old)
	at = s.SetState(at, func(st *graph.State) { st.Status, st.Core = graph.Forgotten, false })
	s.UpdatedAt, s.DeletedAt = at, at
	payload, err := encodeMemory(s)
	if err != nil {
		return err
	}
	err = t.apply(func(w *txWriter) error {
		if err := w.putRow(w.ks.rowKey(rowMemory, b[:]), payload, stubMeta); err != nil {
			return err
		}
		if err := w.updateIndex(old, s, b); err != nil {
			return err
		}
		if err := w.deleteRow(w.ks.rowKey(rowAttached, b[:])); err != nil {
			return err
		}
		if err := w.deleteRow(w.ks.rowKey(rowEmbedding, b[:])); err != nil {
			return err
		}
		if err := w.deleteRow(w.ks.rowKey(rowUsage, b[:])); err != nil {
			return err
		}
		if err := w.deleteEdges(b); err != nil {
			return err
		}
		if err := w.clearNotes(b); err != nil {
			return err
		}
		return w.deleteRequests(b)
	})
	if err != nil {
		return err
	}
	if err := t.removeFromRelations(id, b); err != nil {
		return err
	}
	t.addChange(graph.NodeMemory, graph.EventForgotten, id, s.Namespace, at)
	t.erased = append(t.erased, id)
	return nil
}

// deleteEdges removes every edge of a memory, from both ends.
func (w *txWriter) deleteEdges(b [16]byte) error {
	edges, err := w.readEdges(b, graph.Both)
	if err != nil {
		return err
	}
	for _, e := range edges {
		ends, err := makeEdgeEnds(e.From, e.Kind, e.To)
		if err != nil {
			return err
		}
		if err := w.deleteEdge(ends); err != nil {
			return err
		}
	}
	return nil
}

// deleteRequests removes the idempotency records of the writes that made a memory.
func (w *txWriter) deleteRequests(b [16]byte) error {
	prefix := w.ks.rowKey(rowRequestOf, b[:])
	var names [][]byte
	err := w.scanRows(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
		names = append(names, slices.Clone(k[len(prefix):]))
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := w.deleteRow(w.ks.rowKey(rowRequest, n)); err != nil {
			return err
		}
		if err := w.deleteKey(w.ks.rowKey(rowRequestOf, b[:], n)); err != nil {
			return err
		}
	}
	return nil
}

// removeFromRelations removes a memory from the relations that it states.
func (t *tx) removeFromRelations(id graph.ID, b [16]byte) error {
	prefix := t.ks.rowKey(rowSays, b[:])
	var ids []graph.ID
	err := t.scanRows(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
		rel, err := lastID(k)
		ids = append(ids, rel)
		return true, err
	})
	if err != nil {
		return err
	}
	relations, err := t.readRelations(ids)
	if err != nil {
		return err
	}
	for _, r := range relations {
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
