package phrase

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// valueAsked is the kind of value that a question asks for.
type valueAsked uint8

const (
	someValue valueAsked = iota // a number, a time or a name: "What …?", "Which …?", "How …?"
	aTime
	aNumber
	aName
	aPlace
	noValue // yes or no
)

// valueAskedBy returns the kind of value that a question asks for, by its first question word.
func valueAskedBy(question string) valueAsked {
	words := Words(question)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch w {
		case "when":
			return aTime
		case "who", "whom", "whose":
			return aName
		case "where":
			return aPlace
		case "how":
			if measures[next] {
				return aNumber
			}
			return someValue
		case "what", "which":
			if calendarNouns[next] {
				return aTime
			}
			return someValue
		}
	}
	if IsQuestion(question) {
		return noValue
	}
	return someValue
}

// IsQuestion reports whether a query is put as a question, and not as a phrase of keywords.
func IsQuestion(query string) bool {
	return strings.Contains(query, "?") || slices.ContainsFunc(Words(query), func(w string) bool { return AsksWhat[w] })
}

var (
	measures      = english.WordSet("many much old long far often big large tall high heavy fast soon late early deep wide hot cold")
	calendarNouns = english.WordSet("time day date month year weekday")
	placeWords    = english.WordSet("in at on under near behind beside next above below from to outside inside by into off opposite between")
	notPlaces     = english.WordSet("for second seconds minute minutes hour hours day days week weeks month months year years")
)

// values tells which kinds of values a text says.
type values struct{ number, time, name, place bool }

// newValues returns the kinds of values that a text says and the known texts do not say. A place is a noun after
// a preposition.
func newValues(text string, known ...string) (v values) {
	said := map[string]bool{}
	for _, k := range known {
		for w := range WordsOf(k) {
			said[w] = true
		}
		x := extract.ValuesOf(k)
		for _, word := range slices.Concat(x.Numbers, x.Times, x.Names) {
			said[word] = true
		}
	}
	isNew := func(w string) bool { return !said[w] && !said[english.Lemma(w)] }
	x := extract.ValuesOf(text)
	v.number, v.time, v.name = slices.ContainsFunc(x.Numbers, isNew), slices.ContainsFunc(x.Times, isNew), slices.ContainsFunc(x.Names, isNew)
	words := Words(text)
	for i, w := range words {
		if placeWords[w] {
			v.place = v.place || startsWithPlace(words[i+1:min(len(words), i+4)], x.Times, isNew)
		}
	}
	return v
}

// startsWithPlace reports whether the words after a preposition say a new noun before another preposition or a measure of time.
func startsWithPlace(words, times []string, isNew func(string) bool) bool {
	for _, w := range words {
		switch {
		case placeWords[w], notPlaces[w]:
			return false
		case !english.StopWord(w) && !slices.Contains(times, w) && isNew(w):
			return true
		}
	}
	return false
}

// forms returns which of three forms of answers the values can be: a number or a time, a name, a place.
func (v values) forms(k valueAsked) (out [3]bool) {
	switch k {
	case noValue:
	case aTime, aNumber:
		out[0] = v.number || v.time
	case aName:
		out[1] = v.name
	case aPlace:
		out[2] = v.place || v.name
	default:
		out[0], out[1] = v.number || v.time, v.name
	}
	return out
}

// SayAsked reports whether the first statement says a value of the kind that the question asks for, and whether the second
// says another one of the same form.
func SayAsked(question, first, second string) (says, both bool) {
	k := valueAskedBy(question)
	a, b := newValues(first, question).forms(k), newValues(second, question, first).forms(k)
	for i := range a {
		says, both = says || a[i], both || a[i] && b[i]
	}
	return says, both
}

// AsksOpenly reports whether a question asks for a value of some kind, and does not say whether for a number, a time, a name or a place: "On
// which floor …?".
func AsksOpenly(question string) bool { return valueAskedBy(question) == someValue }

// AsksValue reports whether a question asks for a number or a name. When something happened is also known of a memory that does not say it.
func AsksValue(question string) bool {
	k := valueAskedBy(question)
	return k == aNumber || k == aName
}

// SaysAskedValue reports whether a text says a value of the kind that a question asks for, which the question does not say.
func SaysAskedValue(question, text string) bool {
	return newValues(text, question).forms(valueAskedBy(question)) != [3]bool{}
}
