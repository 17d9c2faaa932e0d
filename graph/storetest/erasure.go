package storetest

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// canary is in every field of what is erased, and must be in nothing afterwards.
const canary = "canary-7f3a"

// secret makes a memory that says the canary everywhere, with all that hangs on it.
func (b *bench) secret(other *graph.Memory, e *graph.Entity) *graph.Memory {
	m := b.memory(func(m *graph.Memory) {
		m.User, m.Agent, m.Session, m.Project = canary, canary, canary, canary
		m.Content, m.Summary, m.Subject, m.Predicate, m.Object = canary, canary, canary, canary, canary
		m.Source, m.Reason, m.Tags, m.Meta = canary, canary, []string{canary}, json.RawMessage(`"`+canary+`"`)
		m.EmbeddingModel, m.Entities, m.Position = canary, []graph.ID{e.ID}, &[3]float32{1, 2, 3}
		m.Checksum, m.ExpiresAt, m.Supersedes = canary, m.CreatedAt.Add(time.Hour), other.ID
	})
	b.update(func(tx graph.Tx) error {
		b.ok(tx.PutMemory(m, graph.EventCreated))
		b.ok(tx.PutEmbedding(m.ID, []float32{0.5, 0.25}))
		b.ok(tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: other.ID, Weight: 1, At: start}))
		b.ok(tx.PutEdge(graph.Edge{From: other.ID, Kind: graph.DerivedFrom, To: m.ID, Weight: 1, At: start}))
		b.ok(tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.Contradicts, To: m.ID, Weight: 1, At: start}))
		b.ok(tx.PutRequest(graph.Request{Key: "one" + canary, Digest: canary, Result: m.ID, Answer: json.RawMessage(`"` + canary + `"`)}))
		return tx.PutRequest(graph.Request{Key: "two", Result: m.ID, Answer: json.RawMessage(`"` + canary + `"`)})
	})
	b.ok(b.s.CountUses(b.ctx(), b.scope, []graph.ID{m.ID}, start))
	return m
}

var erasureTests = map[string]func(*bench){
	"a stub is left, and nothing else": func(b *bench) {
		other, e := b.memory(), b.entity("main", "", "ada")
		b.put(other)
		b.update(func(tx graph.Tx) error { return tx.PutEntity(e) })
		m := b.secret(other, e)
		at := b.now()
		b.update(func(tx graph.Tx) error { return tx.Erase(m.ID, at.Add(1)) })
		check := func(r graph.Reader) {
			left := got[*graph.Memory](b)(r.Memory(m.ID))
			same(b, "stub", left, &graph.Memory{
				ID: m.ID, Namespace: m.Namespace, Chain: m.Chain, Version: m.Version,
				CreatedAt: m.CreatedAt, UpdatedAt: at, RecordedAt: m.RecordedAt, OccurredAt: m.OccurredAt, ValidFrom: m.ValidFrom,
				ExpiresAt: m.ExpiresAt, DeletedAt: at,
				History: append(m.History[:1:1], graph.State{From: at, Status: graph.Forgotten, Tier: graph.L1}),
			})
			b.noCanary(r)
			_, err := r.Embedding(m.ID)
			b.is(err, graph.ErrNotFound)
			for _, key := range []string{"one" + canary, "two"} {
				_, err = r.Request(key)
				b.is(err, graph.ErrNotFound)
			}
			_, err = r.Edge(m.ID, graph.EvidenceFor, other.ID)
			b.is(err, graph.ErrNotFound)
			same(b, "edges", len(got[[]graph.Edge](b)(r.Edges(other.ID, graph.Both)))+len(got[[]graph.Edge](b)(r.Edges(m.ID, graph.Both))), 0)
			same(b, "mentions", len(got[[]graph.ID](b)(r.Mentions(e.ID, "", 0))), 0)
			same(b, "pending", len(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{Pending: true}))), 0)
			same(b, "by chain", idsOf(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{Chain: m.Chain}))), []graph.ID{m.ID})
			_, err = r.Entity(e.ID)
			b.ok(err) // what to do with an entity is not the store's business
		}
		b.view(check)
		if b.h.Reopen != nil {
			b.s = b.h.Reopen(b, b.s)
			b.view(check)
		}
	},
	"relations lose it, and go with the last one": func(b *bench) {
		m, n := b.memory(), b.memory()
		b.put(m, n)
		ada := b.id(b.now())
		both, only, others := b.relation(ada, "likes", b.id(b.now()), m.ID, n.ID), b.relation(ada, "is", ada, m.ID), b.relation(ada, "was", ada, n.ID)
		b.update(func(tx graph.Tx) error {
			b.ok(tx.PutRelation(both))
			b.ok(tx.PutRelation(only))
			return tx.PutRelation(others)
		})
		head := got[graph.Cursor](b)(b.s.Head(b.ctx(), b.scope))
		b.update(func(tx graph.Tx) error { return tx.Erase(m.ID, b.now()) })
		both.Memories = []graph.ID{n.ID}
		b.view(func(r graph.Reader) {
			same(b, "both", got[*graph.Relation](b)(r.RelationByID(both.ID)), both)
			same(b, "others", got[*graph.Relation](b)(r.RelationByID(others.ID)), others)
			_, err := r.RelationByID(only.ID)
			b.is(err, graph.ErrNotFound)
			same(b, "listed", len(got[[]*graph.Relation](b)(r.Relations(ada, graph.Both, "", 0))), 2)
		})
		kinds := map[graph.ID]graph.EventKind{}
		for _, c := range got[[]graph.Change](b)(b.s.Changes(b.ctx(), b.scope, head, 0)) {
			kinds[c.ID] = c.Kind
		}
		same(b, "changes", kinds, map[graph.ID]graph.EventKind{m.ID: graph.EventForgotten, both.ID: graph.EventUpdated, only.ID: graph.EventForgotten})
	},
	"forgotten is for good": func(b *bench) {
		m, n := b.memory(), b.memory()
		b.put(m, n)
		at := b.now()
		b.update(func(tx graph.Tx) error { return tx.Erase(m.ID, at) })
		for _, put := range []func(graph.Tx) error{
			func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) },
			func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, []float32{1}) },
			func(tx graph.Tx) error { return tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: n.ID}) },
			func(tx graph.Tx) error { return tx.PutEdge(graph.Edge{From: n.ID, Kind: graph.EvidenceFor, To: m.ID}) },
			func(tx graph.Tx) error { return tx.PutRelation(b.relation(m.ID, "is", m.ID, m.ID)) },
			func(tx graph.Tx) error { return tx.PutRequest(graph.Request{Key: "k", Result: m.ID}) },
		} {
			b.refused(put)
		}
		b.update(func(tx graph.Tx) error { return tx.Erase(m.ID, b.now()) })
		_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error { return tx.Erase(b.id(b.now()), b.now()) })
		b.is(err, graph.ErrNotFound)
		b.view(func(r graph.Reader) { same(b, "deleted", got[*graph.Memory](b)(r.Memory(m.ID)).DeletedAt, at) })
	},
	"an erasure that is not later than the last state": func(b *bench) {
		m := b.memory()
		b.put(m)
		b.update(func(tx graph.Tx) error { return tx.Erase(m.ID, m.CreatedAt) })
		b.view(func(r graph.Reader) {
			same(b, "deleted", got[*graph.Memory](b)(r.Memory(m.ID)).DeletedAt, m.CreatedAt.Add(time.Millisecond))
		})
	},
	"nothing slips in while it is erased": func(b *bench) {
		other := b.memory()
		b.put(other)
		for range 10 {
			m := b.memory()
			b.put(m)
			at := b.now()
			rel := b.relation(other.ID, "says"+string(m.ID), other.ID, m.ID)
			var wg sync.WaitGroup
			for _, put := range []func(graph.Tx) error{
				func(tx graph.Tx) error {
					return tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: other.ID})
				},
				func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, []float32{1}) },
				func(tx graph.Tx) error { return tx.PutRelation(rel) },
				func(tx graph.Tx) error { return tx.PutRequest(graph.Request{Key: string(m.ID), Result: m.ID}) },
				func(tx graph.Tx) error { return tx.Erase(m.ID, at) },
			} {
				wg.Go(func() {
					if _, err := b.s.Update(b.ctx(), b.scope, put); err != nil && graph.CodeOf(err) != graph.CodeInvalidRequest {
						b.Error(err)
					}
				})
			}
			wg.Go(func() {
				if err := b.s.CountUses(b.ctx(), b.scope, []graph.ID{m.ID}, at); err != nil {
					b.Error(err)
				}
			})
			wg.Wait()
			b.view(func(r graph.Reader) {
				left := got[*graph.Memory](b)(r.Memory(m.ID))
				same(b, "status", left.Status(), graph.Forgotten)
				same(b, "uses", left.Usage, graph.Usage{})
				same(b, "edges", len(got[[]graph.Edge](b)(r.Edges(m.ID, graph.Both))), 0)
				_, err := r.Embedding(m.ID)
				b.is(err, graph.ErrNotFound)
				_, err = r.RelationByID(rel.ID)
				b.is(err, graph.ErrNotFound)
				_, err = r.Request(string(m.ID))
				b.is(err, graph.ErrNotFound)
			})
		}
	},
}

// noCanary fails the test where any list shows the canary.
func (b *bench) noCanary(r graph.Reader) {
	b.Helper()
	for _, q := range []graph.MemoryQuery{{}, {Namespaces: []string{"main"}}, {Users: []string{"", canary}}} {
		for _, m := range got[[]*graph.Memory](b)(r.ListMemories(q)) {
			if strings.Contains(show(m), canary) {
				b.Fatalf("%s", show(m))
			}
		}
	}
	for _, q := range []graph.MemoryQuery{{Users: []string{canary}}, {Session: canary}, {Subject: canary}, {Project: canary}, {Tags: []string{canary}}} {
		same(b, "found by it", len(got[[]*graph.Memory](b)(r.ListMemories(q))), 0)
	}
	for _, c := range got[[]graph.Change](b)(b.s.Changes(b.ctx(), b.scope, 0, 0)) {
		if strings.Contains(show(c), canary) {
			b.Fatalf("%s", show(c))
		}
	}
}
