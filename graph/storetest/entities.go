package storetest

import (
	"encoding/json"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

var entityTests = map[string]func(*fixture){
	"put, read, change, delete": func(f *fixture) {
		e := f.newEntity("main", "ada", "kite works")
		e.Name, e.Type, e.Properties = "Kite Works", graph.Organization, json.RawMessage(`{"n":1}`)
		e.FirstSeen = e.FirstSeen.Add(1)
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEntity(e) })
		e.Name, e.Properties = "KITE works", nil
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEntity(e) })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "by id", must[*graph.Entity](f)(r.Entity(e.ID)), copyEntity(e))
			mustEqual(f, "by name", must[*graph.Entity](f)(r.EntityByName("main", "ada", "kite works")), copyEntity(e))
			for _, no := range [][3]string{{"main", "", "kite works"}, {"side", "ada", "kite works"}, {"main", "ada", "kite"}, {"mainada", "", "kite works"}} {
				f.missing(r.EntityByName(no[0], no[1], no[2]))
			}
			f.missing(r.Entity(f.newID(f.tick())))
		})
		for range 2 {
			f.mustUpdate(func(tx graph.Tx) error { return tx.DeleteEntity(e.ID) })
		}
		f.mustView(func(r graph.Reader) {
			f.missing(r.Entity(e.ID))
			f.missing(r.EntityByName("main", "ada", "kite works"))
			mustEqual(f, "list", len(must[[]*graph.Entity](f)(r.ListEntities(graph.EntityQuery{Namespaces: []string{"main"}}))), 0)
		})
		again := f.newEntity("main", "ada", "kite works")
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEntity(again) })
	},
	"a name is unique and does not change": func(f *fixture) {
		e := f.newEntity("main", "", "ada")
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutEntity(e) })
		f.mustFail(graph.ErrConflict, func(tx graph.Tx) error { return tx.PutEntity(f.newEntity("main", "", "ada")) })
		renamed := *e
		renamed.Canonical = "bo"
		f.mustRefuse(func(tx graph.Tx) error { return tx.PutEntity(&renamed) })
		for _, other := range []*graph.Entity{f.newEntity("main", "bo", "ada"), f.newEntity("side", "", "ada")} {
			f.mustUpdate(func(tx graph.Tx) error { return tx.PutEntity(other) })
		}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "ada", must[*graph.Entity](f)(r.EntityByName("main", "", "ada")).ID, e.ID)
			mustEqual(f, "all", len(must[[]*graph.Entity](f)(r.ListEntities(graph.EntityQuery{}))), 3)
		})
	},
	"lists": func(f *fixture) {
		var es []*graph.Entity
		for i := range 30 {
			e := f.newEntity([]string{"main", "side"}[i%2], []string{"", "ada", "bo"}[i%3], fmt.Sprintf("%s-%02d", []string{"kite", "kit", "boat"}[i%3], i))
			e.Type = []graph.EntityType{graph.Person, graph.Place}[i%5%2]
			f.mustUpdate(func(tx graph.Tx) error { return tx.PutEntity(e) })
			es = append(es, e)
		}
		f.mustView(func(r graph.Reader) {
			for _, q := range []graph.EntityQuery{
				{}, {Namespaces: []string{"side"}}, {Namespaces: []string{"side", "main", "side"}}, {Users: []string{""}}, {Users: []string{"bo", ""}},
				{Types: []graph.EntityType{graph.Place}}, {NamePrefix: "kit"}, {NamePrefix: "kite"}, {NamePrefix: "none"},
				{Namespaces: []string{"main"}, Users: []string{"ada"}, NamePrefix: "kit-0", Types: []graph.EntityType{graph.Person, graph.Place}},
			} {
				var want []graph.ID
				for _, e := range es {
					if (&modelReader{state: &tenantState{entities: table[graph.ID, *graph.Entity]{entries: map[graph.ID]*graph.Entity{e.ID: e}}}}).hasOnlyEntity(q) {
						want = append(want, e.ID)
					}
				}
				var seen []graph.ID
				for q.Limit = 4; ; {
					page := must[[]*graph.Entity](f)(r.ListEntities(q))
					for _, e := range page {
						seen = append(seen, e.ID)
					}
					if len(page) < q.Limit {
						break
					}
					q.After = page[len(page)-1].ID
				}
				mustEqual(f, fmt.Sprintf("%+v", q), seen, want)
			}
			f.invalid(r.ListEntities(graph.EntityQuery{After: "x"}))
		})
	},
	"mentions follow the memories": func(f *fixture) {
		ada, bo := f.newID(f.tick()), f.newID(f.tick())
		var ms []*graph.Memory
		for i := range 7 {
			m := f.newMemory(func(m *graph.Memory) {
				m.Entities = []graph.ID{ada}
				if i%2 == 0 {
					m.Entities = []graph.ID{bo, ada}
				}
			})
			f.mustPut(m)
			ms = append(ms, m)
		}
		f.mustView(func(r graph.Reader) {
			read := must[[]graph.ID](f)
			mustEqual(f, "ada", read(r.Mentions(ada, "", 0)), idsOf(ms))
			mustEqual(f, "bo", read(r.Mentions(bo, "", 0)), []graph.ID{ms[0].ID, ms[2].ID, ms[4].ID, ms[6].ID})
			mustEqual(f, "page", read(r.Mentions(bo, ms[2].ID, 1)), []graph.ID{ms[4].ID})
			mustEqual(f, "end", len(read(r.Mentions(bo, ms[6].ID, 1))), 0)
		})
		ms[0].Entities, ms[1].Entities = []graph.ID{ada}, nil
		f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.PutMemory(ms[0], graph.EventUpdated))
			f.noError(tx.PutMemory(ms[1], graph.EventUpdated))
			mustEqual(f, "in the transaction", must[[]graph.ID](f)(tx.Mentions(bo, "", 0)), []graph.ID{ms[2].ID, ms[4].ID, ms[6].ID})
			return nil
		})
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "ada", must[[]graph.ID](f)(r.Mentions(ada, "", 3)), []graph.ID{ms[0].ID, ms[2].ID, ms[3].ID})
		})
	},
	"invalid entities are refused": func(f *fixture) {
		for _, spoil := range []func(*graph.Entity){
			func(e *graph.Entity) { e.ID = "x" }, func(e *graph.Entity) { e.Namespace = "" }, func(e *graph.Entity) { e.Canonical = "" },
			func(e *graph.Entity) { e.Properties = json.RawMessage("{") },
		} {
			e := f.newEntity("main", "", "ada")
			spoil(e)
			f.mustRefuse(func(tx graph.Tx) error { return tx.PutEntity(e) })
		}
	},
}

// hasOnlyEntity reports whether the only entity of the tenant matches the query.
func (r *modelReader) hasOnlyEntity(q graph.EntityQuery) bool {
	es, err := r.ListEntities(q)
	return err == nil && len(es) == 1
}
