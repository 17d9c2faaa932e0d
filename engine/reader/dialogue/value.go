package dialogue

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// kind is what a value says. A correction replaces a value of its own kind only.
type kind byte

const (
	none    kind = iota
	clock        // 9 am, 10:30; of a statement also the 9 of "at 9"
	weekday      // Tuesday
	date         // 4 May, May 4, 2031, May
	year         // 2019
	ordinal      // the 4th, the 4th floor
	amount       // 5 km, €900, 40 guests
	count        // 42, without a unit
	code         // B12, kv/app, a@x.org
	name         // Ghent, Anna Smith
)

// numeric reports whether values of a kind are written with a number.
func (k kind) numeric() bool { return k == clock || k >= year && k <= count || k == date }

var (
	prepositions = english.WordSet("in on at from to by with for of since until till near into under over via as about around before after")
	determiners  = english.WordSet("the a an my our your his her their")
	clockWords   = english.WordSet("at from until till by around before after")
	yearWords    = english.WordSet("in since from until of by year")
	halfDays     = english.WordSet("am pm a.m. p.m. a.m p.m o'clock")
	titles       = english.WordSet("dr. mr. mrs. ms. prof. st.")
	// ends are words after which a number has no unit.
	ends = english.WordSet("and or but so today tomorrow tonight every each sharp now then instead not years'")
)

var (
	timeForm    = regexp.MustCompile(`^(\d{1,2})(?:[:.]([0-5]\d))?(am|pm|h)$|^(\d{1,2}):([0-5]\d)$`)
	ordinalForm = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th)$`)
	numberForm  = regexp.MustCompile(`^([$€£]?)(\d[\d.,]*)(%|[a-z]{1,3}|€)?$`)
)

// clausal are words of a clause with a subject or a verb of its own.
var clausal = english.WordSet("i you he she we they it is are was were am be been have has had do does did will would can could should shall may might must not who whom which what when where why how if because")

// spot is a value in a text.
type spot struct {
	kind     kind
	from, to int     // in bytes
	n        float64 // of a number; of a time of day the hour, of a date the day (0: only a month)
	unit     string  // of an amount or an ordinal; "am" or "pm" of a time of day
	year     int     // of a date
	day      [2]int  // of a date, where its day is
	month    [2]int  // of a date, where its month is
	first    bool    // it begins a sentence, where every word has a capital
	before   string  // the word before it
}

// part is a word of a text without the signs around it.
type part struct {
	from, to int
	low      string // in lower case
	word     string
	stop     bool // a sign after it ends a clause
}

// partsOf cuts a text into words.
func partsOf(s string) (out []part) {
	at := 0
	for _, w := range strings.Fields(s) {
		start := at + strings.Index(s[at:], w)
		at = start + len(w)
		lead := len(w) - len(strings.TrimLeft(w, `"'(*`))
		cut := strings.TrimRight(w[lead:], `.,;:!?"')…`)
		out = append(out, part{start + lead, start + lead + len(cut), strings.ToLower(cut), cut, lead+len(cut) < len(w) && !titles[strings.ToLower(w)]})
	}
	return out
}

// numberOf reads a number in digits or words, and the sign or letters at it.
func numberOf(low string) (n float64, unit string, ok bool) {
	if n, ok := english.NumberWord(low); ok && low != "one" {
		return float64(n), "", true
	}
	found := numberForm.FindStringSubmatch(low)
	if found == nil {
		return 0, "", false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(found[2], ",", ""), 64)
	return n, found[1] + found[3], err == nil
}

// spots returns the values of a text.
func spots(s string) (out []spot) {
	all := partsOf(s)
	for i := 0; i < len(all); {
		x, n := spotAt(all, i)
		if x.kind != none {
			if i > 0 {
				x.before = all[i-1].low
			}
			x.from, x.to, x.first = all[i].from, all[i+n-1].to, i == 0 || endsSentence(s, &all[i-1])
			out = append(out, x)
		}
		i += max(n, 1)
	}
	return out
}

// endsSentence reports whether a sentence ends with a word.
func endsSentence(s string, p *part) bool {
	return p.stop && p.to < len(s) && strings.ContainsAny(s[p.to:min(p.to+2, len(s))], ".!?:…")
}

// spotAt reads the value that begins at a word, and the number of its words.
func spotAt(all []part, i int) (x spot, n int) {
	p := &all[i]
	if day, ok := english.Weekday(strings.TrimSuffix(p.low, "s")); ok && len(p.low) > 4 {
		return spot{kind: weekday, n: float64(day)}, 1
	}
	if x, n := dateAt(all, i); n > 0 {
		return x, n
	}
	if x, n := timeAt(all, i); n > 0 {
		return x, n
	}
	if found := ordinalForm.FindStringSubmatch(p.low); found != nil {
		x = spot{kind: ordinal}
		x.n, _ = strconv.ParseFloat(found[1], 64)
		if x.unit = unitAfter(all, i); x.unit != "" {
			return x, 2
		}
		return x, 1
	}
	if v, unit, ok := numberOf(p.low); ok {
		return numberAt(all, i, v, unit)
	}
	if strings.ContainsFunc(p.word, unicode.IsDigit) || strings.ContainsAny(p.word, "/@_\\") || strings.Contains(p.word, ".") && !titles[p.low+"."] {
		return spot{kind: code}, 1
	}
	for n = 0; i+n < len(all) && capital(&all[i+n]); n++ {
		if n > 0 && all[i+n-1].stop {
			break
		}
	}
	if n > 0 && !(n == 1 && (english.StopWord(p.low) || determiners[p.low] || prepositions[p.low] || clausal[p.low])) {
		return spot{kind: name}, n
	}
	return spot{}, 1
}

// capital reports whether a word is written like a name.
func capital(p *part) bool {
	first, _ := utf8.DecodeRuneInString(p.word)
	_, day := english.Weekday(p.low)
	return unicode.IsUpper(first) && p.low != "i" && !strings.HasPrefix(p.low, "i'") && !day && !strings.ContainsFunc(p.word, unicode.IsDigit)
}

// unitAfter returns the unit that the word after a number is: "" if that is none.
func unitAfter(all []part, i int) string {
	if i+1 >= len(all) || all[i].stop {
		return ""
	}
	p := &all[i+1]
	if prepositions[p.low] || determiners[p.low] || clausal[p.low] || ends[p.low] || strings.ContainsFunc(p.word, unicode.IsDigit) {
		return ""
	}
	if _, _, number := numberOf(p.low); number {
		return "" // "nine thirty"
	}
	return singular(p.low)
}

// singular returns a unit without the ending of its plural.
func singular(low string) string {
	if len(low) > 3 && !strings.HasSuffix(low, "ss") {
		return strings.TrimSuffix(low, "s")
	}
	return low
}

// numberAt reads a number that is no time, no ordinal and no part of a date.
func numberAt(all []part, i int, v float64, unit string) (spot, int) {
	before := ""
	if i > 0 && !all[i-1].stop {
		before = all[i-1].low
	}
	if unit != "" {
		return spot{kind: amount, n: v, unit: unit}, 1
	}
	if unit = unitAfter(all, i); unit != "" {
		return spot{kind: amount, n: v, unit: unit}, 2
	}
	switch {
	case isYear(all[i].low) && (yearWords[before] || i == 0):
		return spot{kind: year, n: v}, 1
	case clockWords[before] && v == float64(int(v)) && v >= 0 && v <= 24:
		return spot{kind: clock, n: v}, 1
	}
	return spot{kind: count, n: v}, 1
}

// isYear reports whether a word is a year of the last or this century.
func isYear(low string) bool {
	n, err := strconv.Atoi(low)
	return err == nil && len(low) == 4 && n >= 1900 && n < 2100
}

// timeAt reads a time of day with a sign of its own.
func timeAt(all []part, i int) (x spot, n int) {
	hour, half := "", ""
	if found := timeForm.FindStringSubmatch(all[i].low); found != nil {
		hour, half, n = found[1]+found[4], found[3], 1
	} else if v, unit, ok := numberOf(all[i].low); ok && unit == "" && v <= 24 && i+1 < len(all) && !all[i].stop && halfDays[all[i+1].low] {
		hour = strconv.Itoa(int(v))
	}
	if hour == "" {
		return x, 0
	}
	h, _ := strconv.Atoi(hour)
	if n = 1; i+1 < len(all) && !all[i].stop && halfDays[all[i+1].low] {
		half, n = all[i+1].low, 2
	}
	if half = strings.ReplaceAll(half, ".", ""); half == "am" || half == "pm" {
		if h < 1 || h > 12 {
			return x, 0
		}
	} else {
		half = ""
	}
	if h > 24 {
		return x, 0
	}
	return spot{kind: clock, n: float64(h), unit: half}, n
}

// dateAt reads a date with a month: "4 May", "May 4, 2031", "the 4th of May" without "the", "May".
func dateAt(all []part, i int) (x spot, n int) {
	isMonth := func(k int) bool {
		return k < len(all) && english.Month(all[k].low) != 0 && (all[k].low != all[k].word) && len(all[k].low) > 2
	}
	day := func(k int) float64 {
		if k >= len(all) {
			return 0
		}
		low := all[k].low
		if found := ordinalForm.FindStringSubmatch(low); found != nil {
			low = found[1]
		}
		v, err := strconv.Atoi(low)
		if err != nil || v < 1 || v > 31 {
			return 0
		}
		return float64(v)
	}
	at := func(k int) [2]int { return [2]int{all[k].from, all[k].to} }
	x.kind = date
	switch {
	case day(i) > 0 && !all[i].stop && isMonth(i+1):
		x.n, x.day, x.month, n = day(i), at(i), at(i+1), 2
	case day(i) > 0 && !all[i].stop && i+1 < len(all) && all[i+1].low == "of" && isMonth(i+2):
		x.n, x.day, x.month, n = day(i), at(i), at(i+2), 3
	case isMonth(i) && !all[i].stop && day(i+1) > 0:
		x.n, x.day, x.month, n = day(i+1), at(i+1), at(i), 2
	case isMonth(i) && !(all[i].low == "may" && i == 0 && len(all) > 1):
		x.month, n = at(i), 1
	default:
		return spot{}, 0
	}
	if i+n < len(all) && isYear(all[i+n].low) {
		x.year, _ = strconv.Atoi(all[i+n].low)
		n++
	}
	return x, n
}

// value is a fragment that is wholly one value: "on the 4th floor" has the preposition "on" and the determiner "the".
type value struct {
	spot
	text                    string // without what stands before it
	preposition, determiner string
}

// valueOf reads a fragment. Anything but a value with at most a preposition and an article before it is none.
func valueOf(text string) (v value, ok bool) {
	text = strings.Trim(text, " .,!…")
	if strings.ContainsAny(text, `;?!"()`+"\n") {
		return v, false
	}
	cut := func(set map[string]bool) (word string) {
		if first, rest, more := strings.Cut(text, " "); more && set[strings.ToLower(first)] {
			word, text = strings.ToLower(first), strings.TrimSpace(rest)
		}
		return word
	}
	v.preposition = cut(prepositions)
	v.determiner = cut(determiners)
	if v.determiner != "" && v.determiner != "the" {
		return v, false
	}
	all := partsOf(text)
	if len(all) == 0 || len(all) > 5 {
		return v, false
	}
	x, n := spotAt(all, 0)
	if x.kind == none || n != len(all) || x.kind == name && (n > 3 || strings.Contains(text, ",")) {
		return v, false
	}
	if v.determiner != "" && x.kind != ordinal && x.kind != date {
		return v, false
	}
	if x.kind == count && clockWords[v.preposition] && x.n <= 24 {
		x.kind = clock
	}
	v.spot, v.text = x, text[all[0].from:all[len(all)-1].to]
	return v, true
}
