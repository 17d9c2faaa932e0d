package temporal

import (
	"strings"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// ReadAhead reads a text that speaks of the future as Read does, whatever its words: "on Friday" is the next Friday,
// which is never the day of at.
func ReadAhead(text string, at time.Time) Window {
	r := &reader{tokens: tokenize(text), at: at.UTC(), future: true, ahead: true}
	return r.window()
}

// Until reads the end of what a text says lasts for a time: "until Friday", "until the 12th", "through 5 March", "until the end
// of the month", "from Monday to Friday", "for two weeks", "for the next three days", "for the rest of the month", "all week".
// Times of day are no ends. The end of "until Friday" is that of the day.
// counted is set for lengths and for stretches of days, of which the verb decides whether they recur. ok is false if the text names no
// end after at, or several.
func Until(text string, at time.Time) (end Span, counted, ok bool) {
	r := &reader{tokens: tokenize(text), at: at.UTC(), future: true, ahead: true}
	for i := range r.tokens {
		var to time.Time
		n, length := 0, false
		switch r.word(i) {
		case "until", "till", "through", "til":
			to, n = r.untilDay(i)
		case "from":
			to, n = r.fromTo(i)
			length = true
		case "all":
			to, n = r.unitEnd(i+1), 2
			length = true
		case "for":
			to, n = r.forLength(i)
			length = true
		}
		if n == 0 || i+n > len(r.tokens) || !to.After(at) || possessed(text[r.tokens[i+n-1].end:]) {
			continue
		}
		if ok {
			return Span{}, false, false
		}
		end, counted, ok = Span{Start: r.tokens[i].start, End: r.tokens[i+n-1].end, To: to}, length, true
	}
	return end, counted, ok
}

// possessed reports an apostrophe: "two weeks' holiday".
func possessed(rest string) bool {
	return strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, "’")
}

// untilDay reads a day or a longer time after "until" and returns its end, and the number of tokens.
func (r *reader) untilDay(i int) (time.Time, int) {
	the := r.skip("the", i+1)
	if n := r.skip("of", r.skip("end", the)); n == the+2 {
		n = r.skip("this", r.skip("the", n))
		if end := r.unitEnd(n); !end.IsZero() {
			return end, n + 1 - i
		}
	}
	if r.joined(the) == "weekend" {
		if s, ok := unitOf("weekend", r.at, 0); ok {
			return s.from, the + 1 - i // what lasts until the weekend ends before it
		}
	}
	if _, ordinal := english.CutOrdinal(r.joined(the)); ordinal && english.Month(r.joined(r.skip("of", the+1))) == 0 {
		if day := dayOfMonth(r.joined(the)); day > 0 {
			return r.nextDay(day), the + 1 - i
		}
	}
	s, n, ok := r.phrase(i+1, "until")
	if !ok || s.to.Sub(s.from) < 5*time.Hour {
		return time.Time{}, 0
	}
	return s.to, n + 1
}

// fromTo reads "from Monday to Friday" and returns the end of the last day.
func (r *reader) fromTo(i int) (time.Time, int) {
	first, n, ok := r.phrase(i+1, "from")
	at := i + 1 + n
	if !ok || r.joined(at) != "to" {
		return time.Time{}, 0
	}
	last, used, ok := r.phrase(at+1, "until")
	if !ok || first.to.Sub(first.from) < 5*time.Hour || last.to.Sub(last.from) < 5*time.Hour {
		return time.Time{}, 0
	}
	if !last.to.After(first.from) {
		last.to = last.to.AddDate(0, 0, 7) // the weekday after the first one
	}
	return last.to, at + 1 + used - i
}

// nextDay returns the end of the next day with a number in its month, from today on.
func (r *reader) nextDay(day int) time.Time {
	today := midnight(r.at)
	for d := today; ; d = d.AddDate(0, 0, 1) { // a day 31 comes within two months
		if d.Day() == day {
			return d.AddDate(0, 0, 1)
		}
	}
}

// forLength reads a number of days or longer units, or the rest of one, after "for", and returns the end of the day
// on which they are over.
func (r *reader) forLength(i int) (time.Time, int) {
	at := i + 1
	if r.joined(at) == "the" {
		at++
	}
	if w := r.joined(at); w == "rest" || w == "remainder" {
		if r.joined(at+1) != "of" {
			return time.Time{}, 0
		}
		at = r.skip("this", r.skip("the", at+2))
		return r.unitEnd(at), at + 1 - i
	}
	if s := r.unitEnd(at); at > i+1 && !s.IsZero() {
		return s, at + 1 - i
	}
	switch r.joined(at) {
	case "next", "coming", "another", "about", "around":
		at++
	}
	if r.joined(at) == "half" && (r.joined(at+1) == "a" || r.joined(at+1) == "the") && r.joined(at+2) == "year" {
		return midnight(r.at).AddDate(0, 6, 1), at + 3 - i
	}
	n, used := r.quantity(at)
	if r.joined(at) == "" || used == 0 {
		if at > i+2 && units[r.joined(at)] != "" { // "for the next week"
			n, used = 1, 0
		} else {
			return time.Time{}, 0
		}
	}
	if used > 0 && (r.joined(at+used) == "more" || r.joined(at+used) == "further") {
		used++
	}
	unit := units[r.joined(at+used)]
	if w := r.joined(at + used); w == "night" || w == "nights" {
		unit = "day"
	}
	d, ok := dayUnits[unit]
	if !ok || notLength[r.joined(at+used+1)] || r.followedByNoun(at+used+1) && !afterLength[r.joined(at+used+1)] {
		return time.Time{}, 0
	}
	return midnight(r.at).AddDate(n*d[0], n*d[1], n*d[2]+1), at + used + 1 - i
}

// unitEnd returns the end of the current week, weekend, month, year or season that the token at i names; zero: none.
func (r *reader) unitEnd(i int) time.Time {
	w := r.joined(i)
	if u := units[w]; u == w && u != "day" && u != "" {
		if s, ok := unitOf(u, r.at, 0); ok {
			return s.to
		}
	}
	if first := seasons[w]; first != 0 {
		return r.seasonBy(first, 0).to
	}
	return time.Time{}
}

// notLength follow a number of units that is no length from now on: "two days a week", "three weeks at a time".
var notLength = english.WordSet("a an at per each every ago old now")

// afterLength may follow a length besides connectives.
var afterLength = english.WordSet("while until from now starting after before during again")
