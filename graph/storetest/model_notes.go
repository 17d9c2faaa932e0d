package storetest

import (
	"encoding/json"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

func (r *modelReader) Note(kind graph.NoteKind, id graph.ID) (*graph.Note, error) {
	if err := r.pointRead("note", string(kind)+" "+string(id)); err != nil {
		return nil, err
	}
	n, ok := r.state.notes.get(noteKey{kind, id})
	if !ok {
		return nil, graph.ErrNotFound
	}
	return copyNote(n), nil
}

func (r *modelReader) Notes(kind graph.NoteKind, after graph.ID, descending bool, limit int) ([]*graph.Note, error) {
	if err := r.listRead(); err != nil {
		return nil, err
	}
	var ids []graph.ID
	for k := range r.state.notes.entries {
		if k.kind == kind && (after == "" || (k.id > after) != descending && k.id != after) {
			ids = append(ids, k.id)
		}
	}
	slices.Sort(ids)
	if descending {
		slices.Reverse(ids)
	}
	notes := []*graph.Note{}
	for _, id := range ids[:min(len(ids), pageSize(limit))] {
		n, _ := r.state.notes.get(noteKey{kind, id})
		notes = append(notes, copyNote(n))
	}
	return notes, nil
}

func copyNote(n graph.Note) *graph.Note {
	n.Memories, n.Data = slices.Clone(n.Memories), slices.Clone(n.Data)
	return &n
}

func (t *modelTx) PutNote(n graph.Note) error {
	switch {
	case !n.ID.Valid():
		return invalid("id")
	case n.Kind == "":
		return invalid("kind")
	case len(n.Data) > graph.MaxNote:
		return graph.ErrTooLarge
	case n.Data != nil && !json.Valid(n.Data):
		return invalid("data")
	}
	if err := t.lockKey("note", string(n.Kind)+" "+string(n.ID)); err != nil {
		return err
	}
	if old, ok := t.state.notes.get(noteKey{n.Kind, n.ID}); ok && !slices.Equal(old.Memories, n.Memories) {
		return invalid("memories")
	}
	for _, id := range n.Memories {
		if _, err := t.Memory(id); err != nil {
			return err
		}
		if err := t.mustNotBeForgotten(id); err != nil {
			return err
		}
	}
	stored := *copyNote(n)
	stored.At = graph.Millis(n.At)
	t.write(func(state *tenantState) {
		state.notes.set(noteKey{n.Kind, n.ID}, stored)
		state.noteRecorded(stored.At)
	})
	return nil
}

func (t *modelTx) DeleteNote(kind graph.NoteKind, id graph.ID) error {
	if !id.Valid() {
		return invalid("id")
	}
	if err := t.lockKey("note", string(kind)+" "+string(id)); err != nil {
		return err
	}
	t.write(func(state *tenantState) { state.notes.remove(noteKey{kind, id}) })
	return nil
}
