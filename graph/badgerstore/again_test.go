package badgerstore_test

import (
	"context"
	"errors"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/storetest"
)

// againStore runs every update twice, as after a conflict: the first run is given up.
type againStore struct{ *badgerstore.Store }

func (s againStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	again := errors.New("again")
	_, err := s.Store.Update(ctx, scope, func(tx graph.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return again
	})
	if !errors.Is(err, again) {
		return 0, err
	}
	return s.Store.Update(ctx, scope, fn)
}

// wrapped is a harness of the suite. It opens stores in directories of their own, each wrapped, and closes them after their test.
func wrapped(wrap func(testing.TB, *badgerstore.Store) graph.Store) storetest.Harness {
	type place struct{ dir, keys string }
	places := map[graph.Store]place{}
	var mu lock
	openAt := func(t testing.TB, p place) graph.Store {
		o := small
		o.OpenKeys = keysIn(p.keys)
		opened, err := badgerstore.Open(p.dir, o)
		if err != nil {
			t.Fatal(err)
		}
		s := wrap(t, opened)
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		mu.do(func() { places[s] = p })
		return s
	}
	return storetest.Harness{
		New: func(t testing.TB) graph.Store { return openAt(t, place{t.TempDir(), t.TempDir()}) },
		Reopen: func(t testing.TB, s graph.Store) graph.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			var p place
			mu.do(func() { p = places[s] })
			return openAt(t, p)
		},
	}
}

// TestSuiteWithUpdatesThatRunAgain runs the suite with updates that all lose a conflict once. A test of the suite that counts its
// attempts then fails in each run, and not only when a conflict happens.
func TestSuiteWithUpdatesThatRunAgain(t *testing.T) {
	storetest.Run(t, wrapped(func(_ testing.TB, s *badgerstore.Store) graph.Store { return againStore{s} }))
}
