package audit_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/keyring"
)

// flipBytes changes one byte of the rows of notes in the files of a store that is closed. Without mended, the
// checksum of a row does not fit any more.
func flipBytes(t *testing.T, dir string, notes []graph.ID, mended bool) {
	t.Helper()
	db, err := badger.OpenManaged(badger.DefaultOptions(filepath.Join(dir, "graph")).WithLogger(nil).WithNumVersionsToKeep(1).WithDetectConflicts(false).
		WithCompression(options.None).WithValueThreshold(1 << 20).WithValueLogFileSize(8 << 20))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	txn := db.NewTransactionAt(db.MaxVersion(), true)
	defer txn.Discard()
	it := txn.NewIterator(badger.DefaultIteratorOptions)
	changed := 0
	for it.Rewind(); it.Valid(); it.Next() {
		k := it.Item().KeyCopy(nil)
		for _, id := range notes {
			b, err := id.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(k), "default\x00j") || !strings.HasSuffix(string(k), string(b[:])) {
				continue
			}
			v, err := it.Item().ValueCopy(nil)
			if err != nil {
				t.Fatal(err)
			}
			v[len(v)-5] ^= 1
			if mended {
				binary.BigEndian.PutUint64(v, xxhash.Sum64(append(append([]byte{}, k...), v[8:]...)))
			}
			if err := txn.SetEntry(badger.NewEntry(k, v).WithMeta(it.Item().UserMeta())); err != nil {
				t.Fatal(err)
			}
			changed++
		}
	}
	it.Close()
	if changed != len(notes) {
		t.Fatalf("%d rows of %d notes", changed, len(notes))
	}
	if err := txn.CommitAt(db.MaxVersion(), nil); err != nil {
		t.Fatal(err)
	}
}

// onDisk opens the sealed store of a directory for the world.
func (w *world) onDisk(keys, dir string) *badgerstore.Store {
	w.t.Helper()
	s, err := badgerstore.Open(dir, badgerstore.Options{OpenKeys: func(sealed, _ bool) (*keyring.Keyring, error) {
		return keyring.Open(keys, keyring.Options{Existing: sealed})
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.store.Store = s
	return s
}

// A block that was altered, so that its checksum or its seal fails, is named with its rows. The other rows can
// be read, and the server goes on.
func TestBlocksThatCanNotBeReadAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		blocks []int // from the first
		mended bool
		want   []string
		rows   int
	}{
		"checksum":          {[]int{3}, false, []string{"16: the rows up to 22 can't be read"}, 83},
		"seal":              {[]int{3}, true, []string{"16: the rows up to 22 can't be read"}, 83},
		"first":             {[]int{0}, true, []string{"1: the rows up to 1 can't be read"}, 89},
		"two side by side":  {[]int{3, 4}, true, []string{"16: the rows up to 29 can't be read"}, 76},
		"two apart":         {[]int{1, 4}, false, []string{"2: the rows up to 8 can't be read", "23: the rows up to 29 can't be read"}, 76},
		"last":              {[]int{17}, true, []string{"90: the rows up to 90 at the end can't be read"}, 89},
		"last two and more": {[]int{0, 16, 17}, false, []string{"1: the rows up to 1 can't be read", "83: the rows up to 90 at the end can't be read"}, 81},
	} {
		t.Run(name, func(t *testing.T) {
			dir, keys := t.TempDir(), t.TempDir()
			w := threeDaysIn(t, dir, keys)
			var ids []graph.ID
			err := w.store.View(t.Context(), scope, func(r graph.Reader) error {
				notes, err := r.Notes(graph.NoteAuditBlock, "", false, graph.MaxPage)
				if err != nil || len(notes) != 18 {
					return fmt.Errorf("%d blocks: %w", len(notes), err)
				}
				for _, i := range c.blocks {
					ids = append(ids, notes[i].ID)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.store.Close(); err != nil {
				t.Fatal(err)
			}
			flipBytes(t, dir, ids, c.mended)
			s := w.onDisk(keys, dir)
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			w.start()
			check := func(v *audit.Verification, rows int) {
				t.Helper()
				var got []string
				for _, x := range v.Chains {
					for _, p := range x.Problems {
						got = append(got, fmt.Sprintf("%d: %s", p.Seq, p.What))
					}
				}
				if len(got) != len(c.want) || v.Chains[0].Rows != rows {
					t.Fatalf("%d rows, %q", v.Chains[0].Rows, got)
				}
				for i, text := range got {
					if !strings.HasPrefix(text, c.want[i]) {
						t.Errorf("%q, want %q", text, c.want[i])
					}
				}
				for _, id := range ids {
					if !strings.Contains(strings.Join(got, " "), string(id)) {
						t.Errorf("the block %s is not named: %q", id, got)
					}
				}
			}
			check(w.verify(), c.rows)
			for _, oldest := range []bool{true, false} {
				if entries := w.list(audit.Filter{OldestFirst: oldest, First: 200}); len(entries) != c.rows {
					t.Errorf("%d rows are listed, want %d", len(entries), c.rows)
				}
			}
			if c.blocks[len(c.blocks)-1] == 17 {
				return // the next row would say that the one before it is not at the end
			}
			if err := w.write("later"); err != nil {
				t.Fatal(err)
			}
			v, err := w.log.Verify(t.Context(), scope)
			if err != nil {
				t.Fatal(err)
			}
			check(v, c.rows+1)
		})
	}
}

// A server whose last block was altered goes on.
func TestRowsFollowABlockThatCanNotBeRead(t *testing.T) {
	dir, keys := t.TempDir(), t.TempDir()
	w := threeDaysIn(t, dir, keys)
	var last graph.ID
	err := w.store.View(t.Context(), scope, func(r graph.Reader) error {
		notes, err := r.Notes(graph.NoteAuditBlock, "", true, 1)
		last = notes[0].ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	flipBytes(t, dir, []graph.ID{last}, true)
	s := w.onDisk(keys, dir)
	defer func() { _ = s.Close() }()
	w.start()
	if err := w.write("later"); err != nil {
		t.Fatal(err)
	}
	v, err := w.log.Verify(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	if x := v.Chains[0]; x.Rows != 90 || x.Last != 91 || len(x.Problems) != 1 || x.Problems[0].Seq != 90 {
		t.Errorf("%+v", x)
	}
}
