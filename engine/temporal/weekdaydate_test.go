package temporal

import (
	"testing"
	"time"
)

// A weekday with a day of the month is the nearest such day that falls on the weekday, and not the next one with that name.
func TestWeekdayWithDayOfTheMonth(t *testing.T) {
	monday := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct{ text, want string }{
		{"finish the tender until Thursday the 9th", "2026-04-09"},
		{"hand it in by Friday the 13th", "2026-03-13"},
		{"hand it in by Monday the 2nd", "2026-03-02"},
		{"hand it in by Friday the 13th of November", "2026-11-13"},
		{"hand it in by Wednesday 6 May", "2026-05-06"},
		{"hand it in by Thursday 9th", "2026-04-09"},
		{"hand it in by Wednesday the 31st", "2027-03-31"},
		{"hand it in by Thursday", "2026-03-05"},
		{"hand it in by Thursday the latest", "2026-03-05"},
		{"hand it in by Thursday at 9:30", "2026-03-05 09:30"},
		{"hand it in by Thursday the 9th at 17:00", "2026-04-09 17:00"},
	} {
		got, ok := Deadline(c.text, monday)
		format := "2006-01-02"
		if ok && got.Format("05") == "00" {
			format = "2006-01-02 15:04"
		}
		if !ok || got.Format(format) != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	endsOf(t, monday, false, map[string]string{"on Friday the 13th": "2026-03-13", "on Thursday the 9th": "2026-04-09"})
	for text, want := range map[string]string{"The ferry leaves on Thursday the 9th.": "2026-04-09", "I met Ana on Thursday the 9th.": "2025-10-09"} {
		if got := Read(text, monday); got.From.Format(time.DateOnly) != want {
			t.Errorf("%s: %v, want %s", text, got.From, want)
		}
	}
}
