package upkeep

import (
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// attemptCounts counts the failed attempts for memories that were not given up yet.
type attemptCounts struct {
	mu     sync.Mutex
	counts map[graph.ID]int
}

// failed notes a failed attempt and answers how many there were.
func (t *attemptCounts) addFailure(id graph.ID) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[graph.ID]int{}
	}
	t.counts[id]++
	return t.counts[id]
}

// over forgets a memory that got its vector, or was given up.
func (t *attemptCounts) reset(id graph.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.counts, id)
}
