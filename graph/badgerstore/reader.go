package badgerstore

import (
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// User meta bytes of the row of a memory. A row of an earlier build has 0, whatever the status of
// the memory, unless it is FORGOTTEN.
const (
	stubMeta  = 1 // a FORGOTTEN memory
	endedMeta = 2 // a memory that is neither ACTIVE nor FORGOTTEN
)

// Memory returns a memory in any status with its usage, or ErrNotFound.
func (r *reader) Memory(id graph.ID) (*graph.Memory, error) {
	b, err := r.keyOf(id)
	if err != nil {
		return nil, err
	}
	m, err := r.readMemory(id, b)
	if err != nil {
		return nil, err
	}
	return m, r.fillUsage(m, b)
}

// readMemory reads a memory without its usage.
func (r rowReader) readMemory(id graph.ID, b [16]byte) (*graph.Memory, error) {
	return r.readMemoryOf(nil, id, b)
}

// readMemoryOf is readMemory of a row whose user meta byte is wanted, nil for any. It returns nil
// for another row, which it does not open.
func (r rowReader) readMemoryOf(wanted func(meta byte) bool, id graph.ID, b [16]byte) (m *graph.Memory, err error) {
	k := r.ks.rowKey(rowMemory, b[:])
	err = r.getRowOf(wanted, k, func(payload []byte) (err error) {
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
	m.Usage = u.usage()
	return nil
}

// foldedUsage reads the folded usage of a memory, zero if there is none.
func (r rowReader) foldedUsage(b [16]byte) (usageRow, error) {
	u, err := decodeRow[usageRow](r, r.ks.rowKey(rowUsage, b[:]))
	u.Sessions, u.Keyed = r.names.sessions(u.Sessions, u.Keyed), nil
	return u, noneIfMissing(err)
}

// Memories returns memories in the order of ids, nil for a missing one.
func (r *reader) Memories(ids []graph.ID) ([]*graph.Memory, error) {
	out := make([]*graph.Memory, len(ids))
	for i, id := range ids {
		m, err := r.Memory(id)
		if _, err := graph.Found(err); err != nil {
			return nil, err
		}
		out[i] = m
	}
	return out, nil
}

// Embedding returns the stored vector, or ErrNotFound if it is pending.
func (r *reader) Embedding(id graph.ID) (v []float32, err error) {
	b, err := r.keyOf(id)
	if err != nil {
		return nil, err
	}
	k := r.ks.rowKey(rowEmbedding, b[:])
	err = r.getRow(k, func(payload []byte) (err error) {
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
	n := r.names.name(requestKey)
	row, err := decodeRow[wire.Request](r.rowReader, r.namedKey(rowRequest, n[:]))
	if err != nil {
		return nil, err
	}
	return row.Request(), nil
}

// Receipt returns a deletion receipt, or ErrNotFound.
func (r *reader) Receipt(id graph.ID) (*graph.Receipt, error) {
	b, err := r.keyOf(id)
	if err != nil {
		return nil, err
	}
	row, err := decodeRow[wire.Receipt](r.rowReader, r.ks.rowKey(rowReceipt, b[:]))
	if err != nil {
		return nil, err
	}
	return row.Receipt(id), nil
}

// ReceiptIDs returns the erased ids of a receipt, ascending, after the id.
func (r *reader) ReceiptIDs(receipt, after graph.ID, limit int) ([]graph.ID, error) {
	return r.listIDs(rowErased, receipt, after, limit)
}

// Setting returns a small named value of the tenant, or ErrNotFound.
func (r *reader) Setting(setting string) (value []byte, err error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	n := r.names.name(setting)
	err = r.getRow(r.namedKey(rowSetting, n[:]), func(p []byte) error {
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
