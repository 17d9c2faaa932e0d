package conflict

import (
	"strconv"

	"github.com/somnograph/somnograph/internal/english"
)

// monthOf returns the number of the month that a word names.
func monthOf(low string) (float64, bool) {
	m := english.Month(low)
	return float64(m), m != 0
}

// weekdayOf returns the number of the weekday that a word names, 0 for Sunday. "sat" and "sun"
// name none, because they are other words more often.
func weekdayOf(low string) (float64, bool) {
	d, ok := english.Weekday(low)
	if !ok && low != "sat" && low != "sun" {
		d, ok = english.ShortWeekday(low)
	}
	return float64(d), ok
}

func isWeekday(low string) bool { _, ok := weekdayOf(low); return ok }

// numberWord returns the number that a word says.
func numberWord(low string) (float64, bool) {
	n, ok := english.NumberWord(low)
	return float64(n), ok
}

func isNumberWord(low string) bool { _, ok := english.NumberWord(low); return ok }

// ordinalWord returns the rank that a word says: 3 for third.
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
	for base, list := range map[string]string{
		"second": "millisecond=0.001 ms=0.001 second=1 sec=1 secs=1 s=1 minute=60 min=60 mins=60 hour=3600 hr=3600 hrs=3600 h=3600 day=86400 week=604800",
		"month":  "month=1 year=12 yr=12 yrs=12 decade=120",
		"byte":   "kb=1e3 mb=1e6 gb=1e9 tb=1e12 kilobyte=1e3 megabyte=1e6 gigabyte=1e9 terabyte=1e12",
		"metre":  "mm=0.001 cm=0.01 m=1 metre=1 meter=1 km=1000 kilometre=1000 kilometer=1000 kms=1000 mile=1609.344 mi=1609.344 foot=0.3048 ft=0.3048 inch=0.0254",
		"gram":   "g=1 gram=1 kg=1000 kilo=1000 kilogram=1000 lb=453.592 lbs=453.592 pound=453.592 ton=907185 tonne=1e6 ounce=28.3495 oz=28.3495",
		"litre":  "ml=0.001 l=1 litre=1 liter=1 gallon=3.78541",
	} {
		for k, v := range pairs(list) {
			f, err := strconv.ParseFloat(v, 64)
			if err != nil {
				continue
			}
			m[k] = measure{base, f}
			m[english.Lemma(k)] = m[k]
		}
	}
	return m
}()

var vagueWords = english.WordSet("about around approximately roughly nearly almost over under least most than up ~ circa some approx approximate")

var currencies = map[string]string{
	"$": "usd", "€": "eur", "£": "gbp", "usd": "usd", "dollar": "usd", "dollars": "usd", "bucks": "usd", "eur": "eur", "euro": "eur",
	"euros": "eur", "gbp": "gbp", "pounds": "gbp", "¥": "jpy", "yen": "jpy",
}
