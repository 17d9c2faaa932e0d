package enginetest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// FakeArchive is a recess in memory, for tests of the engine's side. The real one is
// graph/recess.
type FakeArchive struct {
	mu      sync.Mutex
	engrams map[graph.Tenant]map[graph.ID]graph.Memory
	vectors map[graph.ID][]float32
	damaged map[graph.ID]bool
}

// NewFakeArchive makes an empty archive.
func NewFakeArchive() *FakeArchive {
	return &FakeArchive{engrams: map[graph.Tenant]map[graph.ID]graph.Memory{}, vectors: map[graph.ID][]float32{}, damaged: map[graph.ID]bool{}}
}

// Engrave stores a memory.
func (a *FakeArchive) Engrave(_ context.Context, scope graph.Scope, m *graph.Memory, vector []float32, _ time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.engrams[scope.Tenant] == nil {
		a.engrams[scope.Tenant] = map[graph.ID]graph.Memory{}
	}
	a.engrams[scope.Tenant][m.ID], a.vectors[m.ID] = *m, slices.Clone(vector)
	return nil
}

// Vector returns the vector with which an engram was engraved.
func (a *FakeArchive) Vector(tenant graph.Tenant, id graph.ID) []float32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, there := a.engrams[tenant][id]; !there {
		return nil
	}
	return slices.Clone(a.vectors[id])
}

// Seal does nothing.
func (a *FakeArchive) Seal(context.Context, graph.Scope) error { return nil }

// Read returns an engram, or graph.ErrIntegrity if it was damaged.
func (a *FakeArchive) Read(_ context.Context, scope graph.Scope, id graph.ID) (*graph.Memory, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.damaged[id] {
		return nil, graph.ErrIntegrity
	}
	m, ok := a.engrams[scope.Tenant][id]
	if !ok {
		return nil, graph.ErrNotFound
	}
	return &m, nil
}

// Damage makes an engram unreadable.
func (a *FakeArchive) Damage(id graph.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.damaged[id] = true
}

// Mend makes a damaged engram readable again, as a restored file does.
func (a *FakeArchive) Mend(id graph.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.damaged, id)
}

// Withdraw takes engravings back.
func (a *FakeArchive) Withdraw(ctx context.Context, scope graph.Scope, ids []graph.ID) error {
	_, err := a.Erase(ctx, scope, ids)
	return err
}

// Erase removes engrams.
func (a *FakeArchive) Erase(_ context.Context, scope graph.Scope, ids []graph.ID) (found int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := len(a.engrams[scope.Tenant])
	for _, id := range ids {
		delete(a.engrams[scope.Tenant], id)
	}
	return before - len(a.engrams[scope.Tenant]), nil
}
