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
	_, err := Open(dir, s.opts)
	if !errors.Is(err, graph.ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Fatalf("second opening: %v", err)
	}
	putMemories(t, s, 1) // the first one is not disturbed
	must(t, s.Close())
	openSmall(t, dir)
}

func TestNewerLayoutIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	w := s.begin("")
	must(t, w.put(storeKey(rowSchema), binary.BigEndian.AppendUint32(nil, layout+1), 0))
	_, err := s.commit(w)
	w.end()
	must(t, err)
	must(t, s.Close())
	_, err = Open(dir, s.opts)
	if err == nil || !strings.Contains(err.Error(), "newer program") {
		t.Fatalf("opened with %v", err)
	}
}

func TestLayoutIsGone(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	w := s.begin("")
	must(t, w.drop(storeKey(rowSchema)))
	_, err := s.commit(w)
	w.end()
	must(t, err)
	must(t, s.Close())
	if _, err := Open(dir, s.opts); !errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("opened with %v", err)
	}
}

func TestFilesThatAreGone(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	putMemories(t, s, 50)
	must(t, s.Close())
	tables, err := filepath.Glob(filepath.Join(badgerDir(dir), "*.sst"))
	must(t, err)
	for _, gone := range append(tables, filepath.Join(dir, markName), filepath.Join(badgerDir(dir), "MANIFEST")) {
		hurt := crash(t, dir)
		name, err := filepath.Rel(dir, gone)
		must(t, err)
		must(t, os.Remove(filepath.Join(hurt, name)))
		if _, err := Open(hurt, s.opts); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	hurt := crash(t, dir)
	must(t, os.RemoveAll(badgerDir(hurt)))
	if _, err := Open(hurt, s.opts); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("without the database: %v", err)
	}
}

// A power cut may leave a log's name without its size: it held nothing yet.
func TestLogsWithoutBytes(t *testing.T) {
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

func TestAnotherStoresDatabaseIsRefused(t *testing.T) {
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

func TestAfterAFailedCommitNothingIsAcknowledged(t *testing.T) {
	s := openSmall(t, t.TempDir())
	ids := putMemories(t, s, 1)
	s.fail(errors.New("input/output error"))
	_, err := s.Update(t.Context(), scope, func(tx graph.Tx) error { return tx.PutSetting("s", []byte("v")) })
	for _, err := range []error{err, s.CountUses(t.Context(), scope, ids, began), s.Ready(t.Context())} {
		if !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("answered %v", err)
		}
	}
	wantUses(t, s, ids, 0) // reads go on
}

func TestLowDiskRefusesWritesOnly(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir)
	ids := putMemories(t, s, 2)
	must(t, s.CountUses(t.Context(), scope, ids, began))
	must(t, s.Close())
	full := s.opts
	full.MinFree = 1 << 62
	s, err := Open(dir, full)
	must(t, err)
	_, err = s.Update(t.Context(), scope, func(tx graph.Tx) error { return tx.PutSetting("s", []byte("v")) })
	for _, err := range []error{err, s.CountUses(t.Context(), scope, ids, began), s.Ready(t.Context())} {
		if !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("answered %v", err)
		}
	}
	wantUses(t, s, ids, 1)
	s.guard.minFree = 1 << 20 // space is back
	must(t, s.Ready(t.Context()))
	must(t, s.CountUses(t.Context(), scope, ids, began))
	must(t, s.Close())
	full.MinOpen = 1 << 62
	if _, err := Open(dir, full); !errors.Is(err, graph.ErrUnavailable) || !strings.Contains(err.Error(), "free some space") {
		t.Errorf("opened with %v", err)
	}
	wantUses(t, openSmall(t, dir), ids, 2)
}

func TestRottenRowIsNotServed(t *testing.T) {
	s := openSmall(t, t.TempDir())
	ids := putMemories(t, s, 3)
	b, err := ids[1].Bytes()
	must(t, err)
	w := s.begin(scope.Tenant)
	k := w.ks.row(rowMemory, b[:])
	var v []byte
	row, _, err := w.at(k)
	must(t, err)
	must(t, row.value(func(stored []byte) error { v = bytes.Clone(stored); return nil }))
	v[len(v)/2] ^= 1
	must(t, w.set(k, v, 0))
	_, err = s.commit(w)
	w.end()
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
