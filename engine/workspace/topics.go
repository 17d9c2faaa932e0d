package workspace

import (
	"fmt"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

const (
	topicsKept = 10_000 // topics counted between two sleeps
)

// RecentTopics counts what is asked for between two sleeps.
type RecentTopics struct {
	mu    sync.Mutex
	times map[string]int
	top   int
}

// Add counts a question that people ask: by the entities that it names, else by its words.
func (q *RecentTopics) Add(text string, entities []graph.ID) {
	topic := strings.ToLower(strings.Join(strings.Fields(text), " "))
	if len(entities) > 0 {
		topic = fmt.Sprint(entities)
	}
	if topic == "" {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.times == nil {
		q.times = map[string]int{}
	}
	if _, counted := q.times[topic]; !counted && len(q.times) >= topicsKept {
		return
	}
	q.times[topic]++
	q.top = max(q.top, q.times[topic])
}

// Most is how often the topic that was asked for most was asked for.
func (q *RecentTopics) Most() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.top
}

// Clear begins anew, behind a sleep or an erasure.
func (q *RecentTopics) Clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.times, q.top = nil, 0
}
