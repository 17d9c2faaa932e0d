package temporal

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// Told is the time of which a text in the past tense or the present perfect tells.
type Told struct {
	Span
	Kind ToldKind
}

// ToldKind is how a text names the time of which it tells.
type ToldKind uint8

const (
	ToldIn    ToldKind = iota // "in March", "on 3 March", "last year": it happened then, or was so then
	ToldRange                 // "from 2019 to 2022"
	ToldSince                 // "since 2019": it has been so from then on
	ToldFor                   // "for three years": the same, if the text says that it is still so
)

// Tenses is how the clause is said that tells of a time.
type Tenses struct {
	Past, Perfect, Passive bool // of its verb
	Have                   bool // its auxiliary is "have"
	Negated                bool
	Former                 bool // it tells of a state that is over
	Event                  bool // it tells of what happened
}

// Holds returns when it holds what a clause tells that was said at an instant; to is zero if that has no end, and lasting says that it has been
// so since from. Both are zero if the clause does not say when.
func (t Told) Holds(c Tenses, at time.Time) (from, to time.Time, lasting bool) {
	continues := !c.Past && !c.Former && !c.Event
	switch {
	case t.Kind == ToldSince:
		return t.From, to, continues
	case t.Kind == ToldFor:
		if !continues || !c.Perfect && !c.Have || c.Negated {
			return from, to, false
		}
		return t.From, to, true
	case c.Former:
		if to = t.To; to.After(at) {
			to = at
		}
		return t.From, to, false
	case t.Kind == ToldRange || c.Negated || !c.Past && !c.Perfect && !c.Passive:
		return from, to, false
	}
	return t.From, to, false
}

var (
	// notWhen begin a time that is a value, or the end of something: "moved to 10 March", "the bill for May".
	notWhen = english.WordSet("to until till through by for of as about before after than at around")
	// ofNouns before a date without a preposition make it a part of a name: "the May 2019 release".
	ofNouns = english.WordSet("the a an my our your his her its their this that every each")
	// attaches begin what belongs to a noun before them, or to another clause.
	attaches = english.WordSet("that which who whom whose where when while because after before until once if i he she we they")
	dating   = english.WordSet("in on since from between during over throughout within")
)

// ToldOf reads the time of which a text tells, as said at an instant: that of its only expression of time that
// is no value. The time begins at or before the instant. It is false without such an expression, with several, and with one after the offset
// from in another clause: "I joined the firm that was founded in 1998".
func ToldOf(text string, at time.Time, from int) (t Told, ok bool) {
	r := &reader{tokens: tokenize(text), at: at.UTC()}
	for _, s := range r.window().Spans {
		i, last := r.tokenThat(func(k token) bool { return k.start == s.Start }), r.tokenThat(func(k token) bool { return k.end == s.End })
		first, before := r.word(i), r.word(i-1)
		switch {
		case s.From.IsZero() || notWhen[first] || notWhen[before], !dating[first] && ofNouns[before], first == "the" && r.followedByNoun(last+1):
			continue
		case ok || s.From.After(at) || slices.ContainsFunc(r.tokens[:i], func(k token) bool { return k.start >= from && attaches[k.low] }):
			return Told{}, false
		}
		t, ok = Told{Span: s}, true
		switch {
		case first == "since":
			t.Kind = ToldSince
		case first == "from" || first == "between":
			t.Kind = ToldRange
		}
	}
	for i := range r.tokens {
		if from, n := r.forPast(i); n > 0 && !ok {
			return Told{Span{Start: r.tokens[i].start, End: r.tokens[i+n-1].end, From: from}, ToldFor}, true
		}
	}
	return t, ok
}

// tokenThat returns the index of the first token that is so, -1 without one.
func (r *reader) tokenThat(is func(token) bool) int { return slices.IndexFunc(r.tokens, is) }

// forPast reads a number of days or longer units after "for", as "for three years", and returns the day on which it began.
func (r *reader) forPast(i int) (time.Time, int) {
	if r.word(i) != "for" {
		return time.Time{}, 0
	}
	n, used := r.quantity(i + 1)
	end := i + 1 + used
	d, ok := dayUnits[units[r.joined(end)]]
	if used == 0 || !ok || notLength[r.joined(end+1)] || r.followedByNoun(end+1) && !afterLength[r.joined(end+1)] {
		return time.Time{}, 0
	}
	return midnight(r.at).AddDate(-n*d[0], -n*d[1], -n*d[2]), end + 1 - i
}
