package graph

import "time"

// Millis truncates an instant to what the store keeps: UTC, whole milliseconds.
// The zero time stays zero, which means "absent".
func Millis(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

// Day is the number of the UTC day of t, counted from 1970-01-01.
func Day(t time.Time) int32 {
	s := t.Unix()
	if s < 0 {
		s -= 86399
	}
	return int32(s / 86400)
}

// AsOf is an instant on either clock. The zero value of a clock means "now".
type AsOf struct {
	Recorded time.Time // what Somnograph knew by then, inclusive
	Valid    time.Time // what was true in the world then
}

// IsZero reports whether both clocks are at now.
func (a AsOf) IsZero() bool { return a.Recorded.IsZero() && a.Valid.IsZero() }
