package keyring

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func openAt(t *testing.T, dir string) *Ring {
	t.Helper()
	k, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Ring("tenant")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func next(t *testing.T, r *Ring) Key {
	t.Helper()
	k, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestKeysSealAndOpenAcrossRestarts(t *testing.T) {
	dir := t.TempDir()
	r := openAt(t, dir)
	type text struct {
		number uint64
		sealed []byte
	}
	var texts []text
	seen := map[uint64]bool{}
	for restart := range 3 {
		for i := range SegmentKeys + 10 {
			k := next(t, r)
			if seen[k.Number] {
				t.Fatalf("key %d was given out twice", k.Number)
			}
			seen[k.Number] = true
			if i%500 == 0 {
				sealed, err := k.Seal(nil, []byte("the winch"), []byte{byte(restart)})
				if err != nil || bytes.Contains(sealed, []byte("winch")) || len(sealed) != len("the winch")+Overhead {
					t.Fatalf("%q, %v", sealed, err)
				}
				texts = append(texts, text{k.Number, sealed})
			}
		}
		r = openAt(t, dir)
	}
	for i, x := range texts {
		k, err := r.Key(x.number)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := k.Open(nil, x.sealed, []byte{byte(i / 9)}); err != nil || string(got) != "the winch" {
			t.Errorf("key %d: %q, %v", x.number, got, err)
		}
		if _, err := k.Open(nil, x.sealed, []byte("other")); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("with other additional data: %v", err)
		}
	}
	for _, number := range []uint64{0, 1 << 40} {
		if _, err := r.Key(number); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("key %d: %v, want ErrIntegrity", number, err)
		}
	}
}

func TestClosingSkipsNoNumber(t *testing.T) {
	dir := t.TempDir()
	for want := uint64(1); want < 4; want++ {
		k, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := k.Ring("tenant")
		if err != nil {
			t.Fatal(err)
		}
		if got := next(t, r).Number; got != want {
			t.Errorf("the key has the number %d, want %d", got, want)
		}
		if err := k.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := next(t, openAt(t, dir)).Number; got != 4 {
		t.Errorf("the key has the number %d, want 4", got)
	}
	if got := next(t, openAt(t, dir)).Number; got != SegmentKeys+1 {
		t.Errorf("after a crash the key has the number %d, want %d", got, SegmentKeys+1)
	}
}

func TestDestroyedKeysAreGone(t *testing.T) {
	dir := t.TempDir()
	r := openAt(t, dir)
	var numbers []uint64
	for range 2*SegmentKeys + 100 {
		numbers = append(numbers, next(t, r).Number)
	}
	before := r.Generation()
	destroyed := append([]uint64{numbers[3], numbers[SegmentKeys+1]}, numbers[:100]...)
	for range 2 { // the second time it is no error
		if err := r.Destroy(destroyed); err != nil {
			t.Fatal(err)
		}
	}
	if r.Generation() <= before {
		t.Errorf("the generation is %d, before it was %d", r.Generation(), before)
	}
	for _, ring := range []*Ring{r, openAt(t, dir)} {
		if ring.Generation() != r.Generation() {
			t.Errorf("after a restart the generation is %d, want %d", ring.Generation(), r.Generation())
		}
		for i, n := range numbers {
			_, err := ring.Key(n)
			if gone := i < 100 || i == SegmentKeys+1; gone != errors.Is(err, ErrDestroyed) || !gone && err != nil {
				t.Fatalf("key %d: %v", n, err)
			}
		}
	}
	whole := numbers[:SegmentKeys]
	if err := r.Destroy(whole); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.segmentPath(0)); !os.IsNotExist(err) {
		t.Errorf("the file of a segment without keys is there: %v", err)
	}
	if _, err := r.Key(whole[9]); !errors.Is(err, ErrDestroyed) {
		t.Errorf("a key of a removed segment: %v", err)
	}
	if err := r.Destroy([]uint64{1 << 40}); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("a key that was never given out: %v", err)
	}
}

// A segment is read once, however many there are: a search may need keys of all of them for each of its vectors.
func TestSegmentsStayInMemory(t *testing.T) {
	const segments = 300
	dir := t.TempDir()
	r := openAt(t, dir)
	var first []Key
	for range segments {
		r.mu.Lock()
		r.next = r.reserved
		r.mu.Unlock()
		first = append(first, next(t, r))
	}
	r = openAt(t, dir)
	for _, k := range first {
		if again, err := r.Key(k.Number); err != nil || again != k {
			t.Fatalf("key %d differs: %v", k.Number, err)
		}
	}
	for _, k := range first {
		index, _ := segmentOf(k.Number)
		if err := os.Remove(r.segmentPath(index)); err != nil {
			t.Fatal(err)
		}
		if again, err := r.Key(k.Number); err != nil || again != k {
			t.Errorf("key %d is read again: %v", k.Number, err)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	r := openAt(t, t.TempDir())
	var mu sync.Mutex
	seen := map[uint64]bool{}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 2000 {
				k, err := r.Next()
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if seen[k.Number] {
					t.Errorf("key %d was given out twice", k.Number)
				}
				seen[k.Number] = true
				mu.Unlock()
				if i%100 == 0 {
					if err := r.Destroy([]uint64{k.Number}); err != nil {
						t.Error(err)
					}
				} else if again, err := r.Key(k.Number); err != nil || again != k {
					t.Errorf("key %d: %v", k.Number, err)
				}
			}
		})
	}
	all.Wait()
}

// Wrong files are refused, and the error says which.
func TestDamagedFiles(t *testing.T) {
	for name, damage := range map[string]func(dir, tenant string) error{
		"/master: graph: integrity check failed: it holds no master key": func(dir, _ string) error { return os.WriteFile(filepath.Join(dir, "master"), []byte("x"), 0o600) },
		"/master: graph: integrity check failed: it is missing":          func(dir, _ string) error { return os.Remove(filepath.Join(dir, "master")) },
		"/key: graph: integrity check failed: it is missing":             func(_, tenant string) error { return os.Remove(filepath.Join(tenant, "key")) },
		"/key: graph: integrity check failed: a sealed text":             func(_, tenant string) error { return flip(filepath.Join(tenant, "key")) },
		"/reserved: graph: integrity check failed: a sealed text":        func(_, tenant string) error { return flip(filepath.Join(tenant, "reserved")) },
		"/0: graph: integrity check failed: a sealed text":               func(_, tenant string) error { return flip(filepath.Join(tenant, "0")) },
		"other users can read the keys":                                  func(_, tenant string) error { return os.Chmod(filepath.Join(tenant, "0"), 0o644) },
	} {
		dir := t.TempDir()
		r := openAt(t, dir)
		next(t, r)
		if err := damage(dir, r.dir); err != nil {
			t.Fatal(err)
		}
		k, err := Open(dir, Options{})
		if err == nil {
			if r, err = k.Ring("tenant"); err == nil {
				_, err = r.Key(1)
			}
		}
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func flip(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[len(b)/2] ^= 1
	return os.WriteFile(path, b, 0o600)
}

func BenchmarkNext(b *testing.B) {
	k, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	r, err := k.Ring("tenant")
	if err != nil {
		b.Fatal(err)
	}
	text := make([]byte, 2048)
	for b.Loop() {
		key, err := r.Next()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := key.Seal(nil, text, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// An error about a damaged file of keys names the file.
func TestDamagedFileOfKeysIsNamed(t *testing.T) {
	for _, name := range []string{"0", tenantName, stateName, filepath.Join("..", masterName)} {
		dir := t.TempDir()
		k := openKeyring(t, dir)
		r, err := k.Ring("tenant")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(r.dir, name)
		if err := k.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Repeat("damaged ", 20)), 0o600); err != nil {
			t.Fatal(err)
		}
		k, err = Open(dir, Options{})
		if err == nil {
			if r, err = k.Ring("tenant"); err == nil {
				_, err = r.Key(1)
			}
		}
		var named *graph.DamagedKeysError
		if !errors.As(err, &named) || named.Path != path || !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
