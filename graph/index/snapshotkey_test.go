package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/keyring"
)

// sealedIndex is a sealed store with a snapshot of its index.
type sealedIndex struct {
	sealedFeed
	t    *testing.T
	o    Options
	path string
}

func newSealedIndex(t *testing.T) *sealedIndex {
	t.Helper()
	keys, err := keyring.Open(t.TempDir(), keyring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := &sealedIndex{sealedFeed: sealedFeed{newFeed(), keys}, t: t, o: Options{Dir: t.TempDir(), SnapshotDelay: time.Hour}}
	for i := range 20 {
		f.put(f.memory(epoch.Add(time.Duration(i)*time.Minute), fmt.Sprint("word", i)), testvectors.Unit(uint64(i), 24))
	}
	x := f.open()
	f.path = x.tenantOrNil(world).snapshotPath()
	f.close(x)
	return f
}

func (f *sealedIndex) open() *Index {
	f.t.Helper()
	x, err := Open(f.t.Context(), f, f.o)
	if err != nil {
		f.t.Fatal(err)
	}
	settle(f.t, x, f.feed)
	return x
}

func (f *sealedIndex) close(x *Index) {
	f.t.Helper()
	if err := x.Close(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
}

func (f *sealedIndex) ring() *keyring.Ring {
	f.t.Helper()
	ring, err := f.keys.Ring(world.Tenant)
	if err != nil {
		f.t.Fatal(err)
	}
	return ring
}

// change changes the file of the snapshot and returns the number of the key in its start.
func (f *sealedIndex) change(with func(b []byte)) (key uint64) {
	f.t.Helper()
	b, err := os.ReadFile(f.path)
	if err != nil {
		f.t.Fatal(err)
	}
	key = binary.LittleEndian.Uint64(b[12:])
	with(b)
	if err := os.WriteFile(f.path, b, 0o600); err != nil {
		f.t.Fatal(err)
	}
	return key
}

// startHash gives a changed start of a snapshot its hash.
func startHash(b []byte) { binary.LittleEndian.PutUint64(b[28:], xxhash.Sum64(b[:28])) }

// The key of a snapshot that a start does not use is destroyed: a copy of the file can't be opened after an erasure.
func TestTheKeyOfADiscardedSnapshotIsDestroyed(t *testing.T) {
	for what, with := range map[string]func(f *sealedIndex, b []byte){
		"damaged":                      func(_ *sealedIndex, b []byte) { b[len(b)/2] ^= 4 },
		"damaged in its first section": func(_ *sealedIndex, b []byte) { b[snapshotStartSize+sectionHeadSize+3] ^= 4 },
		"of another version":           func(_ *sealedIndex, b []byte) { b[8]++; startHash(b) },
		"of another history":           func(f *sealedIndex, _ []byte) { f.changes[len(f.changes)-1].ID = f.id(epoch) },
	} {
		f := newSealedIndex(t)
		key := f.change(func(b []byte) { with(f, b) })
		if _, err := f.ring().Key(key); err != nil {
			t.Fatalf("%s: the key was never there: %v", what, err)
		}
		f.listed = 0
		x := f.open()
		if _, err := f.ring().Key(key); !errors.Is(err, keyring.ErrDestroyed) || f.listed == 0 {
			t.Errorf("%s: the key %d is there, %d memories were read from the store: %v", what, key, f.listed, err)
		}
		f.close(x)
		x = f.open() // a snapshot was written under another key
		expect(t, what+": memories after another start", x.Stats(world).Memories, 20)
		expect(t, what+": snapshots that are damaged after another start", x.Damage(world).Count(), 0)
		f.close(x)
	}
}

// A number in a snapshot that nobody sealed destroys no other key, neither at the start nor with the next snapshot or an erasure.
func TestAForgedNumberDestroysNoOtherKey(t *testing.T) {
	for what, at := range map[string]int{"of the key": 12, "of the key of the file before": 20} {
		for _, draft := range []bool{false, true} {
			f := newSealedIndex(t)
			other, err := f.ring().Next() // of a record
			if err != nil {
				t.Fatal(err)
			}
			var forged []byte
			before, err := os.ReadFile(f.path)
			if err != nil {
				t.Fatal(err)
			}
			f.change(func(b []byte) {
				binary.LittleEndian.PutUint64(b[at:], other.Number)
				startHash(b)
				forged = bytes.Clone(b)
			})
			if draft {
				f.change(func(b []byte) { copy(b, before) })
				if err := os.WriteFile(f.path+".part", forged, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			x := f.open()
			if err := x.tenantOrNil(world).saveSnapshot(t.Context()); err != nil {
				t.Fatal(err)
			}
			f.erase(sortedKeys(f.memories)[0], epoch.Add(time.Hour))
			settle(t, x, f.feed)
			f.close(x)
			if _, err := f.ring().Key(other.Number); err != nil {
				t.Errorf("the number %s, draft %v: %v", what, draft, err)
			}
		}
	}
}

// A kill may come before the key of the former snapshot is destroyed. The next start destroys it.
func TestTheKeyOfTheFormerSnapshotIsDestroyedAfterAKill(t *testing.T) {
	f := newSealedIndex(t)
	x := f.open()
	tn := x.tenantOrNil(world)
	former := tn.snapshots.key
	pic, err := tn.captureSnapshot(t.Context())
	if err := errors.Join(err, tn.newSnapshotKey(pic), tn.writeDraft(pic, func() error { return nil })); err != nil {
		t.Fatal(err)
	}
	f.close(x)
	if err := os.Rename(f.path+".part", f.path); err != nil {
		t.Fatal(err)
	}
	if _, err := f.ring().Key(former); err != nil || former == 0 {
		t.Fatalf("the former key %d was never there: %v", former, err)
	}
	f.listed = 0
	x = f.open()
	defer f.close(x)
	if _, err := f.ring().Key(former); !errors.Is(err, keyring.ErrDestroyed) {
		t.Errorf("the former key %d: %v", former, err)
	}
	if _, err := f.ring().Key(pic.key.Number); err != nil || f.listed > 0 {
		t.Errorf("the present key: %v; %d memories were read from the store", err, f.listed)
	}
}
