package badgerstore

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
)

// entriesOf reads a table as Badger does without checksums.
func entriesOf(data []byte) (entries map[string]string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	t, err := table.OpenInMemoryTable(data, 1, &table.Options{ChkMode: options.NoVerification})
	if err != nil {
		return nil, err
	}
	entries = map[string]string{}
	it := t.NewIterator(table.NOCACHE)
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		v := it.Value()
		entries[string(it.Key())] = fmt.Sprintf("%x %x %d %x", v.Meta, v.UserMeta, v.ExpiresAt, v.Value)
	}
	return entries, nil
}

// A bit flips anywhere in the blocks of a table. Either the table is refused, or every row that is not
// named as damaged is as before.
func TestDamagedRowsAreTheOnlyDamage(t *testing.T) {
	ks := newKeyspace("t")
	b := table.NewTableBuilder(table.Options{BlockSize: 2 << 10, TableSize: 1 << 20})
	for i := range byte(40) {
		k := ks.rowKey(rowMemory, []byte{i, i ^ 0x55, 7, 7})
		v := y.ValueStruct{Meta: metaTxn, UserMeta: i % 3, Value: seal(k, formWhole, bytes.Repeat([]byte{i}, 100))}
		if i%4 == 3 {
			v = y.ValueStruct{Meta: metaTxn | metaDelete}
		}
		b.Add(y.KeyWithTs(k, 1000+uint64(i)), v, 0)
	}
	whole := b.Finish()
	want, err := entriesOf(whole)
	if err != nil || len(want) != 40 {
		t.Fatalf("%d entries, %v", len(want), err)
	}
	if rows, err := checkTable(whole); len(rows) > 0 || err != nil {
		t.Fatalf("the whole table: %v, %v", rows, err)
	}
	named, refused := 0, 0
	for at := range whole {
		hurt := bytes.Clone(whole)
		hurt[at] ^= 1 << (at % 8)
		rows, err := checkTable(hurt)
		if err != nil {
			refused++
			continue
		}
		if len(rows) == 0 {
			t.Fatalf("byte %d: the damage is not found", at)
		}
		named++
		damaged := map[string]bool{}
		unknown := false // a damaged key, which no other row has
		for _, r := range rows {
			k := string(y.KeyWithTs(r.key, r.version))
			damaged[k] = true
			unknown = unknown || want[k] == ""
		}
		got, err := entriesOf(hurt)
		if err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
		for k, v := range want {
			if got[k] != v && !damaged[k] && !unknown {
				t.Fatalf("byte %d: the row %x is damaged and not named", at, k)
			}
		}
	}
	if named == 0 || refused == 0 {
		t.Errorf("%d tables have named rows, %d are refused", named, refused)
	}
	t.Logf("%d tables have named rows, %d are refused", named, refused)
}
