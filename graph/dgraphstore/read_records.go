package dgraphstore

import (
	"errors"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Request returns the idempotency record of key, or ErrNotFound.
func (r *reader) Request(key string) (*graph.Request, error) {
	at := r.ks.hashedKey("request", key)
	if err := r.pointRead(onRequest, at); err != nil {
		return nil, err
	}
	return readValue(r, requests, at, decodeRequest)
}

// Receipt returns a deletion receipt, or ErrNotFound.
func (r *reader) Receipt(id graph.ID) (*graph.Receipt, error) {
	key, err := r.nodeRead(onReceipt, id)
	if err != nil {
		return nil, err
	}
	return readValue(r, receipts, key, decodeReceipt)
}

const receiptIDsQuery = `query q($k: string) { q(func: eq(receipt.key, $k)) { ids: receipt.ids } }`

// ReceiptIDs returns the erased ids of a receipt, ascending, after the id.
func (r *reader) ReceiptIDs(receipt, after graph.ID, limit int) ([]graph.ID, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	if !receipt.Valid() {
		return nil, nil
	}
	key := r.ks.nodeKey(receipt)
	var answer struct{ Q []struct{ IDs []graph.ID } }
	if err := r.runQuery(r.ctx, receiptIDsQuery, map[string]string{"$k": key}, &answer); err != nil {
		return nil, err
	}
	var ids []graph.ID
	for _, q := range answer.Q {
		ids = append(ids, q.IDs...)
	}
	if r.writes != nil {
		ids = append(ids, r.writes.receiptIDs[key]...)
	}
	ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return id <= after })
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids[:min(len(ids), graph.PageSize(limit))], nil
}

// Note returns a note, or ErrNotFound.
func (r *reader) Note(kind graph.NoteKind, id graph.ID) (*graph.Note, error) {
	key := r.ks.noteKeyspace(kind).nodeKey(id)
	if err := r.pointRead(onNote, key); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	return readValue(r, notes, key, decodeNote)
}

// Notes returns notes of a kind in order of id, after the id in the requested order.
func (r *reader) Notes(kind graph.NoteKind, after graph.ID, descending bool, limit int) ([]*graph.Note, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	limit = graph.PageSize(limit)
	head, err := r.tenantHead()
	if err != nil {
		return nil, err
	}
	scan := head.keyRange("note.key", r.ks.noteKeyspace(kind), head.Notes)
	want := limit + r.editedRows(notes)
	var stored []row
	err = r.loadRange(scan, notes, after, descending, want, func(some row) (bool, error) {
		stored = append(stored, some)
		return len(stored) < want, nil
	})
	if err != nil {
		return nil, err
	}
	rows, err := visibleRows(r, notes, nameDamagedNote(kind, scan.keyspace), stored, func(n *graph.Note) bool {
		return n.Kind == kind && graph.Follows(n.ID, after, descending)
	})
	return valuesByKey(rows, descending, limit), err
}

// nameDamagedNote decodes notes of a kind and names one whose row is damaged.
func nameDamagedNote(kind graph.NoteKind, ks keyspace) decoder[*graph.Note] {
	return func(tenant keyspace, key, text string) (*graph.Note, error) {
		n, err := decodeNote(tenant, key, text)
		if id, unknown := ks.parseID(key); unknown == nil && errors.Is(err, graph.ErrIntegrity) {
			return nil, &graph.DamagedNoteError{Kind: kind, ID: id, Err: err}
		}
		return n, err
	}
}

// Setting returns a small named value of the tenant, or ErrNotFound.
func (r *reader) Setting(name string) ([]byte, error) {
	key := r.ks.hashedKey("setting", name)
	if err := r.pointRead(onSetting, key); err != nil {
		return nil, err
	}
	return readValue(r, settings, key, decodeSetting)
}
