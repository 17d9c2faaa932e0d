package dgraphstore

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Request answers the idempotency record of key, or ErrNotFound.
func (r *reader) Request(key string) (*graph.Request, error) {
	at := r.ks.name("request", key)
	if err := r.point(onRequest, at); err != nil {
		return nil, err
	}
	text, _, err := r.record(requests, at)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	return decodeRequest(at, text)
}

// Receipt answers a deletion receipt, or ErrNotFound.
func (r *reader) Receipt(id graph.ID) (*graph.Receipt, error) {
	if err := r.point(onReceipt, string(id)); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	key := r.ks.node(id)
	text, _, err := r.record(receipts, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	return decodeReceipt(key, id, text)
}

const receiptIDsQuery = `query q($k: string) { q(func: eq(receipt.key, $k)) { ids: receipt.ids } }`

// ReceiptIDs answers the erased ids of a receipt, ascending, behind after.
func (r *reader) ReceiptIDs(receipt, after graph.ID, limit int) ([]graph.ID, error) {
	if err := r.scan(); err != nil {
		return nil, err
	}
	if !receipt.Valid() {
		return nil, nil
	}
	key := r.ks.node(receipt)
	var answer struct{ Q []struct{ IDs []graph.ID } }
	if err := r.ask(r.ctx, receiptIDsQuery, map[string]string{"$k": key}, &answer); err != nil {
		return nil, err
	}
	var ids []graph.ID
	for _, q := range answer.Q {
		ids = append(ids, q.IDs...)
	}
	if r.w != nil {
		ids = append(ids, r.w.erased[key]...)
	}
	ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return id <= after })
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids[:min(len(ids), page(limit))], nil
}

// Note answers a note, or ErrNotFound.
func (r *reader) Note(kind graph.NoteKind, id graph.ID) (*graph.Note, error) {
	key := r.ks.notes(kind).node(id)
	if err := r.point(onNote, key); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	text, _, err := r.record(notes, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	return decodeNote(key, text)
}

// Notes answers notes of a kind in order of id, behind after in the order asked for.
func (r *reader) Notes(kind graph.NoteKind, after graph.ID, descending bool, limit int) ([]*graph.Note, error) {
	if err := r.scan(); err != nil {
		return nil, err
	}
	limit = page(limit)
	h, err := r.where()
	if err != nil {
		return nil, err
	}
	ks := r.ks.notes(kind)
	s := stretch{predicate: "note.key", ks: ks, count: h.Notes, oldest: h.Oldest, newest: h.Newest}
	want := limit + r.edited(notes)
	var stored []row
	err = r.loadAlong(s, notes, after, descending, want, func(some row) (bool, error) {
		stored = append(stored, some)
		return len(stored) < want, nil
	})
	if err != nil {
		return nil, err
	}
	rows, err := r.present(notes, stored, func(key, record string) (bool, error) {
		n, err := decodeNote(key, record)
		return err == nil && n.Kind == kind && (after == "" || (n.ID > after) != descending && n.ID != after), err
	})
	if err != nil {
		return nil, err
	}
	sortRows(rows, descending)
	out := make([]*graph.Note, 0, min(len(rows), limit))
	for _, s := range rows[:min(len(rows), limit)] {
		n, err := decodeNote(s.Key, s.Record)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// Setting answers a small named value of the tenant, or ErrNotFound.
func (r *reader) Setting(name string) ([]byte, error) {
	key := r.ks.name("setting", name)
	if err := r.point(onSetting, key); err != nil {
		return nil, err
	}
	text, _, err := r.record(settings, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	return unseal(sealed("setting", key), text)
}
