package storetest

import (
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

var usageTests = map[string]func(*bench){
	"counts, days and the last use": func(b *bench) {
		m, never := b.memory(), b.memory()
		b.put(m, never)
		late, early := start.Add(49*time.Hour), start.Add(-30*24*time.Hour)
		for _, at := range []time.Time{start, late, early.Add(1), start.Add(time.Hour), time.Date(1969, 12, 31, 12, 0, 0, 0, time.UTC)} {
			b.ok(b.s.CountUses(b.ctx(), b.scope, []graph.ID{m.ID}, at))
		}
		want := graph.Usage{Count: 5, Days: []int32{-1, graph.Day(early), graph.Day(start), graph.Day(late)}, Last: late}
		check := func(r graph.Reader) {
			same(b, "usage", got[*graph.Memory](b)(r.Memory(m.ID)).Usage, want)
			same(b, "in a list", got[[]*graph.Memory](b)(r.ListMemories(graph.MemoryQuery{Limit: 1}))[0].Usage, want)
			same(b, "among many", got[[]*graph.Memory](b)(r.Memories([]graph.ID{m.ID}))[0].Usage, want)
			same(b, "never used", got[*graph.Memory](b)(r.Memory(never.ID)).Usage, graph.Usage{})
		}
		b.view(check)
		b.update(func(tx graph.Tx) error {
			// What was counted may be folded meanwhile: then a read's error has fn run again.
			if _, err := tx.ListMemories(graph.MemoryQuery{Limit: 1}); err != nil {
				return err
			}
			check(tx)
			return nil
		})
	},
	"a write of the memory leaves its usage": func(b *bench) {
		m := b.memory()
		b.put(m)
		b.ok(b.s.CountUses(b.ctx(), b.scope, []graph.ID{m.ID}, start))
		m.Usage = graph.Usage{Count: 99, Days: []int32{1}, Last: start.Add(time.Hour)}
		b.update(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) })
		b.view(func(r graph.Reader) {
			same(b, "usage", got[*graph.Memory](b)(r.Memory(m.ID)).Usage, graph.Usage{Count: 1, Days: []int32{graph.Day(start)}, Last: start})
		})
	},
	"unknown, forgotten and repeated ids": func(b *bench) {
		m, gone := b.memory(), b.memory()
		b.put(m, gone)
		b.update(func(tx graph.Tx) error { return tx.Erase(gone.ID, b.now()) })
		later := b.memory()
		b.ok(b.s.CountUses(b.ctx(), b.scope, []graph.ID{later.ID, gone.ID, "", "x", m.ID, m.ID}, start))
		b.ok(b.s.CountUses(b.ctx(), b.scope, nil, start))
		b.put(later)
		b.view(func(r graph.Reader) {
			for id, want := range map[graph.ID]int{m.ID: 1, gone.ID: 0, later.ID: 0} {
				same(b, "uses", got[*graph.Memory](b)(r.Memory(id)).Usage.Count, want)
			}
		})
	},
	"an instant is required": func(b *bench) {
		same(b, "code", graph.CodeOf(b.s.CountUses(b.ctx(), b.scope, nil, time.Time{})), graph.CodeInvalidRequest)
	},
	"concurrent counting loses nothing": func(b *bench) {
		var ms []*graph.Memory
		for range 40 {
			ms = append(ms, b.memory())
		}
		b.update(func(tx graph.Tx) error {
			for _, m := range ms {
				b.ok(tx.PutMemory(m, graph.EventCreated))
			}
			return nil
		})
		const counters, each = 6, 30
		var wg sync.WaitGroup
		errs := make(chan error, counters*each)
		for i := range counters {
			wg.Go(func() {
				for n := range each {
					errs <- b.s.CountUses(b.ctx(), b.scope, idsOf(ms), start.Add(time.Duration(i*each+n)*time.Hour))
				}
			})
		}
		for n := range 30 { // writes of the memories go on meanwhile
			m := ms[n]
			b.update(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventUpdated) })
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			b.ok(err)
		}
		b.view(func(r graph.Reader) {
			for _, m := range ms {
				u := got[*graph.Memory](b)(r.Memory(m.ID)).Usage
				same(b, "uses", u.Count, counters*each)
				same(b, "days", len(u.Days), 8)
				same(b, "last", u.Last, start.Add((counters*each-1)*time.Hour))
			}
		})
	},
	"folding shows in the feed": func(b *bench) {
		m := b.memory()
		head := b.put(m)
		b.ok(b.s.CountUses(b.ctx(), b.scope, []graph.ID{m.ID}, start))
		if b.h.Reopen != nil {
			b.s = b.h.Reopen(b, b.s) // closing folds what was counted
		}
		b.ok(b.s.Wait(b.ctx(), b.scope, head))
		cs := got[[]graph.Change](b)(b.s.Changes(b.ctx(), b.scope, head, 0))
		same(b, "changes", len(cs), 1)
		same(b, "change", cs[0], graph.Change{
			Cursor: cs[0].Cursor, At: start, Node: graph.NodeUsage, Kind: graph.EventUpdated, ID: m.ID, Namespace: "main",
		})
		b.view(func(r graph.Reader) {
			same(b, "uses", got[*graph.Memory](b)(r.Memory(m.ID)).Usage.Count, 1)
		})
	},
}
