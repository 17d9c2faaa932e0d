package storetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

// pointKeys are the point reads, each with a write of the same key: a transaction that
// reads the key and then writes must not lose a concurrent write.
var pointKeys = map[string]struct {
	read  func(r graph.Reader, k pointFixture) (any, error)
	write func(tx graph.Tx, k pointFixture) error
}{
	"Memory": {
		func(r graph.Reader, k pointFixture) (any, error) { return r.Memory(k.m.ID) },
		func(tx graph.Tx, k pointFixture) error { return tx.PutMemory(k.m, graph.EventUpdated) },
	},
	"Embedding": {
		func(r graph.Reader, k pointFixture) (any, error) { return r.Embedding(k.other.ID) },
		func(tx graph.Tx, k pointFixture) error { return tx.PutEmbedding(k.other.ID, []float32{1}) },
	},
	"Edge": {
		func(r graph.Reader, k pointFixture) (any, error) { return r.Edge(k.loop.From, k.loop.Kind, k.loop.To) },
		func(tx graph.Tx, k pointFixture) error { return tx.PutEdge(k.loop) },
	},
	"Entity": {
		func(r graph.Reader, k pointFixture) (any, error) { return r.Entity(k.e.ID) },
		func(tx graph.Tx, k pointFixture) error { return tx.PutEntity(k.e) },
	},
	"EntityByName": {
		func(r graph.Reader, k pointFixture) (any, error) {
			return r.EntityByName(k.e.Namespace, k.e.User, k.e.Canonical)
		},
		func(tx graph.Tx, k pointFixture) error { return tx.PutEntity(k.e) },
	},
	"Relation": {
		func(r graph.Reader, k pointFixture) (any, error) {
			return r.Relation(k.r.Source, k.r.Predicate, k.r.Target)
		},
		func(tx graph.Tx, k pointFixture) error { return tx.PutRelation(k.r) },
	},
	"Request": {
		func(r graph.Reader, k pointFixture) (any, error) { return r.Request("key") },
		func(tx graph.Tx, k pointFixture) error { return tx.PutRequest(graph.Request{Key: "key"}) },
	},
	"Receipt": {
		func(r graph.Reader, k pointFixture) (any, error) { return r.Receipt(k.receipt.ID) },
		func(tx graph.Tx, k pointFixture) error { return tx.PutReceipt(k.receipt) },
	},
	"Setting": {
		func(r graph.Reader, k pointFixture) (any, error) { return r.Setting("s") },
		func(tx graph.Tx, k pointFixture) error { return tx.PutSetting("s", []byte("v")) },
	},
}

type pointFixture struct {
	m, other *graph.Memory // other is stored, m is not
	e        *graph.Entity
	r        *graph.Relation
	loop     graph.Edge // from other to itself
	receipt  graph.Receipt
}

var transactionTests = map[string]func(*fixture){
	"point reads conflict, also for an absent key": func(f *fixture) {
		for name, key := range pointKeys {
			k := pointFixture{m: f.newMemory(), other: f.newMemory(), e: f.newEntity("main", name, "e"), r: f.newRelation(f.newID(f.tick()), "p", f.newID(f.tick()))}
			k.loop = graph.Edge{From: k.other.ID, Kind: graph.EvidenceFor, To: k.other.ID}
			k.receipt = graph.Receipt{ID: k.e.ID, Status: graph.DeletionPending}
			f.mustPut(k.other)
			runs, found := 0, error(nil)
			f.mustUpdate(func(tx graph.Tx) error {
				runs++
				if _, found = key.read(tx, k); found != nil && !errors.Is(found, graph.ErrNotFound) {
					return found
				}
				if runs == 1 { // another writer commits in between
					if _, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error { return key.write(tx, k) }); err != nil {
						return err
					}
				}
				if found == nil {
					return nil // it exists already: nothing to write
				}
				return key.write(tx, k)
			})
			if runs != 2 || found != nil {
				f.Errorf("%s: ran %d times and last read %v; want a second run that sees the other's write", name, runs, found)
			}
		}
	},
	"no update is lost": func(f *fixture) {
		const writers, each = 8, 15
		f.concurrently(writers, func(int) error {
			for done := 0; done < each; {
				_, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error {
					var n uint64
					v, err := tx.Setting("counter")
					if err == nil {
						n = binary.BigEndian.Uint64(v)
					} else if !errors.Is(err, graph.ErrNotFound) {
						return err
					}
					return tx.PutSetting("counter", binary.BigEndian.AppendUint64(nil, n+1))
				})
				switch {
				case err == nil:
					done++
				case !errors.Is(err, graph.ErrConflict): // a conflict may be retried
					return err
				}
			}
			return nil
		})
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "counter", binary.BigEndian.Uint64(must[[]byte](f)(r.Setting("counter"))), writers*each)
		})
	},
	"one of many writers makes the entity": func(f *fixture) {
		const writers = 8
		ids := make([]graph.ID, writers)
		candidates := make([]*graph.Entity, writers)
		for i := range candidates {
			candidates[i] = f.newEntity("main", "", "ada")
		}
		f.concurrently(writers, func(i int) error {
			_, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error {
				e, err := tx.EntityByName("main", "", "ada")
				if errors.Is(err, graph.ErrNotFound) {
					e, err = candidates[i], tx.PutEntity(candidates[i])
				}
				if err == nil {
					ids[i] = e.ID
				}
				return err
			})
			return err
		})
		for _, id := range ids {
			mustEqual(f, "the one", id, ids[0])
		}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "entities", len(must[[]*graph.Entity](f)(r.ListEntities(graph.EntityQuery{}))), 1)
		})
	},
	"one of many writers gives an external id": func(f *fixture) {
		const writers = 8
		ids := make([]graph.ID, writers)
		candidates := make([]*graph.Memory, writers)
		for i := range candidates {
			candidates[i] = f.newMemory(func(m *graph.Memory) { m.ExternalID = "crm/42" })
		}
		byName := graph.MemoryQuery{Namespaces: []string{"main"}, ExternalID: "crm/42", Limit: 2}
		f.concurrently(writers, func(i int) error {
			_, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error {
				have, err := tx.ListMemories(byName)
				if err == nil && len(have) == 0 {
					have, err = candidates[i:i+1], tx.PutMemory(candidates[i], graph.EventCreated)
				}
				if err == nil {
					ids[i] = have[0].ID
				}
				return err
			})
			return err
		})
		for _, id := range ids {
			mustEqual(f, "the one", id, ids[0])
		}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "by its external id", idsOf(must[[]*graph.Memory](f)(r.ListMemories(byName))), ids[:1])
		})
		at := f.tick()
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(ids[0], at) })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "after its erasure", len(must[[]*graph.Memory](f)(r.ListMemories(byName))), 0)
		})
	},
	"an entity that is deleted is not mentioned or related meanwhile": func(f *fixture) {
		m, other := f.newMemory(), f.newEntity("main", "", "other")
		f.mustPut(m)
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEntity(other) })
		for name, write := range map[string]func(tx graph.Tx, e *graph.Entity) error{
			"a mention": func(tx graph.Tx, e *graph.Entity) error {
				next := copyMemory(m)
				next.Entities = []graph.ID{e.ID}
				return tx.PutMemory(next, graph.EventUpdated)
			},
			"a relation to it":   func(tx graph.Tx, e *graph.Entity) error { return tx.PutRelation(f.newRelation(other.ID, "p", e.ID)) },
			"a relation from it": func(tx graph.Tx, e *graph.Entity) error { return tx.PutRelation(f.newRelation(e.ID, "p", other.ID)) },
		} {
			e := f.newEntity("main", "", name)
			f.mustUpdate(func(tx graph.Tx) error { return tx.PutEntity(e) })
			runs := 0
			f.mustUpdate(func(tx graph.Tx) error {
				runs++
				mentions := must[[]graph.ID](f)(tx.Mentions(e.ID, "", 1))
				relations := must[[]*graph.Relation](f)(tx.Relations(e.ID, graph.Both, "", 1))
				if len(mentions)+len(relations) > 0 {
					return nil
				}
				if runs == 1 { // another writer commits in between
					if _, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error { return write(tx, e) }); err != nil {
						return err
					}
				}
				return tx.DeleteEntity(e.ID)
			})
			f.mustView(func(r graph.Reader) {
				if _, err := r.Entity(e.ID); err != nil || runs != 2 {
					f.Errorf("%s: ran %d times, and then %v", name, runs, err)
				}
			})
		}
	},
	"an error rolls back and is returned unchanged": func(f *fixture) {
		kept := f.newMemory()
		f.mustPut(kept)
		head := must[graph.Cursor](f)(f.store.Head(f.ctx(), f.scope))
		boom := fmt.Errorf("boom")
		lost := f.newMemory()
		c, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error {
			f.noError(tx.PutMemory(lost, graph.EventCreated))
			f.noError(tx.PutEmbedding(lost.ID, []float32{1}))
			f.noError(tx.PutEntity(f.newEntity("main", "", "ada")))
			f.noError(tx.PutSetting("s", []byte("v")))
			f.noError(tx.Erase(kept.ID, f.tick()))
			return boom
		})
		if err != boom || c != 0 {
			f.Fatalf("Update answered %d, %v", c, err)
		}
		f.mustView(func(r graph.Reader) {
			f.missing(r.Memory(lost.ID))
			f.missing(r.Setting("s"))
			mustEqual(f, "kept", must[*graph.Memory](f)(r.Memory(kept.ID)), copyMemory(kept))
			mustEqual(f, "entities", len(must[[]*graph.Entity](f)(r.ListEntities(graph.EntityQuery{}))), 0)
			mustEqual(f, "memories", len(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{}))), 1)
		})
		mustEqual(f, "head", must[graph.Cursor](f)(f.store.Head(f.ctx(), f.scope)), head)
	},
	"a view is one snapshot": func(f *fixture) {
		m := f.newMemory()
		f.mustPut(m)
		f.mustView(func(r graph.Reader) {
			before := must[*graph.Memory](f)(r.Memory(m.ID))
			next, more := copyMemory(m), f.newMemory()
			next.Content = "changed"
			f.mustUpdate(func(tx graph.Tx) error { return tx.PutMemory(next, graph.EventUpdated) })
			f.mustPut(more)
			mustEqual(f, "memory", must[*graph.Memory](f)(r.Memory(m.ID)), before)
			f.missing(r.Memory(more.ID))
			mustEqual(f, "list", idsOf(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{}))), []graph.ID{m.ID})
		})
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "after it", must[*graph.Memory](f)(r.Memory(m.ID)).Content, "changed")
		})
	},
	"a transaction reads what it has written": func(f *fixture) {
		old := f.newMemory(ofUser("ada"))
		f.mustPut(old)
		pending := f.newMemory(ofUser("ada"), func(m *graph.Memory) { m.EmbeddingModel, m.Session = "", "s" })
		f.mustUpdate(func(tx graph.Tx) error {
			m := copyMemory(pending)
			f.noError(tx.PutMemory(m, graph.EventCreated))
			mustEqual(f, "memory", must[*graph.Memory](f)(tx.Memory(m.ID)), copyMemory(m))
			for _, q := range []graph.MemoryQuery{{Users: []string{"ada"}}, {Namespaces: []string{"main"}}, {}} {
				mustEqual(f, "list", idsOf(must[[]*graph.Memory](f)(tx.ListMemories(q))), []graph.ID{old.ID, m.ID})
			}
			mustEqual(f, "pending", idsOf(must[[]*graph.Memory](f)(tx.ListMemories(graph.MemoryQuery{Pending: true}))), []graph.ID{m.ID})
			m.EmbeddingModel, m.Session = "test-2", ""
			f.noError(tx.PutMemory(m, graph.EventUpdated))
			f.noError(tx.PutEmbedding(m.ID, []float32{3}))
			mustEqual(f, "vector", must[[]float32](f)(tx.Embedding(m.ID)), []float32{3})
			mustEqual(f, "pending", len(must[[]*graph.Memory](f)(tx.ListMemories(graph.MemoryQuery{Pending: true}))), 0)
			mustEqual(f, "session", len(must[[]*graph.Memory](f)(tx.ListMemories(graph.MemoryQuery{Session: "s"}))), 0)
			e := graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: old.ID}
			f.noError(tx.PutEdge(e))
			mustEqual(f, "edges", must[[]graph.Edge](f)(tx.Edges(old.ID, graph.In)), []graph.Edge{e})
			f.noError(tx.DeleteEdge(m.ID, graph.EvidenceFor, old.ID))
			mustEqual(f, "edges", len(must[[]graph.Edge](f)(tx.Edges(old.ID, graph.Both))), 0)
			f.noError(tx.Erase(old.ID, f.tick()))
			mustEqual(f, "erased", must[*graph.Memory](f)(tx.Memory(old.ID)).Status(), graph.Forgotten)
			mustEqual(f, "list", idsOf(must[[]*graph.Memory](f)(tx.ListMemories(graph.MemoryQuery{Users: []string{"ada"}}))), []graph.ID{m.ID})
			return nil
		})
	},
	"too large a transaction is refused whole, dozens of items fit": func(f *fixture) {
		batch := func(n int) ([]*graph.Memory, error) {
			ms := f.newMemories(n)
			_, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error {
				for _, m := range ms {
					if err := errors.Join(tx.PutMemory(m, graph.EventCreated), tx.PutEmbedding(m.ID, make([]float32, 1024))); err != nil {
						return err
					}
				}
				return nil
			})
			return ms, err
		}
		fit, err := batch(64)
		f.noError(err)
		for n := 4096; n <= 16384; n *= 4 {
			ms, err := batch(n)
			if err == nil { // a store may accept that much, but then all of it
				f.mustView(func(r graph.Reader) { _, err := r.Memory(ms[n-1].ID); f.noError(err) })
				continue
			}
			f.errorIs(err, graph.ErrTooLarge)
			f.mustView(func(r graph.Reader) {
				f.missing(r.Memory(ms[0].ID))
				mustEqual(f, "what fitted", len(must[[]*graph.Memory](f)(r.Memories(idsOf(fit)))), 64)
			})
			return
		}
	},
	"an ignored error does not commit half of the transaction": func(f *fixture) {
		ms := f.newMemories(8192)
		_, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error {
			for _, m := range ms {
				_ = tx.PutMemory(m, graph.EventCreated)
			}
			return nil
		})
		f.mustView(func(r graph.Reader) {
			_, first := r.Memory(ms[0].ID)
			if (err == nil) != (first == nil) {
				f.Fatalf("Update answered %v, the first memory reads as %v", err, first)
			}
		})
	},
	"an ended context": func(f *fixture) {
		ctx, cancel := context.WithCancel(f.ctx())
		cancel()
		m := f.newMemory()
		_, err := f.store.Update(ctx, f.scope, func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
		f.errorIs(err, context.Canceled)
		f.errorIs(f.store.View(ctx, f.scope, func(graph.Reader) error { return nil }), context.Canceled)
		f.mustView(func(r graph.Reader) {
			f.missing(r.Memory(m.ID))
		})
	},
	"a transaction without writes changes nothing": func(f *fixture) {
		f.mustPut(f.newMemory())
		mustEqual(f, "cursor", f.mustUpdate(func(graph.Tx) error { return nil }), 0)
		mustEqual(f, "cursor", f.mustUpdate(func(tx graph.Tx) error { return tx.PutSetting("s", []byte("v")) }), 0)
	},
	"a reader is invalid after its function": func(f *fixture) {
		m := f.newMemory()
		f.mustPut(m)
		var kept graph.Reader
		f.mustView(func(r graph.Reader) { kept = r })
		if _, err := kept.Memory(m.ID); err == nil {
			f.Error("a Reader still reads after its View")
		}
		var tx graph.Tx
		f.mustUpdate(func(t graph.Tx) error { tx = t; return nil })
		if err := tx.PutMemory(m, graph.EventUpdated); err == nil {
			f.Error("a Tx still writes after its Update")
		}
	},
}
