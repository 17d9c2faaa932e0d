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
	alarms map[*alarm]struct{} // those not reached yet
}

// alarm is an instant that somebody waits for.
type alarm struct {
	at      time.Time
	reached chan struct{}
	timer   *time.Timer
}

// recheck is the longest time after which a waiting alarm reads the source again: the machine's
// clock may be set, or the machine may have been suspended.
const recheck = 10 * time.Second

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

// Ahead is how far Now is ahead of the source, > 0 while the clock stands still because the source
// runs behind the floor or behind an earlier result.
func (c *Clock) Ahead() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now().Sub(c.source().Round(0).UTC().Add(c.offset))
}

func (c *Clock) now() time.Time {
	// Round drops the monotonic reading, so that wall clocks are compared.
	if t := c.source().Round(0).UTC().Add(c.offset); t.After(c.last) {
		c.last = t
	}
	return c.last
}

// Reach returns a channel that is closed once Now has reached at: within milliseconds, or, if the
// source was moved meanwhile, within ten seconds. stop releases the timer.
func (c *Clock) Reach(at time.Time) (reached <-chan struct{}, stop func()) {
	a := &alarm{at: at, reached: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.alarms == nil {
		c.alarms = map[*alarm]struct{}{}
	}
	c.alarms[a] = struct{}{}
	a.timer = time.AfterFunc(max(0, min(recheck, at.Sub(c.now()))), func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ring(a)
	})
	return a.reached, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		a.timer.Stop()
		delete(c.alarms, a)
	}
}

// ring closes the channel of an alarm that is reached, or sets its timer again. The caller holds
// the lock.
func (c *Clock) ring(a *alarm) {
	if _, waits := c.alarms[a]; !waits {
		return
	}
	if left := a.at.Sub(c.now()); left > 0 {
		a.timer.Reset(min(recheck, left))
		return
	}
	a.timer.Stop()
	delete(c.alarms, a)
	close(a.reached)
}
