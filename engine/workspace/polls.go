package workspace

import (
	"slices"
	"sync"
	"time"
)

const (
	pollsPerDay   = 3                  // times that a source may ask the same within a day before it polls
	pollsFor      = 7 * 24 * time.Hour // after it polled last, in which a source still polls
	maxAskedToday = 1 << 14            // questions whose times are kept
)

// Polls recognises programs that ask the same again and again. It is safe for concurrent use.
type Polls struct {
	mu    sync.Mutex
	asked map[string]askedBefore
}

// askedBefore is what is known of a question of a source.
type askedBefore struct {
	times  []time.Time // the last times, at most pollsPerDay
	polled time.Time   // when it was last asked more often within a day; zero: never
}

// Polls notes a question and reports whether its source asked it more than pollsPerDay times within
// a day, now or within pollsFor before.
func (x *Polls) Polls(source, question string, at time.Time) bool {
	key := source + "\x00" + question
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.asked == nil || len(x.asked) >= maxAskedToday {
		x.asked = map[string]askedBefore{}
	}
	q := x.asked[key]
	recent := slices.DeleteFunc(slices.Clone(q.times), func(before time.Time) bool { return at.Sub(before) >= 24*time.Hour })
	if len(recent) >= pollsPerDay {
		q.polled = at
	}
	recent = append(recent, at)
	q.times = recent[max(0, len(recent)-pollsPerDay):]
	x.asked[key] = q
	return !q.polled.IsZero() && at.Sub(q.polled) < pollsFor
}

// Forget drops what is known, after an erasure.
func (x *Polls) Forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asked = nil
}
