package backup_test

import (
	"errors"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// openDgraph opens a store on a cluster that ends with the test.
func openDgraph(t *testing.T) graph.Store {
	t.Helper()
	if testing.Short() {
		t.Skip("the full run has it")
	}
	c, err := dgraphtest.Start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := dgraphstore.Open(t.Context(), []string{c.Addr}, dgraphstore.Options{FoldEvery: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(errors.Join(err, c.Stop()))
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), c.Stop()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// The journal of Dgraph gives a backup as exact as that of the embedded store, and the same bytes can
// be restored into either.
func TestDgraph(t *testing.T) {
	w := newWorld(t, openDgraph(t))
	boundaries, twins := map[string]time.Time{}, map[string]map[string]string{}
	live(t, w.store, func(part string) {
		for {
			before := state(t, w.store)
			at := w.round(false)
			after := state(t, w.store)
			if len(before) == len(after) && equal(before, after) { // no uses were folded meanwhile
				boundaries[part], twins[part] = at, after
				return
			}
		}
	})
	for part, at := range boundaries {
		into := memoryStore(t)
		w.restore(at, into, nil)
		same(t, part+" into badger", state(t, into), twins[part])
	}
	embedded := newWorld(t, memoryStore(t))
	live(t, embedded.store, func(string) { embedded.round(false) })
	cluster := openDgraph(t)
	embedded.restore(time.Time{}, cluster, nil)
	same(t, "badger into dgraph", state(t, cluster), state(t, embedded.store))
}

func equal(a, b map[string]string) bool {
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}
