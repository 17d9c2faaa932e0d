package storetest

import (
	"math"

	"github.com/somnograph/somnograph/graph"
)

var edgeTests = map[string]func(*bench){
	"put, read, change, delete": func(b *bench) {
		one, two := b.memory(), b.memory()
		b.put(one, two)
		e := graph.Edge{From: one.ID, Kind: graph.DerivedFrom, To: two.ID, Weight: 0.25, At: b.now().Add(1)}
		want := e
		want.At = graph.Millis(e.At)
		b.update(func(tx graph.Tx) error { return tx.PutEdge(e) })
		b.view(func(r graph.Reader) {
			same(b, "edge", got[*graph.Edge](b)(r.Edge(one.ID, graph.DerivedFrom, two.ID)), &want)
			for _, no := range [][3]string{
				{string(two.ID), string(graph.DerivedFrom), string(one.ID)}, {string(one.ID), string(graph.EvidenceFor), string(two.ID)}, {"", "", ""},
			} {
				_, err := r.Edge(graph.ID(no[0]), graph.EdgeKind(no[1]), graph.ID(no[2]))
				b.is(err, graph.ErrNotFound)
			}
		})
		e.Weight, want.Weight = 1, 1
		b.update(func(tx graph.Tx) error { return tx.PutEdge(e) })
		b.view(func(r graph.Reader) {
			same(b, "edges", got[[]graph.Edge](b)(r.Edges(two.ID, graph.Both)), []graph.Edge{want})
		})
		for range 2 {
			b.update(func(tx graph.Tx) error { return tx.DeleteEdge(one.ID, graph.DerivedFrom, two.ID) })
		}
		b.view(func(r graph.Reader) {
			_, err := r.Edge(one.ID, graph.DerivedFrom, two.ID)
			b.is(err, graph.ErrNotFound)
			same(b, "edges", len(got[[]graph.Edge](b)(r.Edges(one.ID, graph.Both)))+len(got[[]graph.Edge](b)(r.Edges(two.ID, graph.Both))), 0)
		})
	},
	"direction, kinds and order": func(b *bench) {
		m := []*graph.Memory{b.memory(), b.memory(), b.memory()}
		b.put(m...)
		edge := func(from int, kind graph.EdgeKind, to int) graph.Edge {
			return graph.Edge{From: m[from].ID, Kind: kind, To: m[to].ID, Weight: 0.5, At: start}
		}
		edges := []graph.Edge{
			edge(0, graph.EvidenceFor, 2), edge(0, graph.EvidenceFor, 1), edge(2, graph.EvidenceFor, 0),
			edge(1, graph.Contradicts, 0), edge(0, graph.ConsolidatedInto, 0), edge(1, graph.DerivedFrom, 2),
		}
		b.update(func(tx graph.Tx) error {
			for _, e := range edges {
				b.ok(tx.PutEdge(e))
			}
			return nil
		})
		b.view(func(r graph.Reader) {
			read := got[[]graph.Edge](b)
			same(b, "out", read(r.Edges(m[0].ID, graph.Out)), []graph.Edge{edges[4], edges[1], edges[0]})
			same(b, "in", read(r.Edges(m[0].ID, graph.In)), []graph.Edge{edges[4], edges[3], edges[2]})
			same(b, "both", read(r.Edges(m[0].ID, graph.Both)), []graph.Edge{edges[4], edges[3], edges[1], edges[0], edges[2]})
			same(b, "kinds", read(r.Edges(m[0].ID, graph.Both, graph.Contradicts, graph.ConsolidatedInto)), []graph.Edge{edges[4], edges[3]})
			same(b, "no such kind", len(read(r.Edges(m[0].ID, graph.Out, graph.DerivedFrom))), 0)
		})
	},
	"invalid ones are refused": func(b *bench) {
		one, two := b.memory(), b.memory()
		b.put(one, two)
		for _, e := range []graph.Edge{
			{From: one.ID, Kind: graph.DerivedFrom, To: two.ID, Weight: math.NaN()},
			{From: one.ID, Kind: graph.DerivedFrom, To: two.ID, Weight: 1.5},
			{From: one.ID, Kind: "", To: two.ID}, {From: "", Kind: graph.DerivedFrom, To: two.ID}, {From: one.ID, Kind: graph.DerivedFrom, To: "x"},
		} {
			b.refused(func(tx graph.Tx) error { return tx.PutEdge(e) })
		}
		b.view(func(r graph.Reader) {
			same(b, "edges", len(got[[]graph.Edge](b)(r.Edges(one.ID, graph.Both))), 0)
		})
	},
}
