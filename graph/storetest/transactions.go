package storetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// pointKeys are the point reads, each with a write of the same key: whoever reads
// the key and then writes must not lose a write in between.
var pointKeys = map[string]struct {
	read  func(r graph.Reader, k pointFixture) error
	write func(tx graph.Tx, k pointFixture) error
}{
	"Memory": {
		func(r graph.Reader, k pointFixture) error { _, err := r.Memory(k.m.ID); return err },
		func(tx graph.Tx, k pointFixture) error { return tx.PutMemory(k.m, graph.EventUpdated) },
	},
	"Embedding": {
		func(r graph.Reader, k pointFixture) error { _, err := r.Embedding(k.other.ID); return err },
		func(tx graph.Tx, k pointFixture) error { return tx.PutEmbedding(k.other.ID, []float32{1}) },
	},
	"Edge": {
		func(r graph.Reader, k pointFixture) error {
			_, err := r.Edge(k.other.ID, graph.EvidenceFor, k.other.ID)
			return err
		},
		func(tx graph.Tx, k pointFixture) error {
			return tx.PutEdge(graph.Edge{From: k.other.ID, Kind: graph.EvidenceFor, To: k.other.ID})
		},
	},
	"Entity": {
		func(r graph.Reader, k pointFixture) error { _, err := r.Entity(k.e.ID); return err },
		func(tx graph.Tx, k pointFixture) error { return tx.PutEntity(k.e) },
	},
	"EntityByName": {
		func(r graph.Reader, k pointFixture) error {
			_, err := r.EntityByName(k.e.Namespace, k.e.User, k.e.Canonical)
			return err
		},
		func(tx graph.Tx, k pointFixture) error { return tx.PutEntity(k.e) },
	},
	"Relation": {
		func(r graph.Reader, k pointFixture) error {
			_, err := r.Relation(k.r.Source, k.r.Predicate, k.r.Target)
			return err
		},
		func(tx graph.Tx, k pointFixture) error { return tx.PutRelation(k.r) },
	},
	"Request": {
		func(r graph.Reader, k pointFixture) error { _, err := r.Request("key"); return err },
		func(tx graph.Tx, k pointFixture) error { return tx.PutRequest(graph.Request{Key: "key"}) },
	},
	"Receipt": {
		func(r graph.Reader, k pointFixture) error { _, err := r.Receipt(k.e.ID); return err },
		func(tx graph.Tx, k pointFixture) error {
			return tx.PutReceipt(graph.Receipt{ID: k.e.ID, Status: graph.DeletionPending})
		},
	},
	"Setting": {
		func(r graph.Reader, k pointFixture) error { _, err := r.Setting("s"); return err },
		func(tx graph.Tx, k pointFixture) error { return tx.PutSetting("s", []byte("v")) },
	},
}

type pointFixture struct {
	m, other *graph.Memory // other is stored, m is not
	e        *graph.Entity
	r        *graph.Relation
}

var transactionTests = map[string]func(*bench){
	"point reads conflict, also where the key was absent": func(b *bench) {
		for name, key := range pointKeys {
			k := pointFixture{m: b.memory(), other: b.memory(), e: b.entity("main", name, "e"), r: b.relation(b.id(b.now()), "p", b.id(b.now()))}
			b.put(k.other)
			runs, found := 0, error(nil)
			b.update(func(tx graph.Tx) error {
				runs++
				if found = key.read(tx, k); found != nil && !errors.Is(found, graph.ErrNotFound) {
					return found
				}
				if runs == 1 { // another writer comes in between
					if _, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error { return key.write(tx, k) }); err != nil {
						return err
					}
				}
				if found == nil {
					return nil // there already: nothing to write
				}
				return key.write(tx, k)
			})
			if runs != 2 || found != nil {
				b.Errorf("%s: ran %d times and last read %v; want a second run that sees the other's write", name, runs, found)
			}
		}
	},
	"no update is lost": func(b *bench) {
		const writers, each = 8, 15
		var wg sync.WaitGroup
		errs := make(chan error, writers)
		for range writers {
			wg.Go(func() {
				for done := 0; done < each; {
					_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error {
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
					case !errors.Is(err, graph.ErrConflict): // that one may be tried again
						errs <- err
						return
					}
				}
			})
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			b.ok(err)
		}
		b.view(func(r graph.Reader) {
			same(b, "counter", binary.BigEndian.Uint64(got[[]byte](b)(r.Setting("counter"))), writers*each)
		})
	},
	"one of many makes the entity": func(b *bench) {
		const writers = 8
		ids := make([]graph.ID, writers)
		var wg sync.WaitGroup
		candidates := make([]*graph.Entity, writers)
		for i := range candidates {
			candidates[i] = b.entity("main", "", "ada")
		}
		errs := make([]error, writers)
		for i := range writers {
			wg.Go(func() {
				_, errs[i] = b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error {
					e, err := tx.EntityByName("main", "", "ada")
					if errors.Is(err, graph.ErrNotFound) {
						e, err = candidates[i], tx.PutEntity(candidates[i])
					}
					if err == nil {
						ids[i] = e.ID
					}
					return err
				})
			})
		}
		wg.Wait()
		b.ok(errors.Join(errs...))
		for _, id := range ids {
			same(b, "the one", id, ids[0])
		}
		b.view(func(r graph.Reader) {
			same(b, "entities", len(got[[]*graph.Entity](b)(r.ListEntities(graph.EntityQuery{}))), 1)
		})
	},
	"an error rolls back and comes out as it is": func(b *bench) {
		kept := b.memory()
		b.put(kept)
		head := got[graph.Cursor](b)(b.s.Head(b.ctx(), b.scope))
		boom := fmt.Errorf("boom")
		lost := b.memory()
		c, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error {
			b.ok(tx.PutMemory(lost, graph.EventCreated))
			b.ok(tx.PutEmbedding(lost.ID, []float32{1}))
			b.ok(tx.PutEntity(b.entity("main", "", "ada")))
			b.ok(tx.PutSetting("s", []byte("v")))
			b.ok(tx.Erase(kept.ID, b.now()))
			return boom
		})
		if err != boom || c != 0 {
			b.Fatalf("Update answered %d, %v", c, err)
		}
		b.view(func(r graph.Reader) {
			_, err := r.Memory(lost.ID)
			b.is(err, graph.ErrNotFound)
			_, err = r.Setting("s")
			b.is(err, graph.ErrNotFound)
			same(b, "kept", got[*graph.Memory](b)(r.Memory(kept.ID)), copyMemory(kept))
			same(b, "entities", len(got[[]*graph.Entity](b)(r.ListEntities(graph.EntityQuery{}))), 0)
			same(b, "memories", len(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{}))), 1)
		})
		same(b, "head", got[graph.Cursor](b)(b.s.Head(b.ctx(), b.scope)), head)
	},
	"a view is one snapshot": func(b *bench) {
		m := b.memory()
		b.put(m)
		b.view(func(r graph.Reader) {
			before := got[*graph.Memory](b)(r.Memory(m.ID))
			next, more := copyMemory(m), b.memory()
			next.Content = "changed"
			b.update(func(tx graph.Tx) error { return tx.PutMemory(next, graph.EventUpdated) })
			b.put(more)
			same(b, "memory", got[*graph.Memory](b)(r.Memory(m.ID)), before)
			_, err := r.Memory(more.ID)
			b.is(err, graph.ErrNotFound)
			same(b, "list", idsOf(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{}))), []graph.ID{m.ID})
		})
		b.view(func(r graph.Reader) {
			same(b, "after it", got[*graph.Memory](b)(r.Memory(m.ID)).Content, "changed")
		})
	},
	"a transaction reads what it has written": func(b *bench) {
		old := b.memory(of("ada"))
		b.put(old)
		m := b.memory(of("ada"), func(m *graph.Memory) { m.EmbeddingModel, m.Session = "", "s" })
		b.update(func(tx graph.Tx) error {
			b.ok(tx.PutMemory(m, graph.EventCreated))
			same(b, "memory", got[*graph.Memory](b)(tx.Memory(m.ID)), copyMemory(m))
			for _, q := range []graph.MemoryQuery{{Users: []string{"ada"}}, {Namespaces: []string{"main"}}, {}} {
				same(b, "list", idsOf(got[[]*graph.Memory](b)(tx.ListMemories(q))), []graph.ID{old.ID, m.ID})
			}
			same(b, "pending", idsOf(got[[]*graph.Memory](b)(tx.ListMemories(graph.MemoryQuery{Pending: true}))), []graph.ID{m.ID})
			m.EmbeddingModel, m.Session = "test-2", ""
			b.ok(tx.PutMemory(m, graph.EventUpdated))
			b.ok(tx.PutEmbedding(m.ID, []float32{3}))
			same(b, "vector", got[[]float32](b)(tx.Embedding(m.ID)), []float32{3})
			same(b, "pending", len(got[[]*graph.Memory](b)(tx.ListMemories(graph.MemoryQuery{Pending: true}))), 0)
			same(b, "session", len(got[[]*graph.Memory](b)(tx.ListMemories(graph.MemoryQuery{Session: "s"}))), 0)
			e := graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: old.ID}
			b.ok(tx.PutEdge(e))
			same(b, "edges", got[[]graph.Edge](b)(tx.Edges(old.ID, graph.In)), []graph.Edge{e})
			b.ok(tx.DeleteEdge(m.ID, graph.EvidenceFor, old.ID))
			same(b, "edges", len(got[[]graph.Edge](b)(tx.Edges(old.ID, graph.Both))), 0)
			b.ok(tx.Erase(old.ID, b.now()))
			same(b, "erased", got[*graph.Memory](b)(tx.Memory(old.ID)).Status(), graph.Forgotten)
			same(b, "list", idsOf(got[[]*graph.Memory](b)(tx.ListMemories(graph.MemoryQuery{Users: []string{"ada"}}))), []graph.ID{m.ID})
			return nil
		})
	},
	"too large a one is refused whole, dozens of items fit": func(b *bench) {
		batch := func(n int) ([]*graph.Memory, error) {
			var ms []*graph.Memory
			for range n {
				ms = append(ms, b.memory())
			}
			_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error {
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
		b.ok(err)
		for n := 4096; n <= 16384; n *= 4 {
			ms, err := batch(n)
			if err == nil { // a store may take that much, but then all of it
				b.view(func(r graph.Reader) { _, err := r.Memory(ms[n-1].ID); b.ok(err) })
				continue
			}
			b.is(err, graph.ErrTooLarge)
			b.view(func(r graph.Reader) {
				_, err := r.Memory(ms[0].ID)
				b.is(err, graph.ErrNotFound)
				same(b, "what fitted", len(got[[]*graph.Memory](b)(r.Memories(idsOf(fit)))), 64)
			})
			return
		}
	},
	"an error that is passed over does not commit half of it": func(b *bench) {
		var ms []*graph.Memory
		for range 8192 {
			ms = append(ms, b.memory())
		}
		_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error {
			for _, m := range ms {
				_ = tx.PutMemory(m, graph.EventCreated)
			}
			return nil
		})
		b.view(func(r graph.Reader) {
			_, first := r.Memory(ms[0].ID)
			if (err == nil) != (first == nil) {
				b.Fatalf("Update answered %v, the first memory reads as %v", err, first)
			}
		})
	},
	"a context that has ended": func(b *bench) {
		ctx, cancel := context.WithCancel(b.ctx())
		cancel()
		m := b.memory()
		_, err := b.s.Update(ctx, b.scope, func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
		b.is(err, context.Canceled)
		b.is(b.s.View(ctx, b.scope, func(graph.Reader) error { return nil }), context.Canceled)
		b.view(func(r graph.Reader) {
			_, err := r.Memory(m.ID)
			b.is(err, graph.ErrNotFound)
		})
	},
	"nothing written is no change": func(b *bench) {
		b.put(b.memory())
		same(b, "cursor", b.update(func(graph.Tx) error { return nil }), 0)
		same(b, "cursor", b.update(func(tx graph.Tx) error { return tx.PutSetting("s", []byte("v")) }), 0)
	},
	"a reader dies with its function": func(b *bench) {
		m := b.memory()
		b.put(m)
		var kept graph.Reader
		b.view(func(r graph.Reader) { kept = r })
		if _, err := kept.Memory(m.ID); err == nil {
			b.Error("a Reader still reads after its View")
		}
		var tx graph.Tx
		b.update(func(t graph.Tx) error { tx = t; return nil })
		if err := tx.PutMemory(m, graph.EventUpdated); err == nil {
			b.Error("a Tx still writes after its Update")
		}
	},
}
