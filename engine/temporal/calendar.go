package temporal

import "time"

func midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func dayOf(t time.Time) span {
	d := midnight(t)
	return span{d, d.AddDate(0, 0, 1)}
}

func weekOf(t time.Time) span {
	monday := midnight(t).AddDate(0, 0, -(int(t.Weekday())+6)%7)
	return span{monday, monday.AddDate(0, 0, 7)}
}

func monthOf(year int, month time.Month) span {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return span{first, first.AddDate(0, 1, 0)}
}

func quarterOf(year int, quarter int) span {
	first := time.Date(year, time.Month(3*quarter-2), 1, 0, 0, 0, 0, time.UTC)
	return span{first, first.AddDate(0, 3, 0)}
}

func yearSpan(year int) span {
	return span{time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// unitOf returns the calendar unit n units after that of t; before it for a negative n.
func unitOf(unit string, t time.Time, n int) (span, bool) {
	y, m, _ := t.Date()
	switch unit {
	case "day":
		return dayOf(t.AddDate(0, 0, n)), true
	case "week":
		return weekOf(t.AddDate(0, 0, 7*n)), true
	case "weekend":
		w := weekOf(t.AddDate(0, 0, 7*n))
		return span{w.from.AddDate(0, 0, 5), w.to}, true
	case "month":
		return monthOf(y, m+time.Month(n)), true
	case "quarter":
		return quarterOf(y, (int(m)+2)/3+n), true
	case "year":
		return yearSpan(y + n), true
	}
	return span{}, false
}

// nearUnit returns the time n units before t (after t for a negative n), as precise as the unit:
// five minutes on each side for minutes, half an hour for hours, the day for days, seven days
// around the day for weeks, the calendar month or year.
func nearUnit(unit string, t time.Time, n int) (span, bool) {
	if u, ok := clockUnits[unit]; ok {
		c := t.Add(-time.Duration(n) * u.length)
		return span{c.Add(-u.side), c.Add(u.side)}, true
	}
	if unit == "week" {
		d := dayOf(t.AddDate(0, 0, -7*n))
		return span{d.from.AddDate(0, 0, -3), d.to.AddDate(0, 0, 3)}, true
	}
	return unitOf(unit, t, -n)
}

// clockUnits are the units shorter than a day, with half of their precision. dayUnits are the
// others, as years, months and days.
var (
	clockUnits = map[string]struct{ length, side time.Duration }{"minute": {time.Minute, 5 * time.Minute}, "hour": {time.Hour, 30 * time.Minute}}
	dayUnits   = map[string][3]int{"day": {0, 0, 1}, "week": {0, 0, 7}, "month": {0, 1, 0}, "year": {1, 0, 0}}
)

// rolling returns the n units that end at t, including t.
func rolling(unit string, t time.Time, n int) (span, bool) {
	u, short := clockUnits[unit]
	d, long := dayUnits[unit]
	from := t.Add(-time.Duration(n) * u.length)
	if long {
		from = midnight(t).AddDate(-n*d[0], -n*d[1], -n*d[2])
	}
	return span{from, t.Add(time.Millisecond)}, short || long
}

// seasonOf returns the season that begins in the year.
func seasonOf(year int, first time.Month) span {
	from := time.Date(year, first, 1, 0, 0, 0, 0, time.UTC)
	return span{from, from.AddDate(0, 3, 0)}
}

// third returns the early (0), middle (1) or late (2) third of a span, in whole days.
func (s span) third(n int) span {
	days := int(s.to.Sub(s.from).Hours() / 24)
	return span{s.from.AddDate(0, 0, days*n/3), s.from.AddDate(0, 0, days*(n+1)/3)}
}
