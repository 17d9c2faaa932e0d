package conflict

import (
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// monthOf returns the number of the month that a word names.
func monthOf(low string) (float64, bool) {
	m := english.Month(low)
	return float64(m), m != 0
}

// weekdayOf returns the number of the weekday that a word names, 0 for Sunday. "sat" and "sun"
// do not count, because they are more often other words.
func weekdayOf(low string) (float64, bool) {
	d, ok := english.Weekday(low)
	if !ok && low != "sat" && low != "sun" {
		d, ok = english.ShortWeekday(low)
	}
	return float64(d), ok
}

func isWeekday(low string) bool { _, ok := weekdayOf(low); return ok }

// numberWord returns the number that a word names.
func numberWord(low string) (float64, bool) {
	n, ok := english.NumberWord(low)
	return float64(n), ok
}

func isNumberWord(low string) bool { _, ok := english.NumberWord(low); return ok }

// ordinalWord returns the rank that a word names: 3 for third.
func ordinalWord(low string) (float64, bool) {
	n, ok := english.OrdinalWord(low)
	return float64(n), ok
}

// scale returns what a word multiplies a number by.
func scale(low string) (float64, bool) {
	switch low {
	case "k", "grand":
		return 1e3, true
	case "m":
		return 1e6, true
	}
	n, ok := english.ScaleWord(low)
	return float64(n), ok
}

// measure is a unit, as a multiple of the base unit of its dimension.
type measure struct {
	base string
	size float64
}

var measures = func() map[string]measure {
	m := map[string]measure{}
	for base, unit := range wordLists.Keyed("measures") {
		name, size, _ := strings.Cut(unit, "=")
		f, err := strconv.ParseFloat(size, 64)
		if err != nil {
			panic(err)
		}
		m[name] = measure{base, f}
		m[english.Lemma(name)] = m[name]
	}
	return m
}()

var vagueWords = english.WordSet("about around approximately roughly nearly almost over under least most than up ~ circa some approx approximate")

var currencies = wordLists.Keys("currencies")
