package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// inMemory are vectors without files.
func inMemory() *vectorFiles {
	return newVectorFiles(fileOptions{logger: slog.New(slog.DiscardHandler)}, nil)
}

// put takes a vector that lies nowhere yet.
func (s *scan) put(slot uint32, v []float32) bool { return s.take(slot, s.files.put(v), round(v)) }

func (c *channel) put(slot uint32, v []float32) bool {
	return c.take(slot, c.files.put(v), round(v))
}

// vectorBytes are those of a vector in a file.
func vectorBytes(v []float32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// files are the contents of a folder, by name.
type files map[string][]byte

func filesOf(t *testing.T, dir string) files {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := files{}
	for _, e := range entries {
		if out[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// put makes a folder hold these files and no others.
func (f files) put(t *testing.T, dir string) {
	t.Helper()
	for name := range filesOf(t, dir) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range f {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// What there is room for is in memory after a start, too, and what is dropped leaves it.
func TestVectorsThatHaveRoomStayInMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	f := newVectorFile(24, path, 1, newRoom(2*pageRecords*4*24), slog.New(slog.DiscardHandler))
	var refs []vectorRef
	for i := range uint64(4 * pageRecords) {
		refs = append(refs, f.put(unit(i, 24)))
	}
	held := func(f *vectorFile) (n int) {
		for _, p := range *f.pages.Load() {
			if h := p.held.Load(); h != nil {
				for i := range h {
					if h[i].Load() != nil {
						n++
					}
				}
			}
		}
		return n
	}
	expect(t, "held", held(f), 2*pageRecords)
	f.drop(refs[3])
	expect(t, "held after one was dropped", held(f), 2*pageRecords-1)
	state := f.state()
	if err := errors.Join(f.sync(), f.close()); err != nil {
		t.Fatal(err)
	}
	expect(t, "room that is given back", f.room.left.Load(), 2*pageRecords*4*24)
	again := newVectorFile(24, path, 1, f.room, slog.New(slog.DiscardHandler))
	r, err := again.restore(state.records, state.last)
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
	expect(t, "held after a start", held(again), 2*pageRecords-1)
	var buf []byte
	for i, ref := range refs {
		if v := again.read(ref, &buf); i != 3 && !slices.Equal(v, unit(uint64(i), 24)) || i == 3 && v != nil {
			t.Errorf("vector %d reads %v", i, v)
		}
	}
	if err := again.close(); err != nil {
		t.Fatal(err)
	}
}

// Random work on a file, against a map: what was put is read, bit for bit, until it is
// dropped; a reference that was dropped reads nothing, also where its record was given to
// another; and what was dropped is not in the file.
func TestAFileOfVectorsKeepsWhatItIsGiven(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		dim := []int{1, 3, 24, 33}[seed%4]
		path := filepath.Join(t.TempDir(), "v")
		f := newVectorFile(dim, path, seed, newRoom(int64(seed%3)*30<<10), slog.New(slog.DiscardHandler))
		twin := map[vectorRef][]float32{}
		var dropped []vectorRef
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
				v := gauss(r, nil, dim, 1)
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
		for _, v := range erased {
			if dim > 1 && bytes.Contains(held, vectorBytes(v)) {
				t.Fatalf("seed %d: a dropped vector is in the file", seed)
			}
		}
		f = restored(t, path, state, sortedRefs(twin))
		check()
		for range 200 {
			v := gauss(r, nil, dim, 1)
			twin[f.put(v)] = v
		}
		check()
		if err := f.close(); err != nil {
			t.Fatal(err)
		}
	}
}

func sortedRefs(m map[vectorRef][]float32) []vectorRef {
	return slices.SortedFunc(func(yield func(vectorRef) bool) {
		for r := range m {
			if !yield(r) {
				return
			}
		}
	}, func(a, b vectorRef) int { return int(a.record) - int(b.record) })
}

// restored opens a file as a snapshot does that names these records.
func restored(t *testing.T, path string, s fileState, refs []vectorRef) *vectorFile {
	t.Helper()
	f := newVectorFile(s.dim, path, s.id, newRoom(int64(s.id%3)*30<<10), slog.New(slog.DiscardHandler))
	r, err := f.restore(s.records, s.last)
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

// What was written after the snapshot is nobody's: it may be of somebody who was forgotten.
func TestWhatNoMemoryClaimsIsOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	f := newVectorFile(24, path, 7, nil, slog.New(slog.DiscardHandler))
	var refs []vectorRef
	for i := range 200 {
		refs = append(refs, f.put(unit(uint64(i), 24)))
	}
	state := f.state()
	for i := range 200 {
		f.put(unit(uint64(1000+i), 24))
	}
	if err := errors.Join(f.sync(), f.close()); err != nil {
		t.Fatal(err)
	}
	refs = slices.Delete(refs, 50, 60)
	f = restored(t, path, state, refs)
	defer f.close()
	held, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		want := i < 50 || i >= 60
		if bytes.Contains(held, vectorBytes(unit(uint64(i), 24))) != want {
			t.Errorf("vector %d in the file: %v", i, !want)
		}
		if bytes.Contains(held, vectorBytes(unit(uint64(1000+i), 24))) {
			t.Errorf("vector %d behind the snapshot is in the file", i)
		}
	}
}

// A folder that cannot be written costs memory and nothing else.
func TestVectorsStayInMemoryWhereTheyCannotBeWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log logged
	f := newVectorFile(24, filepath.Join(folder, "v"), 1, nil, log.logger())
	var refs []vectorRef
	check := func() {
		t.Helper()
		var buf []byte
		for i, ref := range refs {
			if !slices.Equal(f.read(ref, &buf), unit(uint64(i), 24)) {
				t.Fatalf("vector %d is lost", i)
			}
		}
	}
	for i := range 300 {
		refs = append(refs, f.put(unit(uint64(i), 24)))
	}
	check()
	expect(t, "complaints", strings.Count(log.String(), "cannot be written"), 1)
	if f.sync() == nil {
		t.Error("sync says that all is on the disk")
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	refs = append(refs, f.put(unit(300, 24)))
	if err := f.sync(); err != nil {
		t.Fatal(err)
	}
	for _, p := range *f.pages.Load() {
		if p.held.Load() != nil {
			t.Fatal("a page is still in memory")
		}
	}
	check()
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
}

// vectorMemories have room for no vector, for some pages of those of a test, and for all.
var vectorMemories = []int64{-1, 4 * pageRecords * 4 * 24, 0}

// Whatever became of the file of vectors while nobody looked, the index answers as before.
func TestADamagedFileOfVectorsIsMadeAnew(t *testing.T) {
	dir := t.TempDir()
	f := furnished()
	x, err := Open(context.Background(), f, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	want := answers(t, x, f)
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	whole := filesOf(t, dir)
	const name = "t.24.vectors"
	v := whole[name]
	if len(v) < 600*recordSize(24) {
		t.Fatalf("%s has %d bytes", name, len(v))
	}
	size, r := recordSize(24), rand.New(rand.NewPCG(3, 3))
	tries := 0
	check := func(what string, damaged []byte, fromStore bool) {
		t.Helper()
		some := files{}
		for n, b := range whole {
			some[n] = b
		}
		some[name] = damaged
		if damaged == nil {
			delete(some, name)
		}
		some.put(t, dir)
		f.listed = 0
		tries++
		x, err := Open(context.Background(), f, Options{Dir: dir, VectorMemory: vectorMemories[tries%len(vectorMemories)]})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		got := answers(t, x, f)
		if err := x.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: other answers", what)
		}
		if f.listed > 0 != fromStore {
			t.Fatalf("%s: %d memories from the store", what, f.listed)
		}
	}
	check("whole", v, false)
	check("missing", nil, true)
	check("empty", []byte{}, true)
	for _, n := range []int{7, 40, vectorsHead, vectorsHead + 1, vectorsHead + size, len(v) / 2, len(v) - size, len(v) - 1} {
		check(fmt.Sprintf("cut to %d bytes", n), v[:n], true)
	}
	check("longer", append(bytes.Clone(v), v[:5*size]...), false)
	for _, at := range []int{0, 8, 12, 16, 30, vectorsHead - 1} {
		b := bytes.Clone(v)
		b[at] ^= 4
		check(fmt.Sprintf("byte %d of the head flipped", at), b, true)
	}
	for range 20 {
		b := bytes.Clone(v)
		for range 1 + r.IntN(40) {
			b[vectorsHead+r.IntN(len(b)-vectorsHead)] ^= 1 << r.IntN(8)
		}
		check("bits of records flipped", b, false)
	}
	zeros := append(bytes.Clone(v[:vectorsHead]), make([]byte, len(v)-vectorsHead)...)
	check("zeros", zeros, false)
	swapped := bytes.Clone(v)
	copy(swapped[vectorsHead:], v[vectorsHead+size:vectorsHead+2*size])
	copy(swapped[vectorsHead+size:], v[vectorsHead:vectorsHead+size])
	check("two records exchanged", swapped, false)

	other := t.TempDir()
	g := furnished()
	saved(t, g, other)
	check("of another store", filesOf(t, other)[name], true)
}

// answers are those to questions that need the exact vectors.
func answers(t *testing.T, x *Index, f *feed) []any {
	t.Helper()
	settle(t, x, f)
	var out []any
	for i := range uint64(6) {
		for _, q := range []Query{
			{Vector: unit(i, 24), Texts: []string{"topic3 note"}, Now: epoch.Add(20 * time.Minute), Limit: 300},
			{Vector: unit(i, 24), Scene: true, Now: epoch.Add(48 * time.Hour), Limit: 60},
			{Vector: unit(i, 24), Now: epoch.Add(48 * time.Hour), Filter: Filter{AsOf: graph.AsOf{Recorded: epoch.Add(3 * time.Hour)}}},
		} {
			found := map[graph.ID]float64{}
			for id, c := range recalled(t, x, f, q) {
				found[id] = c.Semantic
			}
			out = append(out, found)
		}
		near, err := x.Nearest(context.Background(), world, [][]float32{unit(i, 24)}, Filter{}, epoch.Add(48*time.Hour), 20, -1)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range near[0] {
			out = append(out, n.Doc.ID, n.Cosine)
		}
	}
	var docs []*Doc
	x.Docs(world, func(d *Doc) bool { docs = append(docs, d); return true })
	vectors, err := x.Vectors(context.Background(), world, docs)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range docs {
		if d.Embedded != (vectors[i] != nil) || !slices.Equal(vectors[i], f.vectors[d.ID]) {
			t.Fatalf("vector of %s: %v, want %v", d.ID, vectors[i], f.vectors[d.ID])
		}
	}
	return out
}

// A record that was damaged is written anew, so that the next start finds it whole.
func TestADamagedRecordIsMended(t *testing.T) {
	dir := t.TempDir()
	f := furnished()
	path := saved(t, f, dir)
	path = strings.TrimSuffix(path, "index") + "24.vectors"
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	damaged[vectorsHead+100*recordSize(24)+20] ^= 1
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	var log logged
	x, err := Open(context.Background(), f, Options{Dir: dir, Logger: log.logger()})
	if err != nil {
		t.Fatal(err)
	}
	answers(t, x, f)
	if !strings.Contains(log.String(), "mended from the store") {
		t.Error("nothing was logged")
	}
	f.put(f.memory(epoch.Add(50*time.Hour), "so that there is something to save"), unit(4711, 24))
	settle(t, x, f)
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if held, err := os.ReadFile(path); err != nil || !bytes.Equal(held[:len(whole)], whole) {
		t.Errorf("the record is not as it was: %v", err)
	}
}

// Memories come, change, go and are moved while others search, page after page.
func TestVectorsAreReadWhileTheyGrow(t *testing.T) {
	for _, memory := range vectorMemories {
		t.Run(fmt.Sprint(memory), func(t *testing.T) { growing(t, memory) })
	}
}

func growing(t *testing.T, memory int64) {
	f := newFeed()
	x := opened(t, f, Options{Dir: t.TempDir(), SnapshotEvery: 50, SnapshotDelay: time.Millisecond, VectorMemory: memory})
	fixed := f.memory(epoch, "stands")
	f.put(fixed, unit(1, 24))
	settle(t, x, f)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				near, err := x.Nearest(context.Background(), world, [][]float32{unit(1, 24), unit(2, 24)}, Filter{}, epoch.Add(time.Hour), 30, -1)
				if err != nil {
					t.Error(err)
					return
				}
				if len(near[0]) == 0 || near[0][0].Doc.ID != fixed.ID || near[0][0].Cosine < 0.999 {
					t.Error("what never changed is not found")
					return
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(9, 9))
	var ids []graph.ID
	for i := range 600 {
		switch {
		case i%7 == 6:
			f.erase(ids[r.IntN(len(ids))], epoch.Add(time.Minute))
		case i%5 == 4:
			if m := f.memories[ids[r.IntN(len(ids))]]; m.Status() != graph.Forgotten {
				again := *m
				f.put(&again, gauss(r, nil, 24, 0.5))
			}
		default:
			m := f.memory(epoch, fmt.Sprint("note ", i), func(m *graph.Memory) { m.Namespace = []string{"a", "b"}[i%2] })
			ids = append(ids, m.ID)
			f.put(m, gauss(r, nil, 24, 0.5))
		}
		if i%20 == 0 {
			settle(t, x, f)
		}
	}
	settle(t, x, f)
	close(done)
	wg.Wait()
	answers(t, x, f)
}
