package enginetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// errCrashed is what a process that has died answers.
var errCrashed = errors.New("enginetest: the process is dead")

// crashingStore is a store as a process sees it that dies before a chosen commit: from then
// on every call fails, and the store behind it stays as it was.
type crashingStore struct {
	graph.Store

	mu          sync.Mutex
	commitsLeft int         // commits before the one that is not reached; below 0: it never dies of them
	crashNow    func() bool // asked before each commit whether it is the one; nil: left decides
	crashed     bool
}

// crashAt makes the store die.
func (s *crashingStore) crashAt(left int, ends func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commitsLeft, s.crashNow = left, ends
}

func (s *crashingStore) check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.crashed {
		return errCrashed
	}
	return nil
}

// Update commits as long as there is life.
func (s *crashingStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	s.mu.Lock()
	ends := s.crashNow
	s.mu.Unlock()
	now := ends != nil && ends() // it reads the store, so it is asked without the lock
	s.mu.Lock()
	if s.commitsLeft == 0 || now {
		s.crashed = true
	}
	s.commitsLeft--
	dead := s.crashed
	s.mu.Unlock()
	if dead {
		return 0, errCrashed
	}
	return s.Store.Update(ctx, scope, fn)
}

// View reads as long as there is life.
func (s *crashingStore) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if err := s.check(); err != nil {
		return err
	}
	return s.Store.View(ctx, scope, fn)
}

// CountUses counts as long as there is life.
func (s *crashingStore) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, at time.Time) error {
	if err := s.check(); err != nil {
		return err
	}
	return s.Store.CountUses(ctx, scope, ids, at)
}

// CrashAfter is a store as a process sees it that dies after so many commits: every call
// fails from then on, and the store behind it stays as it was.
func CrashAfter(s graph.Store, commits int) graph.Store {
	return &crashingStore{Store: s, commitsLeft: commits}
}
