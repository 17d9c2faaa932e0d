package temporal

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// wednesday is the reference instant of the tables. Its week begins on Monday 16 November 2026.
var wednesday = time.Date(2026, 11, 18, 15, 30, 0, 0, time.UTC)

// stamp formats an instant as in the tables: without the time of day if it is midnight.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strings.TrimSuffix(t.Format("2006-01-02T15:04"), "T00:00")
}

func interval(w Window) string { return stamp(w.From) + " " + stamp(w.To) }

type row struct{ text, want string }

func check(t *testing.T, at time.Time, rows []row) {
	t.Helper()
	for _, c := range rows {
		if got := interval(Read(c.text, at)); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestDaysNearby(t *testing.T) {
	check(t, wednesday, []row{
		{"What did I do yesterday?", "2026-11-17 2026-11-18"},
		{"Yesterday's lunch was late", "2026-11-17 2026-11-18"},
		{"what happened the day before yesterday", "2026-11-16 2026-11-17"},
		{"anything for today", "2026-11-18 2026-11-19"},
		{"who comes tomorrow morning?", "2026-11-19T05:00 2026-11-19T12:00"},
		{"the day after tomorrow", "2026-11-20 2026-11-21"},
		{"yesterday evening we sailed", "2026-11-17T17:00 2026-11-18"},
		{"What was on last night?", "2026-11-17T18:00 2026-11-18T06:00"},
		{"this morning she rang", "2026-11-18T05:00 2026-11-18T12:00"},
		{"tonight", "2026-11-18T18:00 2026-11-19T06:00"},
	})
}

func TestCountedTimes(t *testing.T) {
	check(t, wednesday, []row{
		{"three days ago", "2026-11-15 2026-11-16"},
		{"a day ago", "2026-11-17 2026-11-18"},
		{"two weeks ago we moved", "2026-11-01 2026-11-08"},
		{"a week ago", "2026-11-08 2026-11-15"},
		{"2 months ago", "2026-09-01 2026-10-01"},
		{"12 months ago", "2025-11-01 2025-12-01"},
		{"five years ago", "2021-01-01 2022-01-01"},
		{"an hour ago", "2026-11-18T14:00 2026-11-18T15:00"},
		{"20 minutes ago", "2026-11-18T15:05 2026-11-18T15:15"},
		{"a couple of days ago", "2026-11-16 2026-11-17"},
		{"a few months ago", "2026-08-01 2026-09-01"},
		{"we will fly in two weeks", "2026-11-29 2026-12-06"},
		{"three days from now", "2026-11-21 2026-11-22"},
		{"I finished the course in two weeks", " "}, // a duration
		{"for three days", " "},
		{"she is 30 years old", " "},
	})
}

func TestLastThisNext(t *testing.T) {
	check(t, wednesday, []row{
		{"last week", "2026-11-09 2026-11-16"},
		{"Last week's figures", "2026-11-09 2026-11-16"},
		{"this week", "2026-11-16 2026-11-23"},
		{"next week", "2026-11-23 2026-11-30"},
		{"in the last week", "2026-11-11 2026-11-18T15:30"},
		{"over the past month", "2026-10-18 2026-11-18T15:30"},
		{"past year", "2025-11-18 2026-11-18T15:30"},
		{"last month", "2026-10-01 2026-11-01"},
		{"this month", "2026-11-01 2026-12-01"},
		{"last quarter", "2026-07-01 2026-10-01"},
		{"this quarter", "2026-10-01 2027-01-01"},
		{"last year", "2025-01-01 2026-01-01"},
		{"next year", "2027-01-01 2028-01-01"},
		{"last weekend", "2026-11-14 2026-11-16"},
		{"this weekend", "2026-11-21 2026-11-23"},
		{"the last three days", "2026-11-15 2026-11-18T15:30"},
		{"in the past 2 weeks", "2026-11-04 2026-11-18T15:30"},
		{"last couple of months", "2026-09-18 2026-11-18T15:30"},
		{"the last 6 hours", "2026-11-18T09:30 2026-11-18T15:30"},
		{"the next two days", "2026-11-18T15:30 2026-11-21"},
		{"last Friday", "2026-11-13 2026-11-14"},
		{"last Wednesday", "2026-11-11 2026-11-12"},
		{"last Friday evening", "2026-11-13T17:00 2026-11-14"},
		{"this Friday", "2026-11-20 2026-11-21"},
		{"this Monday", "2026-11-16 2026-11-17"},
		{"next Friday", "2026-11-20 2026-11-21"},
		{"next Wednesday", "2026-11-25 2026-11-26"},
		{"last March", "2026-03-01 2026-04-01"},
		{"last November", "2025-11-01 2025-12-01"},
		{"last December", "2025-12-01 2026-01-01"},
		{"next May", "2027-05-01 2027-06-01"},
		{"last summer", "2026-06-01 2026-09-01"},
		{"last winter", "2025-12-01 2026-03-01"},
		{"next spring", "2027-03-01 2027-06-01"},
		{"last autumn", "2025-09-01 2025-12-01"},
		{"the last time we met", " "},
		{"the next attempt", " "},
		{"how long did the storm last", " "},
		{"his last words", " "},
	})
}

func TestDates(t *testing.T) {
	check(t, wednesday, []row{
		{"2023-05-08", "2023-05-08 2023-05-09"},
		{"on 2023/05/08 we met", "2023-05-08 2023-05-09"},
		{"since 2023-05", "2023-05-01 "},
		{"at 2023-05-08T13:56:00Z", "2023-05-08T13:56 2023-05-08T13:56"},
		{"24.12.2025", "2025-12-24 2025-12-25"},
		{"25/12/2023", "2023-12-25 2023-12-26"},
		{"12/25/2023", "2023-12-25 2023-12-26"},
		{"07/07/2023", "2023-07-07 2023-07-08"},
		{"05/08/2023", " "}, // both orders are possible
		{"version 1.2.2023", "2023-02-01 2023-02-02"},
		{"on 5 May", "2026-05-05 2026-05-06"},
		{"on 5 May 2023", "2023-05-05 2023-05-06"},
		{"the 5th of May, 2023", "2023-05-05 2023-05-06"},
		{"on May 5th", "2026-05-05 2026-05-06"},
		{"May 5, 2023", "2023-05-05 2023-05-06"},
		{"on december 24", "2025-12-24 2025-12-25"},
		{"we will meet on 3 March", "2027-03-03 2027-03-04"},
		{"30 February", " "},
		{"29 February 2024", "2024-02-29 2024-03-01"},
		{"in March 2023", "2023-03-01 2023-04-01"},
		{"March of 2023", "2023-03-01 2023-04-01"},
		{"in march", "2026-03-01 2026-04-01"},
		{"in December", "2025-12-01 2026-01-01"},
		{"in November", "2026-11-01 2026-12-01"},
		{"we will open in March", "2027-03-01 2027-04-01"},
		{"in 2023", "2023-01-01 2024-01-01"},
		{"the year 2019", " "},
		{"in the year 2019", "2019-01-01 2020-01-01"},
		{"in the 1990s", "1990-01-01 2000-01-01"},
		{"Q3 2025", "2025-07-01 2025-10-01"},
		{"in Q1", "2026-01-01 2026-04-01"},
		{"in summer 2024", "2024-06-01 2024-09-01"},
		{"winter of 2023", "2023-12-01 2024-03-01"},
		{"in summer", "2026-06-01 2026-09-01"},
		{"in the autumn", "2026-09-01 2026-12-01"},
		{"on Friday", "2026-11-13 2026-11-14"},
		{"on Wednesday", "2026-11-18 2026-11-19"},
		{"we're going to meet on Friday", "2026-11-20 2026-11-21"},
		{"on the 5th", "2026-11-05 2026-11-06"},
		{"on the 25th", "2026-10-25 2026-10-26"},
		{"early 2024", "2024-01-01 2024-05-02"},
		{"late March 2024", "2024-03-21 2024-04-01"},
		{"at the end of 2024", "2024-09-01 2025-01-01"},
		{"the beginning of May 2024", "2024-05-01 2024-05-11"},
		{"the week of 6 May 2026", "2026-05-04 2026-05-11"},
	})
}

func TestBounds(t *testing.T) {
	check(t, wednesday, []row{
		{"before 2024", " 2024-01-01"},
		{"prior to March 2024", " 2024-03-01"},
		{"before yesterday", " 2026-11-17"},
		{"after 2022", "2023-01-01 "},
		{"since March", "2026-03-01 "},
		{"since last Friday", "2026-11-13 "},
		{"until 5 May 2024", " 2024-05-06"},
		{"up to 2020", " 2021-01-01"},
		{"from 2021 onwards", "2021-01-01 "},
		{"photos from May 2023", "2023-05-01 2023-06-01"},
		{"between 2020 and 2022", "2020-01-01 2023-01-01"},
		{"between March and May 2023", "2023-03-01 2023-06-01"},
		{"between November and February 2024", "2023-11-01 2024-03-01"},
		{"from 3 May 2024 to 9 May 2024", "2024-05-03 2024-05-10"},
		{"between last Monday and yesterday", "2026-11-16 2026-11-18"},
		{"between Ana and Bo", " "},
		{"from Berlin to Oslo", " "},
		{"from 2022 to 2020", "2022-01-01 2023-01-01"}, // no range: only its first half is read
		{"in May 2023 or in July 2023", "2023-05-01 2023-08-01"},
	})
}

// Words that only look like a time are not read.
func TestNoTime(t *testing.T) {
	for _, text := range []string{
		"", "?", "What does Ana like?", "May I come in?", "You may 5 times a day", "They march on", "The march was long",
		"a second opinion", "version 2023", "It cost 2000 dollars", "in 2000 steps", "Room 2020", "the current in the river",
		"alternating current", "now and then", "until now", "now that we know",
		"on the 5th attempt", "one day", "every Friday", "on Sundays", "on Sunday mornings", "sun and wind", "on second thoughts",
		"spring the trap", "they fall often", "a fall in prices", "the minute hand", "week", "Monday",
		"a year", "the end of the road", "early birds", "late again", "in a day of work", "99 bottles", "the 4th of its kind", "1984",
	} {
		if w := Read(text, wednesday); w.Bounded() || w.Fresh || len(w.Spans) > 0 {
			t.Errorf("%q: %+v", text, w)
		}
	}
}

func TestFresh(t *testing.T) {
	for text, want := range map[string]bool{
		"Where does Ana live now?":               true,
		"What is the latest plan":                true,
		"the most recent decision":               true,
		"What's my current job?":                 true,
		"who is currently in charge":             true,
		"as of now":                              true,
		"what are they up to these days":         true,
		"is she free at the moment":              true,
		"what have we talked about recently":     true,
		"by Friday at the latest":                false,
		"from now on":                            false,
		"most of them":                           false,
		"the current was strong":                 false,
		"before now":                             false,
		"at the momentous occasion":              false,
		"Know-how, snow, and the currentness of": false,
	} {
		if got := Read(text, wednesday); got.Fresh != want {
			t.Errorf("%q: fresh %v", text, got.Fresh)
		}
	}
	if w := Read("what is the latest since March?", wednesday); !w.Fresh || interval(w) != "2026-03-01 " {
		t.Errorf("fresh and bounded: %+v", w)
	}
}

func TestSpans(t *testing.T) {
	text := "On 5 May 2023 – or last week? – what was the latest?"
	w := Read(text, wednesday)
	var got []string
	for _, s := range w.Spans {
		got = append(got, text[s.Start:s.End])
	}
	if want := "On 5 May 2023|last week|latest"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", strings.Join(got, "|"), want)
	}
	if s := w.Spans[0]; stamp(s.From) != "2023-05-05" || stamp(s.To) != "2023-05-06" {
		t.Errorf("the first says %+v", s)
	}
	if s := w.Spans[2]; !s.From.IsZero() || !s.To.IsZero() {
		t.Errorf("the last says %+v", s)
	}
}

func TestSentencesDoNotRunTogether(t *testing.T) {
	check(t, wednesday, []row{
		{"I like May. 2023 people came", " "},
		{"He was last. Week after week he tried", " "},
	})
}

func TestContains(t *testing.T) {
	w := Window{From: wednesday, To: wednesday.Add(time.Hour)}
	for d, want := range map[time.Duration]bool{-1: false, 0: true, time.Hour - 1: true, time.Hour: false} {
		if got := w.Contains(wednesday.Add(d)); got != want {
			t.Errorf("%v: %v", d, got)
		}
	}
	if !(Window{}).Contains(time.Time{}) || !(Window{To: wednesday}).Contains(time.Time{}) || (Window{From: wednesday}).Contains(time.Time{}) {
		t.Error("an open end is not open")
	}
}

// Reference instants at the ends of months and years.
func TestFromAwkwardInstants(t *testing.T) {
	check(t, time.Date(2024, 3, 31, 23, 59, 0, 0, time.UTC), []row{
		{"last month", "2024-02-01 2024-03-01"}, {"a month ago", "2024-02-01 2024-03-01"}, {"yesterday", "2024-03-30 2024-03-31"},
		{"last week", "2024-03-18 2024-03-25"}, {"this weekend", "2024-03-30 2024-04-01"}, {"last quarter", "2023-10-01 2024-01-01"},
		{"on the 30th", "2024-03-30 2024-03-31"}, {"last Sunday", "2024-03-24 2024-03-25"},
	})
	check(t, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), []row{
		{"last month", "2024-12-01 2025-01-01"}, {"two months ago", "2024-11-01 2024-12-01"}, {"last winter", "2023-12-01 2024-03-01"},
		{"this winter", "2024-12-01 2025-03-01"}, {"last week", "2024-12-23 2024-12-30"}, {"on the 31st", "2024-12-31 2025-01-01"},
	})
	zoned := time.Date(2026, 11, 19, 1, 0, 0, 0, time.FixedZone("", 3*3600)) // still the 18th in UTC
	check(t, zoned, []row{{"today", "2026-11-18 2026-11-19"}})
}

// For any text Read returns spans that are in order and inside the text, and a window that does
// not end before it begins.
func TestReadIsTotal(t *testing.T) {
	words := []string{
		"last", "next", "this", "the", "of", "two", "3", "5th", "May", "march", "2023", "2023-05-08", "week", "days", "ago", "Friday", "before",
		"since", "between", "and", "from", "to", "in", "on", "now", "latest", "current", "early", "end", "summer", "Q3", "yesterday", "a", "couple",
		"few", "99999999", "’s", ",", ".", "é", "\xff", "1990s", "0", "31", "February", "morning", "at", "the", "moment", "year", "will", "was",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "words"), rapid.SampledFrom([]string{" ", ", ", ""}).Draw(t, "gap"))
		at := time.Unix(rapid.Int64Range(-3e9, 6e9).Draw(t, "at"), 0)
		w := Read(text, at)
		end := 0
		for _, s := range w.Spans {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("%q: span %+v behind %d", text, s, end)
			}
			end = s.End
			if !s.From.IsZero() && !s.To.IsZero() && s.To.Before(s.From) {
				t.Fatalf("%q: span %q ends before it begins: %+v", text, text[s.Start:s.End], s)
			}
		}
		if !w.From.IsZero() && !w.To.IsZero() && w.To.Before(w.From) {
			t.Fatalf("%q: window %+v", text, w)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add("between last Friday and the 5th of May, 2023")
	f.Add("\xff 2023-13-45 from to")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range Read(text, wednesday).Spans {
			if s.Start < 0 || s.End > len(text) || s.Start >= s.End {
				t.Fatalf("%q: %+v", text, s)
			}
		}
	})
}

func ExampleRead() {
	at := time.Date(2026, 11, 18, 15, 30, 0, 0, time.UTC)
	w := Read("What did we decide about the mast between last Monday and yesterday?", at)
	fmt.Println(w.From.Format(time.DateOnly), w.To.Format(time.DateOnly), w.Contains(at))
	// Output: 2026-11-16 2026-11-18 false
}

func TestWithoutLatest(t *testing.T) {
	for text, want := range map[string]string{
		"Where does Ada live now?":              "Where does Ada live ?",
		"Was the gauge checked lately?":         "Was the gauge checked ?",
		"the current plan for Monday":           "the plan for Monday",
		"What did we plan at the moment it was": "What did we plan at the moment it was",
		"Was it checked on Monday?":             "Was it checked on Monday?",
		"now":                                   "now",
		"":                                      "",
	} {
		if got := Read(text, time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)).WithoutLatest(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCloseness(t *testing.T) {
	at := func(d int) time.Time { return time.Date(2024, 5, d, 0, 0, 0, 0, time.UTC) }
	may := Window{From: at(1), To: at(8)}
	for _, c := range []struct {
		w    Window
		t    time.Time
		want float64
	}{
		{Window{}, at(3), 1}, {may, at(1), 1}, {may, at(7), 1}, {may, at(8), 1}, {may, at(15), math.Exp(-1)}, {may, at(1).AddDate(0, 0, -14), math.Exp(-2)},
		{Window{From: at(8)}, at(20), 1}, {Window{From: at(8)}, at(1), math.Exp(-1)}, {Window{To: at(8)}, at(1), 1}, {may, at(1).AddDate(5, 0, 0), 0},
	} {
		if got := c.w.Closeness(c.t); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v to %v: %v, want %v", c.t, c.w, got, c.want)
		}
	}
}
