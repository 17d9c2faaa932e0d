package storetest

import (
	"errors"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

func (r *modelReader) Note(kind graph.NoteKind, id graph.ID) (*graph.Note, error) {
	return get(r, r.state.notes, noteKey{kind, id}, copyNote, "note", string(kind)+" "+string(id))
}

func (r *modelReader) Notes(kind graph.NoteKind, after graph.ID, descending bool, limit int) ([]*graph.Note, error) {
	if err := r.listRead(); err != nil {
		return nil, err
	}
	var ids []graph.ID
	for k := range r.state.notes.entries {
		if k.kind == kind && graph.Follows(k.id, after, descending) {
			ids = append(ids, k.id)
		}
	}
	graph.SortIDs(ids, descending)
	notes := []*graph.Note{}
	for _, id := range ids[:min(len(ids), graph.PageSize(limit))] {
		n, _ := r.state.notes.get(noteKey{kind, id})
		notes = append(notes, copyNote(n))
	}
	return notes, nil
}

func (t *modelTx) PutNote(n graph.Note) error {
	if err := errors.Join(n.Validate(), validIDs(n.Memories)); err != nil {
		return err
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
		if n.Kind.Recorded() {
			state.noteRecorded(stored.At)
		}
	})
	return nil
}

func (t *modelTx) NotesOf(memory graph.ID, kind graph.NoteKind) (notes []*graph.Note, err error) {
	if err := t.listRead(); err != nil {
		return nil, err
	}
	for k, e := range t.state.notes.entries {
		if k.kind == kind && e.Data != nil && slices.Contains(e.Memories, memory) {
			notes = append(notes, copyNote(e))
		}
	}
	slices.SortFunc(notes, func(a, b *graph.Note) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return notes, nil
}

func (t *modelTx) DeleteNote(kind graph.NoteKind, id graph.ID) error {
	if !id.Valid() {
		return invalid("id")
	}
	if err := t.lockKey("note", string(kind)+" "+string(id)); err != nil {
		return err
	}
	t.write(func(state *tenantState) {
		if _, known := state.notes.get(noteKey{kind, id}); known && kind == graph.NoteDecision {
			state.removeRequests(id)
		}
		state.notes.remove(noteKey{kind, id})
	})
	return nil
}

// removeRequests removes the requests that made a memory or a decision.
func (state *tenantState) removeRequests(result graph.ID) {
	for k, q := range state.requests.entries {
		if q.Result == result {
			state.requests.remove(k)
		}
	}
}
