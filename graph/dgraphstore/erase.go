package dgraphstore

import (
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Erase turns a memory into a FORGOTTEN stub at the instant. It removes its vector, usage,
// edges, mentions, index values and the requests that made it, and the Data of notes that
// name it. It removes the memory from the relations that it states, and removes relations
// that no other memory states.
func (t tx) Erase(id graph.ID, at time.Time) error {
	old, err := t.Memory(id)
	if err != nil {
		return err
	}
	if old.Status() == graph.Forgotten {
		return nil
	}
	if err := errors.Join(t.guardKey(onMemory, string(id)), t.pointRead(onAttach, string(id))); err != nil {
		return err
	}
	s := wire.Stub(old)
	at = s.SetState(at, func(st *graph.State) { st.Status, st.Core = graph.Forgotten, false })
	s.UpdatedAt, s.DeletedAt = at, at
	key := t.ks.nodeKey(id)
	next, err := encodeMemory(sealKey("memory", key), s)
	if err != nil {
		return err
	}
	if err := t.eraseBelongings(id, key, next); err != nil {
		t.writes.failed = err // half of an erasure must not be committed, even if fn ignores the error
		return err
	}
	t.writes.addChange(graph.NodeMemory, graph.EventForgotten, id, s.Namespace, at)
	return nil
}

func (t tx) eraseBelongings(id graph.ID, key, next string) error {
	if err := t.putRow(memories, key, next); err != nil {
		return err
	}
	t.writes.vectors[id], t.writes.usage[id] = nil, ""
	if err := t.deleteEdges(id); err != nil {
		return err
	}
	if err := t.deleteRequests(id); err != nil {
		return err
	}
	if err := t.clearNotes(id); err != nil {
		return err
	}
	return t.removeFromRelations(id)
}

// deleteEdges removes every edge of a memory.
func (t tx) deleteEdges(id graph.ID) error {
	rows, err := t.edgesOf(id, graph.Both)
	if err != nil {
		return err
	}
	for _, storedRow := range rows {
		if err := t.guardKey(onEdge, storedRow.Key); err != nil {
			return err
		}
		if err := t.putRow(edges, storedRow.Key, ""); err != nil {
			return err
		}
	}
	return nil
}

// deleteRequests removes the idempotency records of the writes that made a memory.
func (t tx) deleteRequests(id graph.ID) error {
	stored, err := t.rowsByEdge(t.ctx, requests, "request.result", t.ks.nodeKey(id))
	if err != nil {
		return err
	}
	rows, err := t.visibleRows(requests, stored, func(key, record string) (bool, error) {
		q, err := decodeRequest(key, record)
		return err == nil && q.Result == id, err
	})
	if err != nil {
		return err
	}
	for _, storedRow := range rows {
		if err := t.guardKey(onRequest, storedRow.Key); err != nil {
			return err
		}
		if err := t.putRow(requests, storedRow.Key, ""); err != nil {
			return err
		}
	}
	return nil
}

// clearNotes removes the Data of the notes that name a memory.
func (t tx) clearNotes(id graph.ID) error {
	stored, err := t.rowsByEdge(t.ctx, notes, "note.memories", t.ks.nodeKey(id))
	if err != nil {
		return err
	}
	rows, err := t.visibleRows(notes, stored, func(key, record string) (bool, error) {
		n, err := decodeNote(key, record)
		return err == nil && slices.Contains(n.Memories, id), err
	})
	if err != nil {
		return err
	}
	for _, storedRow := range rows {
		n, err := decodeNote(storedRow.Key, storedRow.Record)
		if err != nil {
			return err
		}
		n.Data = nil
		next, err := encodeNote(storedRow.Key, *n)
		if err != nil {
			return err
		}
		if err := t.guardKey(onNote, storedRow.Key); err != nil {
			return err
		}
		if err := t.putRow(notes, storedRow.Key, next); err != nil {
			return err
		}
	}
	return nil
}

// removeFromRelations removes a memory from the relations that it states.
func (t tx) removeFromRelations(id graph.ID) error {
	relations, err := t.relationsStatedBy(id)
	if err != nil {
		return err
	}
	for _, r := range relations {
		r.Memories = slices.DeleteFunc(r.Memories, func(m graph.ID) bool { return m == id })
		if len(r.Memories) == 0 {
			err = t.deleteRelation(r)
		} else {
			err = t.PutRelation(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
