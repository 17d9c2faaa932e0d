//go:build linux

package badgerstore

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4/fb"

	"github.com/somnograph/somnograph/graph"
)

// spoilOffsets overwrites where the entries of the block in the middle of a table begin, so that they can't be told apart.
func spoilOffsets(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rest, _, err := cutChecksum(data)
	if err != nil {
		t.Fatal(err)
	}
	n := int(binary.BigEndian.Uint32(rest[len(rest)-4:]))
	index := fb.GetRootAsTableIndex(rest[len(rest)-4-n:len(rest)-4], 0)
	var at fb.BlockOffset
	if !index.Offsets(&at, index.OffsetsLength()/2) {
		t.Fatal("no block")
	}
	block, _, err := cutChecksum(data[at.Offset() : at.Offset()+at.Len()])
	if err != nil {
		t.Fatal(err)
	}
	entries := int(binary.BigEndian.Uint32(block[len(block)-4:]))
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	spoilt := make([]byte, 4*entries)
	for i := range spoilt {
		spoilt[i] = 0xff
	}
	if _, err := f.WriteAt(spoilt, int64(at.Offset())+int64(len(block)-4-4*entries)); err != nil {
		t.Fatal(err)
	}
}

// A block that can't be read ends no process: reads of it are refused as damage, merges stand still, writes go on until too
// many tables wait, other reads go on, closing merges nothing, and the next start names the table.
func TestMergesStopAtABlockThatCantBeRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := openTestStore(t, dir)
	n := 0
	write := func() error {
		n++
		return noteOfSize(t.Context(), s, n, 128<<10)
	}
	tables := func() []string {
		names, err := filepath.Glob(filepath.Join(badgerDir(dir), "*.sst"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	for len(tables()) == 0 || len(s.db.Tables()) == 0 {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	spoilOffsets(t, tables()[0])
	list := func() error {
		return s.View(t.Context(), graph.Scope{Tenant: "t"}, func(r graph.Reader) error {
			_, err := r.Notes(graph.NoteDead, "", false, 1000)
			return err
		})
	}
	if err := list(); !errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("a read of the block: %v", err)
	}
	waitFor(t, "the check of the tables", func() bool { return s.merges.damage.Load() != nil })
	written := 0
	for err := write(); err == nil; err = write() {
		if written++; written > 10000 {
			t.Fatal("writes are not refused")
		}
	}
	if err := write(); !errors.Is(err, graph.ErrUnavailable) || written < 20 {
		t.Errorf("after %d writes: %v", written, err)
	}
	if err := s.Ready(t.Context()); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("ready: %v", err)
	}
	if err := s.View(t.Context(), graph.Scope{Tenant: "t"}, func(r graph.Reader) error { _, err := r.Notes(graph.NoteDead, "", true, 10); return err }); err != nil {
		t.Errorf("a read of whole blocks: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if _, err := Open(dir, s.options); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("the next start: %v", err)
	}
}

// After damage of rows alone merges go on: they can read the rows, and remove those that newer rows replace.
func TestMergesGoOnAfterACheck(t *testing.T) {
	s := openTestStore(t, filepath.Join(t.TempDir(), "store"))
	s.checkForMerges()
	if s.merges.damage.Load() != nil {
		t.Fatal("a whole store is damaged")
	}
	for n := 0; ; n++ {
		if err := noteOfSize(t.Context(), s, n, 32<<10); err != nil {
			t.Fatal(err)
		}
		for _, table := range s.db.Tables() {
			if table.Level > 0 {
				return
			}
		}
	}
}
