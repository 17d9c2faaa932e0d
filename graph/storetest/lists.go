package storetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var listTests = map[string]func(*fixture){
	"an empty tenant": func(f *fixture) {
		f.mustView(func(r graph.Reader) {
			id := f.newID(f.tick())
			mustEqual(f, "memories", len(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{}))), 0)
			mustEqual(f, "pending", len(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{Pending: true, ExpiresBy: f.tick()}))), 0)
			mustEqual(f, "entities", len(must[[]*graph.Entity](f)(r.ListEntities(graph.EntityQuery{}))), 0)
			mustEqual(f, "mentions", len(must[[]graph.ID](f)(r.Mentions(id, "", 0))), 0)
			mustEqual(f, "edges", len(must[[]graph.Edge](f)(r.Edges(id, graph.Both))), 0)
			mustEqual(f, "relations", len(must[[]*graph.Relation](f)(r.Relations(id, graph.Both, "", 0))), 0)
			mustEqual(f, "receipt", len(must[[]graph.ID](f)(r.ReceiptIDs(id, "", 0))), 0)
			mustEqual(f, "last recorded", must[time.Time](f)(r.LastRecorded()), time.Time{})
		})
		mustEqual(f, "head", must[graph.Cursor](f)(f.store.Head(f.ctx(), f.scope)), 0)
		mustEqual(f, "changes", len(must[[]graph.Change](f)(f.store.Changes(f.ctx(), f.scope, 0, 0))), 0)
	},
	"pages have no gap and no repeat": func(f *fixture) {
		var all []graph.ID
		for range 25 {
			m := f.newMemory(inNamespace([]string{"main", "side"}[f.random.IntN(2)]), ofUser([]string{"", "ada"}[f.random.IntN(2)]))
			f.mustPut(m)
			all = append(all, m.ID)
		}
		for _, q := range []graph.MemoryQuery{{}, {Namespaces: []string{"main", "side"}}, {Users: []string{"ada", ""}}} {
			for _, size := range []int{1, 7, 24, 25, 26} {
				for _, down := range []bool{false, true} {
					q.Limit, q.Descending, q.After = size, down, ""
					var seen []graph.ID
					for {
						var page []graph.ID
						f.mustView(func(r graph.Reader) { page = idsOf(must[[]*graph.Memory](f)(r.ListMemories(q))) })
						if len(page) == 0 {
							break
						}
						seen = append(seen, page...)
						q.After = page[len(page)-1]
					}
					if down {
						slices.Reverse(seen)
					}
					mustEqual(f, fmt.Sprintf("%+v", q), seen, all)
				}
			}
		}
	},
	"no limit and too large a limit mean MaxPage": func(f *fixture) {
		for n := 0; n < graph.MaxPage+5; n += 67 {
			f.mustUpdate(func(tx graph.Tx) error {
				for range 67 {
					f.noError(tx.PutMemory(f.newMemory(), graph.EventCreated))
				}
				return nil
			})
		}
		for _, limit := range []int{0, -1, graph.MaxPage, graph.MaxPage + 1, 1 << 40} {
			f.mustView(func(r graph.Reader) {
				mustEqual(f, "memories", len(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{Limit: limit}))), graph.MaxPage)
			})
			mustEqual(f, "changes", len(must[[]graph.Change](f)(f.store.Changes(f.ctx(), f.scope, 0, limit))), graph.MaxPage)
		}
	},
	"a small namespace next to a large one": func(f *fixture) {
		var small []graph.ID
		for i := range 600 {
			m := f.newMemory(inNamespace("large"))
			if i%60 == 0 {
				m.Namespace = "small"
				small = append(small, m.ID)
			}
			f.mustPut(m)
		}
		f.mustView(func(r graph.Reader) {
			q := graph.MemoryQuery{Namespaces: []string{"small"}, Users: []string{""}, Limit: 20}
			mustEqual(f, "small", idsOf(must[[]*graph.Memory](f)(r.ListMemories(q))), small)
			q = graph.MemoryQuery{Namespaces: []string{"large"}, Descending: true, Limit: 3}
			mustEqual(f, "large", len(must[[]*graph.Memory](f)(r.ListMemories(q))), 3)
		})
	},
	"after need not exist, but must be an id": func(f *fixture) {
		one := f.newMemory()
		between := f.newID(f.tick())
		two := f.newMemory()
		f.mustPut(one, two)
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "after", idsOf(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{After: between}))), []graph.ID{two.ID})
			q := graph.MemoryQuery{After: between, Descending: true}
			mustEqual(f, "before", idsOf(must[[]*graph.Memory](f)(r.ListMemories(q))), []graph.ID{one.ID})
			f.invalid(r.ListMemories(graph.MemoryQuery{After: "x"}))
		})
	},
	"a changed memory moves between lists": func(f *fixture) {
		m := f.newMemory(ofUser("ada"), func(m *graph.Memory) {
			m.Session, m.Subject, m.Project, m.EmbeddingModel, m.ExpiresAt = "s", "tea", "kite", "", f.tick()
			m.Tags = []string{"t"}
		})
		f.mustPut(m)
		old := []graph.MemoryQuery{
			{Users: []string{"ada"}}, {Session: "s"}, {Subject: "tea"}, {Project: "kite"}, {Pending: true}, {ExpiresBy: m.ExpiresAt},
			{Tags: []string{"t"}}, {Namespaces: []string{"main"}}, {Statuses: []graph.Status{graph.Active}}, {Types: []graph.Type{graph.Episodic}},
		}
		find := func(qs []graph.MemoryQuery, want int) {
			f.Helper()
			f.mustView(func(r graph.Reader) {
				for _, q := range qs {
					mustEqual(f, fmt.Sprintf("%+v", q), len(must[[]*graph.Memory](f)(r.ListMemories(q))), want)
				}
			})
		}
		find(old, 1)
		next := copyMemory(m)
		next.User, next.Session, next.Subject, next.Project, next.EmbeddingModel = "bo", "r", "coffee", "boat", "test-2"
		next.ExpiresAt, next.Tags, next.Namespace, next.Type = m.ExpiresAt.Add(time.Hour), []string{"u"}, "side", graph.Working
		next.SetState(f.tick(), func(s *graph.State) { s.Status = graph.Archived })
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutMemory(next, graph.EventArchived) })
		find(old, 0)
		find([]graph.MemoryQuery{
			{Users: []string{"bo"}}, {Session: "r"}, {Subject: "coffee"}, {Project: "boat"}, {ExpiresBy: next.ExpiresAt},
			{Tags: []string{"u"}}, {Namespaces: []string{"side"}}, {Statuses: []graph.Status{graph.Archived}}, {Types: []graph.Type{graph.Working}},
			{Chain: m.ID}, {},
		}, 1)
	},
}
