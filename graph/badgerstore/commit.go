package badgerstore

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
)

// errRetry says that a transaction lost against another one.
var errRetry = errors.New("badgerstore: conflict")

// commitOrder numbers commits.
type commitOrder struct {
	sync.Mutex
	last     link
	recorded map[graph.Tenant]stamp // latest recorded instant of each known tenant
}

// load reads what is known of the tenants.
func (o *commitOrder) load(db *badger.DB) error {
	tenants, err := tenantsOf(db)
	if err != nil {
		return err
	}
	o.recorded = make(map[graph.Tenant]stamp, len(tenants))
	return db.View(func(txn *badger.Txn) error {
		for _, t := range tenants {
			at, err := recorded(rows{txn: txn, ks: newKeyspace(t)})
			if err != nil {
				return err
			}
			o.recorded[t] = at
		}
		return nil
	})
}

// recorded reads the latest recorded instant of a tenant.
func recorded(r rows) (at stamp, err error) {
	k := r.ks.row(rowLastRecorded)
	err = r.get(k, func(_ byte, v []byte) error {
		if len(v) != 8 {
			return broken(k, "not an instant")
		}
		at = stamp(binary.BigEndian.Uint64(v))
		return nil
	})
	if errors.Is(err, graph.ErrNotFound) {
		err = nil
	}
	return at, err
}

// commit writes the numbered rows of w, hands it to Badger in the order of the
// numbers and waits until it is durable. It answers the last cursor.
//
// Badger fixes the order of commits while CommitWith runs and calls back when the
// writes are synced. The lock is held for the first and not for the second, so that
// writers share the wait. Whether Badger took the commit shows at once in the entry
// that it was given: it stamps the keys of what it takes, and leaves them alone
// where it answers a conflict. So a conflict uses up no number.
func (s *Store) commit(w *writer) (graph.Cursor, error) {
	s.order.Lock()
	if err := s.failure.Load(); err != nil {
		s.order.Unlock()
		return 0, *err
	}
	next, err := s.number(w)
	if err != nil {
		s.order.Unlock()
		return 0, err
	}
	last := badger.NewEntry(next.key(), seal(next.key(), formWhole, next.encode()))
	if err := w.txn.SetEntry(last); err != nil {
		s.order.Unlock()
		return 0, writeError(err)
	}
	unstamped := len(last.Key)
	done := make(chan error, 1)
	w.txn.CommitWith(func(err error) { done <- err })
	taken := len(last.Key) != unstamped
	if taken {
		s.order.last = next
		for t, at := range w.recorded {
			s.order.recorded[t] = max(s.order.recorded[t], at)
		}
	}
	s.order.Unlock()

	err = <-done
	switch {
	case err == nil && taken:
	case !taken && errors.Is(err, badger.ErrConflict):
		return 0, errRetry
	case !taken && err != nil:
		return 0, writeError(err)
	default:
		s.fail(err)
		return 0, fmt.Errorf("%w: %w", graph.ErrUncertain, err)
	}
	if s.mark != nil {
		if err := s.mark.commit(next.Commit, next.Chain); err != nil {
			s.fail(err)
			return 0, fmt.Errorf("%w: %w", graph.ErrUncertain, err)
		}
	}
	s.feeds.committed(w.heads)
	if len(w.changes) == 0 {
		return 0, nil
	}
	return graph.Cursor(next.Cursor), nil
}

// number gives the changes of w their cursors and writes their rows and what is
// known of their tenants. The caller holds the order.
func (s *Store) number(w *writer) (link, error) {
	cursor := s.order.last.Cursor
	digest := sha256.New()
	for _, c := range w.changes {
		cursor++
		at := c.At
		if at.IsZero() {
			at = max(s.order.recorded[c.tenant], w.recorded[c.tenant], s.usage.latest(c.tenant)).time()
		}
		id, err := uuid("id", c.ID)
		if err != nil {
			return link{}, err
		}
		row, err := encode(&changeRow{
			At: stampOf(at), Node: string(c.Node), Kind: string(c.Kind), ID: id[:], Namespace: c.Namespace,
		})
		if err != nil {
			return link{}, err
		}
		k := newKeyspace(c.tenant).row(rowChange, be64(cursor))
		v := seal(k, formWhole, row)
		digest.Write(k)
		digest.Write(v)
		if err := w.set(k, v, 0); err != nil {
			return link{}, err
		}
		w.heads[c.tenant] = graph.Cursor(cursor)
	}
	for t, at := range w.recorded {
		known, ok := s.order.recorded[t]
		if !ok {
			k := storeKey(rowTenant, []byte(t)...)
			if err := w.set(k, seal(k, formWhole, nil), 0); err != nil {
				return link{}, err
			}
		}
		if at > known {
			k := newKeyspace(t).row(rowLastRecorded)
			if err := w.set(k, seal(k, formWhole, be64(uint64(at))), 0); err != nil {
				return link{}, err
			}
		}
	}
	return s.order.last.next(cursor, [32]byte(digest.Sum(nil))), nil
}

// writeError is an error of Badger's about a write that was not taken.
func writeError(err error) error {
	if errors.Is(err, badger.ErrTxnTooBig) {
		return graph.ErrTooLarge
	}
	return fmt.Errorf("badgerstore: write: %w", err)
}

// change is one to be appended to the feed. A zero At stands for the latest
// recorded instant of the tenant.
type change struct {
	graph.Change
	tenant graph.Tenant
}

// writer collects the writes of one transaction.
type writer struct {
	rows
	tenant   graph.Tenant
	dirty    bool
	changes  []change
	recorded map[graph.Tenant]stamp // touched tenants, with their latest instant here
	heads    map[graph.Tenant]graph.Cursor
}

// begin starts a transaction; a writer without a tenant writes rows of the store.
// The caller discards w.txn.
func (s *Store) begin(t graph.Tenant) *writer {
	w := &writer{
		rows: rows{txn: s.db.NewTransaction(true)}, tenant: t,
		recorded: map[graph.Tenant]stamp{}, heads: map[graph.Tenant]graph.Cursor{},
	}
	if t != "" {
		w.ks = newKeyspace(t)
	}
	return w
}

// note says that something of the tenant was recorded at the instant.
func (w *writer) note(t graph.Tenant, at time.Time) {
	w.recorded[t] = max(w.recorded[t], stampOf(at))
}

// set writes a stored value as it is.
func (w *writer) set(k key, value []byte, meta byte) error {
	if err := w.txn.SetEntry(badger.NewEntry(k, value).WithMeta(meta)); err != nil {
		return writeError(err)
	}
	w.touch()
	return nil
}

func (w *writer) touch() {
	w.dirty = true
	if _, ok := w.recorded[w.tenant]; !ok && w.tenant != "" {
		w.recorded[w.tenant] = 0
	}
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
	item, err := w.txn.Get(k)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("badgerstore: read: %w", err)
	}
	n := 0
	err = item.Value(func(v []byte) error {
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

// unset deletes the row at k, without reading it.
func (w *writer) unset(k key) error {
	if err := w.txn.Delete(k); err != nil {
		return writeError(err)
	}
	w.touch()
	return nil
}
