package enginetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// errDead is what a process that has died answers.
var errDead = errors.New("enginetest: the process is dead")

// mortal is a store as a process sees it that dies before a chosen commit: from then
// on every call fails, and the store behind it stays as it was.
type mortal struct {
	graph.Store

	mu   sync.Mutex
	left int         // commits before the one that is not reached; below 0: it never dies of them
	ends func() bool // asked before each commit whether it is the one; nil: left decides
	dead bool
}

// sicken makes the store die.
func (m *mortal) sicken(left int, ends func() bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left, m.ends = left, ends
}

func (m *mortal) alive() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return errDead
	}
	return nil
}

// Update commits as long as there is life.
func (m *mortal) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	m.mu.Lock()
	ends := m.ends
	m.mu.Unlock()
	now := ends != nil && ends() // it reads the store, so it is asked without the lock
	m.mu.Lock()
	if m.left == 0 || now {
		m.dead = true
	}
	m.left--
	dead := m.dead
	m.mu.Unlock()
	if dead {
		return 0, errDead
	}
	return m.Store.Update(ctx, scope, fn)
}

// View reads as long as there is life.
func (m *mortal) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if err := m.alive(); err != nil {
		return err
	}
	return m.Store.View(ctx, scope, fn)
}

// CountUses counts as long as there is life.
func (m *mortal) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, at time.Time) error {
	if err := m.alive(); err != nil {
		return err
	}
	return m.Store.CountUses(ctx, scope, ids, at)
}
