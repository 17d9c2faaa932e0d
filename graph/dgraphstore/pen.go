package dgraphstore

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Pens say whose turn it is to write a tenant. Two processes that write at once run their
// transactions twice; one that knows that it is alone begins each where it left off.
type Pens interface {
	// Take waits, for a bounded while, until it is this process's turn, and answers what
	// ends it. taken is called before it where another process may have written since.
	Take(ctx context.Context, tenant graph.Tenant, taken func()) (back func())
}

// penKey is what the tenant whose pen is held goes by in a context.
type penKey struct{}

// WithWriteLease runs fn while other processes that ask for the tenant's pen leave it to this one.
func (s *Store) WithWriteLease(ctx context.Context, scope graph.Scope, fn func(context.Context) error) error {
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	defer s.leave()
	ctx, back := s.withPen(ctx, scope.Tenant)
	defer back()
	return fn(ctx)
}

// withPen takes the pen of a tenant, unless the context says that it is held.
func (s *Store) withPen(ctx context.Context, t graph.Tenant) (context.Context, func()) {
	if s.opts.Pens == nil || ctx.Value(penKey{}) == t {
		return ctx, func() {}
	}
	back := s.opts.Pens.Take(ctx, t, func() { s.catchUp(ctx, t) })
	return context.WithValue(ctx, penKey{}, t), back
}

// catchUp asks once where others left a tenant, so that the writes which follow need not.
func (s *Store) catchUp(ctx context.Context, t graph.Tenant) {
	l := s.ledgers.of(t)
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	began := time.Now()
	v, h, err := s.news(ctx, t, l)
	if err != nil || h.Commit == 0 {
		l.stands(standing{}) // who writes asks
		return
	}
	if h.Commit > l.head.Commit {
		l.head, l.fresh = h, true
	}
	s.feeds.confirmed(t, h.Cursor, began)
	l.caughtUp(standing{head: h, at: v.at, since: s.opts.Now()})
}
