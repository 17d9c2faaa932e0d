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

var determiners = english.WordSet("the a an my our your his her their this that")

var (
	numeral  = regexp.MustCompile(`^[$€£]?\d[\d.,:]*(?:st|nd|rd|th)?(?:am|pm|%|k|h)?$`)
	halfDays = english.WordSet("am pm a.m. p.m. o'clock")
)

// bare returns a value without the preposition and the determiner before it, and its kind.
func bare(value string) (string, kind) {
	all := strings.Fields(value)
	for len(all) > 1 && (prepositions[strings.ToLower(all[0])] || determiners[strings.ToLower(all[0])]) {
		all = all[1:]
	}
	return strings.Join(all, " "), kindOf(all)
}

// kindOf returns the kind of the words of a value.
func kindOf(all []string) kind {
	k := words
	for _, w := range all {
		switch one := kindOfWord(w, true); {
		case one == words && halfDays[strings.ToLower(w)] && k == number:
		case one == number && k == date, one == date && k == number:
			k = date
		case k == words && one != words:
			k = one
		}
	}
	return k
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

// lastOfKind returns the last part of a sentence that is a value of a kind, and another one than value. A name at the beginning of a
// sentence is not told from another word.
func lastOfKind(s string, k kind, value string) (from, to int, ok bool) {
	if k == words {
		return 0, 0, false
	}
	at := 0
	open := false
	for i, w := range strings.Fields(s) {
		start := at + strings.Index(s[at:], w)
		at = start + len(w)
		lead := len(w) - len(strings.TrimLeft(w, `"'(`))
		end := start + len(strings.TrimRight(w, `.,;:!?"')`))
		one := kindOfWord(w, i > 0)
		same := one == k || k == date && one == number && open || k == date && one == number && followedByMonth(s[at:]) ||
			k == number && open && halfDays[strings.ToLower(s[start:end])] && strings.ContainsAny(value, "apo")
		if !same {
			open = false
			continue
		}
		if !open {
			from = start + lead
		}
		to, ok, open = end, true, end == at
	}
	return from, to, ok && !strings.EqualFold(s[from:to], value)
}

// followedByMonth reports whether the rest of a sentence begins with a month: "4" in "4 May".
func followedByMonth(rest string) bool {
	next := strings.Fields(rest)
	return len(next) > 0 && kindOfWord(next[0], true) == date
}
