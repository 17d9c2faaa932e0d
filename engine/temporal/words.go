package temporal

import (
	"strconv"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// seasons by their first month; each has three months.
var seasons = map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

var units = map[string]string{
	"minute": "minute", "minutes": "minute", "hour": "hour", "hours": "hour", "day": "day", "days": "day",
	"week": "week", "weeks": "week", "weekend": "weekend", "month": "month", "months": "month",
	"quarter": "quarter", "year": "year", "years": "year",
}

// dayParts are the parts of a day as hours from its beginning.
var dayParts = map[string][2]int{
	"morning": {5, 12}, "afternoon": {12, 18}, "evening": {17, 24}, "night": {18, 30}, "lunchtime": {11, 14},
}

// futureWords and pastWords decide which Friday or March is meant if the text does not say.
var futureWords = english.WordSet(`will shall going gonna upcoming coming plan plans planned planning scheduled due tomorrow next 'll i'll we'll they'll
	she'll he'll you'll it'll`)
var pastWords = english.WordSet(`did was were had happened went said told made got came ago saw met wrote decided discussed talked mentioned agreed
	changed bought visited took did'nt didn't wasn't weren't`)

// number returns the count that a word says, 1 to 999.
func number(low string) (int, bool) {
	if low == "a" || low == "an" {
		return 1, true
	}
	if n, ok := english.NumberWord(low); ok && n > 0 {
		return n, true
	}
	if n, err := strconv.Atoi(low); err == nil && n > 0 && n < 1000 {
		return n, true
	}
	return 0, false
}

// dayOfMonth reads 5, 5th, 21st; it returns 0 for others.
func dayOfMonth(low string) int {
	low, _ = english.CutOrdinal(low)
	n, err := strconv.Atoi(low)
	if err != nil || len(low) > 2 || n < 1 || n > 31 {
		return 0
	}
	return n
}

// yearOf reads a year with four digits, 1900 to 2199; it returns 0 for others.
func yearOf(low string) int {
	if len(low) != 4 {
		return 0
	}
	n, err := strconv.Atoi(low)
	if err != nil || n < 1900 || n > 2199 {
		return 0
	}
	return n
}
