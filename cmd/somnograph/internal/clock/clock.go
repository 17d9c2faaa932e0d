// Package clock is the clock of the server: the machine's, or a simulated one that can be
// moved forward. It never runs backwards, and never before the instant it was opened with.
package clock

import (
	"sync"
	"time"
)

// Source reads the machine's clock.
type Source func() time.Time

// Clock is the machine's clock. It stands still where that one runs backwards.
type Clock struct {
	source Source

	mu     sync.Mutex
	last   time.Time // last result of Now; never before the floor
	offset time.Duration
}

// New makes a clock that never returns an instant before floor, the latest one recorded in
// the store. The zero time is no floor.
func New(source Source, floor time.Time) *Clock {
	return &Clock{source: source, last: floor.UTC()}
}

// Now is the present in UTC. It stands still while the source is before the last result.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time {
	// Round drops the monotonic reading, so that wall clocks are compared.
	if t := c.source().Round(0).UTC().Add(c.offset); t.After(c.last) {
		c.last = t
	}
	return c.last
}
