package conflict

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// valueKind is what a value measures.
type valueKind int8

const (
	valueTime     valueKind = iota + 1 // minute of the day
	valueWeekday                       // 0 Sunday to 6
	valueDate                          // month·100 + day; year apart
	valueMonth                         // 1 to 12
	valueYear                          // four digits
	valueMoney                         // amount; unit is the currency
	valuePercent                       // amount
	valueQuantity                      // amount of a unit, converted to its base
	valueNumber                        // amount of nothing said
	valueVersion                       // as written
)

// value is a number, a date or a time that a clause gives.
type value struct {
	kind   valueKind
	num    float64
	year   int    // of a date, 0: not said
	unit   string // of a quantity or an amount of money
	text   string // of a version
	vague  bool   // about, over, at least …
	half   bool   // a time without am or pm, or a day without a month
	habit  bool   // "Mondays", "every Monday"
	prep   string // the word before
	at     int    // index of its first token
	before bool   // stands before the verb
}

// same reports whether two values of one kind may be the same.
func (v value) same(o value) bool {
	switch v.kind {
	case valueTime:
		if v.half || o.half {
			return math.Mod(v.num, 720) == math.Mod(o.num, 720)
		}
		return v.num == o.num
	case valueDate:
		if v.half || o.half { // only the day is known
			return math.Mod(v.num, 100) == math.Mod(o.num, 100)
		}
		return v.num == o.num && (v.year == 0 || o.year == 0 || v.year == o.year)
	case valueVersion:
		return v.text == o.text || strings.HasPrefix(v.text, o.text+".") || strings.HasPrefix(o.text, v.text+".")
	case valueMoney, valuePercent, valueQuantity, valueNumber:
		if v.vague && o.vague { // both bounds, or both guesses
			return math.Abs(v.num-o.num) <= 0.1*math.Max(math.Abs(v.num), math.Abs(o.num))
		}
		if v.vague || o.vague {
			return math.Abs(v.num-o.num) <= 0.25*math.Max(math.Abs(v.num), math.Abs(o.num))
		}
		return math.Abs(v.num-o.num) <= 1e-9*math.Max(math.Abs(v.num), math.Abs(o.num))
	}
	return v.num == o.num
}

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

// reader finds the values of a clause's tokens.
type reader struct {
	t  []token
	at time.Time
	vs []value
}

// values marks the tokens that belong to values and returns the values in order.
func values(t []token, at time.Time) []value {
	r := reader{t: t, at: at}
	for i := 0; i < len(t); {
		if n := r.read(i); n > 0 {
			for j := i; j < i+n && j < len(t); j++ {
				t[j].used = true
			}
			i += n
			continue
		}
		i++
	}
	return r.vs
}

func (r *reader) low(i int) string {
	if i < 0 || i >= len(r.t) {
		return ""
	}
	return r.t[i].low
}

func (r *reader) add(i int, v value) {
	v.at = i
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if vagueWords[r.t[j].low] {
			v.vague = true
			continue
		}
		if w := r.t[j].low; w == "the" || w == "at" && vagueWords[r.low(j+1)] || w == "every" || w == "each" || w == "next" || w == "this" || w == "last" || w == "or" || w == "more" || w == "less" {
			v.habit = v.habit || w == "every" || w == "each"
			continue
		}
		v.prep = r.t[j].low
		break
	}
	r.vs = append(r.vs, v)
}

// read reads a value that begins at i and returns how many tokens it takes.
func (r *reader) read(i int) int {
	t := r.t[i]
	if t.mark {
		return 0
	}
	low := t.low
	if d, ok := weekdayOf[low]; ok && (len(low) > 3 || t.upper) {
		r.add(i, value{kind: valueWeekday, num: d})
		return 1
	}
	if strings.HasSuffix(low, "s") {
		if d, ok := weekdayOf[low[:len(low)-1]]; ok && len(low) > 6 {
			r.add(i, value{kind: valueWeekday, num: d, habit: true})
			return 1
		}
	}
	if n := r.month(i); n > 0 {
		return n
	}
	switch low {
	case "noon", "midday":
		r.add(i, value{kind: valueTime, num: 720})
		return 1
	case "midnight":
		r.add(i, value{kind: valueTime, num: 0})
		return 1
	case "today", "tomorrow", "yesterday", "tonight":
		if !r.at.IsZero() {
			d := r.at.UTC()
			switch low {
			case "tomorrow":
				d = d.AddDate(0, 0, 1)
			case "yesterday":
				d = d.AddDate(0, 0, -1)
			}
			r.add(i, dateOf(d))
		} else {
			day := map[string]float64{"today": 3201, "tonight": 3201, "tomorrow": 3202, "yesterday": 3200}[low]
			r.add(i, value{kind: valueDate, num: day})
		}
		return 1
	case "half", "quarter":
		if past := r.low(i + 1); past == "past" || past == "to" {
			if h, ok := r.hour(i + 2); ok {
				minute := h * 60
				switch {
				case low == "half":
					minute += 30
				case past == "past":
					minute += 15
				default:
					minute -= 15
				}
				r.add(i, value{kind: valueTime, num: minute, half: true})
				return 3
			}
		}
	}
	if isISODate(t.raw) {
		if d, err := time.Parse("2006-01-02", t.raw[:10]); err == nil {
			r.add(i, dateOf(d))
			return 1
		}
	}
	if n := r.clock(i); n > 0 {
		return n
	}
	return r.number(i)
}

func dateOf(d time.Time) value {
	return value{kind: valueDate, num: float64(int(d.Month())*100 + d.Day()), year: d.Year()}
}

func (r *reader) hour(i int) (float64, bool) {
	if n, ok := numberWords[r.low(i)]; ok && n >= 1 && n <= 12 {
		return n, true
	}
	n, err := strconv.ParseFloat(r.low(i), 64)
	return n, err == nil && n >= 1 && n <= 12
}

// day reads a day of the month: 5, 5th, fifth.
func (r *reader) day(i int) (float64, bool) {
	w := r.low(i)
	if n, ok := ordinals[w]; ok {
		return n, true
	}
	for _, end := range []string{"st", "nd", "rd", "th"} {
		w = strings.TrimSuffix(w, end)
	}
	if len(w) > 2 || !digits(w) {
		return 0, false
	}
	n, err := strconv.ParseFloat(w, 64)
	return n, err == nil && n >= 1 && n <= 31
}

func (r *reader) year(i int) int {
	w := r.low(i)
	if len(w) != 4 || !digits(w) {
		return 0
	}
	if n, err := strconv.Atoi(w); err == nil && n >= 1800 && n < 2200 {
		return n
	}
	return 0
}

// month reads "May 5", "5 May 2024", "the 5th of May", "in May", "May 2024".
func (r *reader) month(i int) int {
	if d, ok := r.day(i); ok {
		j := i + 1
		if r.low(j) == "of" {
			j++
		}
		if m, ok := monthOf[r.low(j)]; ok && r.t[j].raw[0] < 'a' {
			return r.date(i, j+1, m, d)
		}
		if ord := r.low(i); len(ord) > 2 && (strings.HasSuffix(ord, "th") || strings.HasSuffix(ord, "st") || strings.HasSuffix(ord, "nd") || strings.HasSuffix(ord, "rd")) &&
			ord[0] >= '0' && ord[0] <= '9' && r.low(i-1) == "the" && !r.noun(i+1) {
			r.add(i, value{kind: valueDate, num: d, half: true})
			return 1
		}
		return 0
	}
	m, ok := monthOf[r.low(i)]
	if !ok {
		return 0
	}
	plain := r.low(i) != "may" && r.low(i) != "march" && r.low(i) != "mar" && r.low(i) != "jan" && r.low(i) != "sep" && r.low(i) != "dec"
	if !plain && r.t[i].raw[0] >= 'a' {
		return 0
	}
	j := i + 1
	if r.low(j) == "the" {
		j++
	}
	if d, ok := r.day(j); ok && (r.low(j) != "second" || r.low(j+1) != "of") {
		return r.date(i, j+1, m, d)
	}
	if r.low(j) == "," {
		j++
	}
	if y := r.year(j); y != 0 {
		r.add(i, value{kind: valueMonth, num: m, year: y})
		return j + 1 - i
	}
	if plain && len(r.low(i)) > 3 || r.t[i].upper {
		r.add(i, value{kind: valueMonth, num: m})
		return 1
	}
	return 0
}

func (r *reader) date(i, j int, m, d float64) int {
	v := value{kind: valueDate, num: m*100 + d}
	k := j
	if r.low(k) == "," {
		k++
	}
	if y := r.year(k); y != 0 {
		v.year, j = y, k+1
	}
	r.add(i, v)
	return j - i
}

// noun reports whether a plain word stands at i.
func (r *reader) noun(i int) bool {
	return i < len(r.t) && !r.t[i].mark && !stop[r.t[i].low] && r.t[i].low != "'s"
}

// clock reads 3pm, 3 p.m., 15:00, 3:30, 3 o'clock, at 3.
func (r *reader) clock(i int) int {
	w := r.low(i)
	if _, ok := numberWords[w]; !ok && (w == "" || w[0] < '0' || w[0] > '9') {
		return 0
	}
	suffix := ""
	for _, s := range []string{"a.m", "p.m", "am", "pm"} {
		if cut, ok := strings.CutSuffix(w, s); ok {
			w, suffix = cut, s[:1]
			break
		}
	}
	n := 1
	if suffix == "" {
		switch next := r.low(i + 1); next {
		case "am", "pm", "a.m", "p.m":
			suffix, n = next[:1], 2
		}
	}
	h, m, colon := strings.Cut(w, ":")
	if !colon && suffix != "" {
		h, m, colon = strings.Cut(w, ".")
	}
	hour, err := strconv.ParseFloat(h, 64)
	if err != nil {
		var ok bool
		if hour, ok = numberWords[h]; !ok {
			return 0
		}
	}
	minute := 0.0
	if colon {
		if minute, err = strconv.ParseFloat(m, 64); err != nil || len(m) != 2 || minute >= 60 {
			return 0
		}
	}
	if hour >= 24 || hour != math.Trunc(hour) {
		return 0
	}
	clock := suffix != "" || colon
	if !clock && r.low(i+1) == "o'clock" {
		clock, n = true, 2
	}
	if !clock && hour >= 1 && hour <= 12 && (r.low(i-1) == "at" || r.low(i-1) == "until" || r.low(i-1) == "by" || r.low(i-1) == "@") && !r.noun(i+1) && r.low(i+1) != "%" && r.low(i+1) != "of" {
		clock = true
	}
	if !clock {
		return 0
	}
	v := value{kind: valueTime, half: suffix == "" && hour <= 12}
	if suffix != "" && hour == 12 {
		hour = 0
	}
	if suffix == "p" {
		hour += 12
	}
	v.num = hour*60 + minute
	r.add(i, v)
	return n
}

// number reads an amount and its unit.
func (r *reader) number(i int) int {
	w := r.low(i)
	v := value{kind: valueNumber}
	if w != "" && (w[0] == '$' || w[0] >= 0x80) {
		for _, sign := range []string{"$", "€", "£", "¥"} {
			if rest, ok := strings.CutPrefix(w, sign); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
				v.kind, v.unit, w = valueMoney, currencies[sign], rest
			}
		}
	}
	w, approx := strings.CutPrefix(w, "~")
	v.vague = approx
	n, took, unit := r.amount(w, i)
	if took == 0 {
		if len(w) > 2 && w[0] == 'v' && w[1] >= '0' && w[1] <= '9' {
			r.add(i, value{kind: valueVersion, text: w[1:]})
			return 1
		}
		if strings.Count(w, ".") >= 2 && w[0] >= '0' && w[0] <= '9' {
			r.add(i, value{kind: valueVersion, text: w})
			return 1
		}
		return 0
	}
	v.num = n
	j := i + took
	if unit == "%" || r.low(j) == "%" || r.low(j) == "percent" {
		if unit != "%" {
			j++
		}
		v.kind = valuePercent
		r.add(i, v)
		return j - i
	}
	if v.kind == valueMoney {
		r.add(i, v)
		return j - i
	}
	if code, ok := currencies[r.low(j)]; ok && unit == "" {
		v.kind, v.unit = valueMoney, code
		r.add(i, v)
		return j + 1 - i
	}
	if unit == "" && r.low(j) == "version" || r.low(i-1) == "version" {
		r.add(i, value{kind: valueVersion, text: w})
		return 1
	}
	if unit == "" {
		if y := r.year(i); y != 0 && took == 1 && !r.noun(j) {
			r.add(i, value{kind: valueYear, num: float64(y)})
			return 1
		}
	}
	return r.quantity(i, j, v, unit)
}

// amount reads a number in figures or words, with its scale. unit is what was
// glued to it: 30s, 16gb, 50%.
func (r *reader) amount(w string, i int) (n float64, took int, unit string) {
	if w == "" {
		return 0, 0, ""
	}
	if f, ok := numberWords[w]; ok {
		if w == "one" && (!r.noun(i+1) || strings.Contains(" no any every each the this that some which ", " "+r.low(i-1)+" ")) {
			return 0, 0, ""
		}
		n, took = f, 1
		if f >= 20 {
			if g, ok := numberWords[r.low(i+1)]; ok && g < 10 {
				n, took = f+g, 2
			}
		}
		for {
			s, ok := scales[r.low(i+took)]
			if !ok || len(r.low(i+took)) < 3 {
				return n, took, ""
			}
			n, took = n*s, took+1
		}
	}
	if w[0] < '0' || w[0] > '9' {
		return 0, 0, ""
	}
	end := 0
	for end < len(w) && (w[end] >= '0' && w[end] <= '9' || w[end] == '.' || w[end] == ',') {
		end++
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(w[:end], ",", ""), 64)
	if err != nil {
		return 0, 0, ""
	}
	switch tail := w[end:]; tail {
	case "", "+":
	case "k", "m", "bn":
		f *= map[string]float64{"k": 1e3, "m": 1e6, "bn": 1e9}[tail]
	case "%":
		return f, 1, "%"
	case "st", "nd", "rd", "th":
		return 0, 0, ""
	default:
		if _, ok := measures[tail]; !ok {
			return 0, 0, ""
		}
		unit = tail
	}
	took = 1
	if s, ok := scales[r.low(i+1)]; ok && len(r.low(i+1)) > 2 {
		f, took = f*s, 2
	}
	return f, took, unit
}

// quantity reads the unit behind a number: a measure, or the counted things.
func (r *reader) quantity(i, j int, v value, unit string) int {
	if unit == "" && j < len(r.t) {
		if _, ok := measures[r.low(j)]; ok {
			unit = r.low(j)
			j++
		} else if _, ok := measures[r.t[j].lem]; ok {
			unit = r.t[j].lem
			j++
		}
	}
	if unit != "" {
		m := measures[unit]
		v.kind, v.unit, v.num = valueQuantity, m.base, v.num*m.size
		if r.low(j) == "old" {
			v.unit = "age"
			j++
		} else if r.low(j) == "ago" {
			v.unit = "ago"
			j++
		}
		r.add(i, v)
		return j - i
	}
	// counted things: up to three plain words, of which the last is the head
	k := j
	var unitWords []string
	for k < len(r.t) && k < j+3 && r.noun(k) && !(finite(r.t[k]) && !nounish[r.t[k].lem]) && weekdayOf[r.low(k)] == 0 {
		unitWords = append(unitWords, r.t[k].lem)
		k++
	}
	if len(unitWords) > 0 {
		v.kind, v.unit = valueQuantity, strings.Join(unitWords, " ")
	}
	r.add(i, v) // the counted things stay words of the clause
	return j - i
}
