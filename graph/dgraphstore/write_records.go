package dgraphstore

import (
	"encoding/json"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Bounds of records, in bytes.
const (
	maxRequestKey = 300
	maxSetting    = 64 << 10
)

// PutRequest records an idempotent write; an existing key is ErrConflict.
func (t tx) PutRequest(q graph.Request) error {
	if q.Key == "" || len(q.Key) > maxRequestKey {
		return graph.FieldError(graph.CodeInvalidRequest, "idempotencyKey", "must have 1 to %d bytes", maxRequestKey)
	}
	key := t.ks.name("request", q.Key)
	next, err := encodeRequest(key, q)
	if err != nil {
		return err
	}
	if err := t.guard(onRequest, key); err != nil {
		return err
	}
	there, err := found(second(t.Request(q.Key)))
	if err != nil {
		return err
	}
	if there {
		return graph.ErrConflict
	}
	if q.Result != "" {
		if _, err := t.hang("result", q.Result); err != nil {
			return err
		}
	}
	t.w.note(q.At)
	return t.put(requests, key, next)
}

// PutReceipt writes a receipt, new or changed.
func (t tx) PutReceipt(r graph.Receipt) error {
	if _, err := wire.UUID("id", r.ID); err != nil {
		return err
	}
	key := t.ks.node(r.ID)
	next, err := encodeReceipt(key, r)
	if err != nil {
		return err
	}
	if err := t.guard(onReceipt, string(r.ID)); err != nil {
		return err
	}
	t.w.note(r.RequestedAt)
	t.w.note(r.CompletedAt)
	return t.put(receipts, key, next)
}

// PutReceiptIDs adds erased ids to a receipt.
func (t tx) PutReceiptIDs(receipt graph.ID, ids []graph.ID) error {
	if _, err := wire.UUID("receipt", receipt); err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := wire.UUID("ids", id); err != nil {
			return err
		}
	}
	// Whoever makes the node of a receipt meets whoever else does.
	if err := t.guard(onReceipt, string(receipt)); err != nil {
		return err
	}
	key := t.ks.node(receipt)
	t.w.erased[key] = append(t.w.erased[key], slices.Clone(ids)...)
	return t.w.grow(36 * len(ids))
}

// PutNote writes a note, new or changed.
func (t tx) PutNote(n graph.Note) error {
	if _, err := wire.UUID("id", n.ID); err != nil {
		return err
	}
	switch {
	case n.Kind == "":
		return graph.FieldError(graph.CodeInvalidRequest, "kind", "must not be empty")
	case len(n.Data) > graph.MaxNote:
		return graph.ErrTooLarge
	case n.Data != nil && !json.Valid(n.Data):
		return graph.FieldError(graph.CodeInvalidRequest, "data", "is not JSON")
	}
	key := t.ks.notes(n.Kind).node(n.ID)
	next, err := encodeNote(key, n)
	if err != nil {
		return err
	}
	if err := t.guard(onNote, key); err != nil {
		return err
	}
	old, err := t.Note(n.Kind, n.ID)
	known, err := found(err)
	if err != nil {
		return err
	}
	if known && !slices.Equal(old.Memories, n.Memories) {
		return graph.FieldError(graph.CodeInvalidRequest, "memories", "can't change")
	}
	for _, id := range n.Memories {
		there, err := t.hang("memories", id)
		if err != nil {
			return err
		}
		if !there {
			return graph.ErrNotFound
		}
	}
	t.w.note(n.At)
	return t.put(notes, key, next)
}

// DeleteNote removes a note; a missing one is no error.
func (t tx) DeleteNote(kind graph.NoteKind, id graph.ID) error {
	if _, err := wire.UUID("id", id); err != nil {
		return err
	}
	key := t.ks.notes(kind).node(id)
	if err := t.guard(onNote, key); err != nil {
		return err
	}
	there, err := found(second(t.Note(kind, id)))
	if err != nil || !there {
		return err
	}
	return t.put(notes, key, "")
}

// PutSetting stores a small named value (at most 64 KiB); nil removes it.
func (t tx) PutSetting(name string, value []byte) error {
	if name == "" {
		return graph.FieldError(graph.CodeInvalidRequest, "name", "is required")
	}
	if len(value) > maxSetting {
		return graph.ErrTooLarge
	}
	key := t.ks.name("setting", name)
	if err := t.guard(onSetting, key); err != nil {
		return err
	}
	if value == nil {
		return t.put(settings, key, "")
	}
	return t.put(settings, key, seal(sealed("setting", key), value))
}
