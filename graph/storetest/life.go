package storetest

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

var lifeTests = map[string]func(*fixture){
	"ready": func(f *fixture) { f.noError(f.store.Ready(f.ctx())) },
	"all data survives a reopening": func(f *fixture) {
		if f.harness.Reopen == nil {
			f.Skip("this store does not outlive its Close")
		}
		model := NewModel()
		p := newRandomPlayer(f, f.store, model)
		for range 5 {
			p.play(60)
			f.store = f.harness.Reopen(f, f.store)
			p.store = f.store
			p.compareAll()
		}
		head := must[graph.Cursor](f)(f.store.Head(f.ctx(), f.scope))
		if c := f.mustPut(f.newMemory()); c <= head {
			f.Fatalf("cursor %d after a reopening, %d before", c, head)
		}
	},
	"closed": func(f *fixture) {
		if f.harness.Reopen == nil {
			f.Skip("this store may be shared, so it is not closed here")
		}
		c := f.mustPut(f.newMemory())
		waiting := make(chan error, 1)
		old := f.store
		go func() { waiting <- old.Wait(context.Background(), f.scope, c) }()
		f.store = f.harness.Reopen(f, old)
		f.errorIs(<-waiting, graph.ErrClosed)
		f.noError(old.Close())
		_, err := old.Update(f.ctx(), f.scope, func(graph.Tx) error { return nil })
		f.errorIs(err, graph.ErrClosed)
		f.errorIs(old.View(f.ctx(), f.scope, func(graph.Reader) error { return nil }), graph.ErrClosed)
		f.errorIs(old.CountUses(f.ctx(), f.scope, nil, graph.Use{At: f.tick()}), graph.ErrClosed)
		f.errorIs(old.Ready(f.ctx()), graph.ErrClosed)
		_, err = old.Changes(f.ctx(), f.scope, 0, 0)
		f.errorIs(err, graph.ErrClosed)
		_, err = old.Head(f.ctx(), f.scope)
		f.errorIs(err, graph.ErrClosed)
		_, err = old.Tenants(f.ctx())
		f.errorIs(err, graph.ErrClosed)
		f.errorIs(old.Wait(f.ctx(), f.scope, 0), graph.ErrClosed)
		f.noError(f.store.Ready(f.ctx()))
	},
}
