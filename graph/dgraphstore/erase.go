package dgraphstore

import (
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Erase turns a memory into a FORGOTTEN stub at the instant. Its vector, usage, edges,
// mentions, values in indexes and the requests that made it go, as does the Data of
// notes that name it; relations that it said lose it, and go with it where it was the
// last to say so.
func (t tx) Erase(id graph.ID, at time.Time) error {
	old, err := t.Memory(id)
	if err != nil {
		return err
	}
	if old.Status() == graph.Forgotten {
		return nil
	}
	if err := errors.Join(t.guard(onMemory, string(id)), t.point(onHang, string(id))); err != nil {
		return err
	}
	s := wire.Stub(old)
	at = s.SetState(at, func(st *graph.State) { st.Status, st.Core = graph.Forgotten, false })
	s.UpdatedAt, s.DeletedAt = at, at
	key := t.ks.node(id)
	next, err := encodeMemory(sealed("memory", key), s)
	if err != nil {
		return err
	}
	if err := t.eraseAll(id, key, next); err != nil {
		t.w.spoiled = err // half of an erasure is not committed, whatever becomes of the error
		return err
	}
	t.w.changed(graph.NodeMemory, graph.EventForgotten, id, s.Namespace, at)
	return nil
}

func (t tx) eraseAll(id graph.ID, key, next string) error {
	if err := t.put(memories, key, next); err != nil {
		return err
	}
	t.w.vectors[id], t.w.usage[id] = nil, ""
	if err := t.dropEdges(id); err != nil {
		return err
	}
	if err := t.dropRequests(id); err != nil {
		return err
	}
	if err := t.emptyNotes(id); err != nil {
		return err
	}
	return t.unsay(id)
}

// dropEdges removes every edge of a memory.
func (t tx) dropEdges(id graph.ID) error {
	rows, err := t.edgesOf(id, graph.Both)
	if err != nil {
		return err
	}
	for _, s := range rows {
		if err := t.guard(onEdge, s.Key); err != nil {
			return err
		}
		if err := t.put(edges, s.Key, ""); err != nil {
			return err
		}
	}
	return nil
}

// dropRequests removes the idempotency records of the writes that made a memory.
func (t tx) dropRequests(id graph.ID) error {
	stored, err := t.hanging(t.ctx, requests, "request.result", t.ks.node(id))
	if err != nil {
		return err
	}
	rows, err := t.present(requests, stored, func(key, record string) (bool, error) {
		q, err := decodeRequest(key, record)
		return err == nil && q.Result == id, err
	})
	if err != nil {
		return err
	}
	for _, s := range rows {
		if err := t.guard(onRequest, s.Key); err != nil {
			return err
		}
		if err := t.put(requests, s.Key, ""); err != nil {
			return err
		}
	}
	return nil
}

// emptyNotes takes the Data from the notes that name a memory.
func (t tx) emptyNotes(id graph.ID) error {
	stored, err := t.hanging(t.ctx, notes, "note.memories", t.ks.node(id))
	if err != nil {
		return err
	}
	rows, err := t.present(notes, stored, func(key, record string) (bool, error) {
		n, err := decodeNote(key, record)
		return err == nil && slices.Contains(n.Memories, id), err
	})
	if err != nil {
		return err
	}
	for _, s := range rows {
		n, err := decodeNote(s.Key, s.Record)
		if err != nil {
			return err
		}
		n.Data = nil
		next, err := encodeNote(s.Key, *n)
		if err != nil {
			return err
		}
		if err := t.guard(onNote, s.Key); err != nil {
			return err
		}
		if err := t.put(notes, s.Key, next); err != nil {
			return err
		}
	}
	return nil
}

// unsay takes a memory out of the relations that it said.
func (t tx) unsay(id graph.ID) error {
	relations, err := t.says(id)
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
