package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/skl"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// change is one to be appended to the feed. A zero At stands for the latest
// recorded instant of the tenant.
type change struct {
	graph.Change
	tenant graph.Tenant
}

// size is what counts towards the bounds of one transaction of Badger's.
type size struct{ bytes, entries int64 }

func (s *size) add(o size)            { s.bytes, s.entries = s.bytes+o.bytes, s.entries+o.entries }
func (s size) within(limit size) bool { return s.bytes <= limit.bytes && s.entries <= limit.entries }

// limitOf is what one commit may hold with such a memtable: Badger takes 15 % of it,
// and a node of its skip list an entry, of which a tenth is left for the commit's own
// rows.
func limitOf(memTable int64) size {
	bytes := 15 * memTable / 100
	return size{bytes: bytes * 9 / 10, entries: bytes / int64(skl.MaxNodeSize) * 9 / 10}
}

// entry is one write: a stored value, or none where the row goes.
type entry struct {
	value []byte
	meta  byte
	gone  bool
}

// writer collects the writes of one transaction, on a snapshot of its own.
type writer struct {
	rows     // reads what it has written
	store    *Store
	tenant   graph.Tenant
	base     uint64 // commit that the snapshot shows
	size     size
	changes  []change
	recorded map[graph.Tenant]wire.Stamp // touched tenants, with their latest instant here
	heads    map[graph.Tenant]graph.Cursor
}

// begin starts a transaction; a writer without a tenant writes rows of the store.
// The caller ends it.
func (s *Store) begin(t graph.Tenant) *writer {
	base := s.order.begin(s.order.updates)
	w := &writer{
		rows:  rows{txn: s.db.NewTransactionAt(base, false), reads: map[uint64]struct{}{}},
		store: s, tenant: t, base: base,
		size:     size{bytes: 512, entries: 4}, // rows that its commit adds for the tenant
		recorded: map[graph.Tenant]wire.Stamp{}, heads: map[graph.Tenant]graph.Cursor{},
	}
	if t != "" {
		w.ks = newKeyspace(t)
	}
	w.own = &written{
		entries: map[string]entry{}, byRow: map[string][]string{}, row: len(w.ks) + 1,
	}
	return w
}

// end gives the snapshot back.
func (w *writer) end() {
	w.txn.Discard()
	w.store.order.end(w.store.order.updates, w.base)
}

// dirty reports whether anything is to be committed.
func (w *writer) dirty() bool { return len(w.own.entries) > 0 }

// note says that something of the tenant was recorded at the instant.
func (w *writer) note(t graph.Tenant, at time.Time) {
	w.recorded[t] = max(w.recorded[t], wire.StampOf(at))
}

// set writes a stored value as it is.
func (w *writer) set(k key, value []byte, meta byte) error {
	return w.enter(k, entry{value: value, meta: meta})
}

// unset deletes the row at k, without reading it.
func (w *writer) unset(k key) error {
	return w.enter(k, entry{gone: true})
}

// enter notes a write for the commit.
func (w *writer) enter(k key, e entry) error {
	w.own.enter(k, e)
	w.size.add(size{bytes: int64(len(k)+len(e.value)) + 32, entries: 1})
	if _, ok := w.recorded[w.tenant]; !ok && w.tenant != "" {
		w.recorded[w.tenant] = 0
	}
	if !w.size.within(w.store.limit) {
		return graph.ErrTooLarge
	}
	return nil
}

// changed appends a change, recorded at the instant.
func (w *writer) changed(t graph.Tenant, c graph.Change) {
	w.changes = append(w.changes, change{tenant: t, Change: c})
	w.size.add(size{bytes: 320, entries: 1}) // more than its row takes
	w.note(t, c.At)
}

// writeError is an error of Badger's about a write that was not taken.
func writeError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, badger.ErrTxnTooBig):
		return graph.ErrTooLarge
	}
	return fmt.Errorf("badgerstore: write: %w", err)
}

// put seals a payload into the row at k, in parts where it is large. It reads the
// row, so that of two transactions that put it one is run again.
func (w *writer) put(k key, payload []byte, meta byte) error {
	old, err := w.parts(k)
	if err != nil {
		return err
	}
	form, head, parts := byte(formWhole), payload, [][]byte(nil)
	if len(payload) > maxValue-sealSize {
		head, parts = split(payload)
		if len(parts) > 1<<16-1 {
			return graph.ErrTooLarge
		}
		form, head = formParts, append(binary.BigEndian.AppendUint16(nil, uint16(len(parts))), head...)
	}
	for i, p := range parts {
		pk := w.ks.part(k, i)
		if err := w.set(pk, seal(pk, formWhole, p), 0); err != nil {
			return err
		}
	}
	for i := len(parts); i < old; i++ {
		if err := w.unset(w.ks.part(k, i)); err != nil {
			return err
		}
	}
	return w.set(k, seal(k, form, head), meta)
}

// drop deletes the row at k with its parts; a missing one is no error.
func (w *writer) drop(k key) error {
	old, err := w.parts(k)
	if err != nil {
		return err
	}
	for i := range old {
		if err := w.unset(w.ks.part(k, i)); err != nil {
			return err
		}
	}
	return w.unset(k)
}

// parts is the number of parts of the row at k, 0 where there is no row.
func (w *writer) parts(k key) (int, error) {
	row, ok, err := w.at(k)
	if !ok || err != nil {
		return 0, err
	}
	n := 0
	err = row.value(func(v []byte) error {
		form, head, err := unseal(k, v)
		if err == nil && form == formParts {
			n, err = partsOf(k, head)
		}
		return err
	})
	return n, err
}

// flag writes a row without a payload, without reading it.
func (w *writer) flag(k key) error { return w.set(k, seal(k, formWhole, nil), 0) }
