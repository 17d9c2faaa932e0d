package upkeep

import (
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// attemptCounts counts the failed attempts for memories that are not given up yet.
type attemptCounts struct {
	mu     sync.Mutex
	counts map[graph.ID]int
}

// addFailure counts a failed attempt and returns the number of failed attempts.
func (t *attemptCounts) addFailure(id graph.ID) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[graph.ID]int{}
	}
	t.counts[id]++
	return t.counts[id]
}

// reset removes the count of a memory that was embedded or given up.
func (t *attemptCounts) reset(id graph.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.counts, id)
}
