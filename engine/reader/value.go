package reader

import (
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// mergeValues merges the words of a value into one word with its normal form: numbers in words
// and digits, clock times ("half past nine", "9:30 am"), money, percent, amounts with a unit,
// dates and telephone numbers. It also inserts "is" after the words that resolveClitics marked.
func mergeValues(words []word, text string) []word {
	out := words[:0:0]
	for i := 0; i < len(words); {
		w := words[i]
		if w.class == cliticIs {
			w.class = 0
			is := word{text: "is", low: "is", start: w.end, end: w.end, quoted: w.quoted}
			out = append(out, w, is)
			i++
			continue
		}
		lem, class, n := readValue(words[i:], out)
		if n == 0 {
			out = append(out, w)
			i++
			continue
		}
		last := words[i+n-1]
		w.end = last.end
		w.text = text[w.start:w.end]
		w.low = strings.ToLower(w.text)
		w.lem, w.class, w.value = lem, class, true
		out = append(out, w)
		i += n
	}
	return out
}

// readValue reads a value at the beginning of words. n is the number of words that it has, 0 if
// there is none. before are the words before it.
func readValue(words, before []word) (lem string, c class, n int) {
	if lem, n = readClock(words, before); n > 0 {
		return lem, classClock, n
	}
	if lem, n = readDate(words); n > 0 {
		return lem, classDate, n
	}
	if lem, n = readPhone(words); n > 0 {
		return lem, classCode, n
	}
	money := ""
	if words[0].class == classMoney {
		money, n = tables.currency[words[0].low], 1
	}
	value, used := readNumber(words[n:])
	if used == 0 {
		return "", 0, 0
	}
	n += used
	dots := strings.Count(words[n-1].low, ".")
	if money != "" {
		return value + " " + money, classMoney, n
	}
	if n < len(words) && words[n].sign == 0 {
		unit := words[n].low
		if cur, ok := tables.currency[unit]; ok {
			return value + " " + cur, classMoney, n + 1
		}
		if unit == "percent" || unit == "per" && n+1 < len(words) && words[n+1].low == "cent" {
			if unit == "per" {
				n++
			}
			return value + " %", classPercent, n + 1
		}
		if (unit == "years" || unit == "year") && n+1 < len(words) && words[n+1].low == "old" {
			return value, classNumber, n + 2
		}
		if tables.unit[unit] {
			return value + " " + english.Singular(unit), classAmount, n + 1
		}
	}
	if n == 1 && dots == 2 || n == 1 && dots == 1 && len(before) > 0 && startsUpper(before[len(before)-1].text) {
		return value, classVersion, n
	}
	return value, classNumber, n
}

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

func isNumeric(low string) bool {
	_, ok := english.NumberWord(low)
	return ok || low != "" && low[0] >= '0' && low[0] <= '9'
}

// readNumber reads a number in digits or words. "k" and "m" at the end multiply.
func readNumber(words []word) (value string, n int) {
	if len(words) == 0 {
		return "", 0
	}
	low := words[0].low
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
		case tables.unit[unit]:
			return trimFloat(f) + " " + english.Singular(unit), 1
		case unit == "st" || unit == "nd" || unit == "rd" || unit == "th":
			return trimFloat(f) + " th", 1
		default:
			return "", 0
		}
		n = 1
		if len(words) > 1 {
			if scale, ok := english.ScaleWord(words[1].low); ok {
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
	if total >= 20 && len(words) > 1 && words[1].sign == 0 {
		if one, ok := english.NumberWord(words[1].low); ok && one < 10 {
			total, n = total+one, 2
		}
	}
	for n < len(words) {
		scale, ok := english.ScaleWord(words[n].low)
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

// readClock reads a time of day: "9:30", "14:00", "9am", "five o'clock", "half past nine",
// "noon", and a bare hour after "at".
func readClock(words, before []word) (string, int) {
	low := words[0].low
	switch low {
	case "noon", "midday":
		return "12:00", 1
	case "midnight":
		return "0:00", 1
	}
	if len(words) > 2 && (low == "half" || low == "quarter") && (words[1].low == "past" || words[1].low == "to") {
		if h, ok := hour(words[2].low); ok {
			m := 30
			if low == "quarter" {
				m = 15
			}
			if words[1].low == "to" {
				h, m = h-1, 60-m
			}
			return meridiem(h, m, words, 3)
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
		return meridiem(hh, mm, words, 1)
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
	if len(words) > 1 && (words[1].low == "am" || words[1].low == "pm" || words[1].low == "o'clock") {
		return meridiem(h, 0, words, 1)
	}
	if len(words) > 3 && words[1].low == "in" && words[2].low == "the" && tables.part[words[3].low] {
		return meridiem(h, 0, words, 1)
	}
	if len(before) > 0 && before[len(before)-1].low == "at" && words[0].sign == 0 && (len(words) == 1 || words[1].sign != 0 || tables.function[words[1].low] && words[1].low != "percent") {
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
func meridiem(h, m int, words []word, n int) (string, int) {
	if n < len(words) && (words[n].low == "am" || words[n].low == "pm" || words[n].low == "o'clock") {
		return clock(h, m, words[n].low), n + 1
	}
	if n+2 < len(words) && words[n].low == "in" && words[n+1].low == "the" && tables.part[words[n+2].low] {
		if words[n+2].low == "morning" {
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

// readDate reads a day of a month, with or without a year: "4 May", "May 4th, 2026",
// "2026-05-04".
func readDate(words []word) (string, int) {
	low := words[0].low
	if len(low) == 10 && low[4] == '-' && low[7] == '-' && isNumeric(low) {
		return low[5:], 1
	}
	day, month, n := 0, 0, 0
	if d, ok := dayOfMonth(low); ok && len(words) > 1 {
		n = 1
		if words[1].low == "of" && len(words) > 2 {
			n = 2
		}
		day, month = d, int(english.Month(words[n].low))
	} else if m := english.Month(low); m != 0 && len(words) > 1 {
		n = 1
		if words[1].low == "the" && len(words) > 2 {
			n = 2
		}
		if d, ok := dayOfMonth(words[n].low); ok {
			day, month = d, int(m)
		}
	}
	if day == 0 || month == 0 {
		return "", 0
	}
	n++
	if n < len(words) && len(words[n].low) == 4 && isNumeric(words[n].low) {
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

// readPhone reads a number of seven digits or more that blanks separate.
func readPhone(words []word) (string, int) {
	digits, n := "", 0
	for n < len(words) && n < 6 && (n == 0 || words[n].sign == 0 || words[n].sign == '-') {
		d := strings.ReplaceAll(words[n].low, "-", "")
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

// nameClass returns the class of a word with a capital.
func nameClass(text string, at int) class {
	switch extract.TypeOf(text) {
	case graph.Person:
		return classPerson
	case graph.Place:
		return classPlace
	}
	if at == 0 && !strings.ContainsAny(text[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return classNoun
	}
	return className
}
