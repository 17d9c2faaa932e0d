package badgerstore

import (
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Erase turns a memory into a FORGOTTEN stub at the instant. Its vector, usage,
// edges, mentions, index rows and the requests that made it go; relations that it
// said lose it, and go with it where it was the last to say so.
func (t *tx) Erase(id graph.ID, at time.Time) error {
	b, err := id.Bytes()
	if err != nil {
		return errors.Join(t.alive(), graph.ErrNotFound)
	}
	old, err := t.before(id, b)
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
	err = t.write(func(w *writer) error {
		if err := w.put(w.ks.row(rowMemory, b[:]), payload, stubMeta); err != nil {
			return err
		}
		if err := w.reindex(old, s, b); err != nil {
			return err
		}
		if err := w.drop(w.ks.row(rowHanging, b[:])); err != nil {
			return err
		}
		if err := w.drop(w.ks.row(rowEmbedding, b[:])); err != nil {
			return err
		}
		if err := w.drop(w.ks.row(rowUsage, b[:])); err != nil {
			return err
		}
		if err := w.dropEdges(b); err != nil {
			return err
		}
		if err := w.emptyNotes(b); err != nil {
			return err
		}
		return w.dropRequests(b)
	})
	if err != nil {
		return err
	}
	if err := t.unsay(id, b); err != nil {
		return err
	}
	t.changed(graph.NodeMemory, graph.EventForgotten, id, s.Namespace, at)
	t.erased = append(t.erased, id)
	return nil
}

// dropEdges removes every edge of a memory, from both ends.
func (w *writer) dropEdges(b [16]byte) error {
	edges, err := w.edges(b, graph.Both)
	if err != nil {
		return err
	}
	for _, e := range edges {
		ends, err := edgeEnds(e.From, e.Kind, e.To)
		if err != nil {
			return err
		}
		if err := w.dropEdge(ends); err != nil {
			return err
		}
	}
	return nil
}

// dropRequests removes the idempotency records of the writes that made a memory.
func (w *writer) dropRequests(b [16]byte) error {
	prefix := w.ks.row(rowMade, b[:])
	var names [][]byte
	err := w.scan(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
		names = append(names, slices.Clone(k[len(prefix):]))
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := w.drop(w.ks.row(rowRequest, n)); err != nil {
			return err
		}
		if err := w.unset(w.ks.row(rowMade, b[:], n)); err != nil {
			return err
		}
	}
	return nil
}

// unsay takes a memory out of the relations that it said.
func (t *tx) unsay(id graph.ID, b [16]byte) error {
	prefix := t.ks.row(rowSays, b[:])
	var ids []graph.ID
	err := t.scan(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
		rel, err := lastID(k)
		ids = append(ids, rel)
		return true, err
	})
	if err != nil {
		return err
	}
	relations, err := t.relations(ids)
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
