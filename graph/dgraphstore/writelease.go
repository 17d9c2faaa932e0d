package dgraphstore

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// WriteLeases let one process at a time write a tenant. Two processes that write at once run
// their transactions twice; the holder of the lease begins each at its own last commit.
type WriteLeases interface {
	// Acquire waits, for a limited time, for the lease, and returns the function that
	// releases it. It calls acquired first if another process may have written since.
	Acquire(ctx context.Context, tenant graph.Tenant, taken func()) (back func())
}

// leaseContextKey is the context key of the tenant whose lease is held.
type leaseContextKey struct{}

// WithWriteLease runs fn while other processes that ask for the tenant's lease leave it to
// this one.
func (s *Store) WithWriteLease(ctx context.Context, scope graph.Scope, fn func(context.Context) error) error {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return err
	}
	defer s.calls.End()
	ctx, release := s.acquireLease(ctx, scope.Tenant)
	defer release()
	return fn(ctx)
}

// acquireLease acquires the lease of a tenant, unless the context holds it.
func (s *Store) acquireLease(ctx context.Context, t graph.Tenant) (context.Context, func()) {
	if s.options.WriteLeases == nil || ctx.Value(leaseContextKey{}) == t {
		return ctx, func() {}
	}
	release := s.options.WriteLeases.Acquire(ctx, t, func() { s.catchUp(ctx, t) })
	return context.WithValue(ctx, leaseContextKey{}, t), release
}

// catchUp reads the head that other processes left, so that the next writes need not.
func (s *Store) catchUp(ctx context.Context, t graph.Tenant) {
	ledger := s.ledgers.get(t)
	ledger.sendSlot <- struct{}{}
	defer func() { <-ledger.sendSlot }()
	began := time.Now()
	snap, head, err := s.readNewCommits(ctx, t, ledger)
	if err != nil || head.Commit == 0 {
		ledger.setLastCommit(knownCommit{}) // who writes asks
		return
	}
	if head.Commit > ledger.head.Commit {
		ledger.head, ledger.headFresh = head, true
	}
	s.feeds.get(t).confirm(head.Cursor, began)
	ledger.catchUp(knownCommit{head: head, readTs: snap.readTs, seenAt: s.options.Now()})
}
