package storetest

import (
	"math"

	"github.com/somnograph/somnograph/graph"
)

var relationTests = map[string]func(*fixture){
	"put, read, change, delete": func(f *fixture) {
		m, n := f.newMemory(), f.newMemory()
		f.mustPut(m, n)
		ada, tea := f.newID(f.tick()), f.newID(f.tick())
		rel := f.newRelation(ada, "likes", tea, m.ID)
		rel.ValidTo = f.tick().Add(1)
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutRelation(rel) })
		rel.Strength, rel.Memories = 2.5, []graph.ID{n.ID, m.ID}
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutRelation(rel) })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "by triple", must[*graph.Relation](f)(r.Relation(ada, "likes", tea)), copyRelation(rel))
			mustEqual(f, "by id", must[*graph.Relation](f)(r.RelationByID(rel.ID)), copyRelation(rel))
			for _, no := range [][3]string{{string(tea), "likes", string(ada)}, {string(ada), "like", string(tea)}, {"", "", ""}} {
				f.missing(r.Relation(graph.ID(no[0]), no[1], graph.ID(no[2])))
			}
			f.missing(r.RelationByID(ada))
		})
		for range 2 {
			f.mustUpdate(func(tx graph.Tx) error { return tx.DeleteRelation(ada, "likes", tea) })
		}
		f.mustView(func(r graph.Reader) {
			f.missing(r.Relation(ada, "likes", tea))
			f.missing(r.RelationByID(rel.ID))
			mustEqual(f, "list", len(must[[]*graph.Relation](f)(r.Relations(ada, graph.Both, "", 0)))+len(must[[]*graph.Relation](f)(r.Relations(tea, graph.Both, "", 0))), 0)
		})
	},
	"the bound of relations counts both directions and what the transaction wrote": func(f *fixture) {
		ada, bo, cy := f.newID(f.tick()), f.newID(f.tick()), f.newID(f.tick())
		stored := []*graph.Relation{f.newRelation(ada, "knows", bo), f.newRelation(bo, "knows", ada), f.newRelation(cy, "knows", ada)}
		for _, rel := range stored {
			f.mustUpdate(func(tx graph.Tx) error { return tx.PutRelation(rel) })
		}
		f.mustUpdate(func(tx graph.Tx) error {
			most, err := tx.MostRelations(bo, ada)
			f.noError(err)
			mustEqual(f, "stored", most >= 3 && most < graph.MaxPage, true)
			f.noError(tx.PutRelation(f.newRelation(ada, "likes", cy)))
			most, err = tx.MostRelations(bo, ada)
			f.noError(err)
			mustEqual(f, "with its own", most >= 4, true)
			none, err := tx.MostRelations()
			f.noError(err)
			mustEqual(f, "of none", none < 4, true)
			return nil
		})
	},
	"a triple is unique and does not change": func(f *fixture) {
		ada, tea := f.newID(f.tick()), f.newID(f.tick())
		rel := f.newRelation(ada, "likes", tea)
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutRelation(rel) })
		f.mustFail(graph.ErrConflict, func(tx graph.Tx) error { return tx.PutRelation(f.newRelation(ada, "likes", tea)) })
		moved := *rel
		moved.Predicate = "loves"
		f.mustRefuse(func(tx graph.Tx) error { return tx.PutRelation(&moved) })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "all", len(must[[]*graph.Relation](f)(r.Relations(ada, graph.Out, "", 0))), 1)
		})
	},
	"direction and pages": func(f *fixture) {
		ada, bo := f.newID(f.tick()), f.newID(f.tick())
		rels := []*graph.Relation{
			f.newRelation(ada, "knows", bo), f.newRelation(bo, "knows", ada), f.newRelation(ada, "is", ada), f.newRelation(ada, "likes", bo), f.newRelation(bo, "is", bo),
		}
		for i := range rels {
			f.mustUpdate(func(tx graph.Tx) error { return tx.PutRelation(rels[len(rels)-1-i]) })
		}
		f.mustView(func(r graph.Reader) {
			list := func(e graph.ID, dir graph.Direction, after graph.ID, limit int) []graph.ID {
				var ids []graph.ID
				for _, rel := range must[[]*graph.Relation](f)(r.Relations(e, dir, after, limit)) {
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
			mustEqual(f, "out", list(ada, graph.Out, "", 0), pick(0, 2, 3))
			mustEqual(f, "in", list(ada, graph.In, "", 0), pick(1, 2))
			mustEqual(f, "both", list(ada, graph.Both, "", 0), pick(0, 1, 2, 3))
			mustEqual(f, "first page", list(ada, graph.Both, "", 2), pick(0, 1))
			mustEqual(f, "second page", list(ada, graph.Both, rels[1].ID, 2), pick(2, 3))
			mustEqual(f, "after the end", len(list(ada, graph.Both, rels[3].ID, 2)), 0)
		})
	},
	"invalid relations are refused": func(f *fixture) {
		for _, spoil := range []func(*graph.Relation){
			func(r *graph.Relation) { r.ID = "" }, func(r *graph.Relation) { r.Source = "x" }, func(r *graph.Relation) { r.Target = "" },
			func(r *graph.Relation) { r.Predicate = "" }, func(r *graph.Relation) { r.Namespace = "a b" },
			func(r *graph.Relation) { r.Strength = math.NaN() }, func(r *graph.Relation) { r.Strength = math.Inf(1) }, func(r *graph.Relation) { r.Strength = -1 },
			func(r *graph.Relation) { r.Confidence = math.NaN() }, func(r *graph.Relation) { r.Memories = []graph.ID{"x"} },
		} {
			r := f.newRelation(f.newID(f.tick()), "likes", f.newID(f.tick()))
			spoil(r)
			f.mustRefuse(func(tx graph.Tx) error { return tx.PutRelation(r) })
		}
	},
}
