package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// rowReader reads sealed rows in one transaction of Badger.
type rowReader struct {
	txn      *badger.Txn
	ks       keyspace            // of the tenant; empty for rows of the store
	readKeys map[uint64]struct{} // hashes of the keys that were read; nil: not recorded
	written  *txWrites           // what the transaction has written; nil: it only reads
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

// getRow calls use with the user meta byte and the payload of the row at k, which use must
// not keep, or returns ErrNotFound.
func (r rowReader) getRow(k key, use func(meta byte, payload []byte) error) error {
	row, ok, err := r.findRow(k)
	if err != nil {
		return err
	}
	if !ok {
		return graph.ErrNotFound
	}
	return row.value(func(v []byte) error {
		form, payload, err := unseal(k, v)
		if err != nil {
			return err
		}
		if form == formParts {
			if payload, err = r.joinParts(k, payload); err != nil {
				return err
			}
		}
		return use(row.meta(), payload)
	})
}

// joinParts puts a payload together from the head and its parts.
func (r rowReader) joinParts(k key, head []byte) ([]byte, error) {
	n, err := partCount(k, head)
	if err != nil {
		return nil, err
	}
	whole := append([]byte(nil), head[2:]...)
	for i := range n {
		err := r.getRow(r.ks.partKey(k, i), func(_ byte, p []byte) error {
			whole = append(whole, p...)
			return nil
		})
		if errors.Is(err, graph.ErrNotFound) {
			return nil, integrityError(k, "a part is missing")
		}
		if err != nil {
			return nil, err
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
	for it.Seek(from); ; {
		stored := it.ValidForPrefix(prefix)
		var more bool
		var err error
		switch c := nextSource(stored, it, own, descending); {
		case c == neither:
			return nil
		case c == fromStore:
			more, err = r.useItem(it.Item(), use)
			it.Next()
		default:
			k := own[0]
			if own = own[1:]; c == fromBoth {
				it.Next()
			}
			e := r.written.entries[k]
			if e.deleted {
				continue
			}
			more, err = r.useValue(key(k), e.value, use)
		}
		if err != nil || !more {
			return err
		}
	}
}

// rowSource says where the next row of a scan comes from.
type rowSource int

const (
	neither rowSource = iota
	fromStore
	fromOwn  // the transaction wrote it
	fromBoth // it replaced a stored one
)

// nextSource says where the next row in the direction comes from.
func nextSource(stored bool, it *badger.Iterator, own []string, descending bool) rowSource {
	switch {
	case !stored && len(own) == 0:
		return neither
	case !stored:
		return fromOwn
	case len(own) == 0:
		return fromStore
	}
	switch c := strings.Compare(own[0], string(it.Item().Key())); {
	case c == 0:
		return fromBoth
	case (c < 0) != descending:
		return fromOwn
	}
	return fromStore
}

// useItem calls use with a stored row.
func (r rowReader) useItem(item *badger.Item, use func(k key, payload []byte) (bool, error)) (more bool, err error) {
	failed := item.Value(func(v []byte) error {
		more, err = r.useValue(key(item.Key()), v, use)
		return nil
	})
	if failed != nil {
		return false, failed
	}
	return more, err
}

// useValue calls use with the row at k and its stored value.
func (r rowReader) useValue(k key, value []byte, use func(k key, payload []byte) (bool, error)) (bool, error) {
	form, payload, err := unseal(k, value)
	if err != nil {
		return false, err
	}
	if form == formParts {
		if payload, err = r.joinParts(k, payload); err != nil {
			return false, err
		}
	}
	return use(k, payload)
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
