package badgerstore_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/storetest"
)

// open opens a store that is closed with the test.
func open(t testing.TB, dir string, o badgerstore.Options) *badgerstore.Store {
	t.Helper()
	s, err := badgerstore.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestSuiteOnDisk(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dirs := map[graph.Store]string{}
	var mu lock
	storetest.Run(t, storetest.Harness{
		New: func(t testing.TB) graph.Store {
			dir := t.TempDir()
			s := open(t, dir, small)
			mu.do(func() { dirs[s] = dir })
			return s
		},
		Reopen: func(t testing.TB, s graph.Store) graph.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			var dir string
			mu.do(func() { dir = dirs[s] })
			again := open(t, dir, small)
			mu.do(func() { dirs[again] = dir })
			return again
		},
	})
}

func TestSuiteSealed(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	type place struct{ dir, keys string }
	places := map[graph.Store]place{}
	var mu lock
	openAt := func(t testing.TB, p place) graph.Store {
		o := small
		o.OpenKeys = keysIn(p.keys)
		s := open(t, p.dir, o)
		mu.do(func() { places[s] = p })
		return s
	}
	storetest.Run(t, storetest.Harness{
		New: func(t testing.TB) graph.Store {
			return openAt(t, place{t.TempDir(), t.TempDir()})
		},
		Reopen: func(t testing.TB, s graph.Store) graph.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			var p place
			mu.do(func() { p = places[s] })
			return openAt(t, p)
		},
	})
}

func TestSuiteInMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	s := open(t, "", badgerstore.Options{InMemory: true})
	storetest.Run(t, storetest.Harness{New: func(testing.TB) graph.Store { return s }})
}
