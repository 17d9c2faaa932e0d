package storetest

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var timeTravelTests = map[string]func(*fixture){
	"every past state can be read": func(f *fixture) {
		m := f.newMemory(func(m *graph.Memory) { m.ExpiresAt = m.CreatedAt.Add(500 * time.Hour) })
		f.mustPut(m)
		type told struct {
			at    time.Time
			state graph.State
		}
		story := []told{{m.CreatedAt, m.State()}}
		for range 30 {
			at := m.SetState(f.tick().Add(time.Duration(f.random.IntN(3))*time.Hour), func(s *graph.State) {
				s.Tier = graph.Tiers[f.random.IntN(len(graph.Tiers))]
				s.Status = graph.Statuses[f.random.IntN(len(graph.Statuses)-1)] // any but FORGOTTEN
				s.Core = f.random.IntN(2) == 0
				s.ValidTo = time.Time{}
				if f.random.IntN(2) == 0 {
					s.ValidTo = f.clock
				}
			})
			m.UpdatedAt = at
			f.mustUpdate(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) })
			story = append(story, told{at, m.State()})
		}
		if f.harness.Reopen != nil {
			f.store = f.harness.Reopen(f, f.store)
		}
		f.mustView(func(r graph.Reader) {
			read := must[*graph.Memory](f)(r.Memory(m.ID))
			_, existed := read.StateAt(story[0].at.Add(-time.Millisecond))
			mustEqual(f, "existed before", existed, false)
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
					mustEqual(f, "existed", existed, true)
					mustEqual(f, "state", state, want)
				}
			}
		})
	},
	"a chain of versions": func(f *fixture) {
		head := f.newMemory(func(m *graph.Memory) { m.Subject = "tea" })
		f.mustPut(head)
		chain := []*graph.Memory{head}
		for v := 2; v <= 6; v++ {
			old := chain[len(chain)-1]
			next := f.newMemory(func(m *graph.Memory) {
				m.Subject, m.Chain, m.Version, m.Supersedes = "tea", head.ID, v, old.ID
			})
			old.SupersededBy = next.ID
			old.UpdatedAt = old.SetState(next.RecordedAt, func(s *graph.State) { s.Status, s.ValidTo = graph.Superseded, next.ValidFrom })
			f.mustUpdate(func(tx graph.Tx) error {
				f.noError(tx.PutMemory(old, graph.EventSuperseded))
				return tx.PutMemory(next, graph.EventCreated)
			})
			chain = append(chain, next)
		}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "chain", idsOf(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{Chain: head.ID}))), idsOf(chain))
			now := graph.MemoryQuery{Chain: head.ID, Statuses: []graph.Status{graph.Active}}
			mustEqual(f, "head", idsOf(must[[]*graph.Memory](f)(r.ListMemories(now))), []graph.ID{chain[5].ID})
			for i, m := range chain {
				at := m.RecordedAt
				active := slices.DeleteFunc(must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{Chain: head.ID})), func(m *graph.Memory) bool {
					s, existed := m.StateAt(at)
					return !existed || s.Status != graph.Active
				})
				mustEqual(f, "as of version", idsOf(active), []graph.ID{chain[i].ID})
			}
			mustEqual(f, "superseded at", must[*graph.Memory](f)(r.Memory(head.ID)).SupersededAt(), chain[1].RecordedAt)
		})
	},
}
