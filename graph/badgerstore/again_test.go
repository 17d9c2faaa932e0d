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

// TestSuiteWithUpdatesThatRunAgain runs the suite with updates that all lose a conflict once. A
// test of the suite that counts its attempts fails here each time, and not once in a while.
func TestSuiteWithUpdatesThatRunAgain(t *testing.T) {
	type place struct{ dir, keys string }
	places := map[graph.Store]place{}
	var mu lock
	openAt := func(t testing.TB, p place) graph.Store {
		o := small
		o.OpenKeys = keysIn(p.keys)
		s, err := badgerstore.Open(p.dir, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		mu.do(func() { places[againStore{s}] = p })
		return againStore{s}
	}
	storetest.Run(t, storetest.Harness{
		New: func(t testing.TB) graph.Store { return openAt(t, place{t.TempDir(), t.TempDir()}) },
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
