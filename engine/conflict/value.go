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
	valueDate                          // month·100 + day; the year is in value.year
	valueMonth                         // 1 to 12
	valueYear                          // four digits
	valueMoney                         // amount; unit is the currency
	valuePercent                       // amount
	valueQuantity                      // amount of a unit, converted to the base unit
	valueNumber                        // amount without a unit
	valueVersion                       // as written
)

// value is a number, a date or a time of a clause.
type value struct {
	kind       valueKind
	num        float64
	year       int    // of a date; 0 if not given
	unit       string // of a quantity or an amount of money
	text       string // of a version
	vague      bool   // about, over, at least …
	partial    bool   // a time without am or pm, or a day without a month
	recurring  bool   // "Mondays", "every Monday"
	prep       string // the word before it
	index      int    // index of its first token
	beforeVerb bool   // it comes before the verb
}

// same reports whether two values of one kind may be equal.
func (v value) same(o value) bool {
	switch v.kind {
	case valueTime:
		if v.partial || o.partial {
			return math.Mod(v.num, 720) == math.Mod(o.num, 720)
		}
		return v.num == o.num
	case valueDate:
		if v.partial || o.partial { // only the day is known
			return math.Mod(v.num, 100) == math.Mod(o.num, 100)
		}
		return v.num == o.num && (v.year == 0 || o.year == 0 || v.year == o.year)
	case valueVersion:
		return v.text == o.text || strings.HasPrefix(v.text, o.text+".") || strings.HasPrefix(o.text, v.text+".")
	case valueMoney, valuePercent, valueQuantity, valueNumber:
		if v.vague && o.vague { // two bounds, or two estimates
			return math.Abs(v.num-o.num) <= 0.1*math.Max(math.Abs(v.num), math.Abs(o.num))
		}
		if v.vague || o.vague {
			return math.Abs(v.num-o.num) <= 0.25*math.Max(math.Abs(v.num), math.Abs(o.num))
		}
		return math.Abs(v.num-o.num) <= 1e-9*math.Max(math.Abs(v.num), math.Abs(o.num))
	}
	return v.num == o.num
}

// reader finds the values of the tokens of a clause.
type reader struct {
	t  []token
	at time.Time
	vs []value
}

// values marks the tokens of values and returns the values in order.
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
	v.index = i
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if r.t[j].is(vagueWord) {
			v.vague = true
			continue
		}
		if w := r.t[j].low; w == "the" || w == "at" && vagueWords[r.low(j+1)] || w == "every" || w == "each" || w == "next" || w == "this" || w == "last" || w == "or" || w == "more" || w == "less" {
			v.recurring = v.recurring || w == "every" || w == "each"
			continue
		}
		v.prep = r.t[j].low
		break
	}
	r.vs = append(r.vs, v)
}

// read reads a value that begins at i and returns the number of its tokens.
func (r *reader) read(i int) int {
	t := r.t[i]
	if t.punctuation {
		return 0
	}
	low := t.low
	if d, ok := weekdayOf(low); ok && (len(low) > 3 || t.upper) {
		r.add(i, value{kind: valueWeekday, num: d})
		return 1
	}
	if strings.HasSuffix(low, "s") {
		if d, ok := weekdayOf(low[:len(low)-1]); ok && len(low) > 6 {
			r.add(i, value{kind: valueWeekday, num: d, recurring: true})
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
				r.add(i, value{kind: valueTime, num: minute, partial: true})
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

// noun reports whether the token at i is a content word.
func (r *reader) noun(i int) bool {
	return i < len(r.t) && !r.t[i].punctuation && !r.t[i].is(stopWord) && r.t[i].low != "'s"
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

// amount reads a number in digits or words, with its scale. unit is what is attached to it: 30s,
// 16gb, 50%.
func (r *reader) amount(w string, i int) (n float64, took int, unit string) {
	if w == "" {
		return 0, 0, ""
	}
	if f, ok := numberWord(w); ok {
		if w == "one" && (!r.noun(i+1) || strings.Contains(" no any every each the this that some which ", " "+r.low(i-1)+" ")) {
			return 0, 0, ""
		}
		n, took = f, 1
		if f >= 20 {
			if g, ok := numberWord(r.low(i + 1)); ok && g < 10 {
				n, took = f+g, 2
			}
		}
		for {
			s, ok := scale(r.low(i + took))
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
	if s, ok := scale(r.low(i + 1)); ok && len(r.low(i+1)) > 2 {
		f, took = f*s, 2
	}
	return f, took, unit
}

// quantity reads the unit after a number: a measure, or what is counted.
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
	// what is counted: up to three words, the last of which is the head
	k := j
	var unitWords []string
	for k < len(r.t) && k < j+3 && r.noun(k) && !(r.t[k].finite && !nounish[r.t[k].lem]) && !isWeekday(r.low(k)) {
		unitWords = append(unitWords, r.t[k].lem)
		k++
	}
	if len(unitWords) > 0 {
		v.kind, v.unit = valueQuantity, strings.Join(unitWords, " ")
	}
	r.add(i, v) // what is counted stays an item of the clause
	return j - i
}
