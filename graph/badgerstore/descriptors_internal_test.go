package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// While no descriptors are left, writes are refused and the spare ones are given back. Later
// they are held again.
func TestWritesWaitForDescriptors(t *testing.T) {
	s := openTestStore(t, t.TempDir())
	exhausted := false
	s.descriptors.open = func() (*os.File, error) {
		if exhausted {
			return nil, &os.PathError{Op: "open", Path: os.DevNull, Err: syscall.EMFILE}
		}
		return openNull()
	}
	if err := noteOfSize(t.Context(), s, 1, 10); err != nil || len(s.descriptors.spares) != spareDescriptors {
		t.Fatalf("%d spares, %v", len(s.descriptors.spares), err)
	}
	exhausted = true
	if err := noteOfSize(t.Context(), s, 2, 10); !errors.Is(err, graph.ErrUnavailable) || !strings.Contains(err.Error(), "ulimit -n") {
		t.Errorf("without descriptors: %v", err)
	}
	if len(s.descriptors.spares) != 0 {
		t.Errorf("%d spares are held back from the flush", len(s.descriptors.spares))
	}
	if err := s.View(t.Context(), graph.Scope{Tenant: "t"}, func(r graph.Reader) error { _, err := r.LastRecorded(); return err }); err != nil {
		t.Errorf("reads: %v", err)
	}
	exhausted = false
	if err := noteOfSize(t.Context(), s, 2, 10); err != nil || len(s.descriptors.spares) != spareDescriptors {
		t.Errorf("afterwards %d spares, %v", len(s.descriptors.spares), err)
	}
}

// If Badger can't start a memtable, reads and writes are unavailable, nothing panics, and the
// acknowledged rows are there after a restart.
func TestFailedMemtableIsUnavailable(t *testing.T) {
	dir := t.TempDir()
	s := openTestStore(t, dir)
	blocked := blockNextMemtable(t, badgerDir(dir))
	acked, size := 0, 32<<10
	var err error
	for ; acked < 1000; acked++ {
		if err = noteOfSize(t.Context(), s, acked, size); err != nil {
			break
		}
	}
	if !errors.Is(err, graph.ErrUnavailable) && !errors.Is(err, graph.ErrUncertain) {
		t.Fatalf("the memtable did not fail: %v", err)
	}
	for _, read := range []func() error{
		func() error {
			return s.View(t.Context(), graph.Scope{Tenant: "t"}, func(r graph.Reader) error { _, err := r.LastRecorded(); return err })
		},
		func() error { _, err := s.Tenants(t.Context()); return err },
		func() error { return noteOfSize(t.Context(), s, acked+1, size) },
		func() error { return s.Ready(t.Context()) },
	} {
		if err := read(); !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("afterwards: %v", err)
		}
	}
	_ = s.Close() // it may report what can't be flushed
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	again := openTestStore(t, dir)
	if found := countNotes(t, again); found < acked {
		t.Errorf("%d of %d acknowledged notes", found, acked)
	}
}

// blockNextMemtable puts a file where Badger will create its next memtable.
func blockNextMemtable(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.mem"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	var number int
	if _, err := fmt.Sscanf(filepath.Base(slices.Max(names)), "%d.mem", &number); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%05d.mem", number)) // the allocated one
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func openTestStore(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir, Options{MemTable: 4 << 20, MinFree: 1 << 20, MinOpen: 1 << 20, Reserve: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the test may have closed it
	return s
}

// noteOfSize writes a note with data of about that size.
func noteOfSize(ctx context.Context, s *Store, n, size int) error {
	at := time.Date(2026, 2, 19, 12, 0, 0, 0, time.UTC)
	id, err := graph.DerivedID(at, "test", fmt.Sprint(n))
	if err != nil {
		return err
	}
	_, err = s.Update(ctx, graph.Scope{Tenant: "t"}, func(tx graph.Tx) error {
		return tx.PutNote(graph.Note{Kind: graph.NoteDead, ID: id, Namespace: "default", At: at, Data: fmt.Appendf(nil, "%q", strings.Repeat("x", size))})
	})
	return err
}

func countNotes(t *testing.T, s *Store) (n int) {
	t.Helper()
	err := s.View(t.Context(), graph.Scope{Tenant: "t"}, func(r graph.Reader) error {
		for _, err := range graph.AllNotes(r, graph.NoteDead, "", false) {
			if err != nil {
				return err
			}
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
