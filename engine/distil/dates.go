package distil

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/internal/english"
)

// timeExpression is an expression of time in a sentence.
type timeExpression struct {
	start, end  int
	canonical   string // see canonicalTime
	replacement string // the date to write in its place; empty if the expression may stay
	undatable   bool   // it is relative to an unknown instant, or ambiguous
}

// otherReference is the distance to a second reference instant, on another weekday and in another
// month and year. An expression that means the same from both is not relative.
const otherReference = 1237 // days

// timesIn reads the expressions of time in a sentence said at an instant, which may be zero.
//
// "On Friday" and "in March" may be one occasion or a habit, and in the past or in the future.
// They are dated only if the sentence clearly speaks of the past or of the future. Otherwise a
// bare weekday is undatable, because it would be wrong a week later; a month or a season stays as
// it is.
func timesIn(text string, at time.Time) []timeExpression {
	here := temporal.Read(text, at)
	if len(here.Spans) == 0 {
		return undatedTimes(text, nil)
	}
	there := temporal.Read(text, at.AddDate(0, 0, otherReference))
	told := hasOneTense(text)
	var out []timeExpression
	for _, s := range here.Spans {
		if s.From.IsZero() && s.To.IsZero() {
			continue // now, currently
		}
		words := strings.ToLower(text[s.Start:s.End])
		w := timeExpression{start: s.Start, end: s.End, canonical: canonicalTime(s, words)}
		if !slices.Contains(there.Spans, s) {
			switch {
			case !isRelative(words) && !told:
				if hasWeekday(words) && (strings.HasPrefix(words, "from ") || strings.HasPrefix(words, "between ")) {
					continue // open from Monday to Friday
				}
				w.canonical, w.undatable = words, hasWeekday(words) || isDayOfMonth(words)
			case at.IsZero():
				w.canonical, w.undatable = words, true
			default:
				w.replacement = absoluteTime(s, words, text)
				w.undatable = w.replacement == ""
			}
		}
		out = append(out, w)
	}
	return append(out, undatedTimes(text, out)...)
}

// undatedTimes returns expressions that package temporal does not date and that would be wrong
// later: a weekday by itself ("see you Friday"), "ago", and "in three weeks" in a sentence without
// a past form.
func undatedTimes(text string, found []timeExpression) []timeExpression {
	var out []timeExpression
	low := strings.ToLower(text)
	if !strings.Contains(low, "day") && !strings.Contains(low, "in ") && !strings.Contains(low, "ago") && !strings.Contains(low, "last") {
		return nil
	}
	ws := wordsOf(text)
	past := slices.ContainsFunc(ws, func(w extract.Word) bool { return pastVerbs[w.Low] || len(w.Low) > 4 && strings.HasSuffix(w.Low, "ed") })
	for i, w := range ws {
		from := i
		switch {
		case weekdays[w.Low] && !(i > 0 && (ws[i-1].Low == "every" || ws[i-1].Low == "each")) && !(i+1 < len(ws) && dayPartPlurals[ws[i+1].Low]):
		case w.Low == "ago", w.Low == "last" && i > 0 && ws[i-1].Low == "before":
		case timeUnits[w.Low] && i > 1 && !past && (ws[i-1].Number != "" || ws[i-1].Low == "a" || ws[i-1].Low == "few") && ws[i-2].Low == "in":
			from = i - 2
		default:
			continue
		}
		start, end := ws[from].Start, w.End
		within := slices.ContainsFunc(found, func(f timeExpression) bool { return start < f.end && f.start < end })
		if !within && !isWeekdayRange(ws, i) {
			out = append(out, timeExpression{start: start, end: end, canonical: strings.ToLower(text[start:end]), undatable: true})
		}
	}
	return out
}

// isWeekdayRange reports a weekday of "from Monday to Friday", which is a habit.
func isWeekdayRange(ws []extract.Word, i int) bool {
	link := func(k int) bool {
		return k > 0 && k+1 < len(ws) && weekdays[ws[k-1].Low] && weekdays[ws[k+1].Low] && (ws[k].Low == "to" || ws[k].Low == "and" || ws[k].Low == "through" || ws[k].Low == "until")
	}
	return link(i-1) && i > 2 && (ws[i-3].Low == "from" || ws[i-3].Low == "between") || link(i+1) && i > 0 && (ws[i-1].Low == "from" || ws[i-1].Low == "between")
}

var (
	dayPartPlurals = english.WordSet("mornings afternoons evenings nights")
	timeUnits      = english.WordSet("minute minutes hour hours day days week weeks month months year years")
	relativeWords  = english.WordSet("yesterday today tomorrow tonight ago last this next past previous coming following now yesterday's today's tomorrow's tonight's")
	weekdays       = english.WordSet(english.Weekdays)
	pastVerbs      = wordLists.Set("pastVerbs")
	// planVerbs are past forms that speak of the future: "we decided to sail on Friday".
	planVerbs   = wordLists.Set("planVerbs")
	futureWords = english.WordSet("will shall i'll we'll they'll she'll he'll you'll it'll going gonna upcoming plan plans planning scheduled due")
)

// isRelative reports words relative to the instant at which they are said.
func isRelative(words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool { return relativeWords[w] })
}

func hasWeekday(words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool { return weekdays[w] })
}

// isDayOfMonth reports "on the 5th", of any month.
func isDayOfMonth(words string) bool {
	fields := strings.Fields(words)
	last := fields[len(fields)-1]
	return len(last) > 2 && last[0] >= '0' && last[0] <= '9' && !strings.ContainsAny(last, "-/.:") && strings.Trim(last, "0123456789") != "" && fields[0] == "on"
}

// hasOneTense reports a sentence that speaks of the past or of the future, but not of both.
func hasOneTense(text string) bool {
	past, future, plan := false, false, false
	for t := range english.Tokens(text, english.Words) {
		w := t.Lower()
		past = past || pastVerbs[w] || len(w) > 4 && strings.HasSuffix(w, "ed")
		future = future || futureWords[w]
		plan = plan || planVerbs[w]
	}
	if future {
		return !past
	}
	return past && !plan
}

const dayForm = "2006-01-02"

// canonicalTime writes an interval by its days: 2026-03-03, 2026-03, 2026, first/last, without an
// end that is open; ~ before a day means around it. An interval within a day is that day.
func canonicalTime(s temporal.Span, words string) string {
	first, last := s.From.Format(dayForm), lastDay(s).Format(dayForm)
	switch {
	case s.From.IsZero():
		return "/" + last
	case s.To.IsZero():
		return first + "/"
	case s.To.Sub(s.From) < 24*time.Hour:
		return first
	case isAroundWeek(s, words):
		return "~" + s.From.AddDate(0, 0, 3).Format(dayForm)
	case first == last && strings.HasPrefix(words, "around "):
		return "~" + first
	case first == last:
		return first
	case s.From.Day() == 1 && s.From.AddDate(0, 1, 0).Equal(s.To):
		return s.From.Format("2006-01")
	case s.From.YearDay() == 1 && s.From.AddDate(1, 0, 0).Equal(s.To):
		return s.From.Format("2006")
	}
	return first + "/" + last
}

// lastDay returns an instant of the last day of the interval.
func lastDay(s temporal.Span) time.Time {
	if s.To.IsZero() {
		return s.To
	}
	return s.To.Add(-time.Nanosecond)
}

// isAroundWeek distinguishes "two weeks ago", which is seven days around one, from a calendar
// week.
func isAroundWeek(s temporal.Span, words string) bool {
	return s.To.Sub(s.From) == 7*24*time.Hour && (strings.HasSuffix(words, "ago") || strings.HasSuffix(words, "now") || strings.HasPrefix(words, "in ") && !strings.Contains(words, "the "))
}

const written = "2 January 2006"

// absoluteTime writes an interval as a date with the preposition that it needs; empty if no date
// fits in the place of the words.
func absoluteTime(s temporal.Span, words, text string) string {
	first, last := s.From.Format(written), lastDay(s).Format(written)
	fields := strings.Fields(words)
	prep := fields[0]
	if s.From.IsZero() || s.To.IsZero() {
		switch prep {
		case "before", "prior":
			return "before " + s.To.Format(written)
		case "until", "till", "by":
			return prep + " " + last
		case "up":
			return "until " + last
		case "since":
			return "since " + first
		case "after":
			return "after " + s.From.AddDate(0, 0, -1).Format(written)
		case "from":
			return "from " + first + " onwards"
		}
		return ""
	}
	own := strings.HasSuffix(words, "'s") || strings.HasSuffix(words, "’s")
	before, body := "in ", ""
	switch canonical := canonicalTime(s, words); {
	case s.To.Sub(s.From) < 24*time.Hour && partOfDay(words) != "" && !own:
		before, body = "on ", "the "+partOfDay(words)+" of "+first
	case canonical[0] == '~':
		before, body = "around ", canonicalDay(canonical[1:])
	case len(canonical) == len("2026-03-03"):
		before, body = "on ", first
	case len(canonical) == len("2026-03"):
		body = s.From.Format("January 2006")
	case len(canonical) == len("2026"):
		body = canonical
	case s.From.Weekday() == time.Monday && s.To.Sub(s.From) == 7*24*time.Hour:
		body = "the week of " + first
	default:
		if own || prep == "for" || prep == "of" || prep == "about" || prep == "through" || prep == "around" {
			return ""
		}
		return "between " + first + " and " + last
	}
	switch {
	case own:
		return body + "'s"
	case prep == "for" || prep == "of" || prep == "about" || prep == "through" || prep == "around" || prep == "from":
		if before == "around " {
			return ""
		}
		before = prep + " "
	case s.Start > 0 && noPrepositionAfter[lastWord(text[:s.Start])] && before != "around ":
		return body
	}
	return before + body
}

func canonicalDay(day string) string {
	t, err := time.Parse(dayForm, day)
	if err != nil {
		return ""
	}
	return t.Format(written)
}

// noPrepositionAfter are words directly before a time after which no preposition fits.
var noPrepositionAfter = english.WordSet("to than like with into as make")

func lastWord(text string) string {
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) == 0 {
		return ""
	}
	return fields[len(fields)-1]
}

func partOfDay(words string) string {
	if strings.HasPrefix(words, "tonight") {
		return "night"
	}
	for _, part := range []string{"morning", "afternoon", "evening", "night"} {
		if strings.HasSuffix(words, part) {
			return part
		}
	}
	return ""
}

// withDates writes the times of a sentence as dates. ok is false if one is undatable, or if the
// dates would be read differently.
func withDates(text string, at time.Time) (out string, ok bool) {
	found := timesIn(text, at)
	if len(found) == 0 {
		return text, true
	}
	var b strings.Builder
	from := 0
	for _, w := range found {
		if w.undatable {
			return text, false
		}
		if w.replacement == "" {
			continue
		}
		b.WriteString(text[from:w.start])
		say := w.replacement
		rest := strings.Fields(text[w.end:])
		if strings.TrimSpace(text[:w.start]) == "" {
			if len(rest) > 0 && (rest[0] == "is" || rest[0] == "was" || rest[0] == "will" || rest[0] == "isn't" || rest[0] == "wasn't") {
				say = strings.TrimPrefix(strings.TrimPrefix(say, "on "), "in ")
			}
			say = capitalised(say)
		}
		b.WriteString(say)
		from = w.end
	}
	b.WriteString(text[from:])
	out = b.String()
	return out, slices.EqualFunc(found, timesIn(out, time.Time{}), func(a, b timeExpression) bool { return a.canonical == b.canonical })
}

func capitalised(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
