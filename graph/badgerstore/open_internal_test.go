package badgerstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func TestLockedDirectory(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	_, err := Open(dir, s.options)
	if !errors.Is(err, graph.ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Fatalf("second opening: %v", err)
	}
	putMemories(t, s, 1) // the first store is not disturbed
	must(t, s.Close())
	openSmall(t, dir)
}

func TestNewerLayoutIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	w := s.beginWriter("")
	w.putRow(storeKey(rowSchema), binary.BigEndian.AppendUint32(nil, layoutKeyed+1), 0)
	_, err := s.commitWriter(w)
	w.release()
	must(t, err)
	must(t, s.Close())
	_, err = Open(dir, s.options)
	if err == nil || !strings.Contains(err.Error(), "newer program") {
		t.Fatalf("opened with %v", err)
	}
}

func TestMissingLayoutIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	w := s.beginWriter("")
	w.deleteRow(storeKey(rowSchema))
	_, err := s.commitWriter(w)
	w.release()
	must(t, err)
	must(t, s.Close())
	if _, err := Open(dir, s.options); !errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("opened with %v", err)
	}
}

func TestMissingFilesAreDetected(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	putMemories(t, s, 50)
	must(t, s.Close())
	tables, err := filepath.Glob(filepath.Join(badgerDir(dir), "*.sst"))
	must(t, err)
	for _, gone := range append(tables, filepath.Join(dir, watermarkName), filepath.Join(badgerDir(dir), "MANIFEST")) {
		hurt := crash(t, dir)
		name, err := filepath.Rel(dir, gone)
		must(t, err)
		must(t, os.Remove(filepath.Join(hurt, name)))
		if _, err := Open(hurt, s.options); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	hurt := crash(t, dir)
	must(t, os.RemoveAll(badgerDir(hurt)))
	if _, err := Open(hurt, s.options); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("without the database: %v", err)
	}
}

// A power cut may leave a log file without bytes; it held no data yet.
func TestEmptyLogsAreRemoved(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	ids := putMemories(t, s, 20)
	hurt := crash(t, dir)
	for _, name := range []string{"09999.mem", "000001.vlog", "009998.vlog", "009999.vlog"} {
		must(t, os.WriteFile(filepath.Join(badgerDir(hurt), name), nil, 0o600))
	}
	opened := openSmall(t, hurt)
	wantUses(t, opened, ids, 0)
	putMemories(t, opened, 20)
	must(t, opened.Close())
	wantUses(t, openSmall(t, hurt), ids, 0)
}

func TestDatabaseOfAnotherStoreIsRefused(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	for i, dir := range []string{one, two} {
		s := openSmall(t, dir)
		putMemories(t, s, 3+i)
		must(t, s.Close())
	}
	must(t, os.RemoveAll(badgerDir(one)))
	must(t, os.CopyFS(badgerDir(one), os.DirFS(badgerDir(two))))
	if _, err := Open(one, Options{}); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("opened with %v", err)
	}
}

func TestNothingIsAcknowledgedAfterFailedCommit(t *testing.T) {
	s := openSmall(t, t.TempDir())
	ids := putMemories(t, s, 1)
	s.failWrites(errors.New("input/output error"))
	_, err := s.Update(t.Context(), scope, func(tx graph.Tx) error { return tx.PutSetting("s", []byte("v")) })
	for _, err := range []error{err, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}), s.Ready(t.Context())} {
		if !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("answered %v", err)
		}
	}
	wantUses(t, s, ids, 0) // reads still work
}

// The free space below which writes are refused covers what Badger may still take with its own options:
// a table for each memtable that it can hold, the next log, the value log and a merge.
func TestMinFreeCoversWhatIsInFlight(t *testing.T) {
	const huge = 1 << 40
	for _, memTable := range []int64{4 << 20, 16 << 20, 64 << 20} {
		s := openInFlight(t, memTable)
		o := s.db.Opts()
		tables := uint64(o.NumMemtables+2) * uint64(o.MemTableSize*5/4)
		log := uint64(o.MemTableSize * 5 / 4)
		merge := uint64(4 * o.BaseTableSize)
		want := tables + log + uint64(2*o.ValueLogFileSize) + merge
		if got := s.options.spaceInFlight(); got != want {
			t.Errorf("memtables of %d MiB: %d MiB in flight, want %d MiB", memTable>>20, got>>20, want>>20)
		}
		for _, c := range []struct{ configured, disk, want uint64 }{
			{0, huge, max(256<<20, want)}, {0, 1 << 30, max(1<<30/10, want)}, {16 << 20, huge, max(16<<20, want)}, {1 << 30, huge, 1 << 30},
		} {
			o := s.options
			o.MinFree = c.configured
			if got := o.minFree(c.disk); got != c.want {
				t.Errorf("memtables of %d MiB, %d MiB configured, a disk of %d MiB: %d MiB, want %d MiB", memTable>>20, c.configured>>20, c.disk>>20, got>>20, c.want>>20)
			}
		}
	}
}

func TestLowDiskRefusesWritesOnly(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	ids := putMemories(t, s, 2)
	must(t, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
	must(t, s.Close())
	full := s.options
	full.MinFree = 1 << 62
	s, err := Open(dir, full)
	must(t, err)
	_, err = s.Update(t.Context(), scope, func(tx graph.Tx) error { return tx.PutSetting("s", []byte("v")) })
	for _, err := range []error{err, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}), s.Ready(t.Context())} {
		if !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("answered %v", err)
		}
	}
	wantUses(t, s, ids, 1)
	s.diskGuard.minFree = 1 << 20 // there is space again
	must(t, s.Ready(t.Context()))
	must(t, s.CountUses(t.Context(), scope, ids, graph.Use{At: began}))
	must(t, s.Close())
	full.MinOpen = 1 << 62
	s, err = Open(dir, full) // for reading alone
	must(t, err)
	_, err = s.Update(t.Context(), scope, func(tx graph.Tx) error { return tx.PutSetting("s", []byte("v")) })
	if !errors.Is(err, graph.ErrUnavailable) || !strings.Contains(err.Error(), "disk") {
		t.Errorf("written with %v", err)
	}
	wantUses(t, s, ids, 2)
	must(t, s.Close())
	wantUses(t, openSmall(t, dir), ids, 2)
}

func TestDamagedRowIsNotServed(t *testing.T) {
	s := openSmall(t, t.TempDir())
	ids := putMemories(t, s, 3)
	b, err := ids[1].Bytes()
	must(t, err)
	w := s.beginWriter(scope.Tenant)
	k := w.ks.rowKey(rowMemory, b[:])
	var v []byte
	row, _, err := w.findRow(k)
	must(t, err)
	must(t, row.value(func(stored []byte) error { v = bytes.Clone(stored); return nil }))
	v[len(v)/2] ^= 1
	w.setValue(k, v, 0)
	_, err = s.commitWriter(w)
	w.release()
	must(t, err)
	must(t, s.View(t.Context(), scope, func(r graph.Reader) error {
		_, one := r.Memory(ids[1])
		_, many := r.Memories(ids)
		_, all := r.ListMemories(graph.MemoryQuery{})
		_, some := r.ListMemories(graph.MemoryQuery{Namespaces: []string{"main"}})
		for _, err := range []error{one, many, all, some} {
			if !errors.Is(err, graph.ErrIntegrity) {
				t.Errorf("answered %v", err)
			}
		}
		_, err := r.Memory(ids[0])
		return err
	}))
}

// openInFlight opens a store with memtables of a size.
func openInFlight(t *testing.T, memTable int64) *Store {
	t.Helper()
	s, err := Open(t.TempDir(), Options{MemTable: memTable, MinOpen: 1, Reserve: 1 << 20})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}
