package storetest

import (
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var usageTests = map[string]func(*fixture){
	"counts, days and the last use": func(f *fixture) {
		m, never := f.newMemory(), f.newMemory()
		f.mustPut(m, never)
		late, early := start.Add(49*time.Hour), start.Add(-30*24*time.Hour)
		for _, at := range []time.Time{start, late, early.Add(1), start.Add(time.Hour), time.Date(1969, 12, 31, 12, 0, 0, 0, time.UTC)} {
			f.noError(f.store.CountUses(f.ctx(), f.scope, []graph.ID{m.ID}, graph.Use{At: at}))
		}
		want := graph.Usage{Count: 5, Days: []int32{-1, graph.Day(early), graph.Day(start), graph.Day(late)}, Last: late}
		check := func(r graph.Reader) {
			mustEqual(f, "usage", must[*graph.Memory](f)(r.Memory(m.ID)).Usage, want)
			mustEqual(f, "in a list", must[[]*graph.Memory](f)(r.ListMemories(graph.MemoryQuery{Limit: 1}))[0].Usage, want)
			mustEqual(f, "among many", must[[]*graph.Memory](f)(r.Memories([]graph.ID{m.ID}))[0].Usage, want)
			mustEqual(f, "never used", must[*graph.Memory](f)(r.Memory(never.ID)).Usage, graph.Usage{})
		}
		f.mustView(check)
		f.mustUpdate(func(tx graph.Tx) error {
			// The counts may be folded meanwhile: fn then runs again.
			if _, err := tx.ListMemories(graph.MemoryQuery{Limit: 1}); err != nil {
				return err
			}
			check(tx)
			return nil
		})
	},
	"sessions of use, whatever their order": func(f *fixture) {
		m, many := f.newMemory(), f.newMemory()
		f.mustPut(m, many)
		day := func(n int) time.Time { return start.AddDate(0, 0, n) }
		for _, use := range []graph.Use{{At: day(0)}, {At: day(3), Sessions: graph.Sessions{9}}, {At: day(2), Sessions: graph.Sessions{4, 9}}, {At: day(4)}} {
			f.noError(f.store.CountUses(f.ctx(), f.scope, []graph.ID{m.ID}, use))
		}
		for n := range uint64(20) {
			f.noError(f.store.CountUses(f.ctx(), f.scope, []graph.ID{many.ID}, graph.Use{At: start, Sessions: graph.Sessions{1<<63 - 7*(n%5) + n}}))
		}
		if f.harness.Reopen != nil {
			f.store = f.harness.Reopen(f, f.store) // Close folds the counts
		}
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "usage", must[*graph.Memory](f)(r.Memory(m.ID)).Usage, graph.Usage{
				Count: 4, Days: []int32{graph.Day(day(0)), graph.Day(day(2)), graph.Day(day(3)), graph.Day(day(4))}, Last: day(4),
				Since: graph.Day(day(2)), Sessions: graph.Sessions{4, 9},
			})
			u := must[*graph.Memory](f)(r.Memory(many.ID)).Usage
			mustEqual(f, "sessions kept", len(u.Sessions), graph.MaxSessions)
			mustEqual(f, "the smallest", u.Sessions[0], 1<<63-7*4+4)
		})
	},
	"a write of the memory keeps its usage": func(f *fixture) {
		m := f.newMemory()
		f.mustPut(m)
		f.noError(f.store.CountUses(f.ctx(), f.scope, []graph.ID{m.ID}, graph.Use{At: start}))
		m.Usage = graph.Usage{Count: 99, Days: []int32{1}, Last: start.Add(time.Hour)}
		f.mustUpdate(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) })
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "usage", must[*graph.Memory](f)(r.Memory(m.ID)).Usage, graph.Usage{Count: 1, Days: []int32{graph.Day(start)}, Last: start})
		})
	},
	"unknown, forgotten and repeated ids": func(f *fixture) {
		m, gone := f.newMemory(), f.newMemory()
		f.mustPut(m, gone)
		f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(gone.ID, f.tick()) })
		later := f.newMemory()
		f.noError(f.store.CountUses(f.ctx(), f.scope, []graph.ID{later.ID, gone.ID, "", "x", m.ID, m.ID}, graph.Use{At: start}))
		f.noError(f.store.CountUses(f.ctx(), f.scope, nil, graph.Use{At: start}))
		f.mustPut(later)
		f.mustView(func(r graph.Reader) {
			for id, want := range map[graph.ID]int{m.ID: 1, gone.ID: 0, later.ID: 0} {
				mustEqual(f, "uses", must[*graph.Memory](f)(r.Memory(id)).Usage.Count, want)
			}
		})
	},
	"an instant is required": func(f *fixture) {
		mustEqual(f, "code", graph.CodeOf(f.store.CountUses(f.ctx(), f.scope, nil, graph.Use{})), graph.CodeInvalidRequest)
	},
	"concurrent counting loses no use": func(f *fixture) {
		ms := f.newMemories(40)
		f.mustUpdate(func(tx graph.Tx) error {
			for _, m := range ms {
				f.noError(tx.PutMemory(m, graph.EventCreated))
			}
			return nil
		})
		const counters, each = 6, 30
		var wg sync.WaitGroup
		errs := make(chan error, counters*each)
		for i := range counters {
			wg.Go(func() {
				for n := range each {
					errs <- f.store.CountUses(f.ctx(), f.scope, idsOf(ms), graph.Use{At: start.Add(time.Duration(i*each+n) * time.Hour)})
				}
			})
		}
		for n := range 30 { // the memories are written at the same time
			m := ms[n]
			f.mustUpdate(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) })
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			f.noError(err)
		}
		f.mustView(func(r graph.Reader) {
			for _, m := range ms {
				u := must[*graph.Memory](f)(r.Memory(m.ID)).Usage
				mustEqual(f, "uses", u.Count, counters*each)
				mustEqual(f, "days", len(u.Days), 8)
				mustEqual(f, "last", u.Last, start.Add((counters*each-1)*time.Hour))
			}
		})
	},
	"folding appends to the feed": func(f *fixture) {
		m := f.newMemory()
		head := f.mustPut(m)
		f.noError(f.store.CountUses(f.ctx(), f.scope, []graph.ID{m.ID}, graph.Use{At: start}))
		if f.harness.Reopen != nil {
			f.store = f.harness.Reopen(f, f.store) // Close folds the counts
		}
		f.noError(f.store.Wait(f.ctx(), f.scope, head))
		cs := must[[]graph.Change](f)(f.store.Changes(f.ctx(), f.scope, head, 0))
		mustEqual(f, "changes", len(cs), 1)
		mustEqual(f, "change", cs[0], graph.Change{
			Cursor: cs[0].Cursor, At: start, Node: graph.NodeUsage, Kind: graph.EventUpdated, ID: m.ID, Namespace: "main",
		})
		f.mustView(func(r graph.Reader) {
			mustEqual(f, "uses", must[*graph.Memory](f)(r.Memory(m.ID)).Usage.Count, 1)
		})
	},
}
