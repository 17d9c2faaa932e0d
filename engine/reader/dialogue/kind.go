package dialogue

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// kind is what a value looks like. A correction replaces a value of its own kind.
type kind byte

const (
	words   kind = iota // any other words
	weekday             // Tuesday
	date                // 4 May, May 4, 2031
	number              // 10, 10:30, 9 am
	code                // B12, kv/app, a@x.org
	name                // Ghent, Anna Smith
)

var prepositions = english.WordSet("in on at from to by with for of since until near into under over via as about")

var determiners = english.WordSet("the a an my our your his her their")

var (
	numeral  = regexp.MustCompile(`^[$€£]?\d[\d.,:]*(?:st|nd|rd|th)?(?:am|pm|%|k|h)?$`)
	halfDays = english.WordSet("am pm a.m. p.m. o'clock")
)

// value is a fragment that is wholly of one kind: "on the 4th floor" has the text "4th floor" and the unit "floor".
type value struct {
	kind                            kind
	text                            string // without what stands before it
	unit                            string // the words after a number
	preposition, determiner, before string // before is both; the determiner has a blank after it
}

// valueOf reads a fragment. Anything but a value with at most a preposition and a determiner before it is none.
func valueOf(text string) (v value, ok bool) {
	all := strings.Fields(strings.Trim(text, " .,!…"))
	if len(all) > 1 && prepositions[strings.ToLower(all[0])] {
		v.preposition, all = strings.ToLower(all[0]), all[1:]
	}
	if len(all) > 1 && determiners[strings.ToLower(all[0])] {
		v.determiner, all = strings.ToLower(all[0])+" ", all[1:]
	}
	if d := v.determiner; d != "" && d != "the " && d != "a " && d != "an " {
		return v, false
	}
	v.before = v.preposition + v.determiner
	if len(all) == 0 || len(all) > 4 || strings.ContainsAny(strings.Join(all, ""), `,;?!"()`) {
		return v, false
	}
	v.text, v.kind = strings.Join(all, " "), kindOfWord(all[0], true)
	switch v.kind {
	case weekday, code:
		return v, len(all) == 1
	case name:
		for _, w := range all {
			if k := kindOfWord(w, true); k != name && k != words || !unicode.IsUpper([]rune(w)[0]) || strings.ContainsAny(w, ":") || clausal[strings.ToLower(w)] || strings.Contains(w, "'") && !strings.HasSuffix(w, "'s") {
				return v, false
			}
		}
		return v, len(all) <= 3
	case date, number:
		if _, _, months := dateAt(all, 0); months > 0 {
			v.kind = date
			_, n, _ := dateAt(all, 0)
			return v, n == len(all)
		}
		if v.kind == date || len(all) > 3 {
			return v, false
		}
		for _, w := range all[1:] {
			if low := strings.ToLower(w); kindOfWord(w, true) == date || kindOfWord(w, true) == number || kindOfWord(w, true) == weekday || clausal[low] && !halfDays[low] || prepositions[low] || determiners[low] {
				return v, false
			}
		}
		v.unit = strings.Join(all[1:], " ")
		return v, true
	}
	return v, false
}

// clausal are words of a clause with a subject or a verb of its own.
var clausal = english.WordSet("i you he she we they it is are was were am be been have has had do does did will would can could should shall may might must not who whom which what when where why how if because")

// dateAt returns the places of the words of a date that begins at a word, and the number of months in it: "4 May", "May 4, 2031",
// "the 4th of May".
func dateAt(all []string, i int) (from, to, months int) {
	k := i
	for ; k < len(all) && k < i+4; k++ {
		w := all[k]
		switch one := kindOfWord(w, true); {
		case one == date && months == 0:
			months++
		case one == number && !strings.Contains(w, ":"):
		case strings.ToLower(w) == "of" && k > i && k+1 < len(all) && kindOfWord(all[k+1], true) == date:
		default:
			return i, k, months
		}
	}
	return i, k, months
}

// spot is a value in a text.
type spot struct {
	kind           kind
	from, to       int // in bytes
	words          []string
	unsure, clocks bool // a name of which the kind is not sure; after "at"
}

// spots returns the values of a text.
func spots(s string) (out []spot) {
	type part struct{ from, to int }
	var parts []part
	var all []string
	at := 0
	for _, w := range strings.Fields(s) {
		start := at + strings.Index(s[at:], w)
		at = start + len(w)
		lead := len(w) - len(strings.TrimLeft(w, `"'(`))
		end := start + len(strings.TrimRight(w, `.,;:!?"')`))
		parts, all = append(parts, part{start + lead, max(end, start+lead)}), append(all, w)
	}
	begins := true
	for i := 0; i < len(all); i++ {
		first := begins
		begins = strings.ContainsAny(all[i][len(all[i])-1:], ".!:")
		k := kindOfWord(all[i], true)
		if k == words {
			continue
		}
		x := spot{kind: k, from: parts[i].from, clocks: i > 0 && clockWords[strings.ToLower(all[i-1])]}
		last := i
		switch k {
		case date, number:
			if _, to, months := dateAt(all, i); months > 0 {
				x.kind, last = date, to-1
			}
		case name:
			if first {
				low := strings.ToLower(strings.Trim(all[i], `.,;:!?"'()`))
				if english.StopWord(low) || determiners[low] || prepositions[low] || clausal[low] {
					continue
				}
				x.unsure = true
			}
			for last+1 < len(all) && (!strings.ContainsAny(all[last][len(all[last])-1:], ".,;:!?") || title[strings.ToLower(all[last])]) && kindOfWord(all[last+1], true) == name {
				last++
			}
		}
		x.to, x.words = parts[last].to, strings.Fields(s[x.from:parts[last].to])
		begins = strings.ContainsAny(all[last][len(all[last])-1:], ".!:") && !title[strings.ToLower(all[last])]
		out, i = append(out, x), last
	}
	return out
}

var (
	title      = english.WordSet("dr. mr. mrs. ms. prof. st.")
	clockWords = english.WordSet("at from until till by")
)

// placeIn returns where a text has the only value that v may replace.
func (v value) placeIn(s string) (from, to int, ok bool) {
	for _, x := range spots(s) {
		if x.kind != v.kind {
			continue
		}
		if ok || x.unsure {
			return 0, 0, false
		}
		if !v.fits(&x, s) {
			return 0, 0, false
		}
		from, to, ok = x.from, x.to, true
	}
	return from, to, ok
}

// fits reports whether a value may stand for one in a text, and sets the end of that one: numbers have the same unit, dates as many
// words.
func (v value) fits(x *spot, s string) bool {
	switch old := s[x.from:x.to]; v.kind {
	case weekday:
		return strings.HasSuffix(strings.ToLower(old), "s") == strings.HasSuffix(strings.ToLower(v.text), "s")
	case code:
		return strings.Contains(old, "@") == strings.Contains(v.text, "@") && strings.Contains(old, "/") == strings.Contains(v.text, "/")
	case date:
		return len(x.words) == len(strings.Fields(v.text))
	case number:
		digits := strings.Fields(v.text)[0]
		if amountMarks(digits) != amountMarks(old) {
			return false
		}
		if strings.Contains(digits, ":") && !strings.Contains(old, ":") && !x.clocks || strings.Contains(old, ":") && !strings.Contains(digits, ":") && !x.clocks {
			return false
		}
		if v.unit == "" {
			return true
		}
		if unit := s[x.to:]; len(unit) > len(v.unit) && unit[0] == ' ' && strings.EqualFold(unit[1:1+len(v.unit)], v.unit) && !inWord(s, x.to+1+len(v.unit)) {
			x.to += 1 + len(v.unit)
			return true
		}
		return v.isClock() && x.clocks && !strings.HasPrefix(s[x.to:], " ")
	}
	return true
}

// isClock reports whether a number is a time of day by its unit.
func (v value) isClock() bool { return halfDays[strings.ToLower(v.unit)] }

// amountMarks returns the signs and letters at a number: "€", "%", "am", and "th" of each ordinal.
func amountMarks(number string) string {
	marks := strings.ToLower(strings.TrimFunc(strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || r == '.' || r == ',' || r == ':' {
			return -1
		}
		return r
	}, number), unicode.IsSpace))
	switch marks {
	case "st", "nd", "rd":
		return "th"
	}
	if _, ok := english.NumberWord(strings.ToLower(number)); ok {
		return ""
	}
	return marks
}

// commonWords are words that stand alone where a name may stand.
var commonWords = english.WordSet("guess home nowhere nobody remote same whatever depends unknown various several everywhere anywhere here there later today tomorrow soon yesterday tonight " +
	"thanks please none nothing never always sometimes sorry abroad maybe perhaps forget stop skip help cancel next continue go wait hello hi hey yes no ok okay sure fine done good great well right wrong " +
	"both neither either everything everyone private secret freelance self retired unemployed asap tbd tba n/a happy merry dear look listen note remember check try ask tell call use send remind")

// common reports whether the first of words is an ordinary word and no name.
func common(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	first = strings.Trim(first, ".,!")
	return commonWords[first] || english.StopWord(first) || english.IrregularPast(first) || clausal[first] || strings.HasSuffix(first, "ed") || strings.HasSuffix(first, "ing") || strings.HasSuffix(first, "ly")
}

// kindOfWord returns the kind of one word. names says whether a capital makes a name of it.
func kindOfWord(w string, names bool) kind {
	w = strings.Trim(w, `.,;:!?"'()`)
	low := strings.ToLower(w)
	if low == "" {
		return words
	}
	if _, ok := english.Weekday(strings.TrimSuffix(low, "s")); ok && len(low) > 4 {
		return weekday
	}
	if english.Month(low) != 0 && (low != "may" || w != low) {
		return date
	}
	if numeral.MatchString(low) {
		return number
	}
	if _, ok := english.NumberWord(low); ok && low != "one" {
		return number
	}
	digits := strings.ContainsFunc(w, unicode.IsDigit)
	if digits || strings.ContainsAny(w, "/@_\\") || strings.Contains(strings.Trim(w, "."), ".") {
		return code
	}
	if first, _ := utf8.DecodeRuneInString(w); names && unicode.IsUpper(first) && low != "i" && !strings.HasPrefix(low, "i'") {
		return name
	}
	return words
}
