package keyring

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// copyOf copies a directory of keys.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(to, name), 0o700))
		}
		b, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(filepath.Join(to, name), b, 0o600))
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// world is a ring with keys in three segments, of which some are destroyed.
type world struct {
	dir       string
	keyring   *Keyring
	ring      *Ring
	keys      []Key
	destroyed []uint64
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{dir: t.TempDir(), destroyed: []uint64{4, SegmentKeys + 9}}
	w.keyring = openKeyring(t, w.dir)
	if err := w.keyring.PutSecret("audit-chain", []byte("winch")); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.ring, err = w.keyring.Ring("tenant"); err != nil {
		t.Fatal(err)
	}
	for range 2*SegmentKeys + 10 {
		w.keys = append(w.keys, next(t, w.ring))
	}
	if err := w.ring.Destroy(w.destroyed); err != nil {
		t.Fatal(err)
	}
	return w
}

// check fails unless a copy of the directory has all keys from a number on, and none of those that
// were destroyed.
func (w *world) check(t *testing.T, dir string, from uint64) *Ring {
	t.Helper()
	k := openKeyring(t, dir)
	if secret, err := k.Secret("audit-chain"); err != nil || string(secret) != "winch" {
		t.Fatalf("the secret is %q, %v", secret, err)
	}
	r, err := k.Ring("tenant")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range w.keys {
		got, err := r.Key(key.Number)
		if gone := slices.Contains(w.destroyed, key.Number); gone && !errors.Is(err, ErrDestroyed) || !gone && key.Number >= from && got.bytes != key.bytes {
			t.Fatalf("key %d: %v", key.Number, err)
		}
	}
	if k := next(t, r); slices.ContainsFunc(w.keys, func(x Key) bool { return x.Number == k.Number }) {
		t.Fatalf("key %d was given out twice", k.Number)
	}
	return r
}

// Killed between any two changes of files, a rotation leaves a directory that has every key, and
// whose next opening finishes the rotation.
func TestInterruptedRotationsAreFinished(t *testing.T) {
	for name, rotate := range map[string]func(*world) error{
		"master": func(w *world) error { return w.keyring.RotateMaster() },
		"tenant": func(w *world) error { return w.ring.RotateKey() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			before := copyOf(t, w.dir)
			var steps []string
			atStep = func() { steps = append(steps, copyOf(t, w.dir)) }
			err := rotate(w)
			atStep = func() {}
			if err != nil {
				t.Fatal(err)
			}
			if len(steps) < 6 {
				t.Fatalf("the rotation has %d steps", len(steps))
			}
			for i, dir := range append(steps, copyOf(t, w.dir)) {
				r := w.check(t, dir, 1)
				if r.former != nil || r.master.former != nil {
					t.Errorf("step %d: opening did not finish the rotation", i)
				}
				if _, err := os.Stat(filepath.Join(dir, nextName)); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("step %d: the next master key is still there: %v", i, err)
				}
				w.check(t, dir, 1) // and after another start
			}
			if old, now := read(t, before, w.ring.dir, tenantName), read(t, w.dir, w.ring.dir, tenantName); string(old) == string(now) {
				t.Error("the key of the tenant is sealed as before")
			}
		})
	}
}

func read(t *testing.T, dir, ring, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, filepath.Base(ring), name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An earlier copy of a file is of no use with the keys of today: neither a segment with the key of
// the tenant, nor the key of the tenant with the master key.
func TestFormerFilesCantBeOpenedAfterARotation(t *testing.T) {
	w := newWorld(t)
	lost := w.keys[20].Number
	before := copyOf(t, w.dir)
	if err := w.ring.Destroy([]uint64{lost}); err != nil {
		t.Fatal(err)
	}
	putBack := func(name string) error {
		dir := copyOf(t, w.dir)
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(w.ring.dir), name), read(t, before, w.ring.dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := openKeyring(t, dir).Ring("tenant")
		if err == nil {
			_, err = r.Key(lost)
		}
		return err
	}
	if err := putBack("0"); err != nil {
		t.Fatalf("before a rotation the former segment opens, otherwise this test shows nothing: %v", err)
	}
	if err := w.ring.RotateKey(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"0", stateName} {
		if err := putBack(name); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("the former file %s: %v", name, err)
		}
	}
	if err := w.keyring.RotateMaster(); err != nil {
		t.Fatal(err)
	}
	if err := putBack(tenantName); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("the former key of the tenant: %v", err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, masterName), must(os.ReadFile(filepath.Join(before, masterName))), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openKeyring(t, w.dir).Ring("tenant"); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("with the former master key: %v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A renewal gives higher numbers, and its end destroys the lower ones. Interrupted, it goes on.
func TestARenewalReplacesAllKeys(t *testing.T) {
	w := newWorld(t)
	first, err := w.ring.BeginRenewal()
	if err != nil || first <= w.keys[len(w.keys)-1].Number || w.ring.Renewing() != first {
		t.Fatalf("first key %d, %v", first, err)
	}
	if again, err := w.check(t, copyOf(t, w.dir), 1).BeginRenewal(); err != nil || again != first {
		t.Errorf("after a restart the first key is %d, want %d, %v", again, first, err)
	}
	for range 3 {
		k := next(t, w.ring)
		if k.Number < first {
			t.Errorf("key %d was taken after the beginning of a renewal from %d on", k.Number, first)
		}
		w.keys = append(w.keys, k)
	}
	generation := w.ring.Generation()
	var steps []string
	atStep = func() { steps = append(steps, copyOf(t, w.dir)) }
	err = w.ring.EndRenewal(first)
	atStep = func() {}
	if err != nil || len(steps) < 4 {
		t.Fatalf("%d steps, %v", len(steps), err)
	}
	for _, dir := range steps {
		r := w.check(t, dir, first)
		if r.Renewing() == first {
			if err := r.EndRenewal(first); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.check(t, w.dir, first)
	for _, r := range []*Ring{w.ring, openAt(t, w.dir)} {
		if r.Generation() <= generation || r.First() != first || r.Renewing() != 0 {
			t.Errorf("generation %d, first key %d, renewing %d", r.Generation(), r.First(), r.Renewing())
		}
		for _, k := range w.keys {
			if _, err := r.Key(k.Number); k.Number < first && !errors.Is(err, ErrDestroyed) {
				t.Fatalf("key %d: %v", k.Number, err)
			}
		}
	}
	if err := w.ring.EndRenewal(first); err == nil {
		t.Error("a renewal was ended twice")
	}
	if first, err := openAt(t, t.TempDir()).BeginRenewal(); first != 0 || err != nil {
		t.Errorf("a ring without keys renews from %d on, %v", first, err)
	}
}

// The key of a tenant is replaced before it has sealed too much; the count outlives restarts.
func TestATenantsKeyIsReplacedAfterSoManySeals(t *testing.T) {
	dir := t.TempDir()
	key := func() (key []byte) {
		k := must(Open(dir, Options{MaxSeals: 40}))
		r := must(k.Ring("tenant"))
		number := next(t, r).Number
		if err := r.Destroy([]uint64{number}); err != nil {
			t.Fatal(err)
		}
		key = slices.Clone(r.key)
		if err := k.Close(); err != nil {
			t.Fatal(err)
		}
		return key
	}
	first, replaced := key(), 0
	for i := 1; replaced == 0 && i < 40; i++ {
		if !slices.Equal(key(), first) {
			replaced = i
		}
	}
	if replaced < 5 {
		t.Fatalf("the key was replaced at erasure %d of 40 seals", replaced)
	}
	if second := key(); slices.Equal(second, first) {
		t.Error("the former key is back")
	}
}

// Rotations fail no call that takes, reads or destroys a key.
func TestRotationsUnderLoad(t *testing.T) {
	w := newWorld(t)
	done := make(chan struct{})
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				k := w.keys[(i*37)%len(w.keys)]
				if got, err := w.ring.Key(k.Number); !slices.Contains(w.destroyed, k.Number) && (err != nil || got.bytes != k.bytes) {
					t.Errorf("key %d: %v", k.Number, err)
					return
				}
				if i%50 > 0 {
					continue
				}
				taken, err := w.ring.Next()
				if err == nil {
					err = w.ring.Destroy([]uint64{taken.Number})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 3 {
		if err := errors.Join(w.ring.RotateKey(), w.keyring.RotateMaster()); err != nil {
			t.Error(err)
		}
		if _, err := must(w.keyring.Ring("another")).Next(); err != nil {
			t.Error(err)
		}
	}
	close(done)
	all.Wait()
	w.check(t, w.dir, 1)
}

// A damaged segment keeps the former key in use: the rest stays readable, also after a restart.
func TestADamagedSegmentKeepsTheFormerKey(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.ring.dir, "1")
	whole := must(os.ReadFile(path))
	if err := flip(path); err != nil {
		t.Fatal(err)
	}
	if err := w.ring.RotateKey(); !errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("rotated over a damaged segment: %v", err)
	}
	r := openAt(t, w.dir)
	if _, err := r.Key(w.keys[0].Number); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := w.check(t, w.dir, 1); r.former != nil {
		t.Error("the rotation is not finished after the segment was restored")
	}
}
