// Package dialogue reads turns that say something only together with the turns before them: the correction of a value ("Sorry, I meant 10."),
// and turns that say nothing ("Got it."). It reads a correction only if its form and the kinds of both values leave no doubt: a wrong
// correction ends a fact, a missed one leaves two. The functions are pure. The rules are for English.
package dialogue

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/toponym"
	"github.com/somnograph/somnograph/internal/english"
)

const (
	maxCorrected = 240 // length of a statement of which a value is corrected
	maxYears     = 60  // between the wrong and the right year
	bareFactor   = 4.0 // between the wrong and the right number
	unitFactor   = 20  // the same if the unit is said
	leastTown    = 0.3 // probability of a town from which an unknown name is a place
)

// offers are questions of an assistant that ask for no value. After any other question a value may be the answer.
var offers = regexp.MustCompile(`(?i)(?:^|[.!,:]\s+)(?:so |and |ok |okay )?(?:(?:shall|should|can|may|could) i|(?:do|would) you (?:like|want)(?: me)? to|anything (?:else|more)|is (?:that|this|it) (?:right|correct|ok|okay))\b[^?.!]*\?`)

// Corrected returns the statement that a correction makes of an earlier one: its text with the right value in the place of its only value
// of the kind. between are the turns of the assistant between both.
func Corrected(said string, r Repair, between ...string) (string, bool) {
	if len(said) > maxCorrected || strings.ContainsAny(said, "?\n\"“") || Filler(said, false) {
		return "", false
	}
	said = strings.ReplaceAll(said, "’", "'")
	old, ok := r.placeIn(said)
	if !ok || !r.replaces(said[old.from:old.to], old) || !r.concerns(said, said[old.from:old.to], between) {
		return "", false
	}
	whole, ok := r.value.put(said, old)
	return whole, ok && !strings.EqualFold(whole, said) && !doubled(whole)
}

// concerns reports whether a correction is about the statement, and not about what the assistant said since.
func (r *Repair) concerns(said, old string, between []string) bool {
	known := map[string]bool{}
	for _, p := range partsOf(said) {
		known[p.low] = true
	}
	for _, b := range between {
		if r.instead == nil && !r.follows(b, old) {
			return false
		}
		for _, x := range spots(b) {
			for _, p := range partsOf(b[x.from:x.to]) {
				switch {
				case known[p.low], halfDays[p.low]:
				case x.kind == name && x.first && (!extract.PlaceName(p.low) || strings.HasPrefix(b[x.to:], "!")):
				case (x.kind == name || x.kind == code) == (r.value.kind == name || r.value.kind == code):
					return false
				}
			}
		}
	}
	return true
}

// follows reports whether a correction without the wrong value may come after a turn of the assistant: one that acknowledges the statement, or
// one that only offers something. To any other turn the value may be the answer.
func (r *Repair) follows(turn, old string) bool {
	if strings.Contains(turn, "?") {
		return r.sure == corrects && !strings.Contains(offers.ReplaceAllString(turn, ""), "?")
	}
	return Filler(turn, true) || repeats(turn, old) || strings.HasSuffix(strings.TrimSpace(turn), "!")
}

// repeats reports whether a text has the words of a value.
func repeats(text, value string) bool {
	at := strings.Index(strings.ToLower(text), strings.ToLower(value))
	return at >= 0 && !inWord(text, at) && !inWord(text, at+len(value))
}

// inWord reports whether a place is within a word of a text.
func inWord(text string, at int) bool {
	letter := func(b byte) bool { return b >= 0x80 || unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b)) }
	return at > 0 && at < len(text) && letter(text[at-1]) && letter(text[at])
}

// replaces reports whether a value is another one than that of a part of a text, and no other was said to be wrong.
func (r *Repair) replaces(old string, x spot) bool {
	if strings.EqualFold(old, r.value.text) {
		return false
	}
	if r.instead == nil {
		return true
	}
	if r.instead.kind.numeric() && x.kind.numeric() {
		return r.instead.n == x.n && (r.instead.kind != date || strings.EqualFold(old, r.instead.text))
	}
	return strings.EqualFold(old, r.instead.text)
}

// placeIn returns the only value of a text that the right value may replace.
func (r *Repair) placeIn(said string) (spot, bool) {
	v, all := &r.value, spots(said)
	of := func(kinds ...kind) (out []spot) {
		for _, x := range all {
			if slices.Contains(kinds, x.kind) {
				out = append(out, x)
			}
		}
		return out
	}
	only := func(some []spot, fits bool) (spot, bool) {
		if len(some) != 1 || !fits {
			return spot{}, false
		}
		return some[0], true
	}
	numbers := of(clock, date, year, ordinal, amount, count)
	switch v.kind {
	case clock:
		return only(of(clock), !slices.ContainsFunc(of(count), func(x spot) bool { return x.n <= 24 }))
	case weekday:
		x, ok := only(of(weekday), len(of(date)) == 0)
		return x, ok && strings.HasSuffix(strings.ToLower(said[x.from:x.to]), "s") == strings.HasSuffix(strings.ToLower(v.text), "s")
	case date:
		x, ok := only(of(date), len(of(weekday)) == 0)
		if v.n == 0 { // only a month
			return x, ok && r.sure == corrects && (v.year == 0 || x.n == 0)
		}
		return x, ok && x.n > 0
	case ordinal:
		return only(slices.DeleteFunc(of(ordinal, date), func(x spot) bool {
			return v.unit != x.unit || x.kind == date && x.n == 0
		}), len(of(weekday)) == 0 || v.unit != "")
	case year:
		years := slices.DeleteFunc(of(year, date), func(x spot) bool { return x.kind == date && x.year == 0 })
		numerals := slices.DeleteFunc(of(count), func(x spot) bool { return x.to-x.from != 4 })
		if len(years) == 0 {
			return only(numerals, true)
		}
		x, ok := only(years, len(numerals) == 0)
		return x, ok && within(max(x.n, float64(x.year)), v.n)
	case amount:
		x, ok := only(slices.DeleteFunc(of(amount), func(x spot) bool { return unitOf(x.unit) != unitOf(v.unit) }), true)
		return x, ok && plausible(x.n, v.n, unitFactor)
	case count:
		x, ok := only(numbers, true)
		switch {
		case !ok, slices.ContainsFunc(of(code), func(x spot) bool { return strings.ContainsFunc(said[x.from:x.to], unicode.IsDigit) }):
			return x, false
		case x.kind == clock:
			return x, v.n <= 24 && (x.unit == "" || v.n >= 1 && v.n <= 12)
		case x.kind == count && x.to-x.from > 2:
			return x, x.to-x.from == len(v.text) // a number that names something: a room, a code
		}
		if x.kind == amount && (x.n == 1) != (v.n == 1) {
			return x, false // "2 cat"
		}
		return x, (x.kind == amount || x.kind == count) && plausible(x.n, v.n, bareFactor)
	case code:
		x, ok := only(of(code), true)
		return x, ok && shape(said[x.from:x.to]) == shape(v.text)
	case name:
		x, ok := only(of(name), true)
		return x, ok && !x.first && r.names(said, x)
	}
	return spot{}, false
}

// within reports whether one year may be a slip for another one.
func within(a, b float64) bool { return a-b <= maxYears && b-a <= maxYears }

// plausible reports whether one number may be a slip for another one.
func plausible(a, b, factor float64) bool {
	if a == 0 || b == 0 {
		return a+b < 5
	}
	return a <= b*factor && b <= a*factor
}

// unitOf returns one name of a unit.
func unitOf(unit string) string {
	switch unit {
	case "€", "eur":
		return "euro"
	case "$", "usd":
		return "dollar"
	case "£", "gbp":
		return "pound"
	case "kilometer", "kilometre":
		return "km"
	case "kilo", "kilogram":
		return "kg"
	case "min":
		return "minute"
	}
	return singular(unit)
}

// shape returns what kinds of characters a code has, in their order: "B12" and "C4" are of one shape.
func shape(code string) string {
	if strings.Contains(code, "@") {
		return "@"
	}
	if strings.Contains(code, "/") {
		return "/"
	}
	var out []rune
	for _, r := range code {
		switch {
		case unicode.IsDigit(r):
			r = '0'
		case unicode.IsUpper(r):
			r = 'A'
		case unicode.IsLetter(r):
			r = 'a'
		}
		if len(out) == 0 || out[len(out)-1] != r {
			out = append(out, r)
		}
	}
	return string(out)
}

// names reports whether a name surely stands for that of a text. "Sorry, Anna." addresses somebody, and "I mean Lena." after "My sister
// lives in Ghent" tells who is meant.
func (r *Repair) names(said string, x spot) bool {
	v, old := &r.value, said[x.from:x.to]
	low, oldLow := strings.ToLower(v.text), strings.ToLower(old)
	if common(v.text) && (r.begins || r.sure < corrects) {
		return false
	}
	if r.instead == nil && (repeats(v.text, old) || repeats(old, v.text)) {
		return false // "I mean Omar Said." tells more of the same
	}
	if r.instead != nil || shareWord(v.text, old) {
		return isPlace(low, v.text) == isPlace(oldLow, old) || shareWord(v.text, old)
	}
	all := strings.Fields(strings.ToLower(said[:x.from]))
	for len(all) > 0 && determiners[all[len(all)-1]] {
		all = all[:len(all)-1]
	}
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	switch {
	case last == "in" || last == "to" || last == "from" || last == "near":
		if !isPlace(low, v.text) || !isPlace(oldLow, old) || !alike(low, oldLow) {
			return false
		}
		return v.preposition == last || r.sure == corrects && !extract.GivenName(low) && extract.PlaceName(low)
	case v.preposition != "" || r.sure < corrects && !(r.resumes && r.sure == explains):
		return false
	case last == "called" || last == "named" || last == "is" && len(all) > 1 && all[len(all)-2] == "name":
		return !extract.PlaceName(low) || extract.GivenName(low)
	case last == "is" && (all[0] == "my" || all[0] == "our") && len(all) <= 5 && strings.Trim(said[x.to:], " .!") == "":
		ordinary := extract.EnglishWord(low) && !extract.GivenName(low)
		return !ordinary && extract.PlaceName(low) == extract.PlaceName(oldLow)
	}
	return false
}

// isPlace reports whether a name is one of a place, as it is known or as its letters tell.
func isPlace(low, written string) bool {
	return extract.PlaceName(low) || !strings.ContainsAny(written, " .") && !extract.GivenName(low) && !extract.EnglishWord(low) && toponym.Town(written) >= leastTown
}

// alike reports whether two words are in one set of the lexicon, or in none: "I meant Spain." after "in Seville" tells more of the same.
func alike(a, b string) bool {
	of, in := lexicon.Sets[a], lexicon.Sets[b]
	return len(of)+len(in) == 0 || slices.ContainsFunc(of, func(x lexicon.Member) bool {
		return slices.ContainsFunc(in, func(y lexicon.Member) bool { return x.Set == y.Set })
	})
}

// commonWords are words that stand alone where a name may stand.
var commonWords = english.WordSet("guess home nowhere nobody remote same whatever depends unknown various several everywhere anywhere here there later today tomorrow soon yesterday tonight " +
	"thanks please none nothing never always sometimes sorry abroad maybe perhaps forget stop skip help cancel next continue go wait hello hi hey yes no ok okay sure fine done good great well right wrong " +
	"both neither either everything everyone private secret freelance self retired unemployed asap tbd tba n/a happy merry dear look listen note remember check try ask tell call use send remind")

// common reports whether the first word of a name is an ordinary one.
func common(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	first = strings.Trim(first, ".,!")
	return commonWords[first] || english.StopWord(first) || english.IrregularPast(first) || clausal[first] || strings.HasSuffix(first, "ed") || strings.HasSuffix(first, "ing") || strings.HasSuffix(first, "ly")
}

// digits are those of a number, with its signs.
var digits = regexp.MustCompile(`\d[\d.,:]*\d|\d`)

// put writes a value in the place of one of a text. A preposition of the value must be that of the place.
func (v *value) put(s string, x spot) (string, bool) {
	before := strings.Fields(strings.ToLower(s[:x.from]))
	for len(before) > 0 && determiners[before[len(before)-1]] {
		before = before[:len(before)-1]
	}
	last := ""
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	onDay := (v.kind == weekday || v.kind == date) && v.preposition == "on" && !prepositions[last]
	lives := v.kind == code && !prepositions[last] // "it's in kv/app" of "the path kv"
	if v.preposition != "" && last != v.preposition && !onDay && !lives {
		return "", false // "in 10" is no other "at 9"
	}
	from, to, text := x.from, x.to, v.text
	switch {
	case v.kind == ordinal && x.kind == date:
		from, to = x.day[0], x.day[1]
		if !ordinalForm.MatchString(strings.ToLower(s[from:to])) {
			text = digits.FindString(text)
		}
	case v.kind == date && v.n == 0 && v.year == 0:
		from, to = x.month[0], x.month[1]
	case v.kind == date && v.year == 0 && x.year != 0:
		to = max(x.day[1], x.month[1])
	case v.kind == year && x.kind == date:
		from = x.to - len("2000")
	case v.kind == count && (x.kind == amount || x.kind == clock), v.kind == clock && v.unit == "" && x.unit != "" && v.n >= 1 && v.n <= 12 && !strings.ContainsAny(v.text, " hH"):
		at := digits.FindStringIndex(s[x.from:x.to])
		if at == nil { // in words
			to = x.from + len(strings.Fields(s[x.from:x.to])[0])
		} else {
			from, to = x.from+at[0], x.from+at[1]
		}
	}
	return s[:from] + text + s[to:], true
}

// doubled reports whether a word follows itself in a text.
func doubled(text string) bool {
	last := ""
	for _, p := range partsOf(text) {
		if p.low != "" && p.low == last {
			return true
		}
		last = p.low
	}
	return false
}

// shareWord reports whether two texts have a word in common: "Marla Dann", "Marla Dunn".
func shareWord(a, b string) bool {
	for _, w := range strings.Fields(a) {
		if slices.ContainsFunc(strings.Fields(b), func(x string) bool { return strings.EqualFold(w, x) }) {
			return true
		}
	}
	return false
}
