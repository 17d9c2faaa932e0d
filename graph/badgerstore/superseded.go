package badgerstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/y"
)

// A damaged row that was restored lies in a newer table, and the damaged one stays in its table until
// Badger merges that. A start passes over such rows: no read reaches them.

// damagedRow is a row of a table that fails its checksum, or a deletion in a damaged block, which has none.
type damagedRow struct {
	table   string
	key     key
	version uint64
}

// Badger's marks of entries that are deletions, and that were written in a transaction.
const (
	metaDelete = 1 << 0
	metaTxn    = 1 << 6
)

// damagedRows returns the damaged rows of a block whose checksum fails:
//
//	entries ∥ offsets of the entries (4 each) ∥ number of entries (4)
//
// first is the first key of the block, end that of the next block; nil: it is the last. known says that
// the rows explain the damage: every entry can be read, the keys ascend, and at least one row fails its
// checksum. Damage beside it to nothing but the version or the meta bytes of another row is not recognised.
func damagedRows(block, first, end []byte) (rows []damagedRow, known bool) {
	n := int(binary.BigEndian.Uint32(block[len(block)-4:]))
	if n > len(block)/4-1 {
		return nil, false
	}
	offsets := block[len(block)-4-4*n : len(block)-4]
	entries := block[:len(block)-4-4*n]
	var last []byte
	for i := range n {
		from, to := int(binary.NativeEndian.Uint32(offsets[4*i:])), len(entries)
		if i+1 < n {
			to = int(binary.NativeEndian.Uint32(offsets[4*i+4:]))
		}
		if from > to || to > len(entries) || i == 0 && from != 0 {
			return nil, false
		}
		k, value, ok := splitEntry(entries[from:to], first)
		if !ok || i == 0 && !bytes.Equal(k, first) || i > 0 && y.CompareKeys(last, k) >= 0 {
			return nil, false
		}
		last = k
		whole, deletion := judgeEntry(y.ParseKey(k), value)
		if !whole {
			rows = append(rows, damagedRow{key: y.ParseKey(k), version: y.ParseTs(k)})
		}
		known = known || !whole && !deletion
	}
	if end != nil && y.CompareKeys(last, end) >= 0 {
		return nil, false
	}
	return rows, known
}

// splitEntry returns the key, with its version, and the value of an entry. The header says how many bytes
// of the key are those of the first key of the block, and how many follow.
func splitEntry(entry, first []byte) (k, value []byte, ok bool) {
	const header = 4
	if len(entry) < header {
		return nil, nil, false
	}
	overlap, diff := int(binary.NativeEndian.Uint16(entry)), int(binary.NativeEndian.Uint16(entry[2:]))
	if overlap > len(first) || header+diff > len(entry) || overlap+diff <= 8 {
		return nil, nil, false
	}
	return append(first[:overlap:overlap], entry[header:header+diff]...), entry[header+diff:], true
}

// judgeEntry says whether a value is that of a deletion, or of a row as the store writes it, with the right
// checksum.
func judgeEntry(k key, value []byte) (whole, deletion bool) {
	const fixed = 3 // Badger's meta byte, the store's, and no time of expiry
	if len(value) < fixed || value[2] != 0 {
		return false, false
	}
	switch value[0] &^ metaTxn {
	case 0:
		_, _, err := unseal(k, value[fixed:])
		return err == nil, false
	case metaDelete:
		return false, len(value) == fixed
	}
	return false, false
}

// checkSuperseded returns an error that wraps graph.ErrIntegrity unless a newer, whole row or a newer deletion
// stands for every damaged row. It reads the database without changing it: a merge would hide the damage from the
// next start.
func (s *Store) checkSuperseded(o badger.Options, rows []damagedRow) (err error) {
	db, err := openForReading(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	txn := db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	left, tables := 0, map[string]bool{}
	var first damagedRow
	for _, r := range rows {
		tables[r.table] = true
		if superseded(txn, r) {
			continue
		}
		if left++; left == 1 {
			first = r
		}
	}
	if left > 0 {
		return fmt.Errorf("table %s: %w (%d damaged rows have no newer version)", first.table, integrityError(first.key, "hash of the row does not match"), left)
	}
	s.options.Logger.Warn("[READ] tables have damaged rows, which newer rows replace; merging will remove them. Check the disk", "tables", len(tables), "rows", len(rows))
	return nil
}

// superseded reports whether the newest version of a row is newer than the damaged one, and whole or a deletion.
func superseded(txn *badger.Txn, r damagedRow) bool {
	o := badger.DefaultIteratorOptions
	o.PrefetchValues, o.AllVersions = false, true
	it := txn.NewKeyIterator(r.key, o)
	defer it.Close()
	it.Rewind()
	if !it.Valid() || it.Item().Version() <= r.version {
		return false
	}
	if it.Item().IsDeletedOrExpired() {
		return true
	}
	return it.Item().Value(func(v []byte) error { _, _, err := unseal(r.key, v); return err }) == nil
}
