package temporal

import (
	"testing"
	"time"
)

// endsOf checks which instants texts name, to the second; empty: none.
func endsOf(t *testing.T, at time.Time, ahead bool, want map[string]string) {
	t.Helper()
	for text, want := range want {
		got := ""
		if end, ok := EndOf(text, at, ahead); ok {
			got = end.Format(time.DateTime)
		}
		if len(want) == len(time.DateOnly) {
			want += " 23:59:59"
		}
		if got != want {
			t.Errorf("%s (ahead %v): %q, want %q", text, ahead, got, want)
		}
	}
}

func TestEndOfAPastTime(t *testing.T) {
	at := time.Date(2026, 11, 18, 9, 30, 0, 0, time.UTC) // a Wednesday
	endsOf(t, at, false, map[string]string{
		"yesterday": "2026-11-17", "the day before yesterday": "2026-11-16", "Today": "2026-11-18", "now": "2026-11-18 09:30:00",
		"last Friday": "2026-11-13", "on Friday": "2026-11-13", "Friday": "2026-11-13", "Wednesday": "2026-11-18", "last Wednesday": "2026-11-11",
		"March": "2026-03-31", "in March": "2026-03-31", "march": "2026-03-31", "May": "2026-05-31", "in December": "2025-12-31", "March 2025": "2025-03-31",
		"2026-03": "2026-03-31", "2024-02": "2024-02-29", "2026-03-01": "2026-03-01", "2025": "2025-12-31", "in 2025": "2025-12-31",
		"5 May": "2026-05-05", "May 5, 2025": "2025-05-05", "5th of May 2025": "2025-05-05", "on the 5th": "2026-11-05", "the 5th": "2026-11-05", "30 November": "2025-11-30",
		"last week": "2026-11-15", "last month": "2026-10-31", "last year": "2025-12-31", "last weekend": "2026-11-15",
		"end of March": "2026-03-31", "the end of last month": "2026-10-31", "end of the month": "2026-11-30",
		"two weeks ago": "2026-11-04", "a week ago": "2026-11-11", "3 days ago": "2026-11-15", "a month ago": "2026-10-18", "a year ago": "2025-11-18", "an hour ago": "2026-11-18 08:30:00",
		// What is not over ends with the day.
		"this week": "2026-11-18", "November": "2026-11-18", "2026": "2026-11-18", "this year": "2026-11-18", "2026-11": "2026-11-18",
		"2027-03": "2027-03-31", "tomorrow": "2026-11-19",
	})
}

func TestEndOfATimeAhead(t *testing.T) {
	at := time.Date(2026, 11, 18, 9, 30, 0, 0, time.UTC) // a Wednesday
	endsOf(t, at, true, map[string]string{
		"tomorrow": "2026-11-19", "Friday": "2026-11-20", "until Friday": "2026-11-20", "on Wednesday": "2026-11-25", "next Friday": "2026-11-20", "this week": "2026-11-22",
		"March": "2027-03-31", "through March": "2027-03-31", "November": "2026-11-30", "5 May": "2027-05-05", "2027": "2027-12-31", "next month": "2026-12-31",
		"end of the week": "2026-11-22", "the end of next month": "2026-12-31", "eod": "2026-11-18", "the 5th": "2026-12-05", "until the 20th": "2026-11-20",
		"in two weeks": "2026-12-02", "in an hour": "2026-11-18 10:30:00", "3 days from now": "2026-11-21", "yesterday": "2026-11-17", "last Friday": "2026-11-13",
		"this Friday": "2026-11-20", "this Wednesday": "2026-11-18", "this Monday": "", "until this Monday": "", "this March": "", "this December": "2026-12-31",
	})
	endsOf(t, at.AddDate(0, 0, 4), true, map[string]string{"this Monday": "", "on this Friday": "", "Monday": "2026-11-23", "next Monday": "2026-11-23"}) // a Sunday
}

// A text whose end is not certain, or that says more than a time, names none.
func TestEndOfNothingCertain(t *testing.T) {
	at := time.Date(2026, 3, 31, 9, 30, 0, 0, time.UTC)
	none := map[string]string{}
	for _, text := range []string{
		"", " ", "soon", "recently", "once", "summer", "last summer", "in the 1990s", "early March", "mid-March", "beginning of March", "Q1 2026", "this quarter",
		"a few days ago", "several weeks ago", "a couple of weeks ago", "the past week", "the last week", "the last three days", "this morning", "last night", "yesterday evening", "tonight",
		"5/6/2026", "30 February", "29 February", "2026-13", "a month ago", "March or April", "between March and May", "before March", "since March", "after 2025", "from Monday to Friday",
		"the meeting on Friday", "Friday the meeting", "Friday, ok", ">2026-03", "2026-03?", "~2026", "12", "may be", "second", "the", "end of", "end of the", "in", "ago", "two weeks", "in two weeks ago",
		"2026-03-01T09:00", "2026-03-01 09:00", "yesterday at 9", "Friday.\nSaturday",
	} {
		none[text] = ""
	}
	endsOf(t, at, false, none)
	delete(none, "the last week")
	endsOf(t, at, true, none)
}

// For any text EndOf returns an instant, or that there is none.
func FuzzEndOf(f *testing.F) {
	for _, s := range []string{"last Friday", "in March", "2026-03", "the end of next month", "two weeks ago", "in", "the end of the"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, ahead bool) {
		if end, ok := EndOf(text, time.Date(2026, 3, 31, 9, 30, 0, 0, time.UTC), ahead); ok == end.IsZero() {
			t.Errorf("%q: %s, %v", text, end, ok)
		}
	})
}

// Texts that were written after the rules: what a model writes as a time. A wrong instant is worse than none.
func TestEndOfHeldOut(t *testing.T) {
	at := time.Date(2025, 7, 10, 14, 0, 0, 0, time.UTC) // a Thursday
	right, wrong, all := 0, 0, 0
	for ahead, texts := range map[bool]map[string]string{
		false: {
			"last Tuesday": "2025-07-08", "this Monday": "2025-07-07", "Sunday": "2025-07-06", "last Thursday": "2025-07-03", "on Saturday": "2025-07-05",
			"June": "2025-06-30", "in June 2024": "2024-06-30", "last June": "2025-06-30", "Sep 2024": "2024-09-30", "in September": "2024-09-30", "2024-11": "2024-11-30",
			"20 June": "2025-06-20", "June 20th": "2025-06-20", "the 1st of July": "2025-07-01", "1 July 2025": "2025-07-01", "July 4, 2025": "2025-07-04", "2025/07/04": "2025-07-04", "04.07.2025": "2025-07-04",
			"last year": "2024-12-31", "2023": "2023-12-31", "end of 2024": "2024-12-31", "the end of June": "2025-06-30", "end of last year": "2024-12-31",
			"ten days ago": "2025-06-30", "three months ago": "2025-04-10", "two years ago": "2023-07-10", "1 week ago": "2025-07-03", "30 minutes ago": "2025-07-10 13:30:00",
			"the previous month": "2025-06-30", "previous week": "2025-07-06", "the week before last": "2025-06-29", "day before yesterday": "2025-07-08", "right now": "2025-07-10 14:00:00",
			"spring": "", "around Easter": "", "when we met": "", "a while ago": "", "mid June": "", "07/08/2025": "", "the other day": "", "ages ago": "", "June or July": "", "since Monday": "", "this afternoon": "",
		},
		true: {
			"Tuesday": "2025-07-15", "next Tuesday": "2025-07-15", "this Saturday": "2025-07-12", "Sunday": "2025-07-13", "September": "2025-09-30", "until September": "2025-09-30", "June": "2026-06-30",
			"1 August": "2025-08-01", "August 15th": "2025-08-15", "Aug 15, 2026": "2026-08-15", "2025-12": "2025-12-31", "end of July": "2025-07-31", "the end of the year": "2025-12-31", "end of this month": "2025-07-31",
			"in three days": "2025-07-13", "in a month": "2025-08-10", "six weeks from now": "2025-08-21", "next week": "2025-07-20", "next year": "2026-12-31", "this weekend": "2025-07-13", "the day after tomorrow": "2025-07-12",
			"soonish": "", "after the summer": "", "Christmas": "", "early next week": "", "further notice": "", "a few weeks": "", "before Monday": "", "noon": "",
		},
	} {
		for text, want := range texts {
			all++
			got := ""
			if end, ok := EndOf(text, at, ahead); ok {
				got = end.Format(time.DateTime)
			}
			if len(want) == len(time.DateOnly) {
				want += " 23:59:59"
			}
			switch got {
			case want:
				right++
			default:
				t.Logf("%s (ahead %v): %q, want %q", text, ahead, got, want)
				if got != "" {
					wrong++
				}
			}
		}
	}
	t.Logf("%d of %d right, %d wrong", right, all, wrong)
	if right < 70 || wrong > 0 {
		t.Errorf("%d of %d right and %d wrong", right, all, wrong)
	}
}
