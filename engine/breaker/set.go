package breaker

import (
	"maps"
	"slices"
	"sync"
)

// Set holds breakers by name. The zero value is empty. It is safe for concurrent use.
type Set struct {
	mu     sync.Mutex
	byName map[string]*Breaker
}

// Add adds a breaker, in place of one of the same name.
func (s *Set) Add(b *Breaker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byName == nil {
		s.byName = map[string]*Breaker{}
	}
	s.byName[b.Name()] = b
}

// Get returns a breaker; nil: there is none.
func (s *Set) Get(name string) *Breaker {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byName[name]
}

// List returns the status of every breaker, by name.
func (s *Set) List() []Status {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.byName))
	s.mu.Unlock()
	out := make([]Status, 0, len(all))
	for _, b := range all {
		out = append(out, b.Status())
	}
	slices.SortFunc(out, func(a, b Status) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return out
}
