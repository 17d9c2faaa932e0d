package badgerstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/wire"
)

// rowReader reads sealed rows in one transaction of Badger.
type rowReader struct {
	txn      *badger.Txn
	ks       keyspace            // of the tenant; empty for rows of the store
	ring     *keyring.Ring       // keys of the tenant; nil: rows are not sealed
	names    nameForm            // form of the names in keys
	readKeys map[uint64]struct{} // hashes of the keys that were read; nil: not recorded
	written  *txWrites           // what the transaction has written; nil: it only reads
	unopened bool                // only keys are wanted: values are not checked, and payloads are empty
}

// keyHash is the hash of a key that was read or written.
func keyHash(k key) uint64 { return xxhash.Sum64(k) }

// foundRow is a row as it is stored, or as the transaction wrote it.
type foundRow struct {
	item    *badger.Item // nil: the transaction wrote it
	written rowWrite
}

// meta is the user meta byte of the row.
func (f *foundRow) meta() byte {
	if f.item == nil {
		return f.written.meta
	}
	return f.item.UserMeta()
}

// value calls use with the stored value; use must not keep it.
func (f *foundRow) value(use func(v []byte) error) error {
	if f.item == nil {
		return use(f.written.value)
	}
	return f.item.Value(use)
}

// findRow returns the row at k and whether there is one.
func (r rowReader) findRow(k key) (f foundRow, ok bool, err error) {
	if r.readKeys != nil {
		r.readKeys[keyHash(k)] = struct{}{}
	}
	if r.written != nil {
		if e, wrote := r.written.entries[string(k)]; wrote {
			return foundRow{written: e}, !e.deleted, nil
		}
	}
	item, err := r.txn.Get(k)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return foundRow{}, false, nil
	}
	if err != nil {
		return foundRow{}, false, fmt.Errorf("badgerstore: read: %w", err)
	}
	return foundRow{item: item}, true, nil
}

// getRow calls use with the payload of the row at k, which use must not keep, or returns
// ErrNotFound.
func (r rowReader) getRow(k key, use func(payload []byte) error) error {
	return r.getRowOf(nil, k, use)
}

// getRowOf is getRow of a row whose user meta byte is wanted, nil for any. It does not call use for
// another row.
func (r rowReader) getRowOf(wanted func(meta byte) bool, k key, use func(payload []byte) error) error {
	row, ok, err := r.findRow(k)
	if err != nil {
		return err
	}
	if !ok {
		return graph.ErrNotFound
	}
	if wanted != nil && !wanted(row.meta()) {
		return nil
	}
	return row.value(func(v []byte) error {
		payload, err := r.openValue(k, v)
		if err != nil {
			return err
		}
		return use(payload)
	})
}

// openValue returns the payload of the stored value at k, with its parts.
func (r rowReader) openValue(k key, value []byte) ([]byte, error) {
	if r.unopened {
		return nil, nil
	}
	form, payload, err := unseal(k, value)
	if err == nil && form&^formSealed == formParts {
		payload, err = r.joinParts(k, payload)
	}
	if err != nil || form&formSealed == 0 {
		return payload, err
	}
	return r.openPayload(k, payload)
}

// decodeRow decodes the row at k, or returns ErrNotFound.
func decodeRow[R any](r rowReader, k key) (row R, err error) {
	err = r.getRow(k, func(payload []byte) error { return decode(k, payload, &row) })
	return row, err
}

// fixedRow copies the payload of the row at k, which must have the same length, to p, or
// returns ErrNotFound.
func (r rowReader) fixedRow(k key, p []byte) error {
	return r.getRow(k, func(payload []byte) error {
		if len(payload) != len(p) {
			return integrityError(k, fmt.Sprintf("has %d bytes, not %d", len(payload), len(p)))
		}
		copy(p, payload)
		return nil
	})
}

// readUint64 returns the number in the row at k, 0 if there is no row.
func (r rowReader) readUint64(k key) (uint64, error) {
	var b [8]byte
	err := noneIfMissing(r.fixedRow(k, b[:]))
	return binary.BigEndian.Uint64(b[:]), err
}

// noneIfMissing is the error of a read for which a missing row is an empty one.
func noneIfMissing(err error) error {
	_, err = graph.Found(err)
	return err
}

// mustExist is the error of a read that another row refers to: a missing row is damage.
func mustExist(err error, row byte, what string) error {
	if errors.Is(err, graph.ErrNotFound) {
		return integrityError(storeKey(row), what)
	}
	return err
}

// joinParts puts a payload together from the head and its parts.
func (r rowReader) joinParts(k key, head []byte) ([]byte, error) {
	n, err := partCount(k, head)
	if err != nil {
		return nil, err
	}
	whole := bytes.Clone(head[2:])
	for i := range n {
		err := r.getRow(r.ks.partKey(k, i), func(p []byte) error {
			whole = append(whole, p...)
			return nil
		})
		if err != nil {
			return nil, mustExist(err, rowPart, "a part is missing")
		}
	}
	return whole, nil
}

func partCount(k key, head []byte) (int, error) {
	if len(head) < 2 {
		return 0, integrityError(k, "no number of parts")
	}
	return int(binary.BigEndian.Uint16(head)), nil
}

// rowMeta returns the user meta byte of the row at k without reading its value, and
// whether there is one.
func (r rowReader) rowMeta(k key) (meta byte, found bool, err error) {
	row, ok, err := r.findRow(k)
	if !ok || err != nil {
		return 0, false, err
	}
	return row.meta(), true, nil
}

// scanRows calls use for the rows that begin with prefix, from the first key at or after from
// (at or before it, if descending), until use returns false. use must not keep key and
// payload, and must not write.
func (r rowReader) scanRows(prefix, from key, descending bool, use func(k key, payload []byte) (bool, error)) error {
	return r.scanRowsOf(nil, nil, prefix, from, descending, use)
}

// scanRowsOf is scanRows of the rows whose user meta byte is wanted, nil for all, and does not open the
// others. A row with an error that it leaves out, nil for none, is passed over.
func (r rowReader) scanRowsOf(wanted func(meta byte) bool, leavesOut func(error) bool, prefix, from key, descending bool, use func(k key, payload []byte) (bool, error)) error {
	var own []string
	if r.written != nil {
		own = r.written.keysInRange(prefix, from, descending)
	}
	o := badger.DefaultIteratorOptions
	o.PrefetchValues = false // values are inline: there is nothing to fetch
	o.Prefix = prefix
	o.Reverse = descending
	it := r.txn.NewIterator(o)
	defer it.Close()
	var more bool
	useValue := func(k key, meta byte, value []byte) error {
		if more = wanted != nil && !wanted(meta); more {
			return nil
		}
		payload, err := r.openValue(k, value)
		if err == nil {
			more, err = use(k, payload)
		}
		if err != nil && leavesOut != nil && leavesOut(err) {
			more, err = true, nil
		}
		return err
	}
	for it.Seek(from); ; {
		var c int // below 0: the next row is one that the transaction wrote; 0: it replaced the stored one
		switch stored := it.ValidForPrefix(prefix); {
		case !stored && len(own) == 0:
			return nil
		case !stored:
			c = -1
		case len(own) == 0:
			c = 1
		default:
			if c = strings.Compare(own[0], string(it.Item().Key())); descending {
				c = -c
			}
		}
		var err error
		if c > 0 {
			item := it.Item()
			err = item.Value(func(v []byte) error { return useValue(item.Key(), item.UserMeta(), v) })
			it.Next()
		} else {
			k := own[0]
			if own = own[1:]; c == 0 {
				it.Next()
			}
			e := r.written.entries[k]
			if e.deleted {
				continue
			}
			err = useValue(key(k), e.meta, e.value)
		}
		if err != nil || !more {
			return err
		}
	}
}

// keyTails returns what follows the prefix in the keys that begin with it.
func (r rowReader) keyTails(prefix key) (tails [][]byte, err error) {
	err = r.scanRows(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
		tails = append(tails, bytes.Clone(k[len(prefix):]))
		return true, nil
	})
	return tails, err
}

// scanIDs returns at most limit ids at the end of the keys with the prefix, after the
// given id.
func (r rowReader) scanIDs(prefix key, after graph.ID, descending bool, limit int) ([]graph.ID, error) {
	var ids []graph.ID
	from, err := seekKey(prefix, after, descending)
	if err != nil {
		return nil, err
	}
	err = r.scanRows(prefix, from, descending, func(k key, _ []byte) (bool, error) {
		id, err := lastID(k)
		if err != nil {
			return false, err
		}
		ids = append(ids, id)
		return len(ids) < limit, nil
	})
	return ids, err
}

// seekKey is where to seek for the first key after the id in the direction.
func seekKey(prefix key, after graph.ID, descending bool) (key, error) {
	from := append(key(nil), prefix...)
	if after == "" {
		if descending {
			from = append(from, 0xff)
		}
		return from, nil
	}
	b, err := wire.UUID("after", after)
	if err != nil {
		return nil, err
	}
	if descending {
		return append(from, keyBefore(b)...), nil
	}
	return append(append(from, b[:]...), 0), nil
}

// keyBefore is the greatest key of 16 bytes below b; for all zeros the empty one.
func keyBefore(b [16]byte) []byte {
	for i := 15; i >= 0; i-- {
		b[i]--
		if b[i] != 0xff {
			return b[:]
		}
	}
	return nil
}
