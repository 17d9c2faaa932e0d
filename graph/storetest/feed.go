package storetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// deadline is when a test that waits gives up: long enough for any store.
const deadline = 60 * time.Second

var feedTests = map[string]func(*bench){
	"every change once, in order, with its instant": func(b *bench) {
		m, e := b.memory(), b.entity("main", "", "ada")
		rel := b.relation(e.ID, "is", e.ID, m.ID)
		c1 := b.update(func(tx graph.Tx) error {
			b.ok(tx.PutMemory(m, graph.EventCreated))
			b.ok(tx.PutEmbedding(m.ID, []float32{1}))
			b.ok(tx.PutEntity(e))
			return tx.PutRelation(rel)
		})
		m.UpdatedAt = b.now()
		c2 := b.update(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventReinforced) })
		at := b.now()
		c3 := b.update(func(tx graph.Tx) error {
			b.ok(tx.DeleteEntity(b.id(at)))
			b.ok(tx.DeleteEntity(e.ID))
			return tx.Erase(m.ID, at)
		})
		same(b, "nothing more", b.update(func(tx graph.Tx) error { return tx.Erase(m.ID, b.now()) }), 0)
		type seen struct {
			node graph.NodeKind
			kind graph.EventKind
			id   graph.ID
		}
		var all []seen
		cs := got[[]graph.Change](b)(b.s.Changes(b.ctx(), b.scope, 0, 0))
		for i, c := range cs {
			all = append(all, seen{c.Node, c.Kind, c.ID})
			same(b, "namespace", c.Namespace, "main")
			if i > 0 && c.Cursor <= cs[i-1].Cursor || c.At.IsZero() {
				b.Fatalf("change %d is %+v behind %+v", i, c, cs[max(i-1, 0)])
			}
			if c.Node == graph.NodeMemory {
				want := map[graph.EventKind]time.Time{graph.EventCreated: m.CreatedAt, graph.EventReinforced: m.UpdatedAt, graph.EventForgotten: at}[c.Kind]
				same(b, "instant", c.At, want)
			}
		}
		same(b, "changes", all[:4], []seen{
			{graph.NodeMemory, graph.EventCreated, m.ID}, {graph.NodeEntity, graph.EventUpdated, e.ID},
			{graph.NodeRelation, graph.EventUpdated, rel.ID}, {graph.NodeMemory, graph.EventReinforced, m.ID},
		})
		last := map[seen]bool{}
		for _, s := range all[4:] {
			last[s] = true
		}
		same(b, "the last ones", last, map[seen]bool{
			{graph.NodeEntity, graph.EventForgotten, e.ID}: true, {graph.NodeMemory, graph.EventForgotten, m.ID}: true,
			{graph.NodeRelation, graph.EventForgotten, rel.ID}: true,
		})
		same(b, "cursors", []graph.Cursor{cs[2].Cursor, cs[3].Cursor, cs[6].Cursor}, []graph.Cursor{c1, c2, c3})
		same(b, "head", got[graph.Cursor](b)(b.s.Head(b.ctx(), b.scope)), c3)
	},
	"resumes anywhere": func(b *bench) {
		for range 23 {
			b.put(b.memory())
		}
		all := got[[]graph.Change](b)(b.s.Changes(b.ctx(), b.scope, 0, 0))
		same(b, "changes", len(all), 23)
		for _, size := range []int{1, 5, 22, 23, 100} {
			var seen []graph.Change
			for after := graph.Cursor(0); ; {
				page := got[[]graph.Change](b)(b.s.Changes(b.ctx(), b.scope, after, size))
				if len(page) == 0 {
					break
				}
				seen = append(seen, page...)
				after = page[len(page)-1].Cursor
			}
			same(b, "changes", seen, all)
		}
		same(b, "behind the end", len(got[[]graph.Change](b)(b.s.Changes(b.ctx(), b.scope, ^graph.Cursor(0), 0))), 0)
	},
	"waiting": func(b *bench) {
		c := b.put(b.memory())
		b.ok(b.s.Wait(b.ctx(), b.scope, 0))
		b.ok(b.s.Wait(b.ctx(), b.scope, c-1))
		ctx, cancel := context.WithCancel(b.ctx())
		failed := make(chan error, 1)
		go func() { failed <- b.s.Wait(ctx, b.scope, c) }()
		other := freshScope(b)
		_, err := b.s.Update(b.ctx(), other, func(tx graph.Tx) error { return tx.PutMemory(b.memory(), graph.EventCreated) })
		b.ok(err)
		cancel()
		b.is(<-failed, context.Canceled)

		const waiters = 5
		woken := make(chan error, waiters)
		for range waiters {
			go func() {
				ctx, cancel := context.WithTimeout(b.ctx(), deadline)
				defer cancel()
				woken <- b.s.Wait(ctx, b.scope, c)
			}()
		}
		b.put(b.memory())
		for range waiters {
			b.ok(<-woken)
		}
	},
	"concurrent writers, a follower misses and repeats nothing": func(b *bench) {
		const writers, each = 8, 25
		ms := make([][]*graph.Memory, writers)
		for i := range ms {
			for range each {
				ms[i] = append(ms[i], b.memory())
			}
		}
		ctx, cancel := context.WithTimeout(b.ctx(), deadline)
		defer cancel()
		cursors := make(chan graph.Cursor, writers*each)
		errs := make(chan error, writers+1)
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				for _, m := range ms[i] {
					c, err := b.s.Update(ctx, b.scope, func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
					if err != nil {
						errs <- err
						return
					}
					cursors <- c
				}
			})
		}
		seen := map[graph.Cursor]graph.ID{}
		var last graph.Cursor
		for len(seen) < writers*each {
			b.ok(b.s.Wait(ctx, b.scope, last))
			cs, err := b.s.Changes(ctx, b.scope, last, 7)
			b.ok(err)
			if len(cs) == 0 {
				b.Fatal("woken for nothing")
			}
			for _, c := range cs {
				if c.Cursor <= last {
					b.Fatalf("cursor %d behind %d", c.Cursor, last)
				}
				last = c.Cursor
				seen[last] = c.ID
			}
			// what the feed names can be read
			b.view(func(r graph.Reader) {
				for _, c := range cs {
					_, err := r.Memory(c.ID)
					b.ok(err)
				}
			})
		}
		wg.Wait()
		close(cursors)
		close(errs)
		for err := range errs {
			b.ok(err)
		}
		for c := range cursors {
			if seen[c] == "" {
				b.Fatalf("cursor %d was acknowledged and never seen", c)
			}
		}
		ids := map[graph.ID]bool{}
		for _, id := range seen {
			ids[id] = true
		}
		same(b, "memories", len(ids), writers*each)
	},
	"an acknowledged write is in the next view": func(b *bench) {
		var wg sync.WaitGroup
		const writers = 6
		errs := make([]error, writers)
		ms := make([][]*graph.Memory, writers)
		for i := range ms {
			for range 20 {
				ms[i] = append(ms[i], b.memory())
			}
		}
		for i := range writers {
			wg.Go(func() {
				for _, m := range ms[i] {
					c, err := b.s.Update(b.ctx(), b.scope, func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
					if err == nil {
						err = b.s.View(b.ctx(), b.scope, func(r graph.Reader) error { _, err := r.Memory(m.ID); return err })
					}
					if head, e := b.s.Head(b.ctx(), b.scope); e != nil || head < c {
						err = errors.Join(err, e, errors.New("the head lags behind an acknowledged cursor"))
					}
					if err != nil {
						errs[i] = err
						return
					}
				}
			})
		}
		wg.Wait()
		b.ok(errors.Join(errs...))
	},
}
