package badgerstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
)

// Store is a graph.Store in a directory. Open makes one.
type Store struct {
	opts  Options
	db    *badger.DB
	lock  *os.File   // nil in memory
	guard *guard     // nil in memory
	mark  *markFile  // nil in memory
	usage *usageBook // counts that are not folded yet
	stop  chan struct{}
	tasks sync.WaitGroup // goroutines that end with stop

	finish    chan struct{}
	committer sync.WaitGroup // ends with finish

	life struct { // who is inside, and whether the store still stands
		sync.Mutex
		inside sync.WaitGroup
		closed bool
		done   chan struct{} // closed when Close begins
	}
	failure atomic.Pointer[error] // why nothing is acknowledged any more

	limit size // of one transaction, and of one commit
	order *order
	feeds feeds
}

var _ graph.Store = (*Store)(nil)

// enter lets a call in; every successful enter needs a leave.
func (s *Store) enter() error {
	s.life.Lock()
	defer s.life.Unlock()
	if s.life.closed {
		return graph.ErrClosed
	}
	s.life.inside.Add(1)
	return nil
}

func (s *Store) leave() { s.life.inside.Done() }

// admit validates the scope and lets the call in.
func (s *Store) admit(ctx context.Context, scope graph.Scope) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.enter()
}

// fail stops all acknowledging: what the disk holds is no longer known.
func (s *Store) fail(cause error) {
	err := fmt.Errorf("%w: a commit failed on disk, start again: %w", graph.ErrUnavailable, cause)
	if s.failure.CompareAndSwap(nil, &err) {
		s.opts.Logger.Error("[WRITE] commit failed, no more writes", "error", cause)
	}
}

// writable answers nil while writes may be tried.
func (s *Store) writable() error {
	if err := s.failure.Load(); err != nil {
		return *err
	}
	if s.guard != nil {
		return s.guard.allow()
	}
	return nil
}

// Ready answers nil when reads and writes would work now.
func (s *Store) Ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	return s.writable()
}

// Tenants lists the tenants that hold anything, in ascending order.
func (s *Store) Tenants(ctx context.Context) ([]graph.Tenant, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.leave()
	base := s.order.begin(s.order.views)
	defer s.order.end(s.order.views, base)
	return tenantsOf(s.db, base)
}

// tenantsOf lists the tenants as of a commit.
func tenantsOf(db *badger.DB, at uint64) ([]graph.Tenant, error) {
	txn := db.NewTransactionAt(at, false)
	defer txn.Discard()
	var tenants []graph.Tenant
	prefix := storeKey(rowTenant)
	err := rows{txn: txn}.scan(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
		tenants = append(tenants, graph.Tenant(bytes.Clone(k[len(prefix):])))
		return true, nil
	})
	slices.Sort(tenants)
	return tenants, err
}

// Close folds what was counted, ends Badger and gives the directory back. On a full
// disk Badger is left alone: flushing would end the process, and its log holds all.
func (s *Store) Close() error {
	s.life.Lock()
	if s.life.closed {
		s.life.Unlock()
		return nil
	}
	s.life.closed = true
	close(s.life.done)
	s.life.Unlock()

	s.life.inside.Wait()
	close(s.stop)
	s.tasks.Wait()
	var errs []error
	if err := s.usage.close(s); err != nil {
		errs = append(errs, err)
	}
	close(s.finish)
	s.committer.Wait()
	if s.guard != nil && !s.guard.roomToClose() {
		s.opts.Logger.Warn("[WRITE] the disk is full: the database is left as after a crash, nothing is lost")
	} else if err := s.db.Close(); err != nil {
		errs = append(errs, fmt.Errorf("badgerstore: close: %w", err))
	}
	if s.mark != nil {
		errs = append(errs, s.mark.close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}

// badgerDir is where Badger lives in the directory of a store.
func badgerDir(dir string) string { return filepath.Join(dir, "graph") }
