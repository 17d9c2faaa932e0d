// Package quantity reads numbers, times of day, days and telephone numbers in the words of a text.
package quantity

import (
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Word is a word of a text.
type Word struct {
	Low  string // in lower case
	Sign byte   // the sign before it: , ; : = ( " ' - or 0
}

// Reader reads quantities. Its sets hold words in lower case.
type Reader struct {
	Parts    map[string]bool   // of a day: "morning"
	Units    map[string]bool   // "kg", "hours"
	Function map[string]bool   // words without content: "the", "and"
	Currency map[string]string // the currency of a sign or a word: "€", "euros"
}

// Kind is the kind of a value. Its letter stands for the value in masked n-grams.
type Kind byte

// Kinds.
const (
	Number  Kind = 'n'
	Clock   Kind = 't'
	Day     Kind = 'd'
	Money   Kind = '$'
	Amount  Kind = 'u' // a number with a unit
	Percent Kind = '%'
	Version Kind = 'v'
	Code    Kind = 'i' // a telephone number
)

// Value reads a value at the beginning of words. previous is the word before them in lower case, and capital says that it has a capital.
// n is the number of words that the value has, 0 if there is none.
func (r Reader) Value(words []Word, previous string, capital bool) (value string, k Kind, n int) {
	if value, n = r.Clock(words, previous); n > 0 {
		return value, Clock, n
	}
	if value, n = Date(words); n > 0 {
		return value, Day, n
	}
	if value, n = Phone(words); n > 0 {
		return value, Code, n
	}
	money := ""
	if strings.Contains("€$£¥", words[0].Low) {
		money, n = r.Currency[words[0].Low], 1
	}
	value, used := r.Number(words[n:])
	if used == 0 {
		return "", 0, 0
	}
	n += used
	dots := strings.Count(words[n-1].Low, ".")
	if money != "" {
		return value + " " + money, Money, n
	}
	if n < len(words) && words[n].Sign == 0 {
		unit := words[n].Low
		if currency, ok := r.Currency[unit]; ok {
			return value + " " + currency, Money, n + 1
		}
		if unit == "percent" || unit == "per" && n+1 < len(words) && words[n+1].Low == "cent" {
			if unit == "per" {
				n++
			}
			return value + " %", Percent, n + 1
		}
		if (unit == "years" || unit == "year") && n+1 < len(words) && words[n+1].Low == "old" {
			return value, Number, n + 2
		}
		if r.Units[unit] {
			return value + " " + english.Singular(unit), Amount, n + 1
		}
	}
	if n == 1 && dots == 2 || n == 1 && dots == 1 && capital {
		return value, Version, n
	}
	return value, Number, n
}

// Clock reads a time of day at the beginning of words: "9:30", "14:00", "9am", "five o'clock", "half past nine",
// "noon", and a bare hour after "at", if that is the previous word. It returns the time and how many words it has,
// 0 if there is none.
func (r Reader) Clock(words []Word, previous string) (string, int) {
	low := words[0].Low
	switch low {
	case "noon", "midday":
		return "12:00", 1
	case "midnight":
		return "0:00", 1
	}
	if len(words) > 2 && (low == "half" || low == "quarter") && (words[1].Low == "past" || words[1].Low == "to") {
		if h, ok := hour(words[2].Low); ok {
			m := 30
			if low == "quarter" {
				m = 15
			}
			if words[1].Low == "to" {
				h, m = h-1, 60-m
			}
			return r.meridiem(h, m, words, 3)
		}
	}
	if h, m, ok := strings.Cut(low, ":"); ok {
		suffix := strings.TrimLeft(m, "0123456789")
		hh, err1 := strconv.Atoi(h)
		mm, err2 := strconv.Atoi(strings.TrimSuffix(m, suffix))
		if err1 != nil || err2 != nil || hh > 24 || mm > 59 {
			return "", 0
		}
		if suffix != "" {
			return clock(hh, mm, suffix), 1
		}
		return r.meridiem(hh, mm, words, 1)
	}
	for _, s := range []string{"am", "pm"} {
		if h, ok := strings.CutSuffix(low, s); ok {
			if hh, ok := hour(h); ok {
				return clock(hh, 0, s), 1
			}
		}
	}
	h, ok := hour(low)
	if !ok {
		return "", 0
	}
	if len(words) > 1 && (words[1].Low == "am" || words[1].Low == "pm" || words[1].Low == "o'clock") {
		return r.meridiem(h, 0, words, 1)
	}
	if len(words) > 3 && words[1].Low == "in" && words[2].Low == "the" && r.Parts[words[3].Low] {
		return r.meridiem(h, 0, words, 1)
	}
	if previous == "at" && words[0].Sign == 0 && (len(words) == 1 || words[1].Sign != 0 || r.Function[words[1].Low] && words[1].Low != "percent") {
		return clock(h, 0, ""), 1
	}
	return "", 0
}

func hour(low string) (int, bool) {
	if n, ok := english.NumberWord(low); ok {
		return n, n <= 12 && n > 0
	}
	n, err := strconv.Atoi(low)
	return n, err == nil && n > 0 && n <= 24
}

// meridiem adds "am" or "pm", if it is the word at n.
func (r Reader) meridiem(h, m int, words []Word, n int) (string, int) {
	if n < len(words) && (words[n].Low == "am" || words[n].Low == "pm" || words[n].Low == "o'clock") {
		return clock(h, m, words[n].Low), n + 1
	}
	if n+2 < len(words) && words[n].Low == "in" && words[n+1].Low == "the" && r.Parts[words[n+2].Low] {
		if words[n+2].Low == "morning" {
			return clock(h, m, "am"), n + 3
		}
		return clock(h, m, "pm"), n + 3
	}
	return clock(h, m, ""), n
}

func clock(h, m int, suffix string) string {
	if suffix == "pm" && h < 12 {
		h += 12
	}
	return strconv.Itoa(h) + ":" + strconv.Itoa(m/10) + strconv.Itoa(m%10)
}

// Date reads a day of a month, with or without a year: "4 May", "May 4th, 2026",
// "2026-05-04".
func Date(words []Word) (string, int) {
	low := words[0].Low
	if len(low) == 10 && low[4] == '-' && low[7] == '-' && IsNumeric(low) {
		return low[5:], 1
	}
	day, month, n := 0, 0, 0
	if d, ok := dayOfMonth(low); ok && len(words) > 1 {
		n = 1
		if words[1].Low == "of" && len(words) > 2 {
			n = 2
		}
		day, month = d, int(english.Month(words[n].Low))
	} else if m := english.Month(low); m != 0 && len(words) > 1 {
		n = 1
		if words[1].Low == "the" && len(words) > 2 {
			n = 2
		}
		if d, ok := dayOfMonth(words[n].Low); ok {
			day, month = d, int(m)
		}
	}
	if day == 0 || month == 0 {
		return "", 0
	}
	n++
	if n < len(words) && len(words[n].Low) == 4 && IsNumeric(words[n].Low) {
		n++
	}
	return strconv.Itoa(month + 100)[1:] + "-" + strconv.Itoa(day + 100)[1:], n
}

func dayOfMonth(low string) (int, bool) {
	for _, s := range []string{"st", "nd", "rd", "th"} {
		if d, ok := strings.CutSuffix(low, s); ok {
			low = d
			break
		}
	}
	d, err := strconv.Atoi(low)
	return d, err == nil && d > 0 && d < 32
}

// Phone reads a number of seven digits or more that blanks separate.
func Phone(words []Word) (string, int) {
	digits, n := "", 0
	for n < len(words) && n < 6 && (n == 0 || words[n].Sign == 0 || words[n].Sign == '-') {
		d := strings.ReplaceAll(words[n].Low, "-", "")
		if d == "" || strings.Trim(d, "0123456789") != "" || len(d) < 2 {
			break
		}
		digits += d
		n++
	}
	if len(digits) < 7 || n == 1 && len(digits) < 9 {
		return "", 0
	}
	return digits, n
}

// IsNumeric reports a number word or a word that begins with a digit.
func IsNumeric(low string) bool {
	_, ok := english.NumberWord(low)
	return ok || low != "" && low[0] >= '0' && low[0] <= '9'
}

// Number reads a number in digits or words. "k" and "m" at the end multiply.
func (r Reader) Number(words []Word) (value string, n int) {
	if len(words) == 0 {
		return "", 0
	}
	low := words[0].Low
	if low[0] >= '0' && low[0] <= '9' {
		digits, unit := low, ""
		if i := strings.IndexFunc(low, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != ',' }); i > 0 {
			digits, unit = low[:i], low[i:]
		}
		if strings.Count(digits, ".") > 1 && unit == "" {
			return digits, 1
		}
		f, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
		if err != nil {
			return "", 0
		}
		switch {
		case unit == "":
		case unit == "k":
			f *= 1e3
		case unit == "m" && f < 1000:
			f *= 1e6
		case r.Units[unit]:
			return trimFloat(f) + " " + english.Singular(unit), 1
		case unit == "st" || unit == "nd" || unit == "rd" || unit == "th":
			return trimFloat(f) + " th", 1
		default:
			return "", 0
		}
		n = 1
		if len(words) > 1 {
			if scale, ok := english.ScaleWord(words[1].Low); ok {
				return trimFloat(f * float64(scale)), 2
			}
		}
		return trimFloat(f), n
	}
	total, ok := english.NumberWord(low)
	if !ok {
		if place, ok := english.OrdinalWord(low); ok && low != "second" {
			return strconv.Itoa(place) + " th", 1
		}
		return hyphenated(low)
	}
	n = 1
	if total >= 20 && len(words) > 1 && words[1].Sign == 0 {
		if one, ok := english.NumberWord(words[1].Low); ok && one < 10 {
			total, n = total+one, 2
		}
	}
	for n < len(words) {
		scale, ok := english.ScaleWord(words[n].Low)
		if !ok {
			break
		}
		total, n = total*scale, n+1
	}
	return strconv.Itoa(total), n
}

// hyphenated reads "twenty-five".
func hyphenated(low string) (value string, n int) {
	tens, one, ok := strings.Cut(low, "-")
	if !ok {
		return "", 0
	}
	t, ok1 := english.NumberWord(tens)
	o, ok2 := english.NumberWord(one)
	if !ok1 || !ok2 || t < 20 || o > 9 {
		return "", 0
	}
	return strconv.Itoa(t + o), 1
}

func trimFloat(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
