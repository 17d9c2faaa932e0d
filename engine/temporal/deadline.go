package temporal

import (
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// Deadline returns the instant by which a text says that something is to be done, relative to at:
// "by Friday", "until 3 March", "before Monday", "due tomorrow at 17:00", "within two weeks", "by
// the end of the month", "on Friday". A day or a longer time counts to its last millisecond; after
// "before", to the last one before it begins. A weekday or a date without a year means the next
// one, today included. Of several the first counts. ok is false if the text names none that is
// after at. What belongs to a time ("tomorrow's meeting", "the report of next week") is no deadline.
func Deadline(text string, at time.Time) (due time.Time, ok bool) {
	r := &reader{tokens: tokenize(text), at: at.UTC(), future: true}
	for i := range r.tokens {
		if due, ok := r.deadline(i); ok && due.After(r.at) {
			return due, true
		}
	}
	return time.Time{}, false
}

// deadline reads a deadline that begins at token i.
func (r *reader) deadline(i int) (time.Time, bool) {
	switch first := r.word(i); first {
	case "due", "deadline":
		next := i + 1
		for r.word(next) == "is" || r.word(next) == "of" {
			next++
		}
		if next >= len(r.tokens) {
			return time.Time{}, false
		}
		if leads[r.word(next)] {
			return time.Time{}, false // read from there
		}
		r.tokens[next].adjacent = true // "deadline: Friday"
		return r.dueIn(next, "on", false, false)
	case "by", "until", "till", "before":
		return r.dueIn(i+1, first, first == "before", false)
	case "no", "not":
		if r.joined(i+1) == "later" && r.joined(i+2) == "than" {
			return r.dueIn(i+3, "by", false, false)
		}
	case "within", "in":
		return r.countedAhead(i + 1)
	case "on", "at", "for":
		return r.dueIn(i+1, first, false, true)
	case "today", "tonight", "tomorrow", "this", "next":
		if !belongs[r.word(i-1)] {
			return r.dueIn(i, "", false, first != "this" && first != "next")
		}
	case "eod", "cob", "eow", "eom":
		if !belongs[r.word(i-1)] {
			return r.dueIn(i, "", false, false)
		}
	}
	return time.Time{}, false
}

// leads are the words that begin a deadline after "due"; belongs are those after which a time says
// when something is, not when it is due.
var (
	leads   = english.WordSet("by until till before no not within in on at")
	belongs = english.WordSet("of for about from since after in during over around through by until till before on at")
)

// dueIn reads the time at token i after the preposition prep, empty if there is none. before takes
// its beginning instead of its end. exact accepts only a day, or a time of a day.
func (r *reader) dueIn(i int, prep string, before, exact bool) (time.Time, bool) {
	if clock, n := r.clock(i); n > 0 && (prep == "" || r.joined(i) != "") {
		return r.atClock(clock, i+n)
	}
	s, n, ok := r.endOf(i)
	if at := r.skip("the", i); !ok && r.joined(at) == "weekend" {
		s, ok = unitOf("weekend", r.at, 0)
		s.to, n = s.from, at+1-i // by the weekend: before it
	}
	if !ok {
		if s, n, ok = r.phrase(i, prep); !ok && prep != "" {
			s, n, ok = r.phrase(i, "on")
		}
	}
	if !ok || s.to.IsZero() || exact && s.to.Sub(s.from) > 24*time.Hour || strings.HasSuffix(r.tokens[i+n-1].text, "s") && r.possessive(i+n-1) {
		return time.Time{}, false
	}
	if s.to.Sub(s.from) == 24*time.Hour {
		next := i + n
		if w := r.joined(next); w == "at" || w == "by" || w == "before" {
			next++
		}
		if clock, used := r.clock(next); used > 0 && r.joined(next) != "" {
			return s.from.Add(clock), true
		}
	}
	if before {
		if _, weekday := english.Weekday(r.word(i)); weekday && !s.from.After(r.at) {
			s.from = s.from.AddDate(0, 0, 7) // said on that weekday
		}
		return s.from.Add(-time.Millisecond), true
	}
	return s.to.Add(-time.Millisecond), true
}

// possessive reports whether the token is written with a possessive 's.
func (r *reader) possessive(i int) bool { return len(r.tokens[i].text) > len(r.tokens[i].low) }

// atClock returns a time of day on the day that follows at token i; without one today, or tomorrow
// if that time is over.
func (r *reader) atClock(clock time.Duration, i int) (time.Time, bool) {
	prep := ""
	if r.joined(i) == "on" {
		prep = "on"
		i++
	}
	if r.joined(i) != "" {
		if s, _, ok := r.phrase(i, prep); ok && s.to.Sub(s.from) == 24*time.Hour {
			return s.from.Add(clock), true
		}
	}
	due := midnight(r.at).Add(clock)
	if !due.After(r.at) {
		due = due.AddDate(0, 0, 1)
	}
	return due, true
}

// clock reads a time of day: 17:00, 5pm, 5 pm, noon, midnight. It returns the time since midnight
// and the number of tokens.
func (r *reader) clock(i int) (time.Duration, int) {
	w := r.word(i)
	switch w {
	case "noon":
		return 12 * time.Hour, 1
	case "midnight":
		return 24 * time.Hour, 1
	}
	n, half := 1, ""
	for _, h := range []string{"am", "pm"} {
		if cut, ok := strings.CutSuffix(w, h); ok {
			w, half = cut, h
		} else if r.joined(i+1) == h {
			n, half = 2, h
		}
	}
	hours, minutes, colon := strings.Cut(w, ":")
	hour, err := strconv.Atoi(hours)
	if err != nil || !colon && half == "" || half != "" && (hour < 1 || hour > 12) || hour < 0 || hour > 23 {
		return 0, 0
	}
	minute := 0
	if colon {
		if minute, err = strconv.Atoi(minutes); err != nil || len(minutes) != 2 || minute < 0 || minute > 59 {
			return 0, 0
		}
	}
	switch {
	case half == "am" && hour == 12:
		hour = 0
	case half == "pm" && hour < 12:
		hour += 12
	}
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute, n
}

// endOf reads the end of the present day, week, month, quarter or year: "end of the week", "EOD".
// The span is empty, at that end.
func (r *reader) endOf(i int) (span, int, bool) {
	unit, n := "", 1
	switch r.word(i) {
	case "eod", "cob":
		unit = "day"
	case "eow":
		unit = "week"
	case "eom":
		unit = "month"
	default:
		at := i
		if r.word(at) == "the" {
			at++
		}
		if r.word(at) != "end" || r.joined(at+1) != "of" {
			return span{}, 0, false
		}
		at = r.skip("this", r.skip("the", at+2))
		if unit = units[r.joined(at)]; r.joined(at) == "today" {
			unit = "day"
		}
		n = at + 1 - i
	}
	s, ok := unitOf(unit, r.at, 0)
	return span{s.to, s.to}, n, ok
}

// countedAhead reads "two weeks", "the next three days", "an hour" and "the hour" after "within" or
// "in": that long after the reference instant, for days and longer to the end of the day.
func (r *reader) countedAhead(i int) (time.Time, bool) {
	at := r.skip("next", r.skip("the", i))
	n, used := r.quantity(at)
	if used == 0 && at > i && r.joined(at) != "" {
		n = 1 // within the hour
	}
	unit := units[r.joined(at+used)]
	if r.joined(at) == "" || n == 0 || unit == "" || r.joined(at+used+1) == "ago" {
		return time.Time{}, false
	}
	if u, short := clockUnits[unit]; short {
		return r.at.Add(time.Duration(n) * u.length), true
	}
	d, ok := dayUnits[unit]
	if !ok {
		return time.Time{}, false
	}
	return dayOf(r.at.AddDate(n*d[0], n*d[1], n*d[2])).to.Add(-time.Millisecond), true
}
