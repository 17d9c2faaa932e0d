package vectors

import (
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
)

// Every vector is sealed again under a new key while it is read, and none needs a former one.
func TestVectorsAreSealedAgainUnderNewKeys(t *testing.T) {
	keys := ring(t)
	files := NewFiles(FileOptions{Base: filepath.Join(t.TempDir(), "t"), Keys: keys, Logger: slog.New(slog.DiscardHandler)},
		func(graph.ID) ([]float32, error) {
			t.Error("a vector was read from the store")
			return nil, graph.ErrNotFound
		})
	r := rand.New(rand.NewPCG(1, 1))
	refs, want := []Ref{}, [][]float32{}
	put := func() {
		v := testvectors.Around(r, nil, 24, 1)
		refs, want = append(refs, files.Put(v)), append(want, v)
	}
	for range 500 {
		put()
	}
	for i := 0; i < 500; i += 7 {
		files.Drop(refs[i])
		want[i] = nil
	}
	if err := files.Sync(); err != nil {
		t.Fatal(err)
	}
	check := func(n int) {
		var buf []byte
		for i := range n {
			if want[i] == nil {
				continue
			}
			if got := files.Vector("", refs[i], &buf); !slices.Equal(got, want[i]) {
				t.Errorf("vector %d differs", i)
				return
			}
		}
	}
	for range 20 {
		first, err := keys.BeginRenewal()
		if err != nil {
			t.Fatal(err)
		}
		var done atomic.Bool
		var readers sync.WaitGroup
		for range 2 {
			readers.Go(func() {
				for !done.Load() && !t.Failed() {
					check(500)
				}
			})
		}
		n, err := files.Reseal(first)
		done.Store(true)
		readers.Wait()
		if err != nil || n < 400 {
			t.Fatalf("%d vectors were sealed again, %v", n, err)
		}
		if again, err := files.Reseal(first); again != 0 || err != nil {
			t.Errorf("the second time %d vectors were sealed again, %v", again, err)
		}
		if err := keys.EndRenewal(first); err != nil {
			t.Fatal(err)
		}
	}
	put()
	check(len(refs))
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
}

// Vectors that are not sealed have no keys to replace.
func TestVectorsWithoutKeysAreLeft(t *testing.T) {
	files := NewFiles(FileOptions{Base: filepath.Join(t.TempDir(), "t"), Logger: slog.New(slog.DiscardHandler)}, nil)
	files.Put([]float32{1, 2})
	if n, err := files.Reseal(9); n != 0 || err != nil {
		t.Errorf("%d vectors, %v", n, err)
	}
}
