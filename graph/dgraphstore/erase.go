package dgraphstore

import (
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Erase turns a memory into a FORGOTTEN stub at the instant. It removes its vector, usage, edges, mentions, index values and the requests
// that made it, the Data of notes that name it, and the requests that made such a decision. It removes the memory from the relations that
// it states, and removes relations that no other memory states.
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
	s := old.Stub(at)
	key := t.ks.nodeKey(id)
	next, err := encodeMemory(key, s)
	if err != nil {
		return err
	}
	if err := t.eraseBelongings(id, key, next); err != nil {
		t.writes.failed = err // half of an erasure must not be committed, even if fn ignores the error
		return err
	}
	t.writes.addChange(graph.NodeMemory, graph.EventForgotten, id, s.Namespace, s.DeletedAt)
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
	return deleteRows(t, edges, onEdge, rows)
}

// deleteRequests removes the idempotency records of the writes that made a memory or a decision.
func (t tx) deleteRequests(id graph.ID) error {
	rows, err := rowsLeadingTo(t.reader, requests, decodeRequest, []string{"request.result"}, id, func(q *graph.Request) bool { return q.Result == id })
	if err != nil {
		return err
	}
	return deleteRows(t, requests, onRequest, rows)
}

// deleteRows removes rows; what is the kind of key that transactions conflict on.
func deleteRows[T any](t tx, kind *rowKind, what string, rows []visibleRow[T]) error {
	for _, r := range rows {
		if err := t.putGuarded(kind, what, r.Key, ""); err != nil {
			return err
		}
	}
	return nil
}

// clearNotes removes the Data of the notes that name a memory, and the requests that made such a decision.
func (t tx) clearNotes(id graph.ID) error {
	rows, err := rowsLeadingTo(t.reader, notes, decodeNote, []string{"note.memories"}, id, func(n *graph.Note) bool { return slices.Contains(n.Memories, id) })
	if err != nil {
		return err
	}
	for _, n := range rows {
		n.value.Data = nil
		next, err := encodeNote(n.Key, n.value)
		if err != nil {
			return err
		}
		t.writes.erases[rowID{notes, n.Key}] = true
		if err := t.putGuarded(notes, onNote, n.Key, next); err != nil {
			return err
		}
		if n.value.Kind == graph.NoteDecision {
			if err := t.deleteRequests(n.value.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeFromRelations removes a memory from the relations that it states.
func (t tx) removeFromRelations(id graph.ID) error {
	rows, err := rowsLeadingTo(t.reader, relations, decodeRelation, []string{"relation.says"}, id, func(r *graph.Relation) bool { return slices.Contains(r.Memories, id) })
	if err != nil {
		return err
	}
	for _, r := range valuesByKey(rows, false, maxTxRows) {
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
