package index

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/keyring"
)

// flip changes a bit in the middle of the file of a folder whose name ends so.
func flip(t *testing.T, dir, suffix string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil || len(names) != 1 {
		t.Fatalf("files %v, %v", names, err)
	}
	f, err := os.OpenFile(names[0], os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 1)
	if _, err := f.ReadAt(b, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 4
	if _, err := f.WriteAt(b, info.Size()/2); err != nil {
		t.Fatal(err)
	}
}

// Damage of the files of an open index, and of a closed one, is found and replaced from the store.
// Searches answer the same all the while.
func TestDamageIsFoundAndReplaced(t *testing.T) {
	for _, memory := range vectorMemories {
		t.Run(fmt.Sprint("memory ", memory), func(t *testing.T) {
			f, o := furnished(), Options{Dir: t.TempDir(), VectorMemory: memory}
			var ids []graph.ID
			open := func() *Index {
				t.Helper()
				x, err := Open(t.Context(), f, o)
				if err != nil {
					t.Fatal(err)
				}
				settle(t, x, f)
				return x
			}
			closed := func(x *Index) {
				t.Helper()
				if err := x.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			x := open()
			x.Docs(world, func(d *Doc) bool { ids = append(ids, d.ID); return true })
			want := portrait(t, x, f)
			closed(x)

			x = open()
			check := func(when, damaged string) {
				t.Helper()
				x.CheckVectors(world, ids)
				if err := x.CheckSnapshot(world); err != nil {
					t.Fatal(err)
				}
				got := ""
				if d := x.Damage(world); d.Count() > 0 {
					got = d.String()
				}
				if got != damaged {
					t.Errorf("%s: %q is damaged, want %q", when, got, damaged)
				}
				if got := portrait(t, x, f); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: searches differ", when)
				}
			}
			rebuild := func(when string) {
				t.Helper()
				if err := x.Rebuild(t.Context(), world); err != nil {
					t.Fatal(err)
				}
				check(when, "")
			}
			check("before", "")
			flip(t, o.Dir, ".vectors")
			check("a vector", "1 records of the vector files")
			rebuild("a vector, rebuilt")
			flip(t, o.Dir, ".index")
			check("the snapshot", "the snapshot")
			rebuild("the snapshot, rebuilt")
			closed(x)

			x = open()
			check("opened again", "")
			closed(x)
			flip(t, o.Dir, ".index")
			x = open()
			if d := x.Damage(world); !d.Snapshot || !strings.Contains(d.String(), "snapshot") {
				t.Errorf("a snapshot that was damaged before the start: %+v", d)
			}
			rebuild("a closed snapshot, rebuilt")
			closed(x)
			x = open()
			check("opened again after a closed snapshot", "")
			closed(x)
		})
	}
}

// A start after a clean stop finds no damage, whichever vectors were erased before they were written to their file.
func TestAStopAfterAnErasureIsNoDamage(t *testing.T) {
	for what, erased := range map[string]func(i int) bool{
		"the first memory": func(i int) bool { return i == 0 },
		"the last memory":  func(i int) bool { return i == 49 },
		"a user":           func(i int) bool { return i%3 == 1 },
		"everything":       func(int) bool { return true },
	} {
		for _, sealed := range []bool{false, true} {
			for _, applied := range []bool{true, false} {
				f := newFeed()
				var store IndexedStore = f
				if sealed {
					keys, err := keyring.Open(t.TempDir(), keyring.Options{})
					if err != nil {
						t.Fatal(err)
					}
					store = sealedFeed{f, keys}
				}
				o := Options{Dir: t.TempDir()}
				x, err := Open(t.Context(), store, o)
				if err != nil {
					t.Fatal(err)
				}
				for i := range 50 {
					f.put(f.memory(epoch.Add(time.Duration(i)*time.Minute), fmt.Sprint("word", i)), testvectors.Unit(uint64(i), 24))
				}
				settle(t, x, f)
				left := 50
				for i, id := range sortedKeys(f.memories) {
					if erased(i) {
						f.erase(id, epoch.Add(time.Hour))
						left--
					}
				}
				if applied {
					settle(t, x, f)
				}
				if err := x.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				f.listed = 0
				x = opened(t, store, o)
				settle(t, x, f)
				when := fmt.Sprintf("%s, sealed %v, applied %v", what, sealed, applied)
				if d := x.Damage(world); d.Count() > 0 || f.listed > 0 {
					t.Errorf("%s: %s damaged, %d memories read from the store", when, d, f.listed)
				}
				expect(t, when+": memories", x.Stats(world).Memories, left)
			}
		}
	}
}
