package badgerstore

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
)

// maxRetries limits how often a transaction runs again after a conflict.
const maxRetries = 40

// View runs fn on one snapshot of the scope. Usage counts are those at the time of
// reading.
func (s *Store) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) (err error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return err
	}
	defer s.calls.End()
	ctx, end := graph.Observe(ctx, s.options.Observer, graph.OperationRead)
	defer end(&err)
	unfolded := s.usage.openBatches() // before the snapshot: see usageBuffer
	return s.viewRows(scope.Tenant, func(view rowReader) error {
		r := &reader{rowReader: view, ctx: ctx, tenant: scope.Tenant, unfolded: unfolded}
		defer func() { r.ended = true }()
		return fn(graph.See(r, scope.Sight))
	})
}

// viewRows runs fn on a snapshot.
func (s *Store) viewRows(t graph.Tenant, fn func(rowReader) error) (err error) {
	defer s.guardReads(&err)
	base := s.order.beginSnapshot(s.order.viewSnapshots)
	defer s.order.endSnapshot(s.order.viewSnapshots, base)
	txn := s.db.NewTransactionAt(base, false)
	defer txn.Discard()
	r := rowReader{txn: txn}
	if t != "" {
		if r.ring, err = s.Ring(t); err != nil {
			return err
		}
		r.ks, r.names = newKeyspace(t), s.nameForm(t, base)
	}
	return fn(r)
}

// Update runs fn in a transaction and commits it durably; it runs fn again on a
// conflict. It returns the cursor of the last change, zero if there was none.
func (s *Store) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (_ graph.Cursor, err error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return 0, err
	}
	defer s.calls.End()
	ctx, end := graph.Observe(ctx, s.options.Observer, graph.OperationWrite)
	defer end(&err)
	for n := 0; ; n++ {
		if n > 0 {
			if err := calls.Pause(ctx, s.options.Backoff(n)); err != nil {
				return 0, err
			}
		}
		cursor, err := s.tryUpdate(ctx, scope, fn)
		if !errors.Is(err, errConflict) {
			return cursor, err
		}
		if n == maxRetries {
			return 0, graph.ErrConflict
		}
	}
}

// observeCommit commits what was written, if anything was, and lets the observer see it.
func (s *Store) observeCommit(ctx context.Context, w *txWriter) (cursor graph.Cursor, err error) {
	if len(w.written.entries) > 0 {
		_, end := graph.Observe(ctx, s.options.Observer, graph.OperationCommit)
		defer end(&err)
	}
	return s.commitWriter(w)
}

// tryUpdate runs fn once.
func (s *Store) tryUpdate(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (_ graph.Cursor, err error) {
	defer s.guardReads(&err)
	if err := s.writable(); err != nil {
		return 0, err
	}
	unfolded := s.usage.openBatches()
	w := s.beginWriter(scope.Tenant)
	defer w.release()
	t := &tx{
		reader:          reader{rowReader: w.rowReader, ctx: ctx, tenant: scope.Tenant, unfolded: unfolded, store: s, writer: w},
		writtenMemories: map[[16]byte]bool{},
	}
	defer func() { t.ended = true }()
	if err := s.run(t, fn); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	cursor, err := s.observeCommit(ctx, w)
	if err != nil {
		return 0, err
	}
	s.usage.dropUses(scope.Tenant, t.erased)
	return cursor, nil
}

// run runs the function of a transaction. If it panics, the transaction is discarded and the process goes on: nothing was
// committed, and what the function changed ends with the transaction.
func (s *Store) run(t *tx, fn func(graph.Tx) error) (err error) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case s.hasMemtable():
			err = graph.Recovered(s.options.Logger, p)
		default:
			err = errNoMemtable
		}
	}()
	return fn(t)
}

// reader reads one snapshot of a tenant.
type reader struct {
	rowReader
	ctx      context.Context
	tenant   graph.Tenant
	unfolded []*usageBatch // counts that the snapshot may lack
	ended    bool          // fn has returned

	store  *Store    // set in an Update only
	writer *txWriter // set in an Update only
}

var _ graph.Reader = (*reader)(nil)

// usable returns an error after fn has returned or its context has ended.
func (r *reader) usable() error {
	if r.ended {
		return graph.ErrClosed
	}
	return r.ctx.Err()
}

// keyOf begins a read of a node. It returns the id in its form in keys, or ErrNotFound for an
// invalid one.
func (r *reader) keyOf(id graph.ID) ([16]byte, error) {
	if err := r.usable(); err != nil {
		return [16]byte{}, err
	}
	b, err := id.Bytes()
	if err != nil {
		return b, graph.ErrNotFound
	}
	return b, nil
}

// tx is a reader that writes.
type tx struct {
	reader
	erased          []graph.ID
	writtenMemories map[[16]byte]bool // memories whose rows it wrote
}

var _ graph.Tx = (*tx)(nil)

// apply runs the writes of one call. A partly applied call must not be committed, even
// if fn ignores the error.
func (t *tx) apply(put func(w *txWriter)) error {
	if err := t.usable(); err != nil {
		return err
	}
	if t.writer.err == nil {
		put(t.writer)
	}
	return t.writer.err
}

// addChange appends a change to the feed.
func (t *tx) addChange(node graph.NodeKind, kind graph.EventKind, id graph.ID, namespace string, at time.Time) {
	t.writer.addChange(t.tenant, graph.Change{At: graph.Millis(at), Node: node, Kind: kind, ID: id, Namespace: namespace})
}
