package badgerstore

import (
	"errors"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Note returns a note, or ErrNotFound.
func (r *reader) Note(kind graph.NoteKind, id graph.ID) (*graph.Note, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := id.Bytes()
	if err != nil {
		return nil, graph.ErrNotFound
	}
	n := nameHash(string(kind))
	k := r.ks.rowKey(rowNote, n[:], b[:])
	var note *graph.Note
	err = r.getRow(k, func(_ byte, p []byte) (err error) {
		note, err = decodeNote(k, p, kind, id)
		return err
	})
	return note, err
}

// Notes returns notes of a kind in order of id, after the id in the requested order.
func (r *reader) Notes(kind graph.NoteKind, after graph.ID, descending bool, limit int) ([]*graph.Note, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	n := nameHash(string(kind))
	ids, err := r.scanIDs(r.ks.rowKey(rowNote, n[:]), after, descending, graph.PageSize(limit))
	if err != nil {
		return nil, err
	}
	notes := make([]*graph.Note, len(ids))
	for i, id := range ids {
		if notes[i], err = r.Note(kind, id); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

func decodeNote(k key, p []byte, kind graph.NoteKind, id graph.ID) (*graph.Note, error) {
	var row noteRow
	if err := decode(k, p, &row); err != nil {
		return nil, err
	}
	note := &graph.Note{Kind: kind, ID: id, Namespace: row.Namespace, At: row.At.Time(), Data: row.Data}
	for _, m := range row.Memories {
		if len(m) != 16 {
			return nil, integrityError(k, "not an id")
		}
		note.Memories = append(note.Memories, graph.IDFromBytes([16]byte(m)))
	}
	return note, nil
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
	switch {
	case err == nil && !slices.Equal(old.Memories, n.Memories):
		return graph.FieldError(graph.CodeInvalidRequest, "memories", "can't change")
	case err != nil && !errors.Is(err, graph.ErrNotFound):
		return err
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
	return t.apply(func(w *txWriter) error {
		for _, m := range row.Memories {
			if err := w.putMarker(w.ks.rowKey(rowNoted, m, kind[:], b[:])); err != nil {
				return err
			}
		}
		w.noteRecorded(t.tenant, n.At)
		return w.putNote(kind, b, row)
	})
}

// DeleteNote removes a note and the rows of its memories.
func (t *tx) DeleteNote(kind graph.NoteKind, id graph.ID) error {
	b, err := wire.UUID("id", id)
	if err != nil {
		return err
	}
	old, err := t.Note(kind, id)
	if errors.Is(err, graph.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	n := nameHash(string(kind))
	return t.apply(func(w *txWriter) error {
		for _, m := range old.Memories {
			named, err := m.Bytes()
			if err != nil {
				return err
			}
			if err := w.deleteKey(w.ks.rowKey(rowNoted, named[:], n[:], b[:])); err != nil {
				return err
			}
		}
		return w.deleteKey(w.ks.rowKey(rowNote, n[:], b[:]))
	})
}

func (w *txWriter) putNote(kind, id [16]byte, row noteRow) error {
	payload, err := encode(&row)
	if err != nil {
		return err
	}
	return w.putRow(w.ks.rowKey(rowNote, kind[:], id[:]), payload, 0)
}

// clearNotes removes the Data of every note that names a memory.
func (w *txWriter) clearNotes(memory [16]byte) error {
	prefix := w.ks.rowKey(rowNoted, memory[:])
	var named [][]byte
	err := w.scanRows(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
		named = append(named, slices.Clone(k[len(prefix):]))
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, n := range named {
		if len(n) != 32 {
			return integrityError(w.ks.rowKey(rowNoted, memory[:], n), "not a note")
		}
		k := w.ks.rowKey(rowNote, n)
		var row noteRow
		if err := w.getRow(k, func(_ byte, p []byte) error { return decode(k, p, &row) }); err != nil {
			return err
		}
		row.Data = nil
		if err := w.putNote([16]byte(n[:16]), [16]byte(n[16:]), row); err != nil {
			return err
		}
		if err := w.deleteKey(w.ks.rowKey(rowNoted, memory[:], n)); err != nil {
			return err
		}
	}
	return nil
}
