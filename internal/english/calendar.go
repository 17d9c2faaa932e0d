package english

import (
	"strings"
	"time"
)

// The names of months and weekdays, and their usual short forms. "may", "march", "mar",
// "sat" and "sun" are other words as well.
const (
	Months        = "january february march april may june july august september october november december"
	ShortMonths   = "jan feb mar apr jun jul aug sep sept oct nov dec"
	Weekdays      = "sunday monday tuesday wednesday thursday friday saturday"
	ShortWeekdays = "sun mon tue tues wed thu thur thurs fri sat"
)

// Month returns the month that a word in lower case names, in full or short; 0 if none.
func Month(low string) time.Month { return months[low] }

// Weekday returns the day that a word in lower case names in full.
func Weekday(low string) (day time.Weekday, ok bool) {
	day, ok = weekdays[low]
	return day, ok
}

// ShortWeekday returns the day that a word in lower case is a short form of.
func ShortWeekday(low string) (day time.Weekday, ok bool) {
	day, ok = shortWeekdays[low]
	return day, ok
}

var months = func() map[string]time.Month {
	m := map[string]time.Month{}
	for i, full := range strings.Fields(Months) {
		m[full] = time.Month(i + 1)
		for short := range strings.FieldsSeq(ShortMonths) {
			if strings.HasPrefix(full, short) {
				m[short] = m[full]
			}
		}
	}
	return m
}()

var weekdays, shortWeekdays = func() (full, short map[string]time.Weekday) {
	full, short = map[string]time.Weekday{}, map[string]time.Weekday{}
	for i, day := range strings.Fields(Weekdays) {
		full[day] = time.Weekday(i)
		for s := range strings.FieldsSeq(ShortWeekdays) {
			if strings.HasPrefix(day, s) {
				short[s] = time.Weekday(i)
			}
		}
	}
	return full, short
}()
