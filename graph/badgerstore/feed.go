package badgerstore

import (
	"context"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// tenantFeeds knows the head of each tenant's feed and wakes waiting readers.
type tenantFeeds struct {
	mu    *sync.Mutex
	heads map[graph.Tenant]graph.Cursor
	moved map[graph.Tenant]chan struct{} // closed at the next commit
}

func loadFeeds(db *badger.DB, at uint64) (tenantFeeds, error) {
	f := tenantFeeds{mu: &sync.Mutex{}, heads: map[graph.Tenant]graph.Cursor{}, moved: map[graph.Tenant]chan struct{}{}}
	return f, eachTenant(db, at, func(t graph.Tenant, r rowReader) error {
		prefix := r.ks.rowKey(rowChange)
		return r.scanRows(prefix, append(slices.Clip(prefix), 0xff), true, func(k key, _ []byte) (bool, error) {
			c, err := cursorOf(k)
			f.heads[t] = c
			return false, err
		})
	})
}

// advance moves heads forward and wakes the waiting readers.
func (f *tenantFeeds) advance(heads map[graph.Tenant]graph.Cursor) {
	if len(heads) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for t, c := range heads {
		if c <= f.heads[t] {
			continue
		}
		f.heads[t] = c
		if ch, ok := f.moved[t]; ok {
			close(ch)
			delete(f.moved, t)
		}
	}
}

// headAndSignal returns the head. If it is not after the cursor, it also returns a channel
// that is closed when it moves.
func (f *tenantFeeds) headAndSignal(t graph.Tenant, after graph.Cursor) (graph.Cursor, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	head := f.heads[t]
	if head > after {
		return head, nil
	}
	ch, ok := f.moved[t]
	if !ok {
		ch = make(chan struct{})
		f.moved[t] = ch
	}
	return head, ch
}

// Head is the cursor of the last committed change, zero if there is none.
func (s *Store) Head(ctx context.Context, scope graph.Scope) (graph.Cursor, error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return 0, err
	}
	defer s.calls.End()
	s.feeds.mu.Lock()
	defer s.feeds.mu.Unlock()
	return s.feeds.heads[scope.Tenant], nil
}

// Wait returns nil as soon as a change after the cursor is committed, the error of
// ctx, or ErrClosed.
func (s *Store) Wait(ctx context.Context, scope graph.Scope, after graph.Cursor) error {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return err
	}
	s.calls.End() // a waiting call does not delay Close
	for {
		_, more := s.feeds.headAndSignal(scope.Tenant, after)
		if more == nil {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		case <-s.closed:
			return graph.ErrClosed
		}
	}
}

// Changes lists the changes after the cursor, in order, at most limit.
func (s *Store) Changes(ctx context.Context, scope graph.Scope, after graph.Cursor, limit int) ([]graph.Change, error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return nil, err
	}
	defer s.calls.End()
	return graph.SeenChanges(ctx, s, scope, after, limit, func(after graph.Cursor, limit int) ([]graph.Change, error) {
		return s.allChanges(scope.Tenant, after, limit)
	})
}

// allChanges lists the changes of a tenant after the cursor, in order, at most limit.
func (s *Store) allChanges(t graph.Tenant, after graph.Cursor, limit int) ([]graph.Change, error) {
	if after == ^graph.Cursor(0) {
		return nil, nil
	}
	limit = graph.PageSize(limit)
	var changes []graph.Change
	err := s.viewRows(t, func(r rowReader) error {
		from := r.ks.rowKey(rowChange, be64(uint64(after)+1))
		return r.scanRows(r.ks.rowKey(rowChange), from, false, func(k key, payload []byte) (bool, error) {
			var c wire.Change
			if err := decode(k, payload, &c); err != nil {
				return false, err
			}
			cursor, err := cursorOf(k)
			changes = append(changes, c.Change(cursor))
			return len(changes) < limit, err
		})
	})
	return changes, err
}

func cursorOf(k key) (graph.Cursor, error) {
	if len(k) < 8 {
		return 0, integrityError(k, "not a cursor")
	}
	return graph.Cursor(binary.BigEndian.Uint64(k[len(k)-8:])), nil
}
