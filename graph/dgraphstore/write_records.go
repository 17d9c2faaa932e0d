package dgraphstore

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// PutRequest records an idempotent write; an existing key is ErrConflict.
func (t tx) PutRequest(q graph.Request) error {
	if err := q.Validate(); err != nil {
		return err
	}
	key := t.ks.hashedKey("request", q.Key)
	next, err := encodeRequest(key, q)
	if err != nil {
		return err
	}
	_, err = t.Request(q.Key)
	if known, err := graph.Found(err); err != nil {
		return err
	} else if known {
		return graph.ErrConflict
	}
	if q.Result != "" {
		if _, err := t.attach("result", q.Result); err != nil {
			return err
		}
	}
	t.writes.noteRecorded(q.At)
	return t.putGuarded(requests, onRequest, key, next)
}

// PutReceipt writes a receipt, new or changed.
func (t tx) PutReceipt(r graph.Receipt) error {
	if _, err := wire.UUID("id", r.ID); err != nil {
		return err
	}
	key := t.ks.nodeKey(r.ID)
	next, err := encodeReceipt(key, r)
	if err != nil {
		return err
	}
	if err := t.guardKey(onReceipt, string(r.ID)); err != nil {
		return err
	}
	t.writes.noteRecorded(r.RequestedAt)
	t.writes.noteRecorded(r.CompletedAt)
	return t.putRow(receipts, key, next)
}

// PutReceiptIDs adds erased ids to a receipt.
func (t tx) PutReceiptIDs(receipt graph.ID, ids []graph.ID) error {
	if _, err := wire.UUID("receipt", receipt); err != nil {
		return err
	}
	if _, err := wire.IDList("ids", ids); err != nil {
		return err
	}
	// Two transactions that make the node of a receipt conflict.
	if err := t.guardKey(onReceipt, string(receipt)); err != nil {
		return err
	}
	key := t.ks.nodeKey(receipt)
	t.writes.receiptIDs[key] = append(t.writes.receiptIDs[key], slices.Clone(ids)...)
	return t.writes.addBytes(36 * len(ids))
}

// PutNote writes a note, new or changed.
func (t tx) PutNote(n graph.Note) error {
	if err := n.Validate(); err != nil {
		return err
	}
	key := t.ks.noteKeyspace(n.Kind).nodeKey(n.ID)
	next, err := encodeNote(key, &n)
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
	for _, id := range n.Memories {
		there, err := t.attach("memories", id)
		if err != nil {
			return err
		}
		if !there {
			return graph.ErrNotFound
		}
	}
	if n.Kind.Recorded() {
		t.writes.noteRecorded(n.At)
	}
	return t.putGuarded(notes, onNote, key, next)
}

// NotesOf returns the notes of a kind that name a memory and have Data, in order of id.
func (t tx) NotesOf(memory graph.ID, kind graph.NoteKind) ([]*graph.Note, error) {
	if err := t.scanRead(); err != nil || !memory.Valid() {
		return nil, err
	}
	rows, err := rowsLeadingTo(t.reader, notes, decodeNote, []string{"note.memories"}, memory, func(n *graph.Note) bool { return slices.Contains(n.Memories, memory) })
	all := valuesByKey(rows, false, len(rows))
	return slices.DeleteFunc(all, func(n *graph.Note) bool { return n.Kind != kind || n.Data == nil }), err
}

// DeleteNote removes a note, and with a decision the requests that made it; a missing one is no error.
func (t tx) DeleteNote(kind graph.NoteKind, id graph.ID) error {
	if _, err := wire.UUID("id", id); err != nil {
		return err
	}
	_, err := t.Note(kind, id)
	if known, err := graph.Found(err); !known {
		return err
	}
	if kind == graph.NoteDecision {
		if err := t.deleteRequests(id); err != nil {
			return err
		}
	}
	return t.putGuarded(notes, onNote, t.ks.noteKeyspace(kind).nodeKey(id), "")
}

// PutSetting stores a small named value (at most 64 KiB); nil removes it.
func (t tx) PutSetting(name string, value []byte) error {
	if err := graph.ValidateSetting(name, value); err != nil {
		return err
	}
	key := t.ks.hashedKey("setting", name)
	if graph.NamedInJournal(name) {
		t.writes.settings[key] = name
	}
	if value == nil {
		return t.putGuarded(settings, onSetting, key, "")
	}
	return t.putGuarded(settings, onSetting, key, seal(sealKey("setting", key), value))
}
