package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/keyring"
)

// inMemory makes Files that keep all vectors in memory.
func inMemory() *Files {
	return NewFiles(FileOptions{Logger: slog.New(slog.DiscardHandler)}, nil)
}

// putVector puts a vector that is not in any file yet.
func (s *codeStore) putVector(slot uint32, v []float32) bool {
	return s.put(slot, s.files.Put(v), Encode(v))
}

func (c *Builder) putVector(slot uint32, v []float32) bool {
	return c.Put(slot, c.files.Put(v), Encode(v))
}

// After a start, vectors within the budget are in memory, and dropped vectors leave it.
func TestVectorsWithinLimitStayInMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	f := newVectorFile(24, path, 1, FileOptions{Budget: NewMemoryBudget(2 * pageRecords * 4 * 24), Logger: slog.New(slog.DiscardHandler)})
	var refs []recordRef
	for i := range uint64(4 * pageRecords) {
		refs = append(refs, f.put(testvectors.Unit(i, 24)))
	}
	held := func(f *vectorFile) (n int) {
		for _, p := range *f.pages.Load() {
			if h := p.inMemory.Load(); h != nil {
				for i := range h {
					if h[i].Load() != nil {
						n++
					}
				}
			}
		}
		return n
	}
	mustEqual(t, "held", held(f), 2*pageRecords)
	f.drop(refs[3])
	mustEqual(t, "held after one was dropped", held(f), 2*pageRecords-1)
	state := f.state()
	if err := errors.Join(f.sync(), f.close()); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, "room that is given back", f.budget.left.Load(), 2*pageRecords*4*24)
	again := newVectorFile(24, path, 1, FileOptions{Budget: f.budget, Logger: slog.New(slog.DiscardHandler)})
	r, err := again.restore(state.Records, state.LastSerial)
	if err != nil {
		t.Fatal(err)
	}
	for i, ref := range refs {
		if i != 3 && !r.claim(ref) {
			t.Fatalf("%v cannot be claimed", ref)
		}
	}
	if err := r.finish(); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, "held after a start", held(again), 2*pageRecords-1)
	var buf []byte
	for i, ref := range refs {
		if v := again.read(ref, &buf); i != 3 && !slices.Equal(v, testvectors.Unit(uint64(i), 24)) || i == 3 && v != nil {
			t.Errorf("vector %d reads %v", i, v)
		}
	}
	if err := again.close(); err != nil {
		t.Fatal(err)
	}
}

// Random operations on a file, compared with a map: a kept vector is read bit for bit until it
// is dropped. A dropped reference reads nothing, even after its record was reused. Dropped
// vectors are not in the file.
func TestVectorFileKeepsVectors(t *testing.T) {
	for _, sealed := range []bool{false, true} {
		t.Run(fmt.Sprintf("sealed %v", sealed), func(t *testing.T) { testVectorFile(t, sealed) })
	}
}

func testVectorFile(t *testing.T, sealed bool) {
	var keys Keys
	if sealed {
		keys = ring(t)
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		dim := []int{1, 3, 24, 33}[seed%4]
		path := filepath.Join(t.TempDir(), "v")
		f := newVectorFile(dim, path, seed, FileOptions{Keys: keys, Budget: NewMemoryBudget(int64(seed%3) * 30 << 10), Logger: slog.New(slog.DiscardHandler)})
		twin := map[recordRef][]float32{}
		var dropped []recordRef
		var erased [][]float32
		var buf []byte
		check := func() {
			t.Helper()
			for ref, want := range twin {
				if got := f.read(ref, &buf); !slices.Equal(got, want) {
					t.Fatalf("seed %d, %v: got %v, want %v", seed, ref, got, want)
				}
			}
			for _, ref := range dropped {
				if got := f.read(ref, &buf); got != nil {
					t.Fatalf("seed %d, %v was dropped and reads %v", seed, ref, got)
				}
			}
		}
		for range 1500 {
			switch x := r.IntN(100); {
			case x < 60 || len(twin) == 0:
				v := testvectors.Around(r, nil, dim, 1)
				twin[f.put(v)] = v
			case x < 95:
				ref := sortedRefs(twin)[r.IntN(len(twin))]
				f.drop(ref)
				dropped, erased = append(dropped, ref), append(erased, twin[ref])
				delete(twin, ref)
			case x < 98:
				if err := f.sync(); err != nil {
					t.Fatal(err)
				}
			default:
				check()
			}
		}
		if err := f.sync(); err != nil {
			t.Fatal(err)
		}
		check()
		state := f.state()
		if err := f.close(); err != nil {
			t.Fatal(err)
		}
		held, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		hidden := erased
		if sealed {
			for _, v := range twin {
				hidden = append(hidden, v)
			}
		}
		for _, v := range hidden {
			if dim > 1 && bytes.Contains(held, testvectors.VectorBytes(v)) {
				t.Fatalf("seed %d: a dropped or sealed vector is in the file", seed)
			}
		}
		f = restored(t, path, state, sortedRefs(twin), keys)
		check()
		for range 200 {
			v := testvectors.Around(r, nil, dim, 1)
			twin[f.put(v)] = v
		}
		check()
		if err := f.close(); err != nil {
			t.Fatal(err)
		}
	}
}

func sortedRefs(m map[recordRef][]float32) []recordRef {
	return slices.SortedFunc(func(yield func(recordRef) bool) {
		for r := range m {
			if !yield(r) {
				return
			}
		}
	}, func(a, b recordRef) int { return int(a.Record) - int(b.Record) })
}

// restored opens a file as for a snapshot that refers to these records.
func restored(t *testing.T, path string, s FileState, refs []recordRef, keys Keys) *vectorFile {
	t.Helper()
	f := newVectorFile(s.Dim, path, s.ID, FileOptions{Keys: keys, Budget: NewMemoryBudget(int64(s.ID%3) * 30 << 10), Logger: slog.New(slog.DiscardHandler)})
	r, err := f.restore(s.Records, s.LastSerial)
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs {
		if !r.claim(ref) {
			t.Fatalf("%v cannot be claimed", ref)
		}
	}
	if err := r.finish(); err != nil {
		t.Fatal(err)
	}
	return f
}

// Records written after the snapshot have no owner: their owner may have been forgotten.
func TestUnclaimedVectorsAreOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	f := newVectorFile(24, path, 7, FileOptions{Logger: slog.New(slog.DiscardHandler)})
	var refs []recordRef
	for i := range 200 {
		refs = append(refs, f.put(testvectors.Unit(uint64(i), 24)))
	}
	state := f.state()
	for i := range 200 {
		f.put(testvectors.Unit(uint64(1000+i), 24))
	}
	if err := errors.Join(f.sync(), f.close()); err != nil {
		t.Fatal(err)
	}
	refs = slices.Delete(refs, 50, 60)
	f = restored(t, path, state, refs, nil)
	defer f.close()
	held, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		want := i < 50 || i >= 60
		if bytes.Contains(held, testvectors.VectorBytes(testvectors.Unit(uint64(i), 24))) != want {
			t.Errorf("vector %d in the file: %v", i, !want)
		}
		if bytes.Contains(held, testvectors.VectorBytes(testvectors.Unit(uint64(1000+i), 24))) {
			t.Errorf("vector %d, written after the snapshot, is in the file", i)
		}
	}
}

// A folder that cannot be written costs memory and has no other effect.
func TestVectorsStayInMemoryIfFileCannotBeWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log logBuffer
	f := newVectorFile(24, filepath.Join(folder, "v"), 1, FileOptions{Logger: log.logger()})
	var refs []recordRef
	check := func() {
		t.Helper()
		var buf []byte
		for i, ref := range refs {
			if !slices.Equal(f.read(ref, &buf), testvectors.Unit(uint64(i), 24)) {
				t.Fatalf("vector %d is lost", i)
			}
		}
	}
	for i := range 300 {
		refs = append(refs, f.put(testvectors.Unit(uint64(i), 24)))
	}
	check()
	mustEqual(t, "complaints", strings.Count(log.String(), "cannot be written"), 1)
	if f.sync() == nil {
		t.Error("sync says that all is on the disk")
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	refs = append(refs, f.put(testvectors.Unit(300, 24)))
	if err := f.sync(); err != nil {
		t.Fatal(err)
	}
	for _, p := range *f.pages.Load() {
		if p.inMemory.Load() != nil {
			t.Fatal("a page is still in memory")
		}
	}
	check()
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
}

// ring makes keys.
func ring(t *testing.T) *keyring.Ring {
	t.Helper()
	all, err := keyring.Open(t.TempDir(), keyring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := all.Ring("tenant")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A copy of the file that was made before a vector was dropped can't be read for it.
func TestDroppedVectorIsUnreadableInACopy(t *testing.T) {
	keys := ring(t)
	path := filepath.Join(t.TempDir(), "v")
	o := FileOptions{Keys: keys, Logger: slog.New(slog.DiscardHandler)}
	f := newVectorFile(24, path, 5, o)
	r := rand.New(rand.NewPCG(5, 5))
	var refs []recordRef
	for range 200 {
		refs = append(refs, f.put(testvectors.Around(r, nil, 24, 1)))
	}
	if err := f.sync(); err != nil {
		t.Fatal(err)
	}
	state := f.state()
	held, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs[:50] {
		f.drop(ref)
	}
	if err := errors.Join(f.syncErased(), f.close(), os.WriteFile(path, held, 0o600)); err != nil {
		t.Fatal(err)
	}
	f = restored(t, path, state, refs, keys)
	var buf []byte
	for i, ref := range refs {
		if got := f.read(ref, &buf); (got == nil) != (i < 50) {
			t.Fatalf("vector %d reads %v", i, got)
		}
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
}
