package badgerstore

import (
	"encoding/binary"
	"time"

	"github.com/dgraph-io/badger/v4/skl"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/wire"
)

// tenantChange is a change to append to the feed. A zero At means the latest recorded instant
// of the tenant.
type tenantChange struct {
	graph.Change
	tenant graph.Tenant
}

// txSize is what counts towards the limits of one transaction of Badger.
type txSize struct{ bytes, entries int64 }

func (s *txSize) add(o txSize) { s.bytes, s.entries = s.bytes+o.bytes, s.entries+o.entries }
func (s txSize) within(limit txSize) bool {
	return s.bytes <= limit.bytes && s.entries <= limit.entries
}

// maxTxSize is what one commit may hold with such a memtable: Badger accepts 15 % of it,
// with a node of its skip list per entry. A tenth of that is left for the commit's own
// rows.
func maxTxSize(memTable int64) txSize {
	bytes := 15 * memTable / 100
	return txSize{bytes: bytes * 9 / 10, entries: bytes / int64(skl.MaxNodeSize) * 9 / 10}
}

// rowWrite is one write: a stored value, or a deletion.
type rowWrite struct {
	value   []byte
	meta    byte
	deleted bool
}

// txWriter collects the writes of one transaction, on a snapshot of its own.
type txWriter struct {
	rowReader // also reads what it has written
	store     *Store
	tenant    graph.Tenant
	base      uint64 // commit that the snapshot shows
	size      txSize
	changes   []tenantChange
	recorded  map[graph.Tenant]wire.Stamp // touched tenants, with their latest instant here
	heads     map[graph.Tenant]graph.Cursor
	retired   []uint64 // keys of the rows that it replaces or deletes
	rings     map[graph.Tenant]keyring.Mark
	settings  map[[16]byte]string         // names of the settings that it writes, by their form in keys
	journal   map[graph.Tenant][]wire.Row // what it touches besides its changes; set by fillJournal
	namePhase namePhase                   // what it makes the phase of the tenant's names; 0: it does not
	sameRows  bool                        // it only seals rows again: backups need nothing of it
	err       error                       // why it can't be committed
}

// beginWriter starts a transaction; a writer without a tenant writes rows of the store.
// The caller must release it.
func (s *Store) beginWriter(t graph.Tenant) *txWriter {
	base := s.order.beginSnapshot(s.order.updateSnapshots)
	w := &txWriter{
		rowReader: rowReader{txn: s.db.NewTransactionAt(base, false), readKeys: map[uint64]struct{}{}},
		store:     s, tenant: t, base: base,
		size:     txSize{bytes: 512, entries: 4}, // rows that its commit adds for the tenant
		recorded: map[graph.Tenant]wire.Stamp{}, heads: map[graph.Tenant]graph.Cursor{},
	}
	if t != "" {
		w.err = w.enter(t)
	}
	w.written = &txWrites{
		entries: map[string]rowWrite{}, keysByRow: map[string][]string{}, rowPrefix: len(w.ks) + 1,
	}
	return w
}

// enter makes the tenant the one whose rows are read and written.
func (w *txWriter) enter(t graph.Tenant) (err error) {
	w.tenant, w.ks = t, newKeyspace(t)
	w.names = w.store.nameForm(t, w.base)
	if w.names.key != nil && w.names.phase < namesKeyed { // conflict with the next phase
		w.readKeys[keyHash(w.ks.rowKey(rowNames))] = struct{}{}
	}
	w.ring, err = w.store.Ring(t)
	return err
}

// release closes the snapshot.
func (w *txWriter) release() {
	w.txn.Discard()
	w.store.order.endSnapshot(w.store.order.updateSnapshots, w.base)
}

// noteRecorded records that something of the tenant was recorded at the instant.
func (w *txWriter) noteRecorded(t graph.Tenant, at time.Time) {
	w.recorded[t] = max(w.recorded[t], wire.StampOf(at))
}

// fail keeps the first error of the writes: the transaction can't be committed.
func (w *txWriter) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// setValue writes a stored value unchanged.
func (w *txWriter) setValue(k key, value []byte, meta byte) {
	w.addWrite(k, rowWrite{value: value, meta: meta})
}

// deleteKey deletes the row at k, without reading it.
func (w *txWriter) deleteKey(k key) {
	if other := w.otherForm(k); other != nil {
		w.addWrite(other, rowWrite{deleted: true})
	}
	w.addWrite(k, rowWrite{deleted: true})
}

// addWrite adds a write to the commit.
func (w *txWriter) addWrite(k key, e rowWrite) {
	w.written.add(k, e)
	w.size.add(txSize{bytes: int64(len(k)+len(e.value)) + 32, entries: 1})
	if _, ok := w.recorded[w.tenant]; !ok && w.tenant != "" {
		w.recorded[w.tenant] = 0
	}
	if !w.size.within(w.store.maxTx) {
		w.fail(graph.ErrTooLarge)
	}
}

// addChange appends a change, recorded at the instant.
func (w *txWriter) addChange(t graph.Tenant, c graph.Change) {
	w.changes = append(w.changes, tenantChange{tenant: t, Change: c})
	w.size.add(txSize{bytes: 320, entries: 1}) // more than its row takes
	w.noteRecorded(t, c.At)
}

// putRow seals a payload into the row at k, in parts if it is large. It reads the row, so
// that of two transactions that put it one runs again.
func (w *txWriter) putRow(k key, payload []byte, meta byte) {
	w.replaceRow(k, payload, meta, false)
}

// replaceRow is putRow. With erase the key of the former version is retired, and if it is to be
// replaced.
func (w *txWriter) replaceRow(k key, payload []byte, meta byte, erase bool) {
	if other := w.otherForm(k); other != nil {
		w.replaceRow(other, w.keyedPayload(k, payload), meta, erase)
	}
	old, number := w.storedRow(k)
	if number != 0 && (erase || w.renewsKey(number)) {
		w.retired, number = append(w.retired, number), 0
	}
	form, parts := byte(formWhole), [][]byte(nil)
	if w.ring != nil && w.sealable(k) && meta != stubMeta {
		sealed, err := w.sealPayload(k, payload, number)
		if err != nil {
			w.fail(err)
			return
		}
		form, payload = formSealed, sealed
	}
	head := payload
	if len(payload) > maxValue-sealSize {
		head, parts = splitPayload(payload)
		if len(parts) > 1<<16-1 {
			w.fail(graph.ErrTooLarge)
			return
		}
		form, head = form|formParts, append(binary.BigEndian.AppendUint16(nil, uint16(len(parts))), head...)
	}
	for i, p := range parts {
		pk := w.ks.partKey(k, i)
		w.setValue(pk, seal(pk, formWhole, p), 0)
	}
	for i := len(parts); i < old; i++ {
		w.deleteKey(w.ks.partKey(k, i))
	}
	w.setValue(k, seal(k, form, head), meta)
}

// putRecord encodes a row and puts it at k.
func (w *txWriter) putRecord(k key, row any) {
	payload, err := encode(row)
	w.fail(err)
	w.putRow(k, payload, 0)
}

// deleteRow deletes the row at k with its parts; a missing one is no error.
func (w *txWriter) deleteRow(k key) {
	if other := w.otherForm(k); other != nil {
		w.deleteRow(other)
	}
	parts, number := w.storedRow(k)
	if number != 0 {
		w.retired = append(w.retired, number)
	}
	for i := range parts {
		w.deleteKey(w.ks.partKey(k, i))
	}
	w.addWrite(k, rowWrite{deleted: true})
}

// storedRow returns the number of parts of the row at k, 0 if there is no row, and the number of
// its key, 0 if it is not sealed.
func (w *txWriter) storedRow(k key) (parts int, number uint64) {
	row, ok, err := w.findRow(k)
	if ok && err == nil {
		err = row.value(func(v []byte) error {
			form, head, err := unseal(k, v)
			if err == nil && form&^formSealed == formParts {
				if parts, err = partCount(k, head); err == nil {
					head = head[2:]
				}
			}
			if err == nil && form&formSealed != 0 {
				number, err = keyNumber(k, head)
			}
			return err
		})
	}
	w.fail(err)
	return parts, number
}

// putMarker writes a row without a payload, without reading it.
func (w *txWriter) putMarker(k key) {
	if other := w.otherForm(k); other != nil {
		w.putMarker(other)
	}
	w.setValue(k, seal(k, formWhole, nil), 0)
}
