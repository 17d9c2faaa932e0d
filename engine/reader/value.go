package reader

import (
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/quantity"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// mergeValues merges the words of a value into one word with its normal form: numbers in words
// and digits, clock times ("half past nine", "9:30 am"), money, percent, amounts with a unit,
// dates and telephone numbers. It also inserts "is" after the words that resolveClitics marked.
func mergeValues(words []word, text string) []word {
	out := words[:0:0]
	plain := make([]quantity.Word, len(words))
	for i := range words {
		plain[i] = quantity.Word{Low: words[i].low, Sign: words[i].sign}
	}
	for i := 0; i < len(words); {
		w := words[i]
		if w.class == cliticIs {
			w.class = 0
			is := word{text: "is", low: "is", start: w.end, end: w.end, quoted: w.quoted}
			out = append(out, w, is)
			i++
			continue
		}
		lem, class, n := readValue(words[i:], out, plain[i:])
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
// there is none. before are the words before it, and plain are the words as package quantity takes them.
func readValue(words, before []word, plain []quantity.Word) (lem string, c class, n int) {
	previous := ""
	if len(before) > 0 {
		previous = before[len(before)-1].low
	}
	if lem, n = tables.quantities.Clock(plain, previous); n > 0 {
		return lem, classClock, n
	}
	if lem, n = quantity.Date(plain); n > 0 {
		return lem, classDate, n
	}
	if lem, n = quantity.Phone(plain); n > 0 {
		return lem, classCode, n
	}
	money := ""
	if words[0].class == classMoney {
		money, n = tables.currency[words[0].low], 1
	}
	value, used := tables.quantities.Number(plain[n:])
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
