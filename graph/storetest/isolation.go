package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

var isolationTests = map[string]func(*fixture){
	"a tenant sees nothing of another": func(f *fixture) {
		theirs := freshScope(f)
		m := f.newMemory(ofUser("ada"), func(m *graph.Memory) { m.Session, m.Subject, m.Project, m.EmbeddingModel = "s", "x", "p", "" })
		e := f.newEntity("main", "", "ada")
		m.Entities, m.ExpiresAt = []graph.ID{e.ID}, f.tick()
		rel := f.newRelation(e.ID, "is", e.ID, m.ID)
		rec := f.newID(f.tick())
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.PutMemory(m, graph.EventCreated))
			f.noError(tx.PutEmbedding(m.ID, []float32{1}))
			f.noError(tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: m.ID}))
			f.noError(tx.PutEntity(e))
			f.noError(tx.PutRelation(rel))
			f.noError(tx.PutRequest(graph.Request{Key: "k", Result: m.ID}))
			f.noError(tx.PutReceipt(graph.Receipt{ID: rec}))
			f.noError(tx.PutReceiptIDs(rec, []graph.ID{m.ID}))
			return tx.PutSetting("s", []byte("v"))
		})
		f.noError(f.store.CountUses(f.ctx(), theirs, []graph.ID{m.ID}, graph.Use{At: f.tick()}))
		f.noError(f.store.View(f.ctx(), theirs, func(r graph.Reader) error { mustShowNothing(f, r, m, e, rel, rec); return nil }))
		mustEqual(f, "changes", len(must[[]graph.Change](f)(f.store.Changes(f.ctx(), theirs, 0, 0))), 0)
		mustEqual(f, "head", must[graph.Cursor](f)(f.store.Head(f.ctx(), theirs)), 0)
		_, err := f.store.Update(f.ctx(), theirs, func(tx graph.Tx) error {
			mustShowNothing(f, tx, m, e, rel, rec)
			f.errorIs(tx.Erase(m.ID, f.tick()), graph.ErrNotFound)
			f.noError(tx.DeleteEntity(e.ID))
			f.noError(tx.DeleteRelation(rel.Source, rel.Predicate, rel.Target))
			f.noError(tx.DeleteEdge(m.ID, graph.EvidenceFor, m.ID))
			f.noError(tx.PutRequest(graph.Request{Key: "k"}))
			return tx.PutSetting("s", nil)
		})
		f.noError(err)
		f.mustView(func(r graph.Reader) {
			read := must[*graph.Memory](f)(r.Memory(m.ID))
			mustEqual(f, "uses", read.Usage, graph.Usage{})
			mustEqual(f, "memory", read, copyMemory(m))
			mustEqual(f, "entity", must[*graph.Entity](f)(r.Entity(e.ID)), e)
			mustEqual(f, "relation", must[*graph.Relation](f)(r.RelationByID(rel.ID)), copyRelation(rel))
			mustEqual(f, "request", must[*graph.Request](f)(r.Request("k")).Result, m.ID)
			mustEqual(f, "setting", string(must[[]byte](f)(r.Setting("s"))), "v")
			mustEqual(f, "edges", len(must[[]graph.Edge](f)(r.Edges(m.ID, graph.Out))), 1)
		})
	},
	"names with a common prefix": func(f *fixture) {
		short := freshScope(f)
		long := graph.Scope{Tenant: short.Tenant + "-1"}
		for i, s := range []graph.Scope{short, long} {
			_, err := f.store.Update(f.ctx(), s, func(tx graph.Tx) error {
				return tx.PutMemory(f.newMemory(inNamespace(fmt.Sprint("n", i))), graph.EventCreated)
			})
			f.noError(err)
		}
		for i, s := range []graph.Scope{short, long} {
			f.noError(f.store.View(f.ctx(), s, func(r graph.Reader) error {
				ms := must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{}))
				mustEqual(f, "memories", len(ms), 1)
				mustEqual(f, "namespace", ms[0].Namespace, fmt.Sprint("n", i))
				return nil
			}))
			mustEqual(f, "changes", len(must[[]graph.Change](f)(f.store.Changes(f.ctx(), s, 0, 0))), 1)
		}
	},
	"tenants that hold data": func(f *fixture) {
		empty, settings := freshScope(f), freshScope(f)
		f.mustPut(f.newMemory())
		f.noError(f.store.View(f.ctx(), empty, func(graph.Reader) error { return nil }))
		_, err := f.store.Update(f.ctx(), settings, func(tx graph.Tx) error { return tx.PutSetting("s", []byte("v")) })
		f.noError(err)
		tenants := must[[]graph.Tenant](f)(f.store.Tenants(f.ctx()))
		if !slices.IsSorted(tenants) || !slices.Contains(tenants, f.scope.Tenant) || !slices.Contains(tenants, settings.Tenant) {
			f.Fatalf("tenants are %v", tenants)
		}
		if slices.Contains(tenants, empty.Tenant) {
			f.Fatal("a tenant that was only read is listed")
		}
	},
	// The scope is shared by all tests of a store. A test recognises its notes by their ids.
	"the scope of the server": func(f *fixture) {
		server, id := graph.ServerScope(), f.newID(f.tick())
		note := graph.Note{Kind: graph.NoteAPIKey, ID: id, At: f.tick(), Data: json.RawMessage(`{"name":"ci"}`)}
		put := func(n graph.Note) error {
			_, err := f.store.Update(f.ctx(), server, func(tx graph.Tx) error {
				if _, err := tx.Note(n.Kind, n.ID); err != nil && !errors.Is(err, graph.ErrNotFound) {
					return err
				}
				return tx.PutNote(n)
			})
			return err
		}
		read := func() (notes []*graph.Note) {
			f.noError(f.store.View(f.ctx(), server, func(r graph.Reader) (err error) {
				one, err := r.Note(graph.NoteAPIKey, id)
				notes = []*graph.Note{one}
				return err
			}))
			return notes
		}
		f.noError(put(note))
		mustEqual(f, "note", read(), []*graph.Note{&note})
		note.Data = json.RawMessage(`{"name":"ci","revoked":true}`)
		f.noError(put(note))
		mustEqual(f, "changed note", read(), []*graph.Note{&note})
		f.noError(f.store.View(f.ctx(), server, func(r graph.Reader) error {
			list := must[[]*graph.Note](f)(r.Notes(graph.NoteAPIKey, "", false, 0))
			if !slices.ContainsFunc(list, func(n *graph.Note) bool { return n.ID == id }) {
				f.Fatal("the list lacks the note")
			}
			return nil
		}))
		f.mustView(func(r graph.Reader) {
			f.missing(r.Note(graph.NoteAPIKey, id))
			mustEqual(f, "notes of a tenant", len(must[[]*graph.Note](f)(r.Notes(graph.NoteAPIKey, "", false, 0))), 0)
		})
		if slices.Contains(must[[]graph.Tenant](f)(f.store.Tenants(f.ctx())), server.Tenant) {
			f.Fatal("the scope of the server is listed as a tenant")
		}
		if f.harness.Reopen != nil {
			f.store = f.harness.Reopen(f, f.store)
			mustEqual(f, "note after a reopening", read(), []*graph.Note{&note})
		}
	},
	"a scope with an invalid tenant": func(f *fixture) {
		for _, tenant := range []graph.Tenant{"", "a/b", "a\x00b", "ü", graph.Tenant(fmt.Sprintf("%065d", 1))} {
			scope := graph.Scope{Tenant: tenant}
			f.invalid(nil, f.store.View(f.ctx(), scope, func(graph.Reader) error { return nil }))
			f.invalid(nil, f.store.CountUses(f.ctx(), scope, nil, graph.Use{At: f.tick()}))
			f.invalid(nil, f.store.Wait(f.ctx(), scope, 0))
			f.invalid(f.store.Update(f.ctx(), scope, func(graph.Tx) error { return nil }))
			f.invalid(f.store.Changes(f.ctx(), scope, 0, 0))
			f.invalid(f.store.Head(f.ctx(), scope))
		}
	},
	"a list contains only its namespaces": func(f *fixture) {
		for i := range 12 {
			f.mustPut(f.newMemory(inNamespace(fmt.Sprint("n", i%4)), ofUser("ada")))
		}
		f.mustView(func(r graph.Reader) {
			for _, q := range []graph.MemoryQuery{{Namespaces: []string{"n1"}}, {Namespaces: []string{"n1"}, Users: []string{"ada"}}, {Namespaces: []string{"n"}}, {Namespaces: []string{"n1", "n3"}}} {
				for _, m := range must[[]*graph.Memory](f)(r.ListMemories(q)) {
					if !slices.Contains(q.Namespaces, m.Namespace) {
						f.Fatalf("%v got a memory of %s", q.Namespaces, m.Namespace)
					}
				}
			}
			mustEqual(f, "two of them", len(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{Namespaces: []string{"n1", "n3"}}))), 6)
		})
	},
}

// mustShowNothing fails the test if the reader shows any of the given values.
func mustShowNothing(f *fixture, r graph.Reader, m *graph.Memory, e *graph.Entity, rel *graph.Relation, rec graph.ID) {
	f.Helper()
	none := func(n int, err error) { f.Helper(); f.noError(err); mustEqual(f, "items", n, 0) }
	f.missing(r.Memory(m.ID))
	f.missing(r.Embedding(m.ID))
	f.missing(r.Edge(m.ID, graph.EvidenceFor, m.ID))
	f.missing(r.Entity(e.ID))
	f.missing(r.EntityByName(e.Namespace, e.User, e.Canonical))
	f.missing(r.Relation(rel.Source, rel.Predicate, rel.Target))
	f.missing(r.RelationByID(rel.ID))
	f.missing(r.Request("k"))
	f.missing(r.Receipt(rec))
	f.missing(r.Setting("s"))
	ms, err := r.Memories([]graph.ID{m.ID})
	f.noError(err)
	if ms[0] != nil {
		f.Fatal("Memories shows a memory of another tenant")
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
	f.noError(err)
	if !last.IsZero() {
		f.Fatal("LastRecorded shows an instant of another tenant")
	}
}
