package temporal

import (
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// phrase reads a time without its bounds. prep is the preposition before it, empty if there is
// none; ambiguous words are read as a time only after one.
func (r *reader) phrase(i int, prep string) (span, int, bool) {
	if prep != "" && r.joined(i) == "" {
		return span{}, 0, false
	}
	skipped := 0
	if r.word(i) == "the" {
		skipped = 1
	}
	s, n, ok := r.partOfSpan(i+skipped, prep, skipped > 0)
	if !ok {
		s, n, ok = r.bareTime(i+skipped, prep, skipped > 0)
	}
	return s, n + skipped, ok
}

// bareTime reads a time without early, mid or late. the says whether an article comes before it.
func (r *reader) bareTime(i int, prep string, the bool) (span, int, bool) {
	for _, read := range []func(int, string, bool) (span, int, bool){
		r.numericDate, r.relativeDay, r.countedUnits, r.relativeUnit, r.namedDate, r.afterPreposition,
	} {
		if s, n, ok := read(i, prep, the); ok {
			return s, n, true
		}
	}
	return span{}, 0, false
}

// partOfSpan reads the early, mid and late part of a longer time, and the week of a day.
func (r *reader) partOfSpan(i int, prep string, the bool) (span, int, bool) {
	n, which := 1, -1
	switch r.word(i) {
	case "early":
		which = 0
	case "mid", "middle":
		which = 1
	case "late":
		which = 2
	case "beginning", "start":
		which = 0
	case "end":
		which = 2
	case "week":
		if the && r.joined(i+1) == "of" {
			if s, m, ok := r.namedDate(i+2, "of", false); ok && s.to.Sub(s.from) == 24*time.Hour {
				return weekOf(s.from), m + 2, true
			}
		}
		return span{}, 0, false
	default:
		return span{}, 0, false
	}
	if w := r.word(i); w == "middle" || w == "beginning" || w == "start" || w == "end" {
		if !the && prep == "" || r.joined(i+1) != "of" {
			return span{}, 0, false
		}
		n = 2
	}
	if r.joined(i+n) == "the" {
		n++
	}
	s, m, ok := r.bareTime(i+n, "in", r.word(i+n-1) == "the")
	if !ok || r.joined(i+n) == "" || s.to.Sub(s.from) < 7*24*time.Hour {
		return span{}, 0, false
	}
	return s.third(which), n + m, true
}

// relativeDay reads yesterday, today, tomorrow and parts of these days.
func (r *reader) relativeDay(i int, _ string, _ bool) (span, int, bool) {
	offset := 0
	switch r.word(i) {
	case "day":
		switch {
		case r.joined(i+1) == "before" && r.joined(i+2) == "yesterday":
			return dayOf(r.at.AddDate(0, 0, -2)), 3, true
		case r.joined(i+1) == "after" && r.joined(i+2) == "tomorrow":
			return dayOf(r.at.AddDate(0, 0, 2)), 3, true
		}
		return span{}, 0, false
	case "tonight":
		return hours(dayOf(r.at), dayParts["night"]), 1, true
	case "last":
		if r.joined(i+1) != "night" {
			return span{}, 0, false
		}
		return hours(dayOf(r.at.AddDate(0, 0, -1)), dayParts["night"]), 2, true
	case "this":
		p, ok := dayParts[r.joined(i+1)]
		if !ok {
			return span{}, 0, false
		}
		return hours(dayOf(r.at), p), 2, true
	case "yesterday":
		offset = -1
	case "tomorrow":
		offset = 1
	case "today":
	default:
		return span{}, 0, false
	}
	s, n := r.withPart(dayOf(r.at.AddDate(0, 0, offset)), i+1)
	return s, n + 1, true
}

// withPart narrows a day to the part of the day named at i.
func (r *reader) withPart(day span, i int) (span, int) {
	if p, ok := dayParts[r.joined(i)]; ok {
		return hours(day, p), 1
	}
	return day, 0
}

func hours(day span, p [2]int) span {
	return span{day.from.Add(time.Duration(p[0]) * time.Hour), day.from.Add(time.Duration(p[1]) * time.Hour)}
}

// countedUnits reads "two weeks ago", "in three days" and "three days from now".
func (r *reader) countedUnits(i int, prep string, the bool) (span, int, bool) {
	n, used := r.quantity(i)
	unit := units[r.joined(i+used)]
	if used == 0 || the || unit == "" || unit == "weekend" && n > 1 {
		return span{}, 0, false
	}
	used++
	switch {
	case r.joined(i+used) == "ago":
		s, ok := nearUnit(unit, r.at, n)
		return s, used + 1, ok
	case r.joined(i+used) == "from" && r.joined(i+used+1) == "now":
		s, ok := nearUnit(unit, r.at, -n)
		return s, used + 2, ok
	case prep == "in" && r.future:
		s, ok := nearUnit(unit, r.at, -n)
		return s, used, ok
	}
	return span{}, 0, false
}

// quantity reads "three", "a couple of", "a few", "several", and returns how many tokens it read.
func (r *reader) quantity(i int) (n, used int) {
	w, at := r.word(i), i
	if w == "a" && (r.joined(i+1) == "couple" || r.joined(i+1) == "few") {
		at++
		w = r.joined(at)
	}
	switch w {
	case "couple":
		if r.joined(at+1) == "of" {
			at++
		}
		return 2, at + 1 - i
	case "few", "several":
		return 3, at + 1 - i
	}
	if n, ok := number(w); ok {
		return n, 1
	}
	return 0, 0
}

// relativeUnit reads times relative to the reference instant: last week, this month, next Friday,
// the past three days.
func (r *reader) relativeUnit(i int, _ string, the bool) (span, int, bool) {
	step := 0
	which := r.word(i)
	switch which {
	case "last", "past", "previous":
		step = -1
	case "this":
	case "next", "coming", "following":
		step = 1
	default:
		return span{}, 0, false
	}
	if n, used := r.quantity(i + 1); used > 0 && r.joined(i+1) != "" && step != 0 && which != "following" {
		unit := units[r.joined(i+1+used)]
		if s, ok := rolling(unit, r.at, step*-n); ok {
			if step > 0 {
				s = span{r.at, s.from}
				if unit != "hour" && unit != "minute" {
					s.to = s.to.AddDate(0, 0, 1)
				}
			}
			return s, used + 2, true
		}
		return span{}, 0, false
	}
	next := r.joined(i + 1)
	if unit := units[next]; unit != "" && unit+"s" != next {
		if step < 0 && (the || which == "past") && which != "previous" && unit != "weekend" && unit != "quarter" {
			s, ok := rolling(unit, r.at, 1) // the last week: the seven days up to the reference instant
			return s, 2, ok
		}
		s, ok := unitOf(unit, r.at, step)
		return s, 2, ok
	}
	if d, ok := english.Weekday(next); ok && which != "past" && which != "previous" {
		s, n := r.withPart(r.weekday(d, step), i+2)
		return s, n + 2, true
	}
	if m := english.Month(next); m != 0 && which != "past" {
		return r.monthBy(m, step), 2, true
	}
	if m := seasons[next]; m != 0 && which != "past" {
		return r.seasonBy(m, step), 2, true
	}
	return span{}, 0, false
}

// weekday returns the weekday before today for a negative step, that of this week for 0, and the
// one after today for a positive step.
func (r *reader) weekday(d time.Weekday, step int) span {
	today := r.at.Weekday()
	switch ahead := (int(d-today) + 7) % 7; {
	case step == 0:
		monday := weekOf(r.at)
		return dayOf(monday.from.AddDate(0, 0, (int(d)+6)%7))
	case step > 0 && ahead == 0:
		return dayOf(r.at.AddDate(0, 0, 7))
	case step > 0:
		return dayOf(r.at.AddDate(0, 0, ahead))
	default:
		return dayOf(r.at.AddDate(0, 0, ahead-7))
	}
}

// monthBy returns the last month of that name that is over for a negative step, that of this year
// for 0, and the next to begin for a positive step.
func (r *reader) monthBy(m time.Month, step int) span {
	s := monthOf(r.at.Year(), m)
	switch {
	case step < 0 && s.to.After(r.at):
		return monthOf(r.at.Year()-1, m)
	case step > 0 && !s.from.After(r.at):
		return monthOf(r.at.Year()+1, m)
	}
	return s
}

func (r *reader) seasonBy(first time.Month, step int) span {
	y := r.at.Year()
	s := seasonOf(y, first)
	switch {
	case step < 0 && s.to.After(r.at):
		s = seasonOf(y-1, first)
		if s.to.After(r.at) { // a winter that began last year
			s = seasonOf(y-2, first)
		}
	case step == 0 && first == time.December && r.at.Month() < time.March:
		s = seasonOf(y-1, first)
	case step > 0 && !s.from.After(r.at):
		s = seasonOf(y+1, first)
	}
	return s
}
