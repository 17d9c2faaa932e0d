package index

import (
	"bytes"
	"context"
	"fmt"
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
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
)

// vectorFileHead is how many bytes precede the records of a file of vectors (docs/formats/index-vectors.md).
const vectorFileHead = 64

// vectorRecordSize is how many bytes a record of a file of vectors has.
func vectorRecordSize(dim int) int { return (8 + 4*dim + 8 + 7) &^ 7 }

// files is the contents of a folder, by name.
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

// put makes a folder contain exactly these files.
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

// vectorMemories are budgets for no vector, for some pages of a test's vectors, and for all.
var vectorMemories = []int64{-1, 4 * 64 * 4 * 24, 0}

// Any damage to the vector file while the index is closed leaves the answers unchanged.
func TestDamagedVectorFileDoesNotChangeAnswers(t *testing.T) {
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
	if len(v) < 600*vectorRecordSize(24) {
		t.Fatalf("%s has %d bytes", name, len(v))
	}
	size, r := vectorRecordSize(24), rand.New(rand.NewPCG(3, 3))
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
	for _, n := range []int{7, 40, vectorFileHead, vectorFileHead + 1, vectorFileHead + size, len(v) / 2, len(v) - size, len(v) - 1} {
		check(fmt.Sprintf("cut to %d bytes", n), v[:n], true)
	}
	check("longer", append(bytes.Clone(v), v[:5*size]...), false)
	for _, at := range []int{0, 8, 12, 16, 30, vectorFileHead - 1} {
		b := bytes.Clone(v)
		b[at] ^= 4
		check(fmt.Sprintf("byte %d of the head flipped", at), b, true)
	}
	for range 20 {
		b := bytes.Clone(v)
		for range 1 + r.IntN(40) {
			b[vectorFileHead+r.IntN(len(b)-vectorFileHead)] ^= 1 << r.IntN(8)
		}
		check("bits of records flipped", b, false)
	}
	zeros := append(bytes.Clone(v[:vectorFileHead]), make([]byte, len(v)-vectorFileHead)...)
	check("zeros", zeros, false)
	swapped := bytes.Clone(v)
	copy(swapped[vectorFileHead:], v[vectorFileHead+size:vectorFileHead+2*size])
	copy(swapped[vectorFileHead+size:], v[vectorFileHead:vectorFileHead+size])
	check("two records exchanged", swapped, false)

	other := t.TempDir()
	g := furnished()
	saved(t, g, other)
	check("of another store", filesOf(t, other)[name], true)
}

// answers returns the results of queries that need the exact vectors.
func answers(t *testing.T, x *Index, f *feed) []any {
	t.Helper()
	settle(t, x, f)
	var out []any
	for i := range uint64(6) {
		for _, q := range []Query{
			{Vector: testvectors.Unit(i, 24), Texts: []string{"topic3 note"}, Now: epoch.Add(20 * time.Minute), Limit: 300},
			{Vector: testvectors.Unit(i, 24), BlendNeighbours: true, Now: epoch.Add(48 * time.Hour), Limit: 60},
			{Vector: testvectors.Unit(i, 24), Now: epoch.Add(48 * time.Hour), Filter: Filter{AsOf: graph.AsOf{Recorded: epoch.Add(3 * time.Hour)}}},
		} {
			found := map[graph.ID]float64{}
			for id, c := range recalled(t, x, f, q) {
				found[id] = c.Semantic
			}
			out = append(out, found)
		}
		near, err := x.Nearest(context.Background(), world, [][]float32{testvectors.Unit(i, 24)}, Filter{}, epoch.Add(48*time.Hour), 20, -1)
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

// A damaged record is written again, so the next start reads it.
func TestDamagedVectorRecordIsRepaired(t *testing.T) {
	dir := t.TempDir()
	f := furnished()
	path := saved(t, f, dir)
	path = strings.TrimSuffix(path, "index") + "24.vectors"
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	damaged[vectorFileHead+100*vectorRecordSize(24)+20] ^= 1
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	var log logged
	x, err := Open(context.Background(), f, Options{Dir: dir, Logger: log.logger()})
	if err != nil {
		t.Fatal(err)
	}
	answers(t, x, f)
	if !strings.Contains(log.String(), "repaired from the store") {
		t.Error("nothing was logged")
	}
	f.put(f.memory(epoch.Add(50*time.Hour), "so that there is something to save"), testvectors.Unit(4711, 24))
	settle(t, x, f)
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if held, err := os.ReadFile(path); err != nil || !bytes.Equal(held[:len(whole)], whole) {
		t.Errorf("the record is not as it was: %v", err)
	}
}

// Memories are added, changed, removed and moved during searches, page after page.
func TestVectorsAreReadDuringAppends(t *testing.T) {
	for _, memory := range vectorMemories {
		t.Run(fmt.Sprint(memory), func(t *testing.T) { growing(t, memory) })
	}
}

func growing(t *testing.T, memory int64) {
	f := newFeed()
	x := opened(t, f, Options{Dir: t.TempDir(), SnapshotEvery: 50, SnapshotDelay: time.Millisecond, VectorMemory: memory})
	fixed := f.memory(epoch, "stands")
	f.put(fixed, testvectors.Unit(1, 24))
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
				near, err := x.Nearest(context.Background(), world, [][]float32{testvectors.Unit(1, 24), testvectors.Unit(2, 24)}, Filter{}, epoch.Add(time.Hour), 30, -1)
				if err != nil {
					t.Error(err)
					return
				}
				if len(near[0]) == 0 || near[0][0].Doc.ID != fixed.ID || near[0][0].Cosine < 0.999 {
					t.Error("an unchanged memory is not found")
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
				f.put(&again, testvectors.Around(r, nil, 24, 0.5))
			}
		default:
			m := f.memory(epoch, fmt.Sprint("note ", i), func(m *graph.Memory) { m.Namespace = []string{"a", "b"}[i%2] })
			ids = append(ids, m.ID)
			f.put(m, testvectors.Around(r, nil, 24, 0.5))
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
