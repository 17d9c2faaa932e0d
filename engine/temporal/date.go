package temporal

import (
	"strings"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// numericDate reads a date that is one token: 2023-05-08, 2023-05, 2023/05/08, also with a time
// after a T; 25.12.2023; and 25/12/2023 if only one order of day and month is possible.
func (r *reader) numericDate(i int, _ string, _ bool) (span, int, bool) {
	if i >= len(r.tokens) {
		return span{}, 0, false
	}
	text := strings.ToUpper(r.tokens[i].text)
	if len(text) < 6 || text[0] < '0' || text[0] > '9' {
		return span{}, 0, false
	}
	for _, f := range []struct {
		layout string
		length time.Duration
	}{
		{"2006-01-02", 24 * time.Hour}, {"2006/01/02", 24 * time.Hour},
		{"2006-01-02T15:04:05Z", time.Second}, {"2006-01-02T15:04:05", time.Second}, {"2006-01-02T15:04", time.Minute}, {"2006-01-02T15:04Z", time.Minute},
		{"2.1.2006", 24 * time.Hour},
	} {
		if t, err := time.Parse(f.layout, text); err == nil {
			return span{t, t.Add(f.length)}, 1, yearOf(text[:4]) > 0 || f.layout == "2.1.2006"
		}
	}
	if t, err := time.Parse("2006-01", text); err == nil {
		return monthOf(t.Year(), t.Month()), 1, yearOf(text[:4]) > 0
	}
	dayFirst, errDay := time.Parse("2/1/2006", text)
	monthFirst, errMonth := time.Parse("1/2/2006", text)
	switch {
	case errDay == nil && (errMonth != nil || dayFirst.Equal(monthFirst)):
		return dayOf(dayFirst), 1, true
	case errMonth == nil && errDay != nil:
		return dayOf(monthFirst), 1, true
	}
	return span{}, 0, false
}

// namedDate reads days, months, quarters, seasons and years that are written out.
func (r *reader) namedDate(i int, prep string, the bool) (span, int, bool) {
	w := r.word(i)
	if d := dayOfMonth(w); d > 0 {
		// 5 May, 5th of May 2023
		at := r.skip("of", i+1)
		if m := english.Month(r.joined(at)); m != 0 && r.isDayBefore(at, d, m) {
			return r.dayOfMonthIn(d, m, at+1, at+1-i)
		}
	}
	if m := english.Month(w); m != 0 {
		if d := dayOfMonth(r.joined(i + 1)); d > 0 && (!ambiguousMonths[w] || r.capital(i)) && !strings.Contains(r.joined(i+1), ":") {
			return r.dayOfMonthIn(d, m, i+2, 2) // May 5, 2023
		}
		at := r.skip("of", i+1)
		if y := yearOf(r.joined(at)); y > 0 {
			return monthOf(y, m), at + 1 - i, true
		}
	}
	if len(w) == 2 && w[0] == 'q' && w[1] >= '1' && w[1] <= '4' {
		at := r.skip("of", i+1)
		if y := yearOf(r.joined(at)); y > 0 {
			return quarterOf(y, int(w[1]-'0')), at + 1 - i, true
		}
		s := quarterOf(r.at.Year(), int(w[1]-'0'))
		if s.from.After(r.at) && !r.future {
			s = quarterOf(r.at.Year()-1, int(w[1]-'0'))
		}
		return s, 1, true
	}
	if first := seasons[w]; first != 0 {
		at := r.skip("of", i+1)
		if y := yearOf(r.joined(at)); y > 0 {
			return seasonOf(y, first), at + 1 - i, true
		}
	}
	return span{}, 0, false
}

// isDayBefore reports whether a number before "may" or "march" is a day of the month. It needs a
// capital, an ordinal or an "of": "the 3 may differ" is no date.
func (r *reader) isDayBefore(at, d int, m time.Month) bool {
	before := r.tokens[at-1].low
	return !ambiguousMonths[r.tokens[at].low] || r.capital(at) || before == "of" || strings.TrimLeft(before, "0123456789") != ""
}

var ambiguousMonths = english.WordSet("may march mar")

// dayOfMonthIn returns day d of month m. The year may be the token at i. used is the number of
// tokens read before it. A day that the month does not have is no date.
func (r *reader) dayOfMonthIn(d int, m time.Month, i, used int) (span, int, bool) {
	y := yearOf(r.joined(i))
	if y > 0 {
		used++
	} else {
		y = r.at.Year()
		on := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
		switch {
		case r.future && on.Before(midnight(r.at)):
			y++
		case !r.future && on.After(r.at):
			y--
		}
	}
	t := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	if t.Month() != m {
		return span{}, 0, false
	}
	return dayOf(t), used, true
}

// afterPreposition reads words that mean a time only after a preposition: in March, on Friday,
// since 2022, on the 5th, in the 1990s, in summer.
func (r *reader) afterPreposition(i int, prep string, the bool) (span, int, bool) {
	if prep == "" {
		return span{}, 0, false
	}
	w := r.word(i)
	next := r.joined(i + 1)
	if d, ok := english.Weekday(w); ok && prep != "of" && prep != "for" && prep != "in" && prep != "about" {
		if _, plural := dayParts[strings.TrimSuffix(next, "s")]; plural && strings.HasSuffix(next, "s") {
			return span{}, 0, false // on Sunday mornings: a habit
		}
		if s, n := r.dayAfterWeekday(d, i+1); n > 0 {
			return s, n + 1, true
		}
		step := -1
		if r.future || r.at.Weekday() == d {
			step = 1
		}
		s := r.weekday(d, step)
		if r.at.Weekday() == d && !r.ahead {
			s = dayOf(r.at)
		}
		s, n := r.withPart(s, i+1)
		return s, n + 1, true
	}
	if m := english.Month(w); m != 0 && (!ambiguousMonths[w] || prep != "for" && prep != "about" && prep != "on" && prep != "at" || r.capital(i)) {
		s := monthOf(r.at.Year(), m)
		switch {
		case r.future && !s.to.After(r.at):
			s = monthOf(r.at.Year()+1, m)
		case !r.future && s.from.After(r.at):
			s = monthOf(r.at.Year()-1, m)
		}
		return s, 1, true
	}
	if y := yearOf(w); y > 0 && prep != "at" && prep != "for" && prep != "about" && prep != "over" && !isCounted(next) {
		return yearSpan(y), 1, true
	}
	if w == "year" {
		if y := yearOf(next); y > 0 {
			return yearSpan(y), 2, true
		}
	}
	if the {
		if d := dayOfMonth(w); d > 0 && prep == "on" && strings.TrimLeft(w, "0123456789") != "" && units[next] == "" && (next == "" || next != "of" && !r.followedByNoun(i+1)) {
			return r.latestDay(d)
		}
		if y := yearOf(strings.TrimSuffix(w, "s")); y > 0 && y%10 == 0 && strings.HasSuffix(w, "s") {
			return span{yearSpan(y).from, yearSpan(y + 9).to}, 1, true
		}
	}
	if first := seasons[w]; first != 0 && (prep == "in" || prep == "during" || prep == "since" || prep == "over") {
		step := -1
		if r.future {
			step = 1
		}
		if s := r.seasonBy(first, 0); !s.from.After(r.at) && s.to.After(r.at) {
			return s, 1, true // the current one
		}
		return r.seasonBy(first, step), 1, true
	}
	return span{}, 0, false
}

// latestDay returns day d of this month; of the month before if that day is in the future and the
// text does not speak of the future.
func (r *reader) latestDay(d int) (span, int, bool) {
	y, m, _ := r.at.Date()
	t := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	switch {
	case r.future && t.Before(midnight(r.at)):
		t = time.Date(y, m+1, d, 0, 0, 0, 0, time.UTC)
	case !r.future && t.After(r.at):
		t = time.Date(y, m-1, d, 0, 0, 0, 0, time.UTC)
	}
	if t.Day() != d {
		return span{}, 0, false
	}
	return dayOf(t), 1, true
}

// weekdayPeriod is the number of months within which each day of the month falls on each weekday.
const weekdayPeriod = 20

// dayAfterWeekday reads the day of the month, or the date, that begins at token i after a weekday: "Thursday the 9th", "Friday 5 May".
// Without a month it is the nearest such day that is this weekday: ahead where the text speaks of the future, in the past where its verb does, else in
// either direction. The second result is the number of tokens, 0 if there is no such day.
func (r *reader) dayAfterWeekday(on time.Weekday, i int) (span, int) {
	at := r.skip("the", i)
	if s, n, ok := r.namedDate(at, "on", at > i); ok && s.to.Sub(s.from) == 24*time.Hour {
		return s, at + n - i
	}
	w := r.joined(at)
	d := dayOfMonth(w)
	if d == 0 || strings.TrimLeft(w, "0123456789") == "" || r.joined(at+1) == "of" || r.followedByNoun(at+1) {
		return span{}, 0
	}
	y, m, today := r.at.Date()
	past := !r.future && inPastTense(r, r.words())
	for n := range weekdayPeriod {
		for _, step := range []int{-1, 1} {
			if r.future && step < 0 || past && step > 0 {
				continue
			}
			t := time.Date(y, m+time.Month(step*n), d, 0, 0, 0, 0, time.UTC)
			passed := n == 0 && (d-today)*step < 0
			if t.Day() == d && t.Weekday() == on && !passed {
				return dayOf(t), at + 1 - i
			}
		}
	}
	return span{}, 0
}

// followedByNoun reports whether the token at i may be a noun that an ordinal before it counts
// ("the 5th attempt"): a word that is no function word.
func (r *reader) followedByNoun(i int) bool {
	w := r.joined(i)
	return w != "" && !connectives[w]
}

// isCounted reports whether the word may be counted by a number before it ("in 2000 steps").
func isCounted(next string) bool {
	return len(next) > 3 && strings.HasSuffix(next, "s") && !connectives[next]
}

var connectives = english.WordSet(`and or but at in on with when we i she he they did was were is has does this because so then to for you it my his her as
	its us always perhaps sometimes onwards others`)
