package temporal

import (
	"strings"
	"time"
)

// EndOf reads a text that names one time and says nothing else: "yesterday", "last Friday", "in March", "2026-03", "end of the month",
// "two weeks ago". It returns the last millisecond of that day, weekend, week, month or year, or the instant that the text names ("now",
// "an hour ago"). What has no year, and a weekday, is the latest that has begun, with ahead the next one. Without ahead, what has
// begun and is not over ends with the day of at.
//
// It returns false if the end is not certain: for a season, a quarter, a part of a day or of a longer time ("early March"), "a few days ago", a
// date with two readings, the last days up to at ("the past week"), and, with ahead, "this Monday" once it is over.
func EndOf(text string, at time.Time, ahead bool) (time.Time, bool) {
	text = strings.TrimSpace(text)
	r := &reader{tokens: tokenize(text), at: at.UTC(), future: ahead, ahead: ahead}
	n := len(r.tokens)
	if n == 0 || r.tokens[0].start > 0 || r.tokens[n-1].end < len(text) {
		return time.Time{}, false
	}
	if n == 1 && r.word(0) == "now" {
		return r.at, true
	}
	if s, used, ok := r.endOf(0); ok && used == n {
		return s.to.Add(-time.Millisecond), true
	}
	i, preps := 0, []string{"until", "on"}
	if w := r.word(0); w == "in" || w == "on" || w == "until" || w == "till" || w == "through" {
		i, preps = 1, []string{w, "on"}
	}
	if t, ok := r.countedFrom(i, preps[0] == "in"); ok {
		return t, true
	}
	if w := r.word(n - 1); w == "ago" || w == "now" {
		return time.Time{}, false // Read reads these distances with less precision
	}
	end := i
	if r.word(end) == "the" {
		end++
	}
	ends := r.word(end) == "end" && r.joined(end+1) == "of"
	if ends {
		i, preps = end+2, []string{"in", "on"}
	}
	the := r.word(i) == "the"
	if the {
		i++
	}
	for _, prep := range preps {
		s, used, ok := r.bareTime(i, prep, the)
		if !ok || i+used != n || i > 0 && r.joined(i) == "" || !s.calendar() {
			continue
		}
		if ahead && r.word(i) == "this" && !s.to.After(r.at) {
			return time.Time{}, false // of a week or year that goes on
		}
		if !ahead && !ends && !s.from.After(r.at) && s.to.After(r.at) {
			s.to = dayOf(r.at).to
		}
		return s.to.Add(-time.Millisecond), true
	}
	return time.Time{}, false
}

// countedFrom reads "two weeks ago", "two weeks from now" and, after "in", "two weeks", up to the end of the text, as an exact distance: an
// instant for hours and minutes, the end of the day for longer units.
func (r *reader) countedFrom(i int, in bool) (time.Time, bool) {
	n, ok := number(r.word(i))
	unit := units[r.joined(i+1)]
	if !ok || unit == "" {
		return time.Time{}, false
	}
	switch rest := r.joined(i+2) + " " + r.joined(i+3); {
	case len(r.tokens) == i+3 && rest == "ago " && !in:
		n = -n
	case len(r.tokens) == i+4 && rest == "from now":
	case len(r.tokens) == i+2 && in:
	default:
		return time.Time{}, false
	}
	if u, short := clockUnits[unit]; short {
		return r.at.Add(time.Duration(n) * u.length), true
	}
	d, ok := dayUnits[unit]
	t := r.at.AddDate(n*d[0], n*d[1], n*d[2])
	if !ok || d[2] == 0 && t.Day() != r.at.Day() { // a month before 31 March
		return time.Time{}, false
	}
	return dayOf(t).to.Add(-time.Millisecond), true
}

// calendar reports whether the span is one whole day, weekend, week, month or year.
func (s span) calendar() bool {
	for _, d := range [][3]int{{0, 0, 1}, {0, 0, 2}, {0, 0, 7}, {0, 1, 0}, {1, 0, 0}} {
		if s.from.Equal(midnight(s.from)) && s.from.AddDate(d[0], d[1], d[2]).Equal(s.to) {
			return true
		}
	}
	return false
}
