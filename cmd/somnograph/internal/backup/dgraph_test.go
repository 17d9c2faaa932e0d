package backup_test

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// openDgraph opens a store on a cluster that ends with the test.
func openDgraph(t *testing.T) graph.Store {
	t.Helper()
	s, _ := startDgraph(t)
	return s
}

func startDgraph(t *testing.T) (graph.Store, *dgraphtest.Cluster) {
	t.Helper()
	if testing.Short() {
		t.Skip("the full run has it")
	}
	c := dgraphtest.Run(t, t.TempDir())
	s, err := dgraphstore.Open(t.Context(), []string{c.Addr}, dgraphstore.Options{FoldEvery: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, c
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

// A damaged memory on Dgraph is blocked, restored from the backup, and the alarm ends. One that was
// erased stays damaged.
func TestDamagedMemoriesOnDgraphAreRestoredFromTheBackup(t *testing.T) {
	store, cluster := startDgraph(t)
	w := &damagedWorld{erased: map[graph.ID]bool{}, texts: []string{"The walnut wharf closes at nine.", "The weir opens at dusk."}}
	maker := &backup.Maker{Store: store, ID: storeID, Secrets: newSecrets(), Now: time.Now, Random: rand.Reader}
	target := must[backup.Target](t)(backup.Directory(t.TempDir(), true))
	w.mender = &backup.Mender{Maker: maker, Target: target, Erased: func(_ graph.Scope, id graph.ID) bool { return w.erased[id] }}
	w.World = enginetest.With(t, enginetest.Options{Store: store, Change: func(o *engine.Options) { o.Monitor.Restorer = w.mender }})
	for _, text := range w.texts {
		w.ids = append(w.ids, w.Remember(text).Memory.ID)
	}
	w.runner = backup.NewRunner(backup.Options{Source: maker, Target: target, Now: time.Now})
	must[*backup.Made](t)(w.runner.Once(t.Context(), false))
	if got := w.alarms(); got != "" {
		t.Fatalf("before: %s", got)
	}
	w.erased[w.ids[1]] = true
	for _, id := range w.ids {
		if err := cluster.Overwrite(t.Context(), string(w.Caller.Tenant)+"/"+string(id), "memory.record", "damaged"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.stored(id); !errors.Is(err, graph.ErrIntegrity) {
			t.Fatalf("damaged memory %s: %v", id, err)
		}
	}
	if got := w.alarms(); got != blocked {
		t.Errorf("damaged: %q", got)
	}
	m, v, err := w.stored(w.ids[0])
	if err != nil || m.Content != w.texts[0] || len(v) == 0 || m.Version != 1 || m.Status() != graph.Active {
		t.Errorf("restored: %+v, %v", m, err)
	}
	if _, _, err := w.stored(w.ids[1]); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("what was erased was restored: %v", err)
	}
	if got := w.alarms(); got != blocked {
		t.Errorf("one is left: %q", got)
	}
	delete(w.erased, w.ids[1])
	if got := w.alarms(); got != blocked {
		t.Errorf("when it may be restored: %q", got)
	}
	if got := w.alarms(); got != "" {
		t.Errorf("restored: %q", got)
	}
	if hits := w.Search("When does the weir open?").Hits; len(hits) == 0 || hits[0].Memory.ID != w.ids[1] {
		t.Errorf("found %+v", hits)
	}
	must[*backup.Made](t)(w.runner.Once(t.Context(), true)) // everything can be read again
}

func equal(a, b map[string]string) bool {
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}
