package storetest

import (
	"encoding/json"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

var entityTests = map[string]func(*bench){
	"put, read, change, delete": func(b *bench) {
		e := b.entity("main", "ada", "kite works")
		e.Name, e.Type, e.Properties = "Kite Works", graph.Organization, json.RawMessage(`{"n":1}`)
		e.FirstSeen = e.FirstSeen.Add(1)
		b.update(func(tx graph.Tx) error { return tx.PutEntity(e) })
		e.Name, e.Properties = "KITE works", nil
		b.update(func(tx graph.Tx) error { return tx.PutEntity(e) })
		b.view(func(r graph.Reader) {
			same(b, "by id", got[*graph.Entity](b)(r.Entity(e.ID)), copyEntity(e))
			same(b, "by name", got[*graph.Entity](b)(r.EntityByName("main", "ada", "kite works")), copyEntity(e))
			for _, no := range [][3]string{{"main", "", "kite works"}, {"side", "ada", "kite works"}, {"main", "ada", "kite"}, {"mainada", "", "kite works"}} {
				_, err := r.EntityByName(no[0], no[1], no[2])
				b.is(err, graph.ErrNotFound)
			}
			_, err := r.Entity(b.id(b.now()))
			b.is(err, graph.ErrNotFound)
		})
		for range 2 {
			b.update(func(tx graph.Tx) error { return tx.DeleteEntity(e.ID) })
		}
		b.view(func(r graph.Reader) {
			_, err := r.Entity(e.ID)
			b.is(err, graph.ErrNotFound)
			_, err = r.EntityByName("main", "ada", "kite works")
			b.is(err, graph.ErrNotFound)
			same(b, "list", len(got[[]*graph.Entity](b)(r.ListEntities(graph.EntityQuery{Namespaces: []string{"main"}}))), 0)
		})
		again := b.entity("main", "ada", "kite works")
		b.update(func(tx graph.Tx) error { return tx.PutEntity(again) })
	},
	"a name is unique and does not change": func(b *bench) {
		e := b.entity("main", "", "ada")
		b.update(func(tx graph.Tx) error { return tx.PutEntity(e) })
		_, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error { return tx.PutEntity(b.entity("main", "", "ada")) })
		b.is(err, graph.ErrConflict)
		renamed := *e
		renamed.Canonical = "bo"
		b.refused(func(tx graph.Tx) error { return tx.PutEntity(&renamed) })
		for _, other := range []*graph.Entity{b.entity("main", "bo", "ada"), b.entity("side", "", "ada")} {
			b.update(func(tx graph.Tx) error { return tx.PutEntity(other) })
		}
		b.view(func(r graph.Reader) {
			same(b, "ada", got[*graph.Entity](b)(r.EntityByName("main", "", "ada")).ID, e.ID)
			same(b, "all", len(got[[]*graph.Entity](b)(r.ListEntities(graph.EntityQuery{}))), 3)
		})
	},
	"lists": func(b *bench) {
		var es []*graph.Entity
		for i := range 30 {
			e := b.entity([]string{"main", "side"}[i%2], []string{"", "ada", "bo"}[i%3], fmt.Sprintf("%s-%02d", []string{"kite", "kit", "boat"}[i%3], i))
			e.Type = []graph.EntityType{graph.Person, graph.Place}[i%5%2]
			b.update(func(tx graph.Tx) error { return tx.PutEntity(e) })
			es = append(es, e)
		}
		b.view(func(r graph.Reader) {
			for _, q := range []graph.EntityQuery{
				{}, {Namespaces: []string{"side"}}, {Namespaces: []string{"side", "main", "side"}}, {Users: []string{""}}, {Users: []string{"bo", ""}},
				{Types: []graph.EntityType{graph.Place}}, {NamePrefix: "kit"}, {NamePrefix: "kite"}, {NamePrefix: "none"},
				{Namespaces: []string{"main"}, Users: []string{"ada"}, NamePrefix: "kit-0", Types: []graph.EntityType{graph.Person, graph.Place}},
			} {
				var want []graph.ID
				for _, e := range es {
					if (&modelReader{w: &world{entities: table[graph.ID, *graph.Entity]{m: map[graph.ID]*graph.Entity{e.ID: e}}}}).has(q) {
						want = append(want, e.ID)
					}
				}
				var seen []graph.ID
				for q.Limit = 4; ; {
					page := got[[]*graph.Entity](b)(r.ListEntities(q))
					for _, e := range page {
						seen = append(seen, e.ID)
					}
					if len(page) < q.Limit {
						break
					}
					q.After = page[len(page)-1].ID
				}
				same(b, fmt.Sprintf("%+v", q), seen, want)
			}
			_, err := r.ListEntities(graph.EntityQuery{After: "x"})
			same(b, "code", graph.CodeOf(err), graph.CodeInvalidRequest)
		})
	},
	"mentions follow the memories": func(b *bench) {
		ada, bo := b.id(b.now()), b.id(b.now())
		var ms []*graph.Memory
		for i := range 7 {
			m := b.memory(func(m *graph.Memory) {
				m.Entities = []graph.ID{ada}
				if i%2 == 0 {
					m.Entities = []graph.ID{bo, ada}
				}
			})
			b.put(m)
			ms = append(ms, m)
		}
		b.view(func(r graph.Reader) {
			read := got[[]graph.ID](b)
			same(b, "ada", read(r.Mentions(ada, "", 0)), idsOf(ms))
			same(b, "bo", read(r.Mentions(bo, "", 0)), []graph.ID{ms[0].ID, ms[2].ID, ms[4].ID, ms[6].ID})
			same(b, "page", read(r.Mentions(bo, ms[2].ID, 1)), []graph.ID{ms[4].ID})
			same(b, "end", len(read(r.Mentions(bo, ms[6].ID, 1))), 0)
		})
		ms[0].Entities, ms[1].Entities = []graph.ID{ada}, nil
		b.update(func(tx graph.Tx) error {
			b.ok(tx.PutMemory(ms[0], graph.EventUpdated))
			b.ok(tx.PutMemory(ms[1], graph.EventUpdated))
			same(b, "in the transaction", got[[]graph.ID](b)(tx.Mentions(bo, "", 0)), []graph.ID{ms[2].ID, ms[4].ID, ms[6].ID})
			return nil
		})
		b.view(func(r graph.Reader) {
			same(b, "ada", got[[]graph.ID](b)(r.Mentions(ada, "", 3)), []graph.ID{ms[0].ID, ms[2].ID, ms[3].ID})
		})
	},
	"invalid ones are refused": func(b *bench) {
		for _, spoil := range []func(*graph.Entity){
			func(e *graph.Entity) { e.ID = "x" }, func(e *graph.Entity) { e.Namespace = "" }, func(e *graph.Entity) { e.Canonical = "" },
			func(e *graph.Entity) { e.Properties = json.RawMessage("{") },
		} {
			e := b.entity("main", "", "ada")
			spoil(e)
			b.refused(func(tx graph.Tx) error { return tx.PutEntity(e) })
		}
	},
}

// has reports whether the only entity of the world is what the query asks for.
func (r *modelReader) has(q graph.EntityQuery) bool {
	es, err := r.ListEntities(q)
	return err == nil && len(es) == 1
}
