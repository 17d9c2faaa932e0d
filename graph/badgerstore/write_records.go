package badgerstore

import (
	"errors"

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
	result := row.Result
	payload, err := encode(row)
	if err != nil {
		return err
	}
	_, err = t.Request(q.Key)
	if err == nil {
		return graph.ErrConflict
	}
	if !errors.Is(err, graph.ErrNotFound) {
		return err
	}
	if result != nil {
		if _, err := t.attach("result", [16]byte(result)); err != nil {
			return err
		}
	}
	n := nameHash(q.Key)
	return t.apply(func(w *txWriter) error {
		if err := w.putRow(w.ks.rowKey(rowRequest, n[:]), payload, 0); err != nil {
			return err
		}
		w.noteRecorded(t.tenant, q.At)
		if result == nil {
			return nil
		}
		return w.putMarker(w.ks.rowKey(rowRequestOf, result, n[:]))
	})
}

// PutReceipt writes a receipt, new or changed.
func (t *tx) PutReceipt(r graph.Receipt) error {
	b, err := wire.UUID("id", r.ID)
	if err != nil {
		return err
	}
	payload, err := encode(wire.ReceiptOf(r))
	if err != nil {
		return err
	}
	return t.apply(func(w *txWriter) error {
		w.noteRecorded(t.tenant, r.RequestedAt)
		w.noteRecorded(t.tenant, r.CompletedAt)
		return w.putRow(w.ks.rowKey(rowReceipt, b[:]), payload, 0)
	})
}

// PutReceiptIDs adds erased ids to a receipt.
func (t *tx) PutReceiptIDs(receipt graph.ID, ids []graph.ID) error {
	b, err := wire.UUID("receipt", receipt)
	if err != nil {
		return err
	}
	keys := make([]key, 0, len(ids))
	for _, id := range ids {
		e, err := wire.UUID("ids", id)
		if err != nil {
			return err
		}
		keys = append(keys, t.ks.rowKey(rowErased, b[:], e[:]))
	}
	return t.apply(func(w *txWriter) error {
		for _, k := range keys {
			if err := w.putMarker(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// PutSetting stores a small named value (at most 64 KiB); nil removes it.
func (t *tx) PutSetting(setting string, value []byte) error {
	if err := graph.ValidateSetting(setting, value); err != nil {
		return err
	}
	n := nameHash(setting)
	return t.apply(func(w *txWriter) error {
		k := w.ks.rowKey(rowSetting, n[:])
		if value == nil {
			return w.deleteRow(k)
		}
		return w.putRow(k, value, 0)
	})
}
