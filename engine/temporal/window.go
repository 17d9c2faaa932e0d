package temporal

import (
	"math"
	"strings"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// Window is the time that a text speaks of.
type Window struct {
	From, To time.Time // half-open; a zero time is an open end
	Fresh    bool      // the text asks for the latest ("now", "current", "most recent")
	Spans    []Span    // the expressions of time, in order, without overlap
}

// Span is one expression of time in a text: its byte offsets and the interval that it means. Both
// ends of the interval are zero for words that ask for the latest.
type Span struct {
	Start, End int
	From, To   time.Time
}

// Bounded reports whether the text names a time with at least one end.
func (w Window) Bounded() bool { return !w.From.IsZero() || !w.To.IsZero() }

// WithoutLatest returns the text from which the window was read, without the single words that ask for the latest, which say
// nothing of what it is about ("lately" has the stem of "late"); the text if it has no other words.
func (w Window) WithoutLatest(text string) string {
	var b strings.Builder
	end := 0
	for _, s := range w.Spans {
		if s.From.IsZero() && s.To.IsZero() && !strings.Contains(text[s.Start:s.End], " ") {
			b.WriteString(text[end:s.Start])
			end = s.End
		}
	}
	b.WriteString(text[end:])
	if short := strings.Join(strings.Fields(b.String()), " "); !english.Wordless(short) {
		return short
	}
	return text
}

// Contains reports whether t is in the window. A window with two open ends contains all.
func (w Window) Contains(t time.Time) bool {
	return (w.From.IsZero() || !t.Before(w.From)) && (w.To.IsZero() || t.Before(w.To))
}

// closenessDays is the time constant of Closeness.
const closenessDays = 7

// Closeness returns 1 for an instant in the window. Outside it decreases with the days to the
// window, by e^(−days/7), because people speak of a day on the days after it, and of plans before.
// It is 1 for a window with two open ends.
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

// span is an interval; a zero time is an open end.
type span struct{ from, to time.Time }

// hull returns the smallest interval that holds both.
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
