package wire

import "time"

// Stamp is the stored form of an instant: milliseconds since 1970, plus 1 if not
// negative; 0 is the zero time.
type Stamp int64

// StampOf is the Stamp of an instant.
func StampOf(t time.Time) Stamp {
	if t.IsZero() {
		return 0
	}
	ms := t.UnixMilli()
	if ms >= 0 {
		ms++
	}
	return Stamp(ms)
}

// Time is the instant, in UTC.
func (s Stamp) Time() time.Time {
	switch {
	case s == 0:
		return time.Time{}
	case s > 0:
		s--
	}
	return time.UnixMilli(int64(s)).UTC()
}
