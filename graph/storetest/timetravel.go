package storetest

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var timeTravelTests = map[string]func(*bench){
	"every past state can be asked for": func(b *bench) {
		m := b.memory(func(m *graph.Memory) { m.ExpiresAt = m.CreatedAt.Add(500 * time.Hour) })
		b.put(m)
		type told struct {
			at    time.Time
			state graph.State
		}
		story := []told{{m.CreatedAt, m.State()}}
		for range 30 {
			at := m.SetState(b.now().Add(time.Duration(b.rnd.IntN(3))*time.Hour), func(s *graph.State) {
				s.Tier = graph.Tiers[b.rnd.IntN(len(graph.Tiers))]
				s.Status = graph.Statuses[b.rnd.IntN(len(graph.Statuses)-1)] // all but FORGOTTEN
				s.Core = b.rnd.IntN(2) == 0
				s.ValidTo = time.Time{}
				if b.rnd.IntN(2) == 0 {
					s.ValidTo = b.clock
				}
			})
			m.UpdatedAt = at
			b.update(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) })
			story = append(story, told{at, m.State()})
		}
		if b.h.Reopen != nil {
			b.s = b.h.Reopen(b, b.s)
		}
		b.view(func(r graph.Reader) {
			read := got[*graph.Memory](b)(r.Memory(m.ID))
			_, existed := read.StateAt(story[0].at.Add(-time.Millisecond))
			same(b, "existed before", existed, false)
			for i, s := range story {
				end := m.ExpiresAt.Add(time.Hour)
				if i+1 < len(story) {
					end = story[i+1].at
				}
				for _, at := range []time.Time{s.at, s.at.Add(end.Sub(s.at) / 2), end.Add(-time.Millisecond)} {
					want := s.state
					if want.Status == graph.Active && !at.Before(m.ExpiresAt) {
						want.Status = graph.Expired
					}
					state, existed := read.StateAt(at)
					same(b, "existed", existed, true)
					same(b, "state", state, want)
				}
			}
		})
	},
	"a chain of versions": func(b *bench) {
		head := b.memory(func(m *graph.Memory) { m.Subject = "tea" })
		b.put(head)
		chain := []*graph.Memory{head}
		for v := 2; v <= 6; v++ {
			old := chain[len(chain)-1]
			next := b.memory(func(m *graph.Memory) {
				m.Subject, m.Chain, m.Version, m.Supersedes = "tea", head.ID, v, old.ID
			})
			old.SupersededBy = next.ID
			old.UpdatedAt = old.SetState(next.RecordedAt, func(s *graph.State) { s.Status, s.ValidTo = graph.Superseded, next.ValidFrom })
			b.update(func(tx graph.Tx) error {
				b.ok(tx.PutMemory(old, graph.EventSuperseded))
				return tx.PutMemory(next, graph.EventCreated)
			})
			chain = append(chain, next)
		}
		b.view(func(r graph.Reader) {
			same(b, "chain", idsOf(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{Chain: head.ID}))), idsOf(chain))
			now := graph.MemoryQuery{Chain: head.ID, Statuses: []graph.Status{graph.Active}}
			same(b, "head", idsOf(got[[]*graph.Memory](b)(r.ListMemories(now))), []graph.ID{chain[5].ID})
			for i, m := range chain {
				at := m.RecordedAt
				active := slices.DeleteFunc(got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{Chain: head.ID})), func(m *graph.Memory) bool {
					s, existed := m.StateAt(at)
					return !existed || s.Status != graph.Active
				})
				same(b, "as of version", idsOf(active), []graph.ID{chain[i].ID})
			}
			same(b, "superseded at", got[*graph.Memory](b)(r.Memory(head.ID)).SupersededAt(), chain[1].RecordedAt)
		})
	},
}
