package storetest

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

var lifeTests = map[string]func(*bench){
	"ready": func(b *bench) { b.ok(b.s.Ready(b.ctx())) },
	"everything survives a reopening": func(b *bench) {
		if b.h.Reopen == nil {
			b.Skip("this store does not outlive its Close")
		}
		twin := NewModel()
		p := newPlayer(b, b.s, twin)
		for range 5 {
			p.play(60)
			b.s = b.h.Reopen(b, b.s)
			p.s = b.s
			p.compare()
		}
		head := got[graph.Cursor](b)(b.s.Head(b.ctx(), b.scope))
		if c := b.put(b.memory()); c <= head {
			b.Fatalf("cursor %d after a reopening, %d before", c, head)
		}
	},
	"closed": func(b *bench) {
		if b.h.Reopen == nil {
			b.Skip("this store may be shared, so it is not closed here")
		}
		c := b.put(b.memory())
		waiting := make(chan error, 1)
		old := b.s
		go func() { waiting <- old.Wait(context.Background(), b.scope, c) }()
		b.s = b.h.Reopen(b, old)
		b.is(<-waiting, graph.ErrClosed)
		b.ok(old.Close())
		_, err := old.Update(b.ctx(), b.scope, func(graph.Tx) error { return nil })
		b.is(err, graph.ErrClosed)
		b.is(old.View(b.ctx(), b.scope, func(graph.Reader) error { return nil }), graph.ErrClosed)
		b.is(old.CountUses(b.ctx(), b.scope, nil, b.now()), graph.ErrClosed)
		b.is(old.Ready(b.ctx()), graph.ErrClosed)
		_, err = old.Changes(b.ctx(), b.scope, 0, 0)
		b.is(err, graph.ErrClosed)
		_, err = old.Head(b.ctx(), b.scope)
		b.is(err, graph.ErrClosed)
		_, err = old.Tenants(b.ctx())
		b.is(err, graph.ErrClosed)
		b.is(old.Wait(b.ctx(), b.scope, 0), graph.ErrClosed)
		b.ok(b.s.Ready(b.ctx()))
	},
}
