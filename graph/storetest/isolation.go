package storetest

import (
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

var isolationTests = map[string]func(*bench){
	"a tenant sees nothing of another": func(b *bench) {
		theirs := freshScope(b)
		m := b.memory(of("ada"), func(m *graph.Memory) { m.Session, m.Subject, m.Project, m.EmbeddingModel = "s", "x", "p", "" })
		e := b.entity("main", "", "ada")
		m.Entities, m.ExpiresAt = []graph.ID{e.ID}, b.now()
		rel := b.relation(e.ID, "is", e.ID, m.ID)
		rec := b.id(b.now())
		b.update(func(tx graph.Tx) error {
			b.ok(tx.PutMemory(m, graph.EventCreated))
			b.ok(tx.PutEmbedding(m.ID, []float32{1}))
			b.ok(tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: m.ID}))
			b.ok(tx.PutEntity(e))
			b.ok(tx.PutRelation(rel))
			b.ok(tx.PutRequest(graph.Request{Key: "k", Result: m.ID}))
			b.ok(tx.PutReceipt(graph.Receipt{ID: rec}))
			b.ok(tx.PutReceiptIDs(rec, []graph.ID{m.ID}))
			return tx.PutSetting("s", []byte("v"))
		})
		b.ok(b.s.CountUses(b.ctx(), theirs, []graph.ID{m.ID}, b.now()))
		b.ok(b.s.View(b.ctx(), theirs, func(r graph.Reader) error { nothing(b, r, m, e, rel, rec); return nil }))
		same(b, "changes", len(got[[]graph.Change](b)(b.s.Changes(b.ctx(), theirs, 0, 0))), 0)
		same(b, "head", got[graph.Cursor](b)(b.s.Head(b.ctx(), theirs)), 0)
		_, err := b.s.Update(b.ctx(), theirs, func(tx graph.Tx) error {
			nothing(b, tx, m, e, rel, rec)
			b.is(tx.Erase(m.ID, b.now()), graph.ErrNotFound)
			b.ok(tx.DeleteEntity(e.ID))
			b.ok(tx.DeleteRelation(rel.Source, rel.Predicate, rel.Target))
			b.ok(tx.DeleteEdge(m.ID, graph.EvidenceFor, m.ID))
			b.ok(tx.PutRequest(graph.Request{Key: "k"}))
			return tx.PutSetting("s", nil)
		})
		b.ok(err)
		b.view(func(r graph.Reader) {
			read := got[*graph.Memory](b)(r.Memory(m.ID))
			same(b, "uses", read.Usage, graph.Usage{})
			same(b, "memory", read, copyMemory(m))
			same(b, "entity", got[*graph.Entity](b)(r.Entity(e.ID)), e)
			same(b, "relation", got[*graph.Relation](b)(r.RelationByID(rel.ID)), copyRelation(rel))
			same(b, "request", got[*graph.Request](b)(r.Request("k")).Result, m.ID)
			same(b, "setting", string(got[[]byte](b)(r.Setting("s"))), "v")
			same(b, "edges", len(got[[]graph.Edge](b)(r.Edges(m.ID, graph.Out))), 1)
		})
	},
	"names that begin alike": func(b *bench) {
		short := freshScope(b)
		long := graph.Scope{Tenant: short.Tenant + "-1"}
		for i, s := range []graph.Scope{short, long} {
			_, err := b.s.Update(b.ctx(), s, func(tx graph.Tx) error { return tx.PutMemory(b.memory(in(fmt.Sprint("n", i))), graph.EventCreated) })
			b.ok(err)
		}
		for i, s := range []graph.Scope{short, long} {
			b.ok(b.s.View(b.ctx(), s, func(r graph.Reader) error {
				ms := got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{}))
				same(b, "memories", len(ms), 1)
				same(b, "namespace", ms[0].Namespace, fmt.Sprint("n", i))
				return nil
			}))
			same(b, "changes", len(got[[]graph.Change](b)(b.s.Changes(b.ctx(), s, 0, 0))), 1)
		}
	},
	"tenants that hold anything": func(b *bench) {
		empty, settings := freshScope(b), freshScope(b)
		b.put(b.memory())
		b.ok(b.s.View(b.ctx(), empty, func(graph.Reader) error { return nil }))
		_, err := b.s.Update(b.ctx(), settings, func(tx graph.Tx) error { return tx.PutSetting("s", []byte("v")) })
		b.ok(err)
		tenants := got[[]graph.Tenant](b)(b.s.Tenants(b.ctx()))
		if !slices.IsSorted(tenants) || !slices.Contains(tenants, b.scope.Tenant) || !slices.Contains(tenants, settings.Tenant) {
			b.Fatalf("tenants are %v", tenants)
		}
		if slices.Contains(tenants, empty.Tenant) {
			b.Fatal("a tenant that was only read is listed")
		}
	},
	"a scope without a proper tenant": func(b *bench) {
		for _, tenant := range []graph.Tenant{"", "a/b", "a\x00b", "ü", graph.Tenant(fmt.Sprintf("%065d", 1))} {
			scope := graph.Scope{Tenant: tenant}
			errs := []error{
				b.s.View(b.ctx(), scope, func(graph.Reader) error { return nil }),
				b.s.CountUses(b.ctx(), scope, nil, b.now()), b.s.Wait(b.ctx(), scope, 0),
			}
			_, err := b.s.Update(b.ctx(), scope, func(graph.Tx) error { return nil })
			errs = append(errs, err)
			_, err = b.s.Changes(b.ctx(), scope, 0, 0)
			errs = append(errs, err)
			_, err = b.s.Head(b.ctx(), scope)
			for _, err := range append(errs, err) {
				same(b, "code", graph.CodeOf(err), graph.CodeInvalidRequest)
			}
		}
	},
	"a list asks for its namespaces and gets no other": func(b *bench) {
		for i := range 12 {
			b.put(b.memory(in(fmt.Sprint("n", i%4)), of("ada")))
		}
		b.view(func(r graph.Reader) {
			for _, q := range []graph.MemoryQuery{{Namespaces: []string{"n1"}}, {Namespaces: []string{"n1"}, Users: []string{"ada"}}, {Namespaces: []string{"n"}}, {Namespaces: []string{"n1", "n3"}}} {
				for _, m := range got[[]*graph.Memory](b)(r.ListMemories(q)) {
					if !slices.Contains(q.Namespaces, m.Namespace) {
						b.Fatalf("%v got a memory of %s", q.Namespaces, m.Namespace)
					}
				}
			}
			same(b, "two of them", len(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{Namespaces: []string{"n1", "n3"}}))), 6)
		})
	},
}

// nothing fails the test where the reader shows anything of what is given.
func nothing(b *bench, r graph.Reader, m *graph.Memory, e *graph.Entity, rel *graph.Relation, rec graph.ID) {
	b.Helper()
	missing := func(_ any, err error) { b.Helper(); b.is(err, graph.ErrNotFound) }
	none := func(n int, err error) { b.Helper(); b.ok(err); same(b, "items", n, 0) }
	_, err := r.Memory(m.ID)
	missing(nil, err)
	_, err = r.Embedding(m.ID)
	missing(nil, err)
	_, err = r.Edge(m.ID, graph.EvidenceFor, m.ID)
	missing(nil, err)
	_, err = r.Entity(e.ID)
	missing(nil, err)
	_, err = r.EntityByName(e.Namespace, e.User, e.Canonical)
	missing(nil, err)
	_, err = r.Relation(rel.Source, rel.Predicate, rel.Target)
	missing(nil, err)
	_, err = r.RelationByID(rel.ID)
	missing(nil, err)
	_, err = r.Request("k")
	missing(nil, err)
	_, err = r.Receipt(rec)
	missing(nil, err)
	_, err = r.Setting("s")
	missing(nil, err)
	ms, err := r.Memories([]graph.ID{m.ID})
	b.ok(err)
	if ms[0] != nil {
		b.Fatal("Memories shows a memory of another tenant")
	}
	for _, q := range []graph.MemoryQuery{
		{}, {Namespaces: []string{m.Namespace}}, {Users: []string{m.User}}, {Session: m.Session}, {Subject: m.Subject}, {Project: m.Project},
		{Chain: m.Chain}, {Pending: true}, {ExpiresBy: m.ExpiresAt},
	} {
		ms, err := r.ListMemories(q)
		none(len(ms), err)
	}
	edges, err := r.Edges(m.ID, graph.Both)
	none(len(edges), err)
	es, err := r.ListEntities(graph.EntityQuery{})
	none(len(es), err)
	es, err = r.ListEntities(graph.EntityQuery{Namespaces: []string{e.Namespace}})
	none(len(es), err)
	ids, err := r.Mentions(e.ID, "", 0)
	none(len(ids), err)
	rels, err := r.Relations(e.ID, graph.Both, "", 0)
	none(len(rels), err)
	ids, err = r.ReceiptIDs(rec, "", 0)
	none(len(ids), err)
	last, err := r.LastRecorded()
	b.ok(err)
	if !last.IsZero() {
		b.Fatal("LastRecorded shows an instant of another tenant")
	}
}
