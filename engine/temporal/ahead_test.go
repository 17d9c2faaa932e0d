package temporal

import (
	"testing"
	"time"
)

func TestUntil(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) // a Monday
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 0, 0, 0, 0, time.UTC) }
	for text, want := range map[string]time.Time{
		"I'm in Lisbon until Friday.":                  day(3, 7),
		"I'm in Lisbon until Monday.":                  day(3, 10),
		"until 20 March":                               day(3, 21),
		"until the end of March":                       day(4, 1),
		"till tomorrow":                                day(3, 4),
		"through Friday":                               day(3, 7),
		"until next week":                              day(3, 16),
		"I'm staying with my sister for two weeks.":    day(3, 17),
		"for the next three days":                      day(3, 6),
		"for the next month":                           day(4, 3),
		"for a couple of days while the lift is fixed": day(3, 5),
		"for the rest of the month":                    day(4, 1),
		"for the weekend":                              day(3, 9),
		"until the 12th":                               day(3, 13),
		"until the 1st":                                day(4, 2),
		"until the 12th of May":                        day(5, 13),
		"until the end of the month":                   day(4, 1),
		"until the end of this week":                   day(3, 9),
		"until the weekend":                            day(3, 7),
		"I'm in Lisbon from Monday to Friday":          day(3, 14),
		"from Wednesday to Friday":                     day(3, 7),
		"I'm in Lisbon for 3 nights":                   day(3, 6),
		"for two more weeks":                           day(3, 17),
		"for one more day":                             day(3, 4),
		"for half a year":                              day(9, 3),
		"I'm in Lisbon all week":                       day(3, 9),
		"all day":                                      {},
		"all weekends":                                 {},
		"from 9 to 5":                                  {},
		"from Oslo to Bergen":                          {},
		"until the 40th":                               {},
		"until six":                                    {},
		"until noon":                                   {},
		"for two hours":                                {},
		"two days a week":                              {},
		"for two days a week":                          {},
		"for three weeks at a time":                    {},
		"for two weeks' holiday":                       {},
		"for two weeks every summer":                   {},
		"until Friday or until Sunday":                 {},
		"for the team":                                 {},
		"until we meet":                                {},
	} {
		end, _, ok := Until(text, at)
		if ok != !want.IsZero() || !end.To.Equal(want) {
			t.Errorf("%s: %s, %v, want %s", text, end.To, ok, want)
		}
	}
}

func TestReadAhead(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"I start at Siemens on Monday.":   "2026-03-09",
		"I'm moving to Bergen on 1 March": "2027-03-01",
		"We switch on 20 March.":          "2026-03-20",
		"Next month I move to Graz.":      "2026-04-01",
	} {
		if w := ReadAhead(text, at); w.From.Format(time.DateOnly) != want {
			t.Errorf("%s: %s, want %s", text, w.From, want)
		}
	}
}
