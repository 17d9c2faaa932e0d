package dgraphstore

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// reader is a graph.Reader on one snapshot. That of an Update also sees the writes of its transaction, and keeps what it has read.
type reader struct {
	*snapshot
	ctx    context.Context
	tenant graph.Tenant
	ks     keyspace
	ended  *atomic.Bool
	head   *tenantHead // of the tenant in the snapshot; nil: not read yet

	vectorPrefetch vectorPrefetch
	prefetched     prefetchedRows // what Expect has read

	writes *txWrites // nil in a View
}

func newReader(ctx context.Context, snap *snapshot, t graph.Tenant) *reader {
	return &reader{snapshot: snap, ctx: ctx, tenant: t, ks: snap.store.keyspace(t), ended: &atomic.Bool{}, prefetched: newPrefetched()}
}

func (r *reader) end() { r.ended.Store(true) }

// errEnded is the error of a Reader or Tx that is used after its function.
var errEnded = errors.New("dgraphstore: the transaction has ended")

// pointRead begins a read of a key that a transaction can conflict on.
func (r *reader) pointRead(what string, words ...string) error {
	if r.ended.Load() {
		return errEnded
	}
	if r.writes != nil {
		r.writes.addRead(keyHashOf(what, words...))
	}
	return nil
}

// nodeRead is pointRead for a node. It returns the key of the node, or ErrNotFound for an invalid id.
func (r *reader) nodeRead(what string, id graph.ID) (key string, err error) {
	if err := r.pointRead(what, string(id)); err != nil {
		return "", err
	}
	if !id.Valid() {
		return "", graph.ErrNotFound
	}
	return r.ks.nodeKey(id), nil
}

// scanRead begins a read without conflict detection: it must show everything committed.
func (r *reader) scanRead() error {
	if err := r.checkUsable(); err != nil {
		return err
	}
	if r.writes != nil && r.writes.verifySnapshot != nil {
		if err := r.writes.verifySnapshot(); err != nil {
			return err
		}
		r.writes.verifySnapshot = nil
	}
	return nil
}

// checkUsable returns the reason why nothing can be read any more, or nil.
func (r *reader) checkUsable() error {
	if r.ended.Load() {
		return errEnded
	}
	return r.ctx.Err()
}

// readRows returns stored rows by key. A transaction keeps the rows that it has read: its snapshot does not change.
func (r *reader) readRows(kind *rowKind, keys ...string) (map[string]row, error) {
	if r.writes == nil && len(r.prefetched.rows) == 0 {
		return r.fetchRows(kind, keys)
	}
	found := make(map[string]row, len(keys))
	var missing []string
	for _, key := range keys {
		if known, ok := r.knownRow(kind, key); ok {
			found[key] = known
		} else {
			missing = append(missing, key)
		}
	}
	fetched, err := r.fetchRows(kind, missing)
	if err != nil {
		return nil, err
	}
	for _, key := range missing {
		found[key] = fetched[key]
		r.keepRow(kind, key, fetched[key])
	}
	return found, nil
}

// readRecord returns the present record of a row, "" if it has none, and the stored row.
func (r *reader) readRecord(kind *rowKind, key string) (string, row, error) {
	found, err := r.readRows(kind, key)
	if err != nil {
		return "", row{}, err
	}
	return r.presentRecord(kind, key, found[key]), found[key], nil
}

// presentRecord is the record of a stored row, or what the transaction has written instead.
func (r *reader) presentRecord(kind *rowKind, key string, stored row) string {
	if r.writes != nil {
		if e, ok := r.writes.edits[rowID{kind, key}]; ok {
			return e.record
		}
	}
	return stored.Record
}

// readValue returns the value in the row at key, or ErrNotFound.
func readValue[T any](r *reader, kind *rowKind, key string, decode decoder[T]) (v T, err error) {
	record, _, err := r.readRecord(kind, key)
	if err != nil {
		return v, err
	}
	if record == "" {
		return v, graph.ErrNotFound
	}
	return decode(r.ks, key, record)
}

// visibleRow is a row as a transaction sees it, with its value.
type visibleRow[T any] struct {
	row
	value T
}

// visibleRows turns stored rows of a kind into what a transaction sees: it removes the rows
// that the transaction wrote, and adds those that it wrote and that belong to the list.
func visibleRows[T any](r *reader, kind *rowKind, decode decoder[T], stored []row, belongs func(T) bool) ([]visibleRow[T], error) {
	var out []visibleRow[T]
	for _, storedRow := range stored {
		if storedRow.Record == "" {
			continue
		}
		if r.writes != nil {
			r.writes.keepSeen(kind, storedRow.Key, storedRow)
			if _, ok := r.writes.edits[rowID{kind, storedRow.Key}]; ok {
				continue
			}
		}
		v, err := decode(r.ks, storedRow.Key, storedRow.Record)
		if err != nil {
			return nil, err
		}
		out = append(out, visibleRow[T]{storedRow, v})
	}
	if r.writes == nil {
		return out, nil
	}
	for _, id := range r.writes.editOrder {
		e := r.writes.edits[id]
		if id.kind != kind || e.record == "" {
			continue
		}
		v, err := decode(r.ks, id.key, e.record)
		if err != nil {
			return nil, err
		}
		if belongs(v) {
			out = append(out, visibleRow[T]{row{Key: id.key, Record: e.record, Usage: e.stored.Usage, Uses: e.stored.Uses}, v})
		}
	}
	return out, nil
}

// rowsLeadingTo returns the visible rows whose edges of the predicates lead to a node.
func rowsLeadingTo[T any](r *reader, kind *rowKind, decode decoder[T], predicates []string, node graph.ID, belongs func(T) bool) ([]visibleRow[T], error) {
	var stored []row
	for _, predicate := range predicates {
		some, err := r.rowsByEdge(kind, predicate, r.ks.nodeKey(node))
		if err != nil {
			return nil, err
		}
		stored = append(stored, some...)
	}
	return visibleRows(r, kind, decode, uniqueRows(stored), belongs)
}

// uniqueRows keeps every row once.
func uniqueRows(rows []row) []row {
	seen := map[string]bool{}
	return slices.DeleteFunc(rows, func(r row) bool {
		had := seen[r.Key]
		seen[r.Key] = true
		return had
	})
}

// onlyValue is the value of the only row with a unique key, or ErrNotFound.
func onlyValue[T any](key string, rows []visibleRow[T], err error) (v T, _ error) {
	switch {
	case err != nil:
		return v, err
	case len(rows) == 0:
		return v, graph.ErrNotFound
	case len(rows) > 1:
		return v, integrityError(key, "two rows have the key")
	}
	return rows[0].value, nil
}

// valuesByKey returns the values of the first rows in order of their keys, which for rows of one keyspace is the order of ids.
func valuesByKey[T any](rows []visibleRow[T], descending bool, limit int) []T {
	slices.SortFunc(rows, func(a, b visibleRow[T]) int {
		if descending {
			a, b = b, a
		}
		return strings.Compare(a.Key, b.Key)
	})
	var values []T
	for _, r := range rows[:min(len(rows), limit)] {
		values = append(values, r.value)
	}
	return values
}

// editedRows is how many rows of a kind the transaction wrote.
func (r *reader) editedRows(kind *rowKind) (n int) {
	if r.writes == nil {
		return 0
	}
	for _, id := range r.writes.editOrder {
		if id.kind == kind {
			n++
		}
	}
	return n
}

// tenantHead returns the head of the tenant in the snapshot.
func (r *reader) tenantHead() (tenantHead, error) {
	if r.head == nil {
		head, err := r.readHead(r.ctx, r.tenant)
		if err != nil {
			return tenantHead{}, err
		}
		r.head = &head
	}
	return *r.head, nil
}

// LastRecorded is the latest instant at which anything was recorded in the tenant.
func (r *reader) LastRecorded() (time.Time, error) {
	if err := r.scanRead(); err != nil {
		return time.Time{}, err
	}
	head, err := r.tenantHead()
	if err != nil {
		return time.Time{}, err
	}
	last, err := r.lastUnfoldedUse(r.ctx, r.ks)
	if err != nil {
		return time.Time{}, err
	}
	last = max(last, head.Recorded)
	if r.writes != nil {
		last = max(last, r.writes.recorded)
	}
	return last.Time(), nil
}

// lastUnfoldedUse is the latest use of a tenant that is not folded yet, 0 if there is none.
func (snap *snapshot) lastUnfoldedUse(ctx context.Context, ks keyspace) (wire.Stamp, error) {
	var answer struct {
		M []struct{ Last *json.Number }
	}
	err := snap.runQuery(ctx, `query q($t: string) { var(func: eq(use.tenant, $t)) { a as use.at } m() { last: max(val(a)) } }`,
		map[string]string{"$t": ks.prefix}, &answer)
	if err != nil {
		return 0, err
	}
	for _, m := range answer.M {
		if m.Last != nil {
			n, err := m.Last.Int64()
			if err != nil {
				return 0, integrityError(ks.prefix, "a use without an instant")
			}
			return wire.Stamp(n), nil
		}
	}
	return 0, nil
}
