package recess

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// copyAll copies a directory.
func copyAll(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	must(t, os.CopyFS(to, os.DirFS(from)))
	return to
}

func erased(t *testing.T, r *Recess, ids []graph.ID) {
	t.Helper()
	_, err := r.Erase(ctx, kiwi, ids...)
	must(t, err)
}

// The keys of an earlier version are moved out of the directory; a copy of it that is put back
// can be read for what was not erased meanwhile, and for nothing else.
func TestKeysOutsideOfTheDirectory(t *testing.T) {
	dir, keys := t.TempDir(), filepath.Join(t.TempDir(), "recess")
	list := newMaker(3).engrams(40, 0)
	r := open(t, Options{Dir: dir})
	must(t, r.Append(ctx, kiwi, list...))
	_, err := r.Seal(ctx, kiwi)
	must(t, err)
	master, err := os.ReadFile(filepath.Join(dir, masterFile))
	must(t, err)
	closeNow(t, r)
	inside := copyAll(t, dir)

	r = open(t, Options{Dir: dir, Keys: keys})
	for _, e := range list {
		same(t, r, kiwi, e)
	}
	if names, err := keysInside(osDisk{}, dir); err != nil || len(names) > 0 {
		t.Errorf("%q are still in the directory, %v", names, err)
	}
	moved, err := os.ReadFile(filepath.Join(keys, masterFile))
	if err != nil || !bytes.Equal(moved, master) {
		t.Errorf("the master key was not moved: %v", err)
	}
	closeNow(t, r)
	before := copyAll(t, dir)

	r = open(t, Options{Dir: dir, Keys: keys})
	erased(t, r, idsOf(list[:20]))
	closeNow(t, r)
	for name, copied := range map[string]string{"a copy with its keys": inside, "a copy without keys": before} {
		r := open(t, Options{Dir: copied, Keys: keys})
		for i, e := range list {
			if i >= 20 {
				same(t, r, kiwi, e)
			} else if got, err := r.Read(ctx, kiwi, e.Memory.ID); err == nil {
				t.Errorf("%s says %q", name, got.Memory.Content)
			}
		}
		// What the store knows as erased is erased again.
		erased(t, r, idsOf(list[:20]))
		if has, err := r.Has(ctx, kiwi, list[0].Memory.ID); err != nil || has {
			t.Errorf("%s still has what was erased: %v", name, err)
		}
		if names, err := keysInside(osDisk{}, copied); err != nil || len(names) > 0 {
			t.Errorf("%s: %q are still in the directory, %v", name, names, err)
		}
		closeNow(t, r)
	}
	if r, err := Open(Options{Dir: dir}); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("opened without its keys: %v, %v", r, err)
	}
}

// The power is cut at every step of the move, with three outcomes for unsynced data.
func TestPowerCutsWhileKeysAreMoved(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	furniture, list := furnished(t)
	outside := func(d *powerDisk) Options {
		o := options(d, &alarms{})
		o.Keys = "keys/recess"
		return o
	}
	for n, whole := 1, false; !whole; n++ {
		for mode := range keepModes {
			d := furniture.clone()
			d.fail = n
			r, err := Open(outside(d))
			if whole = err == nil && !d.dead; whole {
				must(t, r.Close())
			}
			d = d.after(mode, uint64(n))
			if r, err = Open(outside(d)); err != nil {
				t.Fatalf("cut at %d, mode %d: %v", n, mode, err)
			}
			for _, e := range list {
				same(t, r, kiwi, e)
			}
			must(t, r.Close())
			if names, err := keysInside(d, "recess"); err != nil || len(names) > 0 {
				t.Fatalf("cut at %d, mode %d: %q are still in the directory, %v", n, mode, names, err)
			}
		}
	}
}
