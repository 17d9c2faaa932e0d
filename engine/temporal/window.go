package temporal

import (
	"math"
	"time"
)

// Window is the time a text speaks of.
type Window struct {
	From, To time.Time // half-open; zero: open on that side
	Fresh    bool      // asks for what is latest ("now", "current", "most recent")
	Spans    []Span    // where the words of time stand, in order, without overlap
}

// Span is one expression of time in a text, as byte offsets, and what it says. Both
// ends are zero for words that ask for what is latest.
type Span struct {
	Start, End int
	From, To   time.Time
}

// Bounded reports whether the text names a time on at least one side.
func (w Window) Bounded() bool { return !w.From.IsZero() || !w.To.IsZero() }

// Contains reports whether t lies inside; an unbounded window contains all.
func (w Window) Contains(t time.Time) bool {
	return (w.From.IsZero() || !t.Before(w.From)) && (w.To.IsZero() || t.Before(w.To))
}

// closenessDays is the time constant, in days, with which a time is still spoken of.
const closenessDays = 7

// Closeness is 1 inside the window and falls with the days between it and t, by
// e^(−days/7): people tell of a day on the days after it, and of plans before. An
// unbounded window is close to all.
func (w Window) Closeness(t time.Time) float64 {
	var off time.Duration
	switch {
	case !w.From.IsZero() && t.Before(w.From):
		off = w.From.Sub(t)
	case !w.To.IsZero() && !t.Before(w.To):
		off = t.Sub(w.To)
	}
	return math.Exp(-off.Hours() / 24 / closenessDays)
}

// span is an interval under way.
type span struct{ from, to time.Time }

// hull is the smallest interval that holds both; an open end stays open.
func (s span) hull(o span) span {
	if s.from.IsZero() || o.from.IsZero() {
		s.from = time.Time{}
	} else if o.from.Before(s.from) {
		s.from = o.from
	}
	if s.to.IsZero() || o.to.IsZero() {
		s.to = time.Time{}
	} else if o.to.After(s.to) {
		s.to = o.to
	}
	return s
}
