package workspace

import (
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// durationsKept is the number of calls per tenant of which Durations keeps the duration.
const durationsKept = 512

// Durations keeps the duration of the last calls that answer a question: search and context. It
// is safe for concurrent use.
type Durations struct {
	mu   sync.Mutex
	last map[graph.Tenant]*durationRing
}

type durationRing struct {
	values []time.Duration
	next   int
}

// timedVerbs are the verbs whose duration is kept.
var timedVerbs = set("search", "context")

// Add records the duration of a call.
func (d *Durations) Add(t graph.Tenant, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last == nil {
		d.last = map[graph.Tenant]*durationRing{}
	}
	r := d.last[t]
	if r == nil {
		r = &durationRing{}
		d.last[t] = r
	}
	if len(r.values) < durationsKept {
		r.values = append(r.values, took)
		return
	}
	r.values[r.next%durationsKept] = took
	r.next++
}

// Take returns the 95th percentile of the calls since the last Take, and their number.
func (d *Durations) Take(t graph.Tenant) (p95 time.Duration, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.last[t]
	if r == nil || len(r.values) == 0 {
		return 0, 0
	}
	delete(d.last, t)
	slices.Sort(r.values)
	n = len(r.values)
	return r.values[(95*n+99)/100-1], n
}
