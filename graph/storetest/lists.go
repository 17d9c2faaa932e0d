package storetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var listTests = map[string]func(*bench){
	"an empty tenant": func(b *bench) {
		b.view(func(r graph.Reader) {
			id := b.id(b.now())
			same(b, "memories", len(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{}))), 0)
			same(b, "pending", len(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{Pending: true, ExpiresBy: b.now()}))), 0)
			same(b, "entities", len(got[[]*graph.Entity](b)(r.ListEntities(graph.EntityQuery{}))), 0)
			same(b, "mentions", len(got[[]graph.ID](b)(r.Mentions(id, "", 0))), 0)
			same(b, "edges", len(got[[]graph.Edge](b)(r.Edges(id, graph.Both))), 0)
			same(b, "relations", len(got[[]*graph.Relation](b)(r.Relations(id, graph.Both, "", 0))), 0)
			same(b, "receipt", len(got[[]graph.ID](b)(r.ReceiptIDs(id, "", 0))), 0)
			same(b, "last recorded", got[time.Time](b)(r.LastRecorded()), time.Time{})
		})
		same(b, "head", got[graph.Cursor](b)(b.s.Head(b.ctx(), b.scope)), 0)
		same(b, "changes", len(got[[]graph.Change](b)(b.s.Changes(b.ctx(), b.scope, 0, 0))), 0)
	},
	"pages meet without gap or repeat": func(b *bench) {
		var all []graph.ID
		for range 25 {
			m := b.memory(in([]string{"main", "side"}[b.rnd.IntN(2)]), of([]string{"", "ada"}[b.rnd.IntN(2)]))
			b.put(m)
			all = append(all, m.ID)
		}
		for _, q := range []graph.MemoryQuery{{}, {Namespaces: []string{"main", "side"}}, {Users: []string{"ada", ""}}} {
			for _, size := range []int{1, 7, 24, 25, 26} {
				for _, down := range []bool{false, true} {
					q.Limit, q.Descending, q.After = size, down, ""
					var seen []graph.ID
					for {
						var page []graph.ID
						b.view(func(r graph.Reader) { page = idsOf(got[[]*graph.Memory](b)(r.ListMemories(q))) })
						if len(page) == 0 {
							break
						}
						seen = append(seen, page...)
						q.After = page[len(page)-1]
					}
					if down {
						slices.Reverse(seen)
					}
					same(b, fmt.Sprintf("%+v", q), seen, all)
				}
			}
		}
	},
	"no limit and too large a one are MaxPage": func(b *bench) {
		for n := 0; n < graph.MaxPage+5; n += 67 {
			b.update(func(tx graph.Tx) error {
				for range 67 {
					b.ok(tx.PutMemory(b.memory(), graph.EventCreated))
				}
				return nil
			})
		}
		for _, limit := range []int{0, -1, graph.MaxPage, graph.MaxPage + 1, 1 << 40} {
			b.view(func(r graph.Reader) {
				same(b, "memories", len(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{Limit: limit}))), graph.MaxPage)
			})
			same(b, "changes", len(got[[]graph.Change](b)(b.s.Changes(b.ctx(), b.scope, 0, limit))), graph.MaxPage)
		}
	},
	"a small namespace beside a large one": func(b *bench) {
		var small []graph.ID
		for i := range 600 {
			m := b.memory(in("large"))
			if i%60 == 0 {
				m.Namespace = "small"
				small = append(small, m.ID)
			}
			b.put(m)
		}
		b.view(func(r graph.Reader) {
			q := graph.MemoryQuery{Namespaces: []string{"small"}, Users: []string{""}, Limit: 20}
			same(b, "small", idsOf(got[[]*graph.Memory](b)(r.ListMemories(q))), small)
			q = graph.MemoryQuery{Namespaces: []string{"large"}, Descending: true, Limit: 3}
			same(b, "large", len(got[[]*graph.Memory](b)(r.ListMemories(q))), 3)
		})
	},
	"after need not exist, but must be an id": func(b *bench) {
		one := b.memory()
		between := b.id(b.now())
		two := b.memory()
		b.put(one, two)
		b.view(func(r graph.Reader) {
			same(b, "behind", idsOf(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{After: between}))), []graph.ID{two.ID})
			q := graph.MemoryQuery{After: between, Descending: true}
			same(b, "before", idsOf(got[[]*graph.Memory](b)(r.ListMemories(q))), []graph.ID{one.ID})
			_, err := r.ListMemories(graph.MemoryQuery{After: "x"})
			same(b, "code", graph.CodeOf(err), graph.CodeInvalidRequest)
		})
	},
	"what changes moves between lists": func(b *bench) {
		m := b.memory(of("ada"), func(m *graph.Memory) {
			m.Session, m.Subject, m.Project, m.EmbeddingModel, m.ExpiresAt = "s", "tea", "kite", "", b.now()
			m.Tags = []string{"t"}
		})
		b.put(m)
		old := []graph.MemoryQuery{
			{Users: []string{"ada"}}, {Session: "s"}, {Subject: "tea"}, {Project: "kite"}, {Pending: true}, {ExpiresBy: m.ExpiresAt},
			{Tags: []string{"t"}}, {Namespaces: []string{"main"}}, {Statuses: []graph.Status{graph.Active}}, {Types: []graph.Type{graph.Episodic}},
		}
		find := func(qs []graph.MemoryQuery, want int) {
			b.Helper()
			b.view(func(r graph.Reader) {
				for _, q := range qs {
					same(b, fmt.Sprintf("%+v", q), len(got[[]*graph.Memory](b)(r.ListMemories(q))), want)
				}
			})
		}
		find(old, 1)
		next := copyMemory(m)
		next.User, next.Session, next.Subject, next.Project, next.EmbeddingModel = "bo", "r", "coffee", "boat", "test-2"
		next.ExpiresAt, next.Tags, next.Namespace, next.Type = m.ExpiresAt.Add(time.Hour), []string{"u"}, "side", graph.Working
		next.SetState(b.now(), func(s *graph.State) { s.Status = graph.Archived })
		b.update(func(tx graph.Tx) error { return tx.PutMemory(next, graph.EventArchived) })
		find(old, 0)
		find([]graph.MemoryQuery{
			{Users: []string{"bo"}}, {Session: "r"}, {Subject: "coffee"}, {Project: "boat"}, {ExpiresBy: next.ExpiresAt},
			{Tags: []string{"u"}}, {Namespaces: []string{"side"}}, {Statuses: []graph.Status{graph.Archived}}, {Types: []graph.Type{graph.Working}},
			{Chain: m.ID}, {},
		}, 1)
	},
}
