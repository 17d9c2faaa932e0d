package storetest

import (
	"math"

	"github.com/somnograph/somnograph/graph"
)

var edgeTests = map[string]func(*fixture){
	"put, read, change, delete": func(f *fixture) {
		one, two := f.newMemory(), f.newMemory()
		f.mustPut(one, two)
		e := graph.Edge{From: one.ID, Kind: graph.DerivedFrom, To: two.ID, Weight: 0.25, At: f.tick().Add(1)}
		want := e
		want.At = graph.Millis(e.At)
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEdge(e) })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "edge", must[*graph.Edge](f)(r.Edge(one.ID, graph.DerivedFrom, two.ID)), &want)
			for _, no := range [][3]string{
				{string(two.ID), string(graph.DerivedFrom), string(one.ID)}, {string(one.ID), string(graph.EvidenceFor), string(two.ID)}, {"", "", ""},
			} {
				f.missing(r.Edge(graph.ID(no[0]), graph.EdgeKind(no[1]), graph.ID(no[2])))
			}
		})
		e.Weight, want.Weight = 1, 1
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEdge(e) })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "edges", must[[]graph.Edge](f)(r.Edges(two.ID, graph.Both)), []graph.Edge{want})
		})
		for range 2 {
			f.mustUpdate(func(tx graph.Tx) error { return tx.DeleteEdge(one.ID, graph.DerivedFrom, two.ID) })
		}
		f.mustView(func(r graph.Reader) {
			f.missing(r.Edge(one.ID, graph.DerivedFrom, two.ID))
			mustEqual(f, "edges", len(must[[]graph.Edge](f)(r.Edges(one.ID, graph.Both)))+len(must[[]graph.Edge](f)(r.Edges(two.ID, graph.Both))), 0)
		})
	},
	"direction, kinds and order": func(f *fixture) {
		m := []*graph.Memory{f.newMemory(), f.newMemory(), f.newMemory()}
		f.mustPut(m...)
		edge := func(from int, kind graph.EdgeKind, to int) graph.Edge {
			return graph.Edge{From: m[from].ID, Kind: kind, To: m[to].ID, Weight: 0.5, At: start}
		}
		edges := []graph.Edge{
			edge(0, graph.EvidenceFor, 2), edge(0, graph.EvidenceFor, 1), edge(2, graph.EvidenceFor, 0),
			edge(1, graph.Contradicts, 0), edge(0, graph.ConsolidatedInto, 0), edge(1, graph.DerivedFrom, 2),
		}
		f.mustUpdate(func(tx graph.Tx) error {
			for _, e := range edges {
				f.noError(tx.PutEdge(e))
			}
			return nil
		})
		f.mustView(func(r graph.Reader) {
			read := must[[]graph.Edge](f)
			mustEqual(f, "out", read(r.Edges(m[0].ID, graph.Out)), []graph.Edge{edges[4], edges[1], edges[0]})
			mustEqual(f, "in", read(r.Edges(m[0].ID, graph.In)), []graph.Edge{edges[4], edges[3], edges[2]})
			mustEqual(f, "both", read(r.Edges(m[0].ID, graph.Both)), []graph.Edge{edges[4], edges[3], edges[1], edges[0], edges[2]})
			mustEqual(f, "kinds", read(r.Edges(m[0].ID, graph.Both, graph.Contradicts, graph.ConsolidatedInto)), []graph.Edge{edges[4], edges[3]})
			mustEqual(f, "no such kind", len(read(r.Edges(m[0].ID, graph.Out, graph.DerivedFrom))), 0)
		})
	},
	"invalid edges are refused": func(f *fixture) {
		one, two := f.newMemory(), f.newMemory()
		f.mustPut(one, two)
		for _, e := range []graph.Edge{
			{From: one.ID, Kind: graph.DerivedFrom, To: two.ID, Weight: math.NaN()},
			{From: one.ID, Kind: graph.DerivedFrom, To: two.ID, Weight: 1.5},
			{From: one.ID, Kind: "", To: two.ID}, {From: "", Kind: graph.DerivedFrom, To: two.ID}, {From: one.ID, Kind: graph.DerivedFrom, To: "x"},
		} {
			f.mustRefuse(func(tx graph.Tx) error { return tx.PutEdge(e) })
		}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "edges", len(must[[]graph.Edge](f)(r.Edges(one.ID, graph.Both))), 0)
		})
	},
}
