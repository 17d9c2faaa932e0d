package conflict

import "strconv"

var monthOf = map[string]float64{
	"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5, "june": 6, "jun": 6,
	"july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sept": 9, "sep": 9, "october": 10, "oct": 10,
	"november": 11, "nov": 11, "december": 12, "dec": 12,
}

var weekdayOf = map[string]float64{
	"sunday": 0, "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6,
	"mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5,
}

var numberWords = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var ordinals = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fifteenth": 15, "twentieth": 20, "thirtieth": 30,
}

var scales = map[string]float64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "k": 1e3, "m": 1e6, "dozen": 12, "grand": 1e3}

func isNumberWord(w string) bool { _, ok := numberWords[w]; return ok }

// measure is a unit of a dimension and what it is in the dimension's base unit.
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
			m[regular(k)] = m[k]
		}
	}
	return m
}()

var vagueWords = words("about around approximately roughly nearly almost over under least most than up ~ circa some approx approximate")

var currencies = map[string]string{
	"$": "usd", "€": "eur", "£": "gbp", "usd": "usd", "dollar": "usd", "dollars": "usd", "bucks": "usd", "eur": "eur", "euro": "eur",
	"euros": "eur", "gbp": "gbp", "pounds": "gbp", "¥": "jpy", "yen": "jpy",
}
