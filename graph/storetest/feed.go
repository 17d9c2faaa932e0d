package storetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// deadline is when a waiting test gives up: long enough for any store.
const deadline = 60 * time.Second

var feedTests = map[string]func(*fixture){
	"every change once, in order, with its instant": func(f *fixture) {
		m, e := f.newMemory(), f.newEntity("main", "", "ada")
		rel := f.newRelation(e.ID, "is", e.ID, m.ID)
		c1 := f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.PutMemory(m, graph.EventCreated))
			f.noError(tx.PutEmbedding(m.ID, []float32{1}))
			f.noError(tx.PutEntity(e))
			return tx.PutRelation(rel)
		})
		m.UpdatedAt = f.tick()
		c2 := f.mustUpdate(func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventReinforced) })
		at := f.tick()
		c3 := f.mustUpdate(func(tx graph.Tx) error {
			f.noError(tx.DeleteEntity(f.newID(at)))
			f.noError(tx.DeleteEntity(e.ID))
			return tx.Erase(m.ID, at)
		})
		mustEqual(f, "nothing more", f.mustUpdate(func(tx graph.Tx) error { return tx.Erase(m.ID, f.tick()) }), 0)
		type seen struct {
			node graph.NodeKind
			kind graph.EventKind
			id   graph.ID
		}
		var all []seen
		cs := must[[]graph.Change](f)(f.store.Changes(f.ctx(), f.scope, 0, 0))
		for i, c := range cs {
			all = append(all, seen{c.Node, c.Kind, c.ID})
			mustEqual(f, "namespace", c.Namespace, "main")
			if i > 0 && c.Cursor <= cs[i-1].Cursor || c.At.IsZero() {
				f.Fatalf("change %d is %+v after %+v", i, c, cs[max(i-1, 0)])
			}
			if c.Node == graph.NodeMemory {
				want := map[graph.EventKind]time.Time{graph.EventCreated: m.CreatedAt, graph.EventReinforced: m.UpdatedAt, graph.EventForgotten: at}[c.Kind]
				mustEqual(f, "instant", c.At, want)
			}
		}
		mustEqual(f, "changes", all[:4], []seen{
			{graph.NodeMemory, graph.EventCreated, m.ID}, {graph.NodeEntity, graph.EventUpdated, e.ID},
			{graph.NodeRelation, graph.EventUpdated, rel.ID}, {graph.NodeMemory, graph.EventReinforced, m.ID},
		})
		last := map[seen]bool{}
		for _, s := range all[4:] {
			last[s] = true
		}
		mustEqual(f, "the last ones", last, map[seen]bool{
			{graph.NodeEntity, graph.EventForgotten, e.ID}: true, {graph.NodeMemory, graph.EventForgotten, m.ID}: true,
			{graph.NodeRelation, graph.EventForgotten, rel.ID}: true,
		})
		mustEqual(f, "cursors", []graph.Cursor{cs[2].Cursor, cs[3].Cursor, cs[6].Cursor}, []graph.Cursor{c1, c2, c3})
		mustEqual(f, "head", must[graph.Cursor](f)(f.store.Head(f.ctx(), f.scope)), c3)
	},
	"reading resumes after any cursor": func(f *fixture) {
		for range 23 {
			f.mustPut(f.newMemory())
		}
		all := must[[]graph.Change](f)(f.store.Changes(f.ctx(), f.scope, 0, 0))
		mustEqual(f, "changes", len(all), 23)
		for _, size := range []int{1, 5, 22, 23, 100} {
			var seen []graph.Change
			for after := graph.Cursor(0); ; {
				page := must[[]graph.Change](f)(f.store.Changes(f.ctx(), f.scope, after, size))
				if len(page) == 0 {
					break
				}
				seen = append(seen, page...)
				after = page[len(page)-1].Cursor
			}
			mustEqual(f, "changes", seen, all)
		}
		mustEqual(f, "after the end", len(must[[]graph.Change](f)(f.store.Changes(f.ctx(), f.scope, ^graph.Cursor(0), 0))), 0)
	},
	"waiting": func(f *fixture) {
		c := f.mustPut(f.newMemory())
		f.noError(f.store.Wait(f.ctx(), f.scope, 0))
		f.noError(f.store.Wait(f.ctx(), f.scope, c-1))
		ctx, cancel := context.WithCancel(f.ctx())
		failed := make(chan error, 1)
		go func() { failed <- f.store.Wait(ctx, f.scope, c) }()
		other := freshScope(f)
		_, err := f.store.Update(f.ctx(), other, func(tx graph.Tx) error { return tx.PutMemory(f.newMemory(), graph.EventCreated) })
		f.noError(err)
		cancel()
		f.errorIs(<-failed, context.Canceled)

		const waiters = 5
		woken := make(chan error, waiters)
		for range waiters {
			go func() {
				ctx, cancel := context.WithTimeout(f.ctx(), deadline)
				defer cancel()
				woken <- f.store.Wait(ctx, f.scope, c)
			}()
		}
		f.mustPut(f.newMemory())
		for range waiters {
			f.noError(<-woken)
		}
	},
	"a follower of concurrent writers misses and repeats nothing": func(f *fixture) {
		const writers, each = 8, 25
		ms := make([][]*graph.Memory, writers)
		for i := range ms {
			ms[i] = f.newMemories(each)
		}
		ctx, cancel := context.WithTimeout(f.ctx(), deadline)
		defer cancel()
		cursors := make(chan graph.Cursor, writers*each)
		errs := make(chan error, writers+1)
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				for _, m := range ms[i] {
					c, err := f.store.Update(ctx, f.scope, func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
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
			f.noError(f.store.Wait(ctx, f.scope, last))
			cs, err := f.store.Changes(ctx, f.scope, last, 7)
			f.noError(err)
			if len(cs) == 0 {
				f.Fatal("woken for nothing")
			}
			for _, c := range cs {
				if c.Cursor <= last {
					f.Fatalf("cursor %d after %d", c.Cursor, last)
				}
				last = c.Cursor
				seen[last] = c.ID
			}
			// a node that the feed names can be read
			f.mustView(func(r graph.Reader) {
				for _, c := range cs {
					_, err := r.Memory(c.ID)
					f.noError(err)
				}
			})
		}
		wg.Wait()
		close(cursors)
		close(errs)
		for err := range errs {
			f.noError(err)
		}
		for c := range cursors {
			if seen[c] == "" {
				f.Fatalf("cursor %d was acknowledged and never seen", c)
			}
		}
		ids := map[graph.ID]bool{}
		for _, id := range seen {
			ids[id] = true
		}
		mustEqual(f, "memories", len(ids), writers*each)
	},
	"an acknowledged write is in the next view": func(f *fixture) {
		const writers = 6
		ms := make([][]*graph.Memory, writers)
		for i := range ms {
			ms[i] = f.newMemories(20)
		}
		f.concurrently(writers, func(i int) error {
			for _, m := range ms[i] {
				c, err := f.store.Update(f.ctx(), f.scope, func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
				if err == nil {
					err = f.store.View(f.ctx(), f.scope, func(r graph.Reader) error { _, err := r.Memory(m.ID); return err })
				}
				if head, e := f.store.Head(f.ctx(), f.scope); e != nil || head < c {
					err = errors.Join(err, e, errors.New("the head lags after an acknowledged cursor"))
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	},
}
