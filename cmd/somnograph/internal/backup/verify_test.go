package backup_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// wrongStore is a store that is changed when a restore has written everything but settings, as if it had
// restored wrongly.
type wrongStore struct {
	*badgerstore.Store
	change func(tx graph.Tx) error
	asked  int
}

// Tenants is asked before the first row, before the settings, and after the restore.
func (w *wrongStore) Tenants(ctx context.Context) ([]graph.Tenant, error) {
	if w.asked++; w.asked == 2 {
		if _, err := w.Update(ctx, engine.Loopback().Scope(), w.change); err != nil {
			return nil, err
		}
	}
	return w.Store.Tenants(ctx)
}

// A check notices each kind of row that was restored wrongly, and names it.
func TestVerifyNoticesWhatWasRestoredWrongly(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	newID := func(random string) graph.ID {
		return must[graph.ID](t)(graph.NewID(w.now(), strings.NewReader(random)))
	}
	var gone *graph.Entity
	live(t, w.store, func(part string) {
		w.round(false)
		if part != "sleep" { // an entity that the first segments have
			return
		}
		_, err := w.store.Update(t.Context(), engine.Loopback().Scope(), func(tx graph.Tx) error {
			gone = &graph.Entity{ID: newID("an old mill"), Namespace: "main", Name: "Old Mill", Canonical: "old mill", Type: graph.Place, FirstSeen: w.now()}
			return tx.PutEntity(gone)
		})
		if err != nil {
			t.Fatal(err)
		}
		w.round(false)
		_, err = w.store.Update(t.Context(), engine.Loopback().Scope(), func(tx graph.Tx) error { return tx.DeleteEntity(gone.ID) })
		if err != nil {
			t.Fatal(err)
		}
	})
	one := func(tx graph.Tx, q graph.MemoryQuery) *graph.Memory {
		t.Helper()
		q.Limit = 1
		return must[[]*graph.Memory](t)(tx.ListMemories(q))[0]
	}
	active := graph.MemoryQuery{Statuses: []graph.Status{graph.Active}}
	for _, x := range []struct {
		what, want string
		change     func(tx graph.Tx) error
	}{
		{"nothing", "", func(graph.Tx) error { return nil }},
		{"a content", "differs after the restore", func(tx graph.Tx) error {
			m := *one(tx, active)
			m.Content += " It was not."
			return tx.PutMemory(&m, graph.EventUpdated)
		}},
		{"a vector", "differs after the restore", func(tx graph.Tx) error {
			id := one(tx, active).ID
			v := slices.Clone(must[[]float32](t)(tx.Embedding(id)))
			for i := range v {
				v[i] = -v[i]
			}
			return tx.PutEmbedding(id, v)
		}},
		{"a lost note", "is missing after the restore", func(tx graph.Tx) error {
			for n, err := range graph.AllNotes(tx, graph.NoteSleep, "", false) {
				if err != nil {
					return err
				}
				return tx.DeleteNote(n.Kind, n.ID)
			}
			return errors.New("there is no note")
		}},
		{"a memory too many", "memories after the restore, and", func(tx graph.Tx) error {
			m := *one(tx, active)
			m.ID = newID("one too many")
			m.ExternalID = ""
			return tx.PutMemory(&m, graph.EventCreated)
		}},
		{"a row that is gone", "is back", func(tx graph.Tx) error { return tx.PutEntity(gone) }},
		{"an erased content", "differs after the restore", func(tx graph.Tx) error { return tx.Erase(one(tx, active).ID, w.clock) }},
	} {
		r := w.reader()
		p := must[*backup.Point](t)(r.Find(t.Context(), time.Time{}, nil))
		into := &wrongStore{Store: memoryStore(t).(*badgerstore.Store), change: x.change}
		_, err := backup.Verify(t.Context(), r, p, into, nil)
		if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%s: %v, want %q", x.what, err, x.want)
		}
		if into.asked < 2 {
			t.Fatalf("%s: the store was not changed", x.what)
		}
	}
}
