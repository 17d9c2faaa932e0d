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
// five minutes on each side for minutes, the day for days, seven days around the day for weeks,
// the calendar month or year.
func nearUnit(unit string, t time.Time, n int) (span, bool) {
	switch unit {
	case "minute":
		c := t.Add(-time.Duration(n) * time.Minute)
		return span{c.Add(-5 * time.Minute), c.Add(5 * time.Minute)}, true
	case "hour":
		c := t.Add(-time.Duration(n) * time.Hour)
		return span{c.Add(-30 * time.Minute), c.Add(30 * time.Minute)}, true
	case "week":
		d := dayOf(t.AddDate(0, 0, -7*n))
		return span{d.from.AddDate(0, 0, -3), d.to.AddDate(0, 0, 3)}, true
	}
	return unitOf(unit, t, -n)
}

// rolling returns the n units that end at t, including t.
func rolling(unit string, t time.Time, n int) (span, bool) {
	from := t
	switch unit {
	case "minute":
		from = t.Add(-time.Duration(n) * time.Minute)
	case "hour":
		from = t.Add(-time.Duration(n) * time.Hour)
	case "day":
		from = midnight(t).AddDate(0, 0, -n)
	case "week":
		from = midnight(t).AddDate(0, 0, -7*n)
	case "month":
		from = midnight(t).AddDate(0, -n, 0)
	case "year":
		from = midnight(t).AddDate(-n, 0, 0)
	default:
		return span{}, false
	}
	return span{from, t.Add(time.Millisecond)}, true
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
