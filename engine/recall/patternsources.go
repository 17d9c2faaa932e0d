package recall

import (
	"context"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Limits of the sources that are kept in memory for a tenant.
const (
	patternsKept = 1024
	sourcesKept  = 256 // of one pattern; a pattern with more is read each time
)

// patternSources keeps the ids of the sources of patterns, whoever sees them: each search judges them by its own sight. It is safe for
// concurrent use.
type patternSources struct {
	mu   sync.Mutex
	kept *simplelru.LRU[graph.ID, []graph.ID]
}

func newPatternSources() *patternSources {
	kept, err := simplelru.NewLRU[graph.ID, []graph.ID](patternsKept, nil)
	if err != nil { // only for a size below 1
		panic(err)
	}
	return &patternSources{kept: kept}
}

// of returns the ids of the sources of a pattern. t is the tenant of the sight that shows everything.
func (s *patternSources) of(ctx context.Context, t *workspace.Tenant, pattern graph.ID) (ids []graph.ID, err error) {
	s.mu.Lock()
	ids, known := s.kept.Get(pattern)
	s.mu.Unlock()
	if known {
		return ids, nil
	}
	err = t.View(ctx, func(r graph.Reader) (err error) {
		ids, err = lifecycle.SourcesOf(r, pattern)
		return err
	})
	if err == nil && len(ids) > 0 && len(ids) <= sourcesKept { // what has none was erased since
		s.mu.Lock()
		s.kept.Add(pattern, ids)
		s.mu.Unlock()
	}
	return ids, err
}

// forget drops what is kept.
func (s *patternSources) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Purge()
}
