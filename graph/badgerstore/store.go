package badgerstore

import (
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
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/keyring"
)

// Store is a graph.Store in a directory. Open makes one.
type Store struct {
	options     Options
	db          *badger.DB
	keys        *keyring.Keyring // nil: rows are not sealed
	namesSecret []byte           // see names.go
	nameKeys    sync.Map         // *nameKey by tenant
	lock        *os.File         // nil in memory
	diskGuard   *diskGuard       // nil in memory
	descriptors descriptorGuard
	standby     standby
	swept       map[graph.Tenant][]graph.ID // memories that were removed when it was opened, because their keys were destroyed
	aside       string                      // folder with tables that the manifest does not name, until the chain is checked; empty: none
	watermark   *watermarkFile              // nil in memory
	usage       *usageBuffer                // counts that are not folded yet
	stop        chan struct{}
	goroutines  sync.WaitGroup // background goroutines

	stopCommitter chan struct{}
	committer     sync.WaitGroup // ends with stopCommitter

	calls   calls.Calls
	closed  chan struct{}         // closed when Close begins
	failure atomic.Pointer[error] // why nothing is acknowledged any more

	renewOdds uint32 // see the constant; tests set another

	maxTx txSize // of one transaction, and of one commit
	order *commitOrder
	feeds tenantFeeds

	shredder shredder
	commitMu sync.Mutex    // held during a commit
	sealed   chan struct{} // closed once every row with content is sealed
}

var _ graph.Store = (*Store)(nil)

// failWrites stops all acknowledging: the content of the disk is no longer known.
func (s *Store) failWrites(cause error) {
	err := fmt.Errorf("%w: a commit failed on disk, start again: %w", graph.ErrUnavailable, cause)
	if s.failure.CompareAndSwap(nil, &err) {
		s.options.Logger.Error("[WRITE] commit failed, no more writes", "error", cause)
	}
}

// writable returns nil while writes may be tried.
func (s *Store) writable() error {
	if err := s.failure.Load(); err != nil {
		return *err
	}
	if s.diskGuard == nil {
		return nil
	}
	if err := s.diskGuard.allowWrites(); err != nil {
		return err
	}
	return s.descriptors.allowWrites()
}

// Ready returns nil if reads and writes would work now.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.calls.Begin(ctx); err != nil {
		return err
	}
	defer s.calls.End()
	return s.writable()
}

// Tenants lists the tenants that hold any data, in ascending order, without that of
// graph.ServerScope.
func (s *Store) Tenants(ctx context.Context) (tenants []graph.Tenant, err error) {
	defer s.guardReads(&err)
	if err := s.calls.Begin(ctx); err != nil {
		return nil, err
	}
	defer s.calls.End()
	base := s.order.beginSnapshot(s.order.viewSnapshots)
	defer s.order.endSnapshot(s.order.viewSnapshots, base)
	tenants, err = tenantsOf(s.db, base)
	return slices.DeleteFunc(tenants, func(t graph.Tenant) bool { return graph.Scope{Tenant: t}.IsServer() }), err
}

// tenantsOf lists the tenants as of a commit.
func tenantsOf(db *badger.DB, at uint64) (tenants []graph.Tenant, err error) {
	txn := db.NewTransactionAt(at, false)
	defer txn.Discard()
	names, err := rowReader{txn: txn}.keyTails(storeKey(rowTenant))
	for _, name := range names {
		tenants = append(tenants, graph.Tenant(name))
	}
	return tenants, err
}

// eachTenant calls fn with a reader of each tenant's rows as of a commit.
func eachTenant(db *badger.DB, at uint64, fn func(t graph.Tenant, r rowReader) error) error {
	tenants, err := tenantsOf(db, at)
	if err != nil {
		return err
	}
	txn := db.NewTransactionAt(at, false)
	defer txn.Discard()
	for _, t := range tenants {
		if err := fn(t, rowReader{txn: txn, ks: newKeyspace(t)}); err != nil {
			return err
		}
	}
	return nil
}

// Close folds the counted uses, closes Badger and unlocks the directory. On a full disk it
// does not close Badger: a flush would kill the process, and the log holds everything.
func (s *Store) Close() error {
	if !s.calls.Close(func() { close(s.closed) }) {
		return nil
	}
	s.calls.Wait()
	close(s.stop)
	s.goroutines.Wait()
	var errs []error
	if s.options.ReadOnly {
		errs = append(errs, s.usage.log.file.Close())
	} else if err := s.usage.close(s); err != nil {
		errs = append(errs, err)
	}
	if s.writable() == nil {
		errs = append(errs, s.noteGenerations())
	}
	close(s.stopCommitter)
	s.committer.Wait()
	if s.diskGuard != nil && !s.diskGuard.readOnly && !s.diskGuard.roomToClose() {
		s.options.Logger.Warn("[WRITE] the disk is full: the database is left as after a crash, nothing is lost")
	} else if err := s.closeDatabase(); err != nil {
		errs = append(errs, fmt.Errorf("badgerstore: close: %w", err))
	}
	if s.options.ReadOnly {
		errs = append(errs, s.watermark.file.Close())
	} else if s.watermark != nil {
		errs = append(errs, s.watermark.close())
	}
	s.descriptors.close()
	errs = append(errs, s.standby.end())
	return errors.Join(append(errs, s.closeKeys())...)
}

// closeDatabase closes Badger, which first ends its merges.
func (s *Store) closeDatabase() error {
	if s.diskGuard != nil {
		close(s.diskGuard.letGo)
	}
	return s.db.Close()
}

// badgerDir is Badger's directory in the directory of a store.
func badgerDir(dir string) string { return filepath.Join(dir, "graph") }
