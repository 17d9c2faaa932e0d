// Package clock tells the server the time: the machine's, or a simulated one that
// can be moved forward. No clock here ever runs backwards, nor behind the instant
// it was opened with.
package clock

import (
	"sync"
	"time"
)

// Source reads the machine's clock.
type Source func() time.Time

// Clock is the machine's clock, held where that would run backwards.
type Clock struct {
	source Source

	mu     sync.Mutex
	last   time.Time // what Now answered last; never behind the floor
	offset time.Duration
}

// New makes a clock over the source that never answers an instant before floor,
// the latest one recorded in the store. The zero time is no floor.
func New(source Source, floor time.Time) *Clock {
	return &Clock{source: source, last: floor.UTC()}
}

// Now is the present in UTC. It stands still while the source is behind what was
// answered before.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time {
	// Round drops the monotonic reading: comparisons are those of the wall clock.
	if t := c.source().Round(0).UTC().Add(c.offset); t.After(c.last) {
		c.last = t
	}
	return c.last
}
