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

// RecentTopics counts the topics of queries between two sleeps.
type RecentTopics struct {
	mu    sync.Mutex
	times map[string]int
	top   int
}

// Add counts a query by the entities that it names, or else by its words.
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

// Most returns the count of the most frequent topic.
func (q *RecentTopics) Most() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.top
}

// Clear resets the counts after a sleep or an erasure.
func (q *RecentTopics) Clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.times, q.top = nil, 0
}
