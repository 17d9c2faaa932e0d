package temporal

import (
	"testing"
	"time"
)

// at and the expected instants are written without the year 2026, the seconds and, at the end of a
// day, the time.
func TestDeadline(t *testing.T) {
	monday := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct{ text, want string }{
		{"send the contract by Friday", "2026-03-06"},
		{"hand it in until 3 March", "2026-03-03"},
		{"finish before Monday", "2026-03-08"}, // Monday is today: the next one
		{"pay the invoice by 1 March", "2027-03-01"},
		{"pay the invoice by 1 March 2026", ""},
		{"book the berth before 5 May 2027", "2027-05-04"},
		{"the survey is due tomorrow", "2026-03-03"},
		{"report (deadline: Thursday)", "2026-03-05"},
		{"submit no later than the 12th", "2026-03-12"},
		{"ship it by the end of the month", "2026-03-31"},
		{"ship it by end of week", "2026-03-08"},
		{"ship it by EOD", "2026-03-02"},
		{"answer within two weeks", "2026-03-16"},
		{"answer within the hour", "2026-03-02 10:00"},
		{"renew the licence in three days", "2026-03-05"},
		{"call Ana tomorrow at 17:00", "2026-03-03 17:00"},
		{"call Ana by 5pm on Thursday", "2026-03-05 17:00"},
		{"call Ana by 8:30", "2026-03-03 08:30"},
		{"call Ana by noon", "2026-03-02 12:00"},
		{"meet the auditor on 4 March", "2026-03-04"},
		{"water the plants today", "2026-03-02"},
		{"clean the winch next week", "2026-03-15"},
		{"prepare the slides for Wednesday", "2026-03-04"},
		{"order rope by 2026-04-01", "2026-04-01"},
		{"email Dana by end of day", "2026-03-02"},
		{"renew the passport by June", "2026-06-30"},
		{"have the draft ready by Tuesday morning", "2026-03-03 11:59"},
		{"review the sketch in two hours", "2026-03-02 11:00"},
		{"complete the audit by Q1 2027", "2027-03-31"},
		{"check in by 9 am on Mar 25", "2026-03-25 09:00"},
		{"return the library books before the weekend", "2026-03-06"},

		{"", ""}, {"before we can ship, we need rope", ""}, {"file yesterday's report", ""}, {"read the plan of next year", ""},
		{"prepare tomorrow's meeting", ""}, {"by and large, done", ""}, {"stand by the door", ""}, {"review what happened in March 2023", ""},
		{"wait for Ana", ""}, {"by now it is late", ""}, {"due", ""}, {"deadline", ""}, {"fix it after Friday", ""},
		{"migrate the database over the weekend", ""}, {"write up Monday's meeting", ""}, {"read chapter 5 before class", ""},
		{"move the meeting from Friday to Monday", ""}, {"upgrade by version 5", ""},
	} {
		got, ok := Deadline(c.text, monday)
		text := ""
		if ok {
			text = got.Format("2006-01-02 15:04")
			if got.Add(time.Millisecond).Equal(dayOf(got).to) {
				text = got.Format(time.DateOnly)
			}
		}
		if text != c.want {
			t.Errorf("%q: %q, want %q", c.text, text, c.want)
		}
	}
}

// A deadline is after the instant at which it was named, whatever the text.
func FuzzDeadline(f *testing.F) {
	for _, s := range []string{"by Friday at 5pm", "within the next two", "no later than", "end of the", "in a", "due is of", "by 24:00", "by 12 am"} {
		f.Add(s)
	}
	at := time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if due, ok := Deadline(text, at); ok && !due.After(at) || !ok && !due.IsZero() {
			t.Errorf("%q: %s, %v", text, due, ok)
		}
	})
}
