package enginetest

import (
	"context"
	"errors"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// errCrashed is the error of every call after the crash.
var errCrashed = errors.New("enginetest: the process has crashed")

// crashingStore is the store of a process that crashes before a chosen commit. After the crash
// every call fails. The underlying store keeps what was committed.
type crashingStore struct {
	graph.Store

	mu          sync.Mutex
	commitsLeft int         // commits before the crash; below 0: no limit
	crashNow    func() bool // called before each commit to ask whether to crash; nil: only commitsLeft counts
	crashed     bool
	onCrash     func() // called at the crash; nil: nothing
}

// crashAt sets the moment of the crash.
func (s *crashingStore) crashAt(commitsLeft int, crashNow func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commitsLeft, s.crashNow = commitsLeft, crashNow
}

func (s *crashingStore) check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.crashed {
		return errCrashed
	}
	return nil
}

// Update commits unless the process has crashed.
func (s *crashingStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	s.mu.Lock()
	crashNow := s.crashNow
	s.mu.Unlock()
	now := crashNow != nil && crashNow() // it reads the store, so it is called without the lock
	s.mu.Lock()
	if s.commitsLeft == 0 || now {
		s.crashed = true
		if s.onCrash != nil {
			s.onCrash()
		}
	}
	s.commitsLeft--
	crashed := s.crashed
	s.mu.Unlock()
	if crashed {
		return 0, errCrashed
	}
	return s.Store.Update(ctx, scope, fn)
}

// View reads unless the process has crashed.
func (s *crashingStore) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if err := s.check(); err != nil {
		return err
	}
	return s.Store.View(ctx, scope, fn)
}

// CountUses counts unless the process has crashed.
func (s *crashingStore) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, use graph.Use) error {
	if err := s.check(); err != nil {
		return err
	}
	return s.Store.CountUses(ctx, scope, ids, use)
}

// CrashAfter is the store of a process that crashes after the given number of commits. After
// the crash every call fails. The underlying store keeps what was committed.
func CrashAfter(s graph.Store, commits int) graph.Store {
	return &crashingStore{Store: s, commitsLeft: commits}
}
