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

// rows reads sealed rows in one transaction of Badger's.
type rows struct {
	txn   *badger.Txn
	ks    keyspace            // of the tenant; empty for rows of the store
	reads map[uint64]struct{} // hashes of the keys that were read, where that matters
	own   *written            // what the transaction has written; nil: it only reads
}

// keyHash is a key among those that were read or written.
func keyHash(k key) uint64 { return xxhash.Sum64(k) }

// found is a row as it is stored, or as the transaction wrote it.
type found struct {
	item *badger.Item // nil: the transaction wrote it
	own  entry
}

// meta is the user meta byte of the row.
func (f *found) meta() byte {
	if f.item == nil {
		return f.own.meta
	}
	return f.item.UserMeta()
}

// value calls use with the stored value, which it may not keep.
func (f *found) value(use func(v []byte) error) error {
	if f.item == nil {
		return use(f.own.value)
	}
	return f.item.Value(use)
}

// at answers the row at k and whether there is one.
func (r rows) at(k key) (f found, ok bool, err error) {
	if r.reads != nil {
		r.reads[keyHash(k)] = struct{}{}
	}
	if r.own != nil {
		if e, wrote := r.own.entries[string(k)]; wrote {
			return found{own: e}, !e.gone, nil
		}
	}
	item, err := r.txn.Get(k)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return found{}, false, nil
	}
	if err != nil {
		return found{}, false, fmt.Errorf("badgerstore: read: %w", err)
	}
	return found{item: item}, true, nil
}

// get calls use with the user meta byte and the payload of the row at k, which it
// may not keep, or answers ErrNotFound.
func (r rows) get(k key, use func(meta byte, payload []byte) error) error {
	row, ok, err := r.at(k)
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
			if payload, err = r.join(k, payload); err != nil {
				return err
			}
		}
		return use(row.meta(), payload)
	})
}

// join puts a payload together from the head and its parts.
func (r rows) join(k key, head []byte) ([]byte, error) {
	n, err := partsOf(k, head)
	if err != nil {
		return nil, err
	}
	whole := append([]byte(nil), head[2:]...)
	for i := range n {
		err := r.get(r.ks.part(k, i), func(_ byte, p []byte) error {
			whole = append(whole, p...)
			return nil
		})
		if errors.Is(err, graph.ErrNotFound) {
			return nil, broken(k, "a part is missing")
		}
		if err != nil {
			return nil, err
		}
	}
	return whole, nil
}

func partsOf(k key, head []byte) (int, error) {
	if len(head) < 2 {
		return 0, broken(k, "no number of parts")
	}
	return int(binary.BigEndian.Uint16(head)), nil
}

// meta answers the user meta byte of the row at k without reading its value, and
// whether there is one.
func (r rows) meta(k key) (meta byte, found bool, err error) {
	row, ok, err := r.at(k)
	if !ok || err != nil {
		return 0, false, err
	}
	return row.meta(), true, nil
}

// scan calls use for the rows that begin with prefix, from the first key at or
// behind from (before it, where down), until use answers false. Key and payload may
// not be kept, and use writes nothing.
func (r rows) scan(prefix, from key, down bool, use func(k key, payload []byte) (bool, error)) error {
	var own []string
	if r.own != nil {
		own = r.own.within(prefix, from, down)
	}
	o := badger.DefaultIteratorOptions
	o.PrefetchValues = false // values lie inline, there is nothing to fetch
	o.Prefix = prefix
	o.Reverse = down
	it := r.txn.NewIterator(o)
	defer it.Close()
	for it.Seek(from); ; {
		stored := it.ValidForPrefix(prefix)
		var more bool
		var err error
		switch c := next(stored, it, own, down); {
		case c == neither:
			return nil
		case c == fromStore:
			more, err = r.shown(it.Item(), use)
			it.Next()
		default:
			k := own[0]
			if own = own[1:]; c == fromBoth {
				it.Next()
			}
			e := r.own.entries[k]
			if e.gone {
				continue
			}
			more, err = r.show(key(k), e.value, use)
		}
		if err != nil || !more {
			return err
		}
	}
}

// source is where the next row of a scan is from.
type source int

const (
	neither source = iota
	fromStore
	fromOwn  // the transaction wrote it
	fromBoth // it wrote it over a stored one
)

// next says where the next row in the direction is from.
func next(stored bool, it *badger.Iterator, own []string, down bool) source {
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
	case (c < 0) != down:
		return fromOwn
	}
	return fromStore
}

// shown shows a stored row.
func (r rows) shown(item *badger.Item, use func(k key, payload []byte) (bool, error)) (more bool, err error) {
	failed := item.Value(func(v []byte) error {
		more, err = r.show(key(item.Key()), v, use)
		return nil
	})
	if failed != nil {
		return false, failed
	}
	return more, err
}

// show shows the row at k with a stored value.
func (r rows) show(k key, value []byte, use func(k key, payload []byte) (bool, error)) (bool, error) {
	form, payload, err := unseal(k, value)
	if err != nil {
		return false, err
	}
	if form == formParts {
		if payload, err = r.join(k, payload); err != nil {
			return false, err
		}
	}
	return use(k, payload)
}

// ids collects at most limit ids that stand at the end of the keys with the prefix,
// behind after.
func (r rows) ids(prefix key, after graph.ID, down bool, limit int) ([]graph.ID, error) {
	var ids []graph.ID
	from, err := behind(prefix, after, down)
	if err != nil {
		return nil, err
	}
	err = r.scan(prefix, from, down, func(k key, _ []byte) (bool, error) {
		id, err := lastID(k)
		if err != nil {
			return false, err
		}
		ids = append(ids, id)
		return len(ids) < limit, nil
	})
	return ids, err
}

// behind is where to seek for the first key behind the id in the direction.
func behind(prefix key, after graph.ID, down bool) (key, error) {
	from := append(key(nil), prefix...)
	if after == "" {
		if down {
			from = append(from, 0xff)
		}
		return from, nil
	}
	b, err := wire.UUID("after", after)
	if err != nil {
		return nil, err
	}
	if down {
		return append(from, before(b)...), nil
	}
	return append(append(from, b[:]...), 0), nil
}

// before is the greatest key of 16 bytes below b; for all zeros the empty one.
func before(b [16]byte) []byte {
	for i := 15; i >= 0; i-- {
		b[i]--
		if b[i] != 0xff {
			return b[:]
		}
	}
	return nil
}
