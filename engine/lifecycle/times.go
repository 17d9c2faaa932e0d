package lifecycle

import (
	"time"

	"github.com/somnograph/somnograph/graph"
)

// IsExpired reports whether the time to live of a memory has run out.
func IsExpired(m *graph.Memory, now time.Time) bool {
	return !m.ExpiresAt.IsZero() && !m.ExpiresAt.After(now)
}

// Later is the later of two instants.
func Later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// earlier is the earlier of two ends. A zero time is no end.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Ratio is a/b where b is positive, else 1.
func Ratio(a, b float64) float64 {
	if b <= 0 {
		return 1
	}
	return a / b
}

// FirstTime is the first of the times that is not zero, or zero.
func FirstTime(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}
