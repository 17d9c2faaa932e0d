package distil

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// span is the time from the first to the last occurrence of a fold, in UTC.
type span struct{ first, last time.Time }

// text is the range of the span: "from 3 to 9 March", "on 3 March".
func (s span) text() string { return s.days(s.first, s.last) }

func (s span) days(a, b time.Time) string {
	switch {
	case a.Format(dayForm) == b.Format(dayForm):
		return "on " + s.day(a)
	case a.Year() == b.Year() && a.Month() == b.Month():
		return "from " + strconv.Itoa(a.Day()) + " to " + s.day(b)
	}
	return "from " + s.day(a) + " to " + s.day(b)
}

// day writes a day within the span, with the year if the span has several. Otherwise the year is
// that of the fold's last occurrence, which is its event time.
func (s span) day(t time.Time) string {
	if s.first.Year() == s.last.Year() {
		return t.Format("2 January")
	}
	return t.Format(written)
}

// within writes a part of the span: "until 7 March", "on 9 March".
func (s span) within(first, last time.Time) string {
	switch {
	case first.Format(dayForm) == last.Format(dayForm):
		return "on " + s.day(first)
	case first.Format(dayForm) == s.first.Format(dayForm):
		return "until " + s.day(last)
	case last.Format(dayForm) == s.last.Format(dayForm):
		return "from " + s.day(first)
	}
	return s.days(first, last)
}

// partText says when some lines were said.
func (s span) partText(lines []*line) string {
	first, last := lines[0].at(), lines[len(lines)-1].at()
	if len(lines) == 1 {
		return s.day(first)
	}
	return times(len(lines)) + " " + s.within(first, last)
}

func (l *line) at() time.Time { return l.account.source.At.UTC() }

// times writes a number of times.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// templateText writes what lines of one template say, worded as the latest one, with a list in
// each place where they differ. It returns the starts of those places in the text.
func templateText(lines []*line, in span) (text string, differ []int) {
	latest := lines[len(lines)-1]
	fixed := latest.template.fixed
	slots := make([][]string, len(lines))
	var places [][2]int
	for n, l := range lines {
		for _, gap := range l.gaps(fixed) {
			if len(gap) == 0 {
				continue
			}
			from, to := l.extent(gap)
			slots[n] = append(slots[n], l.text[from:to])
			if l == latest {
				places = append(places, [2]int{from, to})
			}
		}
	}
	from := 0
	for k, place := range places {
		values := make([]string, len(lines))
		for n := range lines {
			values[n] = slots[n][k]
		}
		list, dated := listOf(values, lines, in, len(places) == 1)
		before := latest.text[from:place[0]]
		if words := strings.Fields(before); dated && len(words) > 0 {
			// What holds until a day was so.
			last := words[len(words)-1]
			if past, ok := copulas[last]; ok && strings.HasSuffix(before, last+" ") {
				before = strings.TrimSuffix(before, last+" ") + past + " "
			}
		}
		text += before
		if list != values[len(values)-1] {
			differ = append(differ, len(text))
		}
		text += list
		from = place[1]
	}
	return text + latest.text[from:], differ
}

// extent returns the place of tokens in the text of the line, with an article before them.
func (l *line) extent(gap []foldToken) (from, to int) {
	from, to = gap[0].start, gap[len(gap)-1].end
	before := strings.TrimRight(l.text[:from], " ")
	if at := strings.LastIndexByte(before, ' ') + 1; at < len(before) && articles[strings.ToLower(before[at:])] {
		from = at
	}
	return from, to
}

// listOf writes the values of a place in order of time. Few different values are written with
// their days, which dated reports. If they alternate and the place is the only one, they are
// written with their count; next to another place the order says what belongs together.
func listOf(values []string, lines []*line, in span, only bool) (list string, dated bool) {
	type run struct {
		value       string
		first, last time.Time
	}
	var runs []run
	count := map[string]int{}
	var distinct []string
	for i, v := range values {
		if count[v]++; count[v] == 1 {
			distinct = append(distinct, v)
		}
		if n := len(runs); n > 0 && runs[n-1].value == v {
			runs[n-1].last = lines[i].at()
			continue
		}
		runs = append(runs, run{v, lines[i].at(), lines[i].at()})
	}
	var parts []string
	switch {
	case len(distinct) == 1:
		return values[0], false
	case len(runs) == len(distinct) && len(runs) <= max(2, len(values)/2) && !isNumeric(values):
		for _, r := range runs {
			parts = append(parts, r.value+" "+in.within(r.first, r.last))
		}
		return strings.Join(parts, ", "), true
	case only && 2*len(distinct) <= len(values):
		for _, v := range distinct {
			if count[v] > 1 {
				v += " (" + times(count[v]) + ")"
			}
			parts = append(parts, v)
		}
	default:
		parts = values
	}
	parts = withSharedStart(parts)
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1], false
}

// withSharedStart removes a preposition or an article with which all values begin from all but
// the first: "on 3 May, on 9 May" becomes "on 3 May, 9 May".
func withSharedStart(values []string) []string {
	first, _, ok := strings.Cut(values[0], " ")
	low := strings.ToLower(first)
	if !ok || !weakWords[low] && !fillers[low] {
		return values
	}
	out := []string{values[0]}
	for _, v := range values[1:] {
		start, rest, _ := strings.Cut(v, " ")
		if strings.ToLower(start) != low || rest == "" {
			return values
		}
		out = append(out, rest)
	}
	return out
}

// isNumeric reports values that begin with a digit.
func isNumeric(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return v == "" || v[0] < '0' || v[0] > '9' })
}
