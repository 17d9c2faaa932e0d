package badgerstore

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// PutRequest records an idempotent write; an existing key is ErrConflict.
func (t *tx) PutRequest(q graph.Request) error {
	if err := q.Validate(); err != nil {
		return err
	}
	row, err := wire.RequestOf(q)
	if err != nil {
		return err
	}
	_, err = t.Request(q.Key)
	if known, err := graph.Found(err); err != nil {
		return err
	} else if known {
		return graph.ErrConflict
	}
	if row.Result != nil {
		if _, err := t.attach("result", [16]byte(row.Result)); err != nil {
			return err
		}
	}
	n := t.names.name(q.Key)
	return t.apply(func(w *txWriter) {
		w.putRecord(w.namedKey(rowRequest, n[:]), row)
		w.noteRecorded(t.tenant, q.At)
		if row.Result != nil {
			w.putMarker(w.namedKey(rowRequestOf, row.Result, n[:]))
		}
	})
}

// PutReceipt writes a receipt, new or changed.
func (t *tx) PutReceipt(r graph.Receipt) error {
	b, err := wire.UUID("id", r.ID)
	if err != nil {
		return err
	}
	return t.apply(func(w *txWriter) {
		w.noteRecorded(t.tenant, r.RequestedAt)
		w.noteRecorded(t.tenant, r.CompletedAt)
		w.putRecord(w.ks.rowKey(rowReceipt, b[:]), wire.ReceiptOf(r))
	})
}

// PutReceiptIDs adds erased ids to a receipt.
func (t *tx) PutReceiptIDs(receipt graph.ID, ids []graph.ID) error {
	b, err := wire.UUID("receipt", receipt)
	if err != nil {
		return err
	}
	erased, err := wire.IDList("ids", ids)
	if err != nil {
		return err
	}
	return t.apply(func(w *txWriter) {
		for id := range slices.Chunk(erased, 16) {
			w.putMarker(w.ks.rowKey(rowErased, b[:], id))
		}
	})
}

// PutSetting stores a small named value (at most 64 KiB); nil removes it.
func (t *tx) PutSetting(setting string, value []byte) error {
	if err := graph.ValidateSetting(setting, value); err != nil {
		return err
	}
	n := t.names.name(setting)
	return t.apply(func(w *txWriter) {
		k := w.namedKey(rowSetting, n[:])
		if w.settings == nil {
			w.settings = map[[16]byte]string{}
		}
		if graph.NamedInJournal(setting) {
			w.settings[n] = setting
		}
		if value == nil {
			w.deleteRow(k)
		} else {
			w.putRow(k, value, 0)
		}
	})
}
