package temporal

import (
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// Read finds the expressions of time in a text, relative to at. The window is the smallest that
// holds all of them.
func Read(text string, at time.Time) Window {
	r := &reader{tokens: tokenize(text), at: at.UTC()}
	past := false
	for _, t := range r.tokens {
		r.future = r.future || futureWords[t.low]
		past = past || pastWords[t.low]
	}
	r.future = r.future && !past
	return r.window()
}

// window returns the smallest window that holds all expressions of time.
func (r *reader) window() Window {
	var w Window
	found := false
	var all span
	for i := 0; i < len(r.tokens); {
		s, n, ok := r.expression(i)
		fresh := false
		if !ok {
			if n = r.latest(i); n == 0 {
				i++
				continue
			}
			fresh = true
		}
		w.Spans = append(w.Spans, Span{Start: r.tokens[i].start, End: r.tokens[i+n-1].end, From: s.from, To: s.to})
		switch {
		case fresh:
			w.Fresh = true
		case found:
			all = all.hull(s)
		default:
			all, found = s, true
		}
		i += n
	}
	w.From, w.To = all.from, all.to
	return w
}

// reader reads the tokens of a text. Its methods read an expression that begins at token i and
// return the span and the number of tokens.
type reader struct {
	tokens []token
	at     time.Time
	future bool // the text speaks of the future
	ahead  bool // and a weekday is not today
}

// joined returns the token at i in lower case. It is empty after the end, and if more than a comma
// or a hyphen separates the token from the one before; see word for the first token of an
// expression.
func (r *reader) joined(i int) string {
	if i < 0 || i >= len(r.tokens) || !r.tokens[i].adjacent {
		return ""
	}
	return r.tokens[i].low
}

// skip returns the index after the token at i if it is this word, otherwise i.
func (r *reader) skip(word string, i int) int {
	if r.joined(i) == word {
		return i + 1
	}
	return i
}

func (r *reader) word(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.tokens[i].low
}

func (r *reader) capital(i int) bool {
	c := r.tokens[i].text[0]
	return c >= 'A' && c <= 'Z'
}

// expression reads a time with the preposition that bounds it.
func (r *reader) expression(i int) (span, int, bool) {
	first := r.word(i)
	rest := i + 1
	switch first {
	case "prior":
		if r.joined(rest) != "to" {
			return span{}, 0, false
		}
		first, rest = "before", rest+1
	case "up":
		if r.joined(rest) != "to" && r.joined(rest) != "until" {
			return span{}, 0, false
		}
		first, rest = "until", rest+1
	}
	switch first {
	case "between", "from":
		if s, n, ok := r.rangeBetween(first, rest); ok {
			return s, rest + n - i, true
		}
	}
	switch first {
	case "before", "until", "till", "by", "after", "since", "from", "in", "on", "at", "during", "within", "over", "throughout",
		"of", "for", "around", "about", "through":
	default:
		return r.phrase(i, "")
	}
	s, n, ok := r.phrase(rest, first)
	if !ok {
		return span{}, 0, false
	}
	n += rest - i
	switch first {
	case "before":
		return span{to: s.from}, n, true
	case "until", "till", "by":
		return span{to: s.to}, n, true
	case "after":
		return span{from: s.to}, n, true
	case "since":
		return span{from: s.from}, n, true
	case "from":
		if next := r.joined(i + n); next == "on" || next == "onward" || next == "onwards" {
			return span{from: s.from}, n + 1, true
		}
	}
	return s, n, true
}

// rangeBetween reads the two ends of a range after "between" or "from".
func (r *reader) rangeBetween(first string, i int) (span, int, bool) {
	a, n, ok := r.phrase(i, "in")
	if !ok {
		return span{}, 0, false
	}
	link := r.joined(i + n)
	switch {
	case first == "between" && link == "and":
	case first == "from" && (link == "to" || link == "until" || link == "till" || link == "through"):
	default:
		return span{}, 0, false
	}
	b, more, ok := r.phrase(i+n+1, "in")
	if !ok {
		return span{}, 0, false
	}
	// "between March and May 2023": only the second month has a year.
	if year := b.from.Year(); n == 1 && english.Month(r.joined(i)) != 0 && a.from.Year() != year {
		a = monthOf(year, a.from.Month())
		if a.from.After(b.from) {
			a = monthOf(year-1, a.from.Month())
		}
	}
	if b.to.Before(a.from) {
		return span{}, 0, false
	}
	return a.hull(b), n + 1 + more, true
}

// latest reads words that ask for the latest and returns their number.
func (r *reader) latest(i int) int {
	before := r.word(i - 1)
	switch w := r.word(i); w {
	case "now":
		if next := r.joined(i + 1); next == "that" || next == "and" && (r.joined(i+2) == "then" || r.joined(i+2) == "again") {
			return 0
		}
		if before == "until" || before == "till" || before == "from" || before == "by" || before == "before" {
			return 0
		}
		return 1
	case "latest", "newest":
		if before == "at" || r.joined(i-1) == "the" && r.word(i-2) == "at" {
			return 0 // at the latest
		}
		return 1
	case "current":
		// An adjective ("the current plan"), not the noun ("the current in the river").
		if next := r.joined(i + 1); next == "" || notAfterCurrent[next] || physicalCurrent[before] {
			return 0
		}
		return 1
	}
	for _, phrase := range latestPhrases {
		n := 0
		for n < len(phrase) && r.word(i+n) == phrase[n] && (n == 0 || r.joined(i+n) != "") {
			n++
		}
		if n == len(phrase) {
			return n
		}
	}
	return 0
}

// latestPhrases ask for the latest.
var latestPhrases = [][]string{
	{"currently"}, {"presently"}, {"nowadays"}, {"recently"}, {"lately"}, {"up-to-date"}, {"most", "recent"}, {"most", "recently"}, {"these", "days"},
	{"at", "the", "moment"}, {"at", "this", "point"}, {"at", "present"}, {"as", "of", "now"},
}

var notAfterCurrent = english.WordSet("is was flows in of and or to at from that which runs ran carried swept the")
var physicalCurrent = english.WordSet("electric electrical alternating direct ocean air strong river water")
