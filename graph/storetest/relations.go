package storetest

import (
	"math"

	"github.com/somnograph/somnograph/graph"
)

var relationTests = map[string]func(*bench){
	"put, read, change, delete": func(b *bench) {
		m, n := b.memory(), b.memory()
		b.put(m, n)
		ada, tea := b.id(b.now()), b.id(b.now())
		rel := b.relation(ada, "likes", tea, m.ID)
		rel.ValidTo = b.now().Add(1)
		b.update(func(tx graph.Tx) error { return tx.PutRelation(rel) })
		rel.Strength, rel.Memories = 2.5, []graph.ID{n.ID, m.ID}
		b.update(func(tx graph.Tx) error { return tx.PutRelation(rel) })
		b.view(func(r graph.Reader) {
			same(b, "by triple", got[*graph.Relation](b)(r.Relation(ada, "likes", tea)), copyRelation(rel))
			same(b, "by id", got[*graph.Relation](b)(r.RelationByID(rel.ID)), copyRelation(rel))
			for _, no := range [][3]string{{string(tea), "likes", string(ada)}, {string(ada), "like", string(tea)}, {"", "", ""}} {
				_, err := r.Relation(graph.ID(no[0]), no[1], graph.ID(no[2]))
				b.is(err, graph.ErrNotFound)
			}
			_, err := r.RelationByID(ada)
			b.is(err, graph.ErrNotFound)
		})
		for range 2 {
			b.update(func(tx graph.Tx) error { return tx.DeleteRelation(ada, "likes", tea) })
		}
		b.view(func(r graph.Reader) {
			_, err := r.Relation(ada, "likes", tea)
			b.is(err, graph.ErrNotFound)
			_, err = r.RelationByID(rel.ID)
			b.is(err, graph.ErrNotFound)
			same(b, "list", len(got[[]*graph.Relation](b)(r.Relations(ada, graph.Both, "", 0)))+len(got[[]*graph.Relation](b)(r.Relations(tea, graph.Both, "", 0))), 0)
		})
	},
	"a triple is unique and does not change": func(b *bench) {
		ada, tea := b.id(b.now()), b.id(b.now())
		rel := b.relation(ada, "likes", tea)
		b.update(func(tx graph.Tx) error { return tx.PutRelation(rel) })
		_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error { return tx.PutRelation(b.relation(ada, "likes", tea)) })
		b.is(err, graph.ErrConflict)
		moved := *rel
		moved.Predicate = "loves"
		b.refused(func(tx graph.Tx) error { return tx.PutRelation(&moved) })
		b.view(func(r graph.Reader) {
			same(b, "all", len(got[[]*graph.Relation](b)(r.Relations(ada, graph.Out, "", 0))), 1)
		})
	},
	"direction and pages": func(b *bench) {
		ada, bo := b.id(b.now()), b.id(b.now())
		rels := []*graph.Relation{
			b.relation(ada, "knows", bo), b.relation(bo, "knows", ada), b.relation(ada, "is", ada), b.relation(ada, "likes", bo), b.relation(bo, "is", bo),
		}
		for i := range rels {
			b.update(func(tx graph.Tx) error { return tx.PutRelation(rels[len(rels)-1-i]) })
		}
		b.view(func(r graph.Reader) {
			list := func(e graph.ID, dir graph.Direction, after graph.ID, limit int) []graph.ID {
				var ids []graph.ID
				for _, rel := range got[[]*graph.Relation](b)(r.Relations(e, dir, after, limit)) {
					ids = append(ids, rel.ID)
				}
				return ids
			}
			pick := func(n ...int) []graph.ID {
				var ids []graph.ID
				for _, i := range n {
					ids = append(ids, rels[i].ID)
				}
				return ids
			}
			same(b, "out", list(ada, graph.Out, "", 0), pick(0, 2, 3))
			same(b, "in", list(ada, graph.In, "", 0), pick(1, 2))
			same(b, "both", list(ada, graph.Both, "", 0), pick(0, 1, 2, 3))
			same(b, "first page", list(ada, graph.Both, "", 2), pick(0, 1))
			same(b, "second page", list(ada, graph.Both, rels[1].ID, 2), pick(2, 3))
			same(b, "behind the end", len(list(ada, graph.Both, rels[3].ID, 2)), 0)
		})
	},
	"invalid ones are refused": func(b *bench) {
		for _, spoil := range []func(*graph.Relation){
			func(r *graph.Relation) { r.ID = "" }, func(r *graph.Relation) { r.Source = "x" }, func(r *graph.Relation) { r.Target = "" },
			func(r *graph.Relation) { r.Predicate = "" }, func(r *graph.Relation) { r.Namespace = "a b" },
			func(r *graph.Relation) { r.Strength = math.NaN() }, func(r *graph.Relation) { r.Strength = math.Inf(1) }, func(r *graph.Relation) { r.Strength = -1 },
			func(r *graph.Relation) { r.Confidence = math.NaN() }, func(r *graph.Relation) { r.Memories = []graph.ID{"x"} },
		} {
			r := b.relation(b.id(b.now()), "likes", b.id(b.now()))
			spoil(r)
			b.refused(func(tx graph.Tx) error { return tx.PutRelation(r) })
		}
	},
}
