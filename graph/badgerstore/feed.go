package badgerstore

import (
	"context"
	"encoding/binary"
	"sync"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// feeds knows the head of each tenant's feed and wakes who waits for more.
type feeds struct {
	mu    *sync.Mutex
	heads map[graph.Tenant]graph.Cursor
	more  map[graph.Tenant]chan struct{} // closed at the next commit
}

func loadFeeds(db *badger.DB, at uint64) (feeds, error) {
	f := feeds{mu: &sync.Mutex{}, heads: map[graph.Tenant]graph.Cursor{}, more: map[graph.Tenant]chan struct{}{}}
	tenants, err := tenantsOf(db, at)
	if err != nil {
		return f, err
	}
	txn := db.NewTransactionAt(at, false)
	defer txn.Discard()
	for _, t := range tenants {
		r := rows{txn: txn, ks: newKeyspace(t)}
		prefix := r.ks.row(rowChange)
		err := r.scan(prefix, append(prefix[:len(prefix):len(prefix)], 0xff), true, func(k key, _ []byte) (bool, error) {
			c, err := cursorOf(k)
			f.heads[t] = c
			return false, err
		})
		if err != nil {
			return f, err
		}
	}
	return f, nil
}

// committed moves heads forward and wakes who waits.
func (f *feeds) committed(heads map[graph.Tenant]graph.Cursor) {
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
		if ch, ok := f.more[t]; ok {
			close(ch)
			delete(f.more, t)
		}
	}
}

// behind answers the head, and where nothing lies behind after a channel that is
// closed when something does.
func (f *feeds) behind(t graph.Tenant, after graph.Cursor) (graph.Cursor, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	head := f.heads[t]
	if head > after {
		return head, nil
	}
	ch, ok := f.more[t]
	if !ok {
		ch = make(chan struct{})
		f.more[t] = ch
	}
	return head, ch
}

// Head is the cursor of the last committed change, zero if there is none.
func (s *Store) Head(ctx context.Context, scope graph.Scope) (graph.Cursor, error) {
	if err := s.admit(ctx, scope); err != nil {
		return 0, err
	}
	defer s.leave()
	s.feeds.mu.Lock()
	defer s.feeds.mu.Unlock()
	return s.feeds.heads[scope.Tenant], nil
}

// Wait returns nil as soon as something is committed behind after, the error of
// ctx, or ErrClosed.
func (s *Store) Wait(ctx context.Context, scope graph.Scope, after graph.Cursor) error {
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	s.leave() // a waiter does not keep the store open
	for {
		_, more := s.feeds.behind(scope.Tenant, after)
		if more == nil {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		case <-s.life.done:
			return graph.ErrClosed
		}
	}
}

// Changes lists what was committed behind after, in order, at most limit.
func (s *Store) Changes(ctx context.Context, scope graph.Scope, after graph.Cursor, limit int) ([]graph.Change, error) {
	if err := s.admit(ctx, scope); err != nil {
		return nil, err
	}
	defer s.leave()
	if after == ^graph.Cursor(0) {
		return nil, nil
	}
	limit = page(limit)
	var changes []graph.Change
	err := s.look(scope.Tenant, func(r rows) error {
		from := r.ks.row(rowChange, be64(uint64(after)+1))
		return r.scan(r.ks.row(rowChange), from, false, func(k key, payload []byte) (bool, error) {
			var c wire.Change
			if err := decode(k, payload, &c); err != nil {
				return false, err
			}
			cursor, err := cursorOf(k)
			changes = append(changes, graph.Change{
				Cursor: cursor, At: c.At.Time(), Node: graph.NodeKind(c.Node), Kind: graph.EventKind(c.Kind),
				ID: wire.ID(c.ID), Namespace: c.Namespace,
			})
			return len(changes) < limit, err
		})
	})
	return changes, err
}

func cursorOf(k key) (graph.Cursor, error) {
	if len(k) < 8 {
		return 0, broken(k, "not a cursor")
	}
	return graph.Cursor(binary.BigEndian.Uint64(k[len(k)-8:])), nil
}

// page is the limit of a list.
func page(limit int) int {
	if limit <= 0 || limit > graph.MaxPage {
		return graph.MaxPage
	}
	return limit
}
