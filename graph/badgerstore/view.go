package badgerstore

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// retries bounds how often a transaction is run again after a conflict.
const retries = 40

// View runs fn on one snapshot of the scope. Usage counts are those of the moment
// of reading.
func (s *Store) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	defer s.leave()
	books := s.usage.open() // before the snapshot: see usageBook
	return s.look(scope.Tenant, func(view rows) error {
		r := &reader{rows: view, ctx: ctx, tenant: scope.Tenant, books: books}
		defer func() { r.dead = true }()
		return fn(r)
	})
}

// look runs fn on a snapshot.
func (s *Store) look(t graph.Tenant, fn func(rows) error) error {
	base := s.order.begin(s.order.views)
	defer s.order.end(s.order.views, base)
	txn := s.db.NewTransactionAt(base, false)
	defer txn.Discard()
	r := rows{txn: txn}
	if t != "" {
		r.ks = newKeyspace(t)
	}
	return fn(r)
}

// Update runs fn in a transaction and commits it durably; fn runs again on
// conflict. It returns the cursor of the last change, zero if there was none.
func (s *Store) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if err := s.admit(ctx, scope); err != nil {
		return 0, err
	}
	defer s.leave()
	for n := 0; ; n++ {
		if n > 0 {
			if err := pause(ctx, s.opts.Backoff(n)); err != nil {
				return 0, err
			}
		}
		cursor, err := s.try(ctx, scope, fn)
		if !errors.Is(err, errConflict) {
			return cursor, err
		}
		if n == retries {
			return 0, graph.ErrConflict
		}
	}
}

// try runs fn once.
func (s *Store) try(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if err := s.writable(); err != nil {
		return 0, err
	}
	books := s.usage.open()
	w := s.begin(scope.Tenant)
	defer w.end()
	t := &tx{
		reader: reader{rows: w.rows, ctx: ctx, tenant: scope.Tenant, books: books, store: s, w: w},
	}
	defer func() { t.dead = true }()
	if err := fn(t); err != nil {
		return 0, err
	}
	if t.spoiled != nil {
		return 0, t.spoiled
	}
	if !w.dirty() {
		return 0, nil
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	cursor, err := s.commit(w)
	if err != nil {
		return 0, err
	}
	s.usage.forget(scope.Tenant, t.erased)
	return cursor, nil
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// reader reads one snapshot of a tenant.
type reader struct {
	rows
	ctx    context.Context
	tenant graph.Tenant
	books  []*usageBatch // counts that the snapshot may not hold yet
	dead   bool          // fn has returned

	store *Store  // set in an Update only
	w     *writer // set in an Update only
}

var _ graph.Reader = (*reader)(nil)

// alive answers an error once fn has returned or its context has ended.
func (r *reader) alive() error {
	if r.dead {
		return graph.ErrClosed
	}
	return r.ctx.Err()
}

// tx is a reader that writes.
type tx struct {
	reader
	spoiled error // a write went wrong half-way: the transaction can't be committed
	erased  []graph.ID
	put     map[[16]byte]bool // memories whose rows it wrote
}

var _ graph.Tx = (*tx)(nil)

// write runs the writes of one call. What it leaves half done must not be committed,
// also where fn passes over the error.
func (t *tx) write(put func(w *writer) error) error {
	if err := t.alive(); err != nil {
		return err
	}
	if t.spoiled != nil {
		return t.spoiled
	}
	if err := put(t.w); err != nil {
		t.spoiled = err
		return err
	}
	return nil
}

// changed appends a change to the feed.
func (t *tx) changed(node graph.NodeKind, kind graph.EventKind, id graph.ID, namespace string, at time.Time) {
	t.w.changed(t.tenant, graph.Change{At: graph.Millis(at), Node: node, Kind: kind, ID: id, Namespace: namespace})
}
