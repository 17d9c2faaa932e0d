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
