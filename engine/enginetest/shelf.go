package enginetest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Shelf is a recess in memory, for tests of what the engine does around one. The real
// one is graph/recess.
type Shelf struct {
	mu      sync.Mutex
	engrams map[graph.Tenant]map[graph.ID]graph.Memory
	vectors map[graph.ID][]float32
	damaged map[graph.ID]bool
}

// NewShelf makes an empty shelf.
func NewShelf() *Shelf {
	return &Shelf{engrams: map[graph.Tenant]map[graph.ID]graph.Memory{}, vectors: map[graph.ID][]float32{}, damaged: map[graph.ID]bool{}}
}

// Engrave keeps a memory.
func (s *Shelf) Engrave(_ context.Context, scope graph.Scope, m *graph.Memory, vector []float32, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.engrams[scope.Tenant] == nil {
		s.engrams[scope.Tenant] = map[graph.ID]graph.Memory{}
	}
	s.engrams[scope.Tenant][m.ID], s.vectors[m.ID] = *m, slices.Clone(vector)
	return nil
}

// Vector is the vector that an engram was handed over with.
func (s *Shelf) Vector(tenant graph.Tenant, id graph.ID) []float32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.engrams[tenant][id]; !there {
		return nil
	}
	return slices.Clone(s.vectors[id])
}

// Seal does nothing.
func (s *Shelf) Seal(context.Context, graph.Scope) error { return nil }

// Read answers an engram, unless it was damaged.
func (s *Shelf) Read(_ context.Context, scope graph.Scope, id graph.ID) (*graph.Memory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.damaged[id] {
		return nil, graph.ErrIntegrity
	}
	m, ok := s.engrams[scope.Tenant][id]
	if !ok {
		return nil, graph.ErrNotFound
	}
	return &m, nil
}

// Damage makes an engram unreadable.
func (s *Shelf) Damage(id graph.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.damaged[id] = true
}

// Withdraw takes engravings back.
func (s *Shelf) Withdraw(ctx context.Context, scope graph.Scope, ids []graph.ID) error {
	return s.Erase(ctx, scope, ids)
}

// Erase removes engrams.
func (s *Shelf) Erase(_ context.Context, scope graph.Scope, ids []graph.ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		delete(s.engrams[scope.Tenant], id)
	}
	return nil
}
