package storetest

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// canary is in every field of what is erased, and must be nowhere afterwards.
const canary = "canary-7f3a"

// memoryWithCanary makes a memory with the canary in every field and in all that belongs to it.
func (f *fixture) memoryWithCanary(other *graph.Memory, e *graph.Entity) *graph.Memory {
	m := f.newMemory(func(m *graph.Memory) {
		m.User, m.Agent, m.Session, m.Project, m.ExternalID = canary, canary, canary, canary, canary
		m.Content, m.Summary, m.Subject, m.Predicate, m.Object = canary, canary, canary, canary, canary
		m.Source, m.Reason, m.Tags, m.Meta = canary, canary, []string{canary}, json.RawMessage(`"`+canary+`"`)
		m.EmbeddingModel, m.Entities, m.Position = canary, []graph.ID{e.ID}, &[3]float32{1, 2, 3}
		m.Chunk = &graph.Chunk{Document: other.ID, Path: canary, Hash: strings.Repeat("ab", 32), Headings: []string{canary}}
		m.Procedure = &graph.Procedure{Trigger: canary, Steps: []string{canary}, LearnedFrom: []graph.ID{other.ID}}
		m.Pattern = &graph.Pattern{Kind: graph.Constraint, Conditions: []string{canary}, Actions: []string{canary}, Occurrences: 1, Clusters: []graph.ID{other.ID}, ValidatedAt: m.CreatedAt}
		m.Checksum, m.ExpiresAt, m.Supersedes = canary, m.CreatedAt.Add(time.Hour), other.ID
	})
	f.mustUpdate(func(tx graph.Tx) error {
		f.noError(tx.PutMemory(m, graph.EventCreated))
		f.noError(tx.PutEmbedding(m.ID, []float32{0.5, 0.25}))
		f.noError(tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: other.ID, Weight: 1, At: start}))
		f.noError(tx.PutEdge(graph.Edge{From: other.ID, Kind: graph.DerivedFrom, To: m.ID, Weight: 1, At: start}))
		f.noError(tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.Contradicts, To: m.ID, Weight: 1, At: start}))
		f.noError(tx.PutRequest(graph.Request{Key: "one" + canary, Digest: canary, Result: m.ID, Answer: json.RawMessage(`"` + canary + `"`)}))
		return tx.PutRequest(graph.Request{Key: "two", Result: m.ID, Answer: json.RawMessage(`"` + canary + `"`)})
	})
	f.noError(f.store.CountUses(f.ctx(), f.scope, []graph.ID{m.ID}, graph.Use{At: start}))
	return m
}

var erasureTests = map[string]func(*fixture){
	"only a stub remains": func(f *fixture) {
		other, e := f.newMemory(), f.newEntity("main", "", "ada")
		f.mustPut(other)
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEntity(e) })
		m := f.memoryWithCanary(other, e)
		at := f.tick()
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(m.ID, at.Add(1)) })
		check := func(r graph.Reader) {
			left := must[*graph.Memory](f)(r.Memory(m.ID))
			mustEqual(f, "stub", left, &graph.Memory{
				ID: m.ID, Namespace: m.Namespace, Chain: m.Chain, Version: m.Version,
				CreatedAt: m.CreatedAt, UpdatedAt: at, RecordedAt: m.RecordedAt, OccurredAt: m.OccurredAt, ValidFrom: m.ValidFrom,
				ExpiresAt: m.ExpiresAt, DeletedAt: at,
				History: append(m.History[:1:1], graph.State{From: at, Status: graph.Forgotten, Tier: graph.L1}),
			})
			f.noCanary(r)
			f.missing(r.Embedding(m.ID))
			for _, key := range []string{"one" + canary, "two"} {
				f.missing(r.Request(key))
			}
			f.missing(r.Edge(m.ID, graph.EvidenceFor, other.ID))
			mustEqual(f, "edges", len(must[[]graph.Edge](f)(r.Edges(other.ID, graph.Both)))+len(must[[]graph.Edge](f)(r.Edges(m.ID, graph.Both))), 0)
			mustEqual(f, "mentions", len(must[[]graph.ID](f)(r.Mentions(e.ID, "", 0))), 0)
			mustEqual(f, "pending", len(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{Pending: true}))), 0)
			mustEqual(f, "by chain", idsOf(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{Chain: m.Chain}))), []graph.ID{m.ID})
			_, err := r.Entity(e.ID)
			f.noError(err) // the store does not decide what becomes of an entity
		}
		f.mustView(check)
		if f.harness.Reopen != nil {
			f.store = f.harness.Reopen(f, f.store)
			f.mustView(check)
		}
	},
	"relations lose the memory, and are removed with their last one": func(f *fixture) {
		m, n := f.newMemory(), f.newMemory()
		f.mustPut(m, n)
		ada := f.newID(f.tick())
		both, only, others := f.newRelation(ada, "likes", f.newID(f.tick()), m.ID, n.ID), f.newRelation(ada, "is", ada, m.ID), f.newRelation(ada, "was", ada, n.ID)
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.PutRelation(both))
			f.noError(tx.PutRelation(only))
			return tx.PutRelation(others)
		})
		head := must[graph.Cursor](f)(f.store.Head(f.ctx(), f.scope))
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(m.ID, f.tick()) })
		both.Memories = []graph.ID{n.ID}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "both", must[*graph.Relation](f)(r.RelationByID(both.ID)), both)
			mustEqual(f, "others", must[*graph.Relation](f)(r.RelationByID(others.ID)), others)
			f.missing(r.RelationByID(only.ID))
			mustEqual(f, "listed", len(must[[]*graph.Relation](f)(r.Relations(ada, graph.Both, "", 0))), 2)
		})
		kinds := map[graph.ID]graph.EventKind{}
		for _, c := range must[[]graph.Change](f)(f.store.Changes(f.ctx(), f.scope, head, 0)) {
			kinds[c.ID] = c.Kind
		}
		mustEqual(f, "changes", kinds, map[graph.ID]graph.EventKind{m.ID: graph.EventForgotten, both.ID: graph.EventUpdated, only.ID: graph.EventForgotten})
	},
	"a forgotten memory stays forgotten": func(f *fixture) {
		m, n := f.newMemory(), f.newMemory()
		f.mustPut(m, n)
		at := f.tick()
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(m.ID, at) })
		for _, put := range []func(graph.Tx) error{
			func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) },
			func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, []float32{1}) },
			func(tx graph.Tx) error { return tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: n.ID}) },
			func(tx graph.Tx) error { return tx.PutEdge(graph.Edge{From: n.ID, Kind: graph.EvidenceFor, To: m.ID}) },
			func(tx graph.Tx) error { return tx.PutRelation(f.newRelation(m.ID, "is", m.ID, m.ID)) },
			func(tx graph.Tx) error { return tx.PutRequest(graph.Request{Key: "k", Result: m.ID}) },
		} {
			f.mustRefuse(put)
		}
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(m.ID, f.tick()) })
		f.missing(f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error { return tx.Erase(f.newID(f.tick()), f.tick()) }))
		f.mustView(func(r graph.Reader) { mustEqual(f, "deleted", must[*graph.Memory](f)(r.Memory(m.ID)).DeletedAt, at) })
	},
	"an erasure that is not later than the last state": func(f *fixture) {
		m := f.newMemory()
		f.mustPut(m)
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(m.ID, m.CreatedAt) })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "deleted", must[*graph.Memory](f)(r.Memory(m.ID)).DeletedAt, m.CreatedAt.Add(time.Millisecond))
		})
	},
	"no write succeeds during the erasure": func(f *fixture) {
		other := f.newMemory()
		f.mustPut(other)
		for range 10 {
			m := f.newMemory()
			f.mustPut(m)
			at := f.tick()
			rel := f.newRelation(other.ID, "says"+string(m.ID), other.ID, m.ID)
			puts := []func(graph.Tx) error{
				func(tx graph.Tx) error {
					return tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: other.ID})
				},
				func(tx graph.Tx) error { return tx.PutEmbedding(m.ID, []float32{1}) },
				func(tx graph.Tx) error { return tx.PutRelation(rel) },
				func(tx graph.Tx) error { return tx.PutRequest(graph.Request{Key: string(m.ID), Result: m.ID}) },
				func(tx graph.Tx) error { return tx.Erase(m.ID, at) },
			}
			f.concurrently(len(puts)+1, func(i int) error {
				if i == len(puts) {
					return f.store.CountUses(f.ctx(), f.scope, []graph.ID{m.ID}, graph.Use{At: at})
				}
				if _, err := f.store.Update(f.ctx(), f.scope, puts[i]); err != nil && graph.CodeOf(err) != graph.CodeInvalidRequest {
					return err
				}
				return nil
			})
			f.mustView(func(r graph.Reader) {
				left := must[*graph.Memory](f)(r.Memory(m.ID))
				mustEqual(f, "status", left.Status(), graph.Forgotten)
				mustEqual(f, "uses", left.Usage, graph.Usage{})
				mustEqual(f, "edges", len(must[[]graph.Edge](f)(r.Edges(m.ID, graph.Both))), 0)
				f.missing(r.Embedding(m.ID))
				f.missing(r.RelationByID(rel.ID))
				f.missing(r.Request(string(m.ID)))
			})
		}
	},
}

// noCanary fails the test if any list contains the canary.
func (f *fixture) noCanary(r graph.Reader) {
	f.Helper()
	for _, q := range []graph.MemoryQuery{{}, {Namespaces: []string{"main"}}, {Users: []string{"", canary}}} {
		for _, m := range must[[]*graph.Memory](f)(r.ListMemories(q)) {
			if strings.Contains(format(m), canary) {
				f.Fatalf("%s", format(m))
			}
		}
	}
	for _, q := range []graph.MemoryQuery{{Users: []string{canary}}, {Session: canary}, {Subject: canary}, {Project: canary}, {Tags: []string{canary}}} {
		mustEqual(f, "found by it", len(must[[]*graph.Memory](f)(r.ListMemories(q))), 0)
	}
	for _, c := range must[[]graph.Change](f)(f.store.Changes(f.ctx(), f.scope, 0, 0)) {
		if strings.Contains(format(c), canary) {
			f.Fatalf("%s", format(c))
		}
	}
}
