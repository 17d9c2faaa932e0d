package index_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/graph/storetest"
)

// The same scenario of an index over every store.

var (
	entityScope = graph.Scope{Tenant: "acme"}
	dawn        = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
)

// reopenable is a store that can be closed and opened again.
type reopenable func(t *testing.T) graph.Store

func stores(t *testing.T) map[string]reopenable {
	dir := t.TempDir()
	model := storetest.NewModel()
	return map[string]reopenable{
		"badger": func(t *testing.T) graph.Store {
			s, err := badgerstore.Open(dir, badgerstore.Options{MinFree: 1, MinOpen: 1, FoldEvery: 10 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		"model": func(*testing.T) graph.Store { return unclosed{model} },
	}
}

// unclosed keeps its data after Close, as files do.
type unclosed struct{ *storetest.Model }

func (unclosed) Close() error { return nil }

func newID(t *testing.T, at time.Time) graph.ID {
	t.Helper()
	id, err := graph.NewID(at, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func note(t *testing.T, at time.Time, content string, entities ...graph.ID) *graph.Memory {
	id := newID(t, at)
	return &graph.Memory{
		ID: id, Namespace: "default", User: "ana", Session: "s", Type: graph.Episodic, Content: content, EmbeddingModel: "m",
		Confidence: 0.7, Importance: 0.5, DecayClass: graph.DecayMedium, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit,
		SourceKind: graph.FromUser, Entities: entities, Chain: id, Version: 1, CreatedAt: at, UpdatedAt: at, RecordedAt: at,
		OccurredAt: at, ValidFrom: at, AnchorAt: at, History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
	}
}

func TestIndexOverEveryStore(t *testing.T) {
	for name, open := range stores(t) {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			dir := t.TempDir()
			store := open(t)
			x := openIndex(t, store, dir)
			write := func(fn func(graph.Tx) error) {
				t.Helper()
				c, err := store.Update(ctx, entityScope, fn)
				if err != nil {
					t.Fatal(err)
				}
				if err := x.WaitFor(ctx, entityScope, c); err != nil {
					t.Fatal(err)
				}
			}

			ana := &graph.Entity{ID: newID(t, dawn), Namespace: "default", User: "ana", Name: "Lisbon", Canonical: "lisbon", Type: graph.Place, FirstSeen: dawn}
			sea := &graph.Entity{ID: newID(t, dawn), Namespace: "default", User: "ana", Name: "Atlantic", Canonical: "atlantic", Type: graph.Place, FirstSeen: dawn}
			trip := note(t, dawn, "We flew to Lisbon", ana.ID)
			swim := note(t, dawn.Add(time.Minute), "Swimming was cold", sea.ID)
			rel := &graph.Relation{ID: newID(t, dawn), Namespace: "default", Source: ana.ID, Predicate: "lies_at", Target: sea.ID, Strength: 1, StrengthAt: dawn, Confidence: 1, ValidFrom: dawn, EventTime: dawn, RecordedAt: dawn, Memories: []graph.ID{trip.ID}}
			write(func(tx graph.Tx) error {
				for _, e := range []*graph.Entity{ana, sea} {
					if err := tx.PutEntity(e); err != nil {
						return err
					}
				}
				for i, m := range []*graph.Memory{trip, swim} {
					if err := tx.PutMemory(m, graph.EventCreated); err != nil {
						return err
					}
					if err := tx.PutEmbedding(m.ID, []float32{float32(i), 1 - float32(i)}); err != nil {
						return err
					}
				}
				return tx.PutRelation(rel)
			})

			ask := func(q index.Query) []graph.ID {
				t.Helper()
				q.Now = dawn.Add(time.Hour)
				r, err := x.Recall(ctx, entityScope, q)
				if err != nil {
					t.Fatal(err)
				}
				var ids []graph.ID
				for _, c := range r.Candidates {
					ids = append(ids, c.Doc.ID)
				}
				slices.Sort(ids)
				return ids
			}
			same := func(what string, got []graph.ID, want ...graph.ID) {
				t.Helper()
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: got %v, want %v", what, got, want)
				}
			}
			lisbon := x.FindEntities(entityScope, []string{"default"}, []string{"ana", ""}, "What about Lisbon?")
			same("entities", lisbon, ana.ID)
			same("words and neighbours", ask(index.Query{Texts: []string{"flew"}}), trip.ID, swim.ID)
			same("vectors", ask(index.Query{Vector: []float32{1, 0}, Limit: 1}), swim.ID)
			same("graph, one hop", ask(index.Query{Entities: lisbon, Hops: 1}), trip.ID)
			same("graph, two hops", ask(index.Query{Entities: lisbon}), trip.ID, swim.ID)

			write(func(tx graph.Tx) error { return tx.DeleteRelation(ana.ID, "lies_at", sea.ID) })
			same("graph without the relation", ask(index.Query{Entities: lisbon}), trip.ID)
			write(func(tx graph.Tx) error { return tx.Erase(trip.ID, dawn.Add(time.Minute)) })
			same("words after the erasure", ask(index.Query{Texts: []string{"flew Lisbon"}}))

			// Uses counted while the index is closed are visible after it is opened again.
			closeIndex(t, x)
			if err := store.CountUses(ctx, entityScope, []graph.ID{swim.ID}, graph.Use{At: dawn.Add(time.Hour)}); err != nil {
				t.Fatal(err)
			}
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
			store = open(t)
			if name == "model" { // the model folds nothing by itself: a change brings the count
				changed := *swim
				changed.UpdatedAt = dawn.Add(time.Hour)
				if _, err := store.Update(ctx, entityScope, func(tx graph.Tx) error { return tx.PutMemory(&changed, graph.EventUpdated) }); err != nil {
					t.Fatal(err)
				}
			}
			x = openIndex(t, store, dir)
			for count := 0; count != 1; {
				head, err := store.Head(ctx, entityScope)
				if err != nil {
					t.Fatal(err)
				}
				if err := x.WaitFor(ctx, entityScope, head); err != nil {
					t.Fatal(err)
				}
				d, known := x.Doc(entityScope, swim.ID)
				if !known {
					t.Fatal("the memory is gone")
				}
				if count = d.Usage.Count; count != 1 {
					if err := store.Wait(ctx, entityScope, head); err != nil { // for the fold
						t.Fatalf("the use was never seen: %v", err)
					}
				}
			}
			same("after the restart", ask(index.Query{Texts: []string{"swim"}}), swim.ID)
			same("tenants apart", idsOf(x, graph.Scope{Tenant: "other"}))
			closeIndex(t, x)
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func openIndex(t *testing.T, store graph.Store, dir string) *index.Index {
	t.Helper()
	x, err := index.Open(context.Background(), store, index.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func closeIndex(t *testing.T, x *index.Index) {
	t.Helper()
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func idsOf(x *index.Index, sc graph.Scope) (ids []graph.ID) {
	x.Docs(sc, func(d *index.Doc) bool { ids = append(ids, d.ID); return true })
	return ids
}

// BenchmarkFollowBadger measures how fast the index reads a store on disk: every memory is read
// twice, once from the list and once from the feed.
func BenchmarkFollowBadger(b *testing.B) {
	const n = 5000
	ctx := context.Background()
	store, err := badgerstore.Open(b.TempDir(), badgerstore.Options{MinFree: 1, MinOpen: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	vector := make([]float32, 512)
	vector[1] = 1
	t := new(testing.T)
	var head graph.Cursor
	for from := 0; from < n; from += 50 {
		head, err = store.Update(ctx, entityScope, func(tx graph.Tx) error {
			for i := range 50 {
				m := note(t, dawn.Add(time.Duration(from+i)*time.Second), fmt.Sprintf("note %d about what happened in room %d when the lights of the old house went out again and nobody knew why", from+i, i))
				if err := tx.PutMemory(m, graph.EventCreated); err != nil {
					return err
				}
				if err := tx.PutEmbedding(m.ID, vector); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		late := &lateFeed{Store: store}
		x, err := index.Open(ctx, late, index.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := x.WaitFor(ctx, entityScope, head); err != nil {
			b.Fatal(err)
		}
		if err := x.Close(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "docs/s")
}

// lateFeed says that nothing has happened when it is first asked, so that an index
// takes the whole feed after it has listed everything.
type lateFeed struct{ graph.Store }

func (lateFeed) Head(context.Context, graph.Scope) (graph.Cursor, error) { return 0, nil }
