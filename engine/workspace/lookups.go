package workspace

import "sync/atomic"

// Lookups counts the look-ups of a cache since the start.
type Lookups struct{ Hits, Misses uint64 }

// lookups is embedded in a cache. It is safe for concurrent use.
type lookups struct{ hits, misses atomic.Uint64 }

// Lookups returns the counts.
func (l *lookups) Lookups() Lookups { return Lookups{l.hits.Load(), l.misses.Load()} }

// count counts one look-up and returns whether it was a hit.
func (l *lookups) count(hit bool) bool {
	if hit {
		l.hits.Add(1)
	} else {
		l.misses.Add(1)
	}
	return hit
}

// Lookups returns the look-ups of the caches by name.
func (ws *Space) Lookups() map[string]Lookups {
	return map[string]Lookups{"readings": ws.Readings.Lookups(), "statements": ws.Said.Lookups(), "hits": ws.HitCache.Lookups()}
}

// EventStreams is the number of open streams of changes of memories.
func (ws *Space) EventStreams() int {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	n := 0
	for _, t := range ws.tenants {
		n += t.fanout.count()
	}
	return n
}
