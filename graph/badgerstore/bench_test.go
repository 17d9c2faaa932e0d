package badgerstore_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/storetest"
)

// BenchmarkStore measures with the default options, on disk.
func BenchmarkStore(b *testing.B) {
	dirs := map[graph.Store]string{}
	storetest.Bench(b, storetest.Harness{
		New: func(t testing.TB) graph.Store {
			dir := t.TempDir()
			s := open(t, dir, badgerstore.Options{})
			dirs[s] = dir
			return s
		},
		Reopen: func(t testing.TB, s graph.Store) graph.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			again := open(t, dirs[s], badgerstore.Options{})
			t.Logf("opening took %s", time.Since(began).Round(time.Millisecond))
			dirs[again] = dirs[s]
			return again
		},
	})
}
