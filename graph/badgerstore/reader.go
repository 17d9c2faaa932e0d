package badgerstore

import (
	"errors"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// stubMeta is the user meta byte of the row of a FORGOTTEN memory.
const stubMeta = 1

// Memory returns a memory in any status with its usage, or ErrNotFound.
func (r *reader) Memory(id graph.ID) (*graph.Memory, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := id.Bytes()
	if err != nil {
		return nil, graph.ErrNotFound
	}
	m, err := r.readMemory(id, b)
	if err != nil {
		return nil, err
	}
	return m, r.fillUsage(m, b)
}

// readMemory reads a memory without its usage.
func (r *reader) readMemory(id graph.ID, b [16]byte) (m *graph.Memory, err error) {
	k := r.ks.rowKey(rowMemory, b[:])
	err = r.getRow(k, func(_ byte, payload []byte) error {
		m, err = decodeMemory(k, id, payload)
		return err
	})
	return m, err
}

// fillUsage adds the counted uses to a memory.
func (r *reader) fillUsage(m *graph.Memory, b [16]byte) error {
	if m.Status() == graph.Forgotten {
		return nil
	}
	u, err := r.foldedUsage(b)
	if err != nil {
		return err
	}
	for _, batch := range r.unfolded {
		batch.addTo(&u, r.tenant, m.ID)
	}
	m.Usage = graph.Usage{Count: u.Count, Days: u.Days, Last: u.Last.Time()}
	return nil
}

// foldedUsage reads the folded usage of a memory, zero if there is none.
func (r rowReader) foldedUsage(b [16]byte) (u usageRow, err error) {
	k := r.ks.rowKey(rowUsage, b[:])
	err = r.getRow(k, func(_ byte, payload []byte) error { return decode(k, payload, &u) })
	if errors.Is(err, graph.ErrNotFound) {
		err = nil
	}
	return u, err
}

// Memories returns memories in the order of ids, nil for a missing one.
func (r *reader) Memories(ids []graph.ID) ([]*graph.Memory, error) {
	out := make([]*graph.Memory, len(ids))
	for i, id := range ids {
		m, err := r.Memory(id)
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[i] = m
	}
	return out, nil
}

// Embedding returns the stored vector, or ErrNotFound if it is pending.
func (r *reader) Embedding(id graph.ID) (v []float32, err error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := id.Bytes()
	if err != nil {
		return nil, graph.ErrNotFound
	}
	k := r.ks.rowKey(rowEmbedding, b[:])
	err = r.getRow(k, func(_ byte, payload []byte) error {
		v, err = decodeVector(k, payload)
		return err
	})
	return v, err
}

// Request returns the idempotency record of key, or ErrNotFound.
func (r *reader) Request(requestKey string) (*graph.Request, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	n := nameHash(requestKey)
	k := r.ks.rowKey(rowRequest, n[:])
	var row wire.Request
	if err := r.getRow(k, func(_ byte, p []byte) error { return decode(k, p, &row) }); err != nil {
		return nil, err
	}
	return row.Request(), nil
}

// Receipt returns a deletion receipt, or ErrNotFound.
func (r *reader) Receipt(id graph.ID) (*graph.Receipt, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := id.Bytes()
	if err != nil {
		return nil, graph.ErrNotFound
	}
	k := r.ks.rowKey(rowReceipt, b[:])
	var row wire.Receipt
	if err := r.getRow(k, func(_ byte, p []byte) error { return decode(k, p, &row) }); err != nil {
		return nil, err
	}
	return row.Receipt(id), nil
}

// ReceiptIDs returns the erased ids of a receipt, ascending, after the id.
func (r *reader) ReceiptIDs(receipt, after graph.ID, limit int) ([]graph.ID, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := receipt.Bytes()
	if err != nil {
		return nil, nil
	}
	return r.scanIDs(r.ks.rowKey(rowErased, b[:]), after, false, graph.PageSize(limit))
}

// Setting returns a small named value of the tenant, or ErrNotFound.
func (r *reader) Setting(setting string) (value []byte, err error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	n := nameHash(setting)
	err = r.getRow(r.ks.rowKey(rowSetting, n[:]), func(_ byte, p []byte) error {
		value = append([]byte{}, p...)
		return nil
	})
	return value, err
}

// LastRecorded is the latest instant at which anything was recorded in the tenant,
// zero if nothing was. In an Update it is the present value, not that of the snapshot:
// otherwise every transaction would conflict with every other.
func (r *reader) LastRecorded() (time.Time, error) {
	if err := r.usable(); err != nil {
		return time.Time{}, err
	}
	var at wire.Stamp
	if r.writer != nil {
		at = max(r.store.order.latestRecorded(r.tenant), r.writer.recorded[r.tenant])
	} else {
		var err error
		if at, err = readLastRecorded(r.rowReader); err != nil {
			return time.Time{}, err
		}
	}
	for _, batch := range r.unfolded {
		at = max(at, batch.latestUse(r.tenant))
	}
	return at.Time(), nil
}
