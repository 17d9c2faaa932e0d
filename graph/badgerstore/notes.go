package badgerstore

import (
	"errors"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Note returns a note, or ErrNotFound.
func (r *reader) Note(kind graph.NoteKind, id graph.ID) (*graph.Note, error) {
	b, err := r.keyOf(id)
	if err != nil {
		return nil, err
	}
	n := nameHash(string(kind))
	k := r.ks.rowKey(rowNote, n[:], b[:])
	row, err := decodeRow[noteRow](r.rowReader, k)
	if err != nil {
		return nil, err
	}
	note := &graph.Note{Kind: kind, ID: id, Namespace: row.Namespace, At: row.At.Time(), Data: row.Data}
	for _, m := range row.Memories {
		if len(m) != 16 {
			return nil, integrityError(k, "not an id")
		}
		note.Memories = append(note.Memories, wire.ID(m))
	}
	return note, nil
}

// Notes returns notes of a kind in order of id, after the id in the requested order.
func (r *reader) Notes(kind graph.NoteKind, after graph.ID, descending bool, limit int) ([]*graph.Note, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	n := nameHash(string(kind))
	keys := r.rowReader
	keys.unopened = true // so that a damaged note is named
	ids, err := keys.scanIDs(r.ks.rowKey(rowNote, n[:]), after, descending, graph.PageSize(limit))
	if err != nil {
		return nil, err
	}
	notes := make([]*graph.Note, len(ids))
	for i, id := range ids {
		if notes[i], err = r.Note(kind, id); errors.Is(err, graph.ErrIntegrity) && !errors.As(err, new(*graph.DamagedKeysError)) {
			return nil, &graph.DamagedNoteError{Kind: kind, ID: id, Err: err}
		} else if err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// PutNote writes a note, new or changed.
func (t *tx) PutNote(n graph.Note) error {
	if err := n.Validate(); err != nil {
		return err
	}
	b, err := wire.UUID("id", n.ID)
	if err != nil {
		return err
	}
	old, err := t.Note(n.Kind, n.ID)
	known, err := graph.Found(err)
	if err != nil {
		return err
	}
	if known && !slices.Equal(old.Memories, n.Memories) {
		return graph.FieldError(graph.CodeInvalidRequest, "memories", "can't change")
	}
	row := noteRow{Namespace: n.Namespace, At: wire.StampOf(n.At), Data: n.Data}
	for _, m := range n.Memories {
		id, err := wire.UUID("memories", m)
		if err != nil {
			return err
		}
		found, err := t.attach("memories", id)
		if err != nil {
			return err
		}
		if !found {
			return graph.ErrNotFound
		}
		row.Memories = append(row.Memories, id[:])
	}
	kind := nameHash(string(n.Kind))
	return t.apply(func(w *txWriter) {
		for _, m := range row.Memories {
			w.putMarker(w.ks.rowKey(rowNoted, m, kind[:], b[:]))
		}
		if n.Kind.Recorded() {
			w.noteRecorded(t.tenant, n.At)
		}
		w.putRecord(w.ks.rowKey(rowNote, kind[:], b[:]), &row)
	})
}

// NotesOf returns the notes of a kind that name a memory and have Data, in order of id.
func (t *tx) NotesOf(memory graph.ID, kind graph.NoteKind) ([]*graph.Note, error) {
	m, err := t.keyOf(memory)
	if err != nil {
		return nil, noneIfMissing(err)
	}
	k := nameHash(string(kind))
	ids, err := t.scanIDs(t.ks.rowKey(rowNoted, m[:], k[:]), "", false, math.MaxInt)
	if err != nil {
		return nil, err
	}
	var notes []*graph.Note
	for _, id := range ids {
		n, err := t.Note(kind, id)
		if err != nil {
			return nil, err
		}
		if n.Data != nil {
			notes = append(notes, n)
		}
	}
	return notes, nil
}

// DeleteNote removes a note, the rows of its memories, and the requests that made a decision. Its key is
// retired, so that an erasure destroys it.
func (t *tx) DeleteNote(kind graph.NoteKind, id graph.ID) error {
	b, err := wire.UUID("id", id)
	if err != nil {
		return err
	}
	old, err := t.Note(kind, id)
	if known, err := graph.Found(err); !known {
		return err
	}
	n := nameHash(string(kind))
	return t.apply(func(w *txWriter) {
		for _, m := range old.Memories {
			named, err := m.Bytes()
			w.fail(err)
			w.deleteKey(w.ks.rowKey(rowNoted, named[:], n[:], b[:]))
		}
		w.deleteRow(w.ks.rowKey(rowNote, n[:], b[:]))
		if kind == graph.NoteDecision {
			w.fail(w.deleteRequests(b))
		}
	})
}

// clearNotes removes the Data of every note that names a memory, and the requests that made such a decision.
func (w *txWriter) clearNotes(memory [16]byte) error {
	named, err := w.keyTails(w.ks.rowKey(rowNoted, memory[:]))
	if err != nil {
		return err
	}
	decision := nameHash(string(graph.NoteDecision))
	for _, n := range named {
		if len(n) != 32 {
			return integrityError(w.ks.rowKey(rowNoted, memory[:], n), "not a note")
		}
		row, err := decodeRow[noteRow](w.rowReader, w.ks.rowKey(rowNote, n))
		if err != nil {
			return err
		}
		row.Data = nil
		payload, err := encode(&row)
		if err != nil {
			return err
		}
		w.replaceRow(w.ks.rowKey(rowNote, n), payload, 0, true)
		w.deleteKey(w.ks.rowKey(rowNoted, memory[:], n))
		if [16]byte(n) == decision {
			if err := w.deleteRequests([16]byte(n[16:])); err != nil {
				return err
			}
		}
	}
	return nil
}
