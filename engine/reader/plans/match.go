package plans

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/temporal"
)

// Word is a word of a clause.
type Word struct {
	Text, Low, Lemma string
	Content          bool // it is no function word
	Date, Time       bool // a date or the name of a month; a weekday, a time of day, or a word such as "tomorrow"
}

// Phrase is a noun phrase, with the preposition before it.
type Phrase struct {
	Prep, Head, Key, Owner, Pronoun string // Owner and Pronoun are "@…" for the speaker
	Words                           []Word
	Times, OfDay                    bool // it tells when; by the time of day
}

// Clause is a clause as it was read.
type Clause struct {
	Words           []Word
	Verb            int    // index of the main verb
	Lemma           string // of the verb
	Subject, Object Phrase
	To              []Word // after "to"
	Negated, Past   bool   // Past: also the perfect
	Continuous      bool   // "is moving"
	Future          bool   // a plan in words: "will move"
	Holds           bool   // it asserts, or plans
	Moves           bool   // it gives a plan another day
	Text            string
	Said, Due       time.Time // when it was said, and from when it holds
}

// Call is what a clause takes back.
type Call struct {
	Noun   Phrase
	Rest   []Phrase
	Before []Word  // from the thing that is called off to the verb, if it is the subject: "the review with Tara"
	By     *Phrase // who calls it off; nil: nobody is named
	Form   string  // class of the form in plans.txt; empty: it has none
}

// Sure reports that nothing in a clause says that it may be otherwise.
func (c *Clause) Sure() bool {
	return !slices.ContainsFunc(c.Words, func(w Word) bool {
		return !w.Date && w.Low != "only" && w.Low != "just" && (lexicon.Hedges[w.Low] || lexicon.Habitual[w.Low] || w.Low == "but" || w.Low == "until" && !c.Moves)
	})
}

// Fails reports a verb whose denial calls off its subject: "isn't happening", "won't take place".
func (c *Clause) Fails() bool {
	var after string
	for _, w := range c.Words[c.Verb+1:] {
		after += w.Low + " "
	}
	return slices.ContainsFunc(Not[c.Lemma], func(words string) bool { return words == "" || strings.HasPrefix(after, words+" ") })
}

// NeedsDay reports a form that changes nothing of a plan without the day to which it moves it: "is delayed".
func (x *Call) NeedsDay() bool { return x.Form == late }

// Known reports that it is known what kind of plan is called off, and that the clause means a certain one.
func (x *Call) Known() bool {
	n := &x.Noun
	_, known := Nouns[n.Head]
	return known && n.Pronoun == "" && n.Owner != "?" && len(n.Words) > 0 && !lexicon.Indefinite[n.Words[0].Low]
}

// Ahead reports a clause that states what is planned, of which no date has passed at an instant.
func (c *Clause) Ahead(at time.Time) bool {
	if !c.Holds || c.Negated || c.Past && !c.Moves && !lexicon.Arranges[c.Lemma] {
		return false
	}
	if !c.Due.IsZero() {
		return c.Due.After(at)
	}
	spans := temporal.ReadAhead(c.Text, c.Said).Spans
	if len(spans) > 0 {
		return slices.ContainsFunc(spans, func(s temporal.Span) bool { return s.From.After(at) || s.To.After(at) })
	}
	return c.Future || c.Continuous || c.goes()
}

// goes reports "I'm going to Rome".
func (c *Clause) goes() bool {
	return c.Lemma == "to" && c.Verb > 0 && c.Words[c.Verb-1].Low == "going"
}

// Day returns the day, after an instant, to which a clause moves a plan; zero: it names none. ok is false if it moves the plan to what is no day.
func (c *Clause) Day(to []Word, at time.Time) (day time.Time, ok bool) {
	dated := slices.ContainsFunc(to, func(w Word) bool { return w.Date || w.Time || lexicon.Seasons[w.Low] })
	if !c.Moves && !dated {
		return day, true
	}
	var value string
	for _, w := range to {
		value += " " + w.Text
	}
	for _, text := range []string{c.Text, "in" + value} {
		if day = temporal.ReadAhead(text, at).From; day.After(at) {
			return day, true
		}
	}
	return time.Time{}, !c.Moves
}

// Names reports that what is called off is what a clause plans, and names nothing that the clause does not.
func (x *Call) Names(e *Clause) bool {
	n := &x.Noun
	kind := Nouns[n.Head]
	same := e.Subject.Head == n.Head
	if o := &e.Object; !same && kind.Verbs[e.Lemma] && !strings.HasPrefix(n.Head, e.Lemma) && o.Head != "" && o.Head != n.Head && !named(o.Words) && !slices.Contains(kind.Said, o.Head) && !x.tells(o) {
		return false // "I'm starting chemo" is no job
	}
	switch {
	case same, e.Object.Head == n.Head && lexicon.Arranges[e.Lemma], kind.Verbs[e.Lemma], e.Lemma == "get" && kind.Verbs[e.Object.Head]:
	case kind.Weak[e.Lemma] && named(e.To), e.goes() && kind.Weak[lexicon.Lemma("go")] && named(e.Object.Words):
	default:
		return false
	}
	told := same
	for _, w := range n.Words {
		if !w.Content || w.Lemma == n.Head || slices.Contains(kind.Said, w.Low) && !Has(e.Words, w) { // "the job offer"
			continue
		}
		if !Has(e.Words, w) {
			return false
		}
		told = true
	}
	if slices.ContainsFunc(x.Before, func(w Word) bool { return w.Content && !w.Date && !w.Time && w.Lemma != n.Head && !Has(e.Words, w) }) {
		return false // of two plans the other one
	}
	for _, q := range x.Rest {
		fresh := slices.ContainsFunc(q.Words, func(w Word) bool { return w.Content && !Has(e.Words, w) })
		switch {
		case !fresh:
			told = told || len(q.Words) > 0
		case lexicon.Reasons[q.Prep] && q.Prep != "from" && !slices.ContainsFunc(q.Words, func(w Word) bool { return named([]Word{w}) && w.Content && !Has(e.Words, w) }): // "by Opel"
		case !q.Times || slices.ContainsFunc(q.Words, func(w Word) bool { return w.Date }):
			return false // another day than that of the plan, or when it was called off
		}
	}
	return x.ofHolder(e, told)
}

// ofHolder reports that what is called off is the plan of whom a clause is about. told says that it names more of the plan than its kind.
func (x *Call) ofHolder(e *Clause, told bool) bool {
	mine, same := e.Subject.speaks(), e.Subject.Head == x.Noun.Head
	switch owner := x.Noun.Owner; {
	case strings.HasPrefix(owner, "@"):
		return mine || same && e.Subject.Owner == owner
	case owner != "" && owner != e.Subject.Key && owner != e.Subject.Owner:
		return told && mine && slices.ContainsFunc(e.Words, func(w Word) bool { return w.Lemma == owner })
	case owner != "":
		return true
	}
	if by := x.By; by != nil && !by.speaks() && by.Pronoun != "?" && by.Key != e.Subject.Key && !same {
		return mine && by.Pronoun == "" && slices.ContainsFunc(by.Words, func(w Word) bool { return w.Content && Has(e.Words, w) })
	}
	return mine || told || x.By != nil && x.By.Key == e.Subject.Key
}

// Denies reports that a clause denies what another one plans: "I'm not moving to Lyon after all".
func (c *Clause) Denies(e *Clause) bool {
	if !c.Negated || !c.Holds || c.Past || c.Lemma != e.Lemma || !c.Continuous && !c.Future || c.Subject.Key == "" || c.Subject.Pronoun == "?" || c.Subject.Key != e.Subject.Key {
		return false
	}
	told := c.Continuous && c.Verb+1 == len(c.Words) && !e.Due.IsZero()
	for i, w := range c.Words {
		switch {
		case w.Low == "yet" || w.Date || w.Time:
			return false
		case w.Low == "longer":
			told = true
		case i == c.Verb || !w.Content || Has(c.Subject.Words, w):
		case !Has(e.Words, w):
			return false
		default:
			told = true
		}
	}
	return told && c.Sure()
}

// speaks reports a phrase that is the speaker, alone or with others.
func (p *Phrase) speaks() bool {
	return strings.HasPrefix(p.Pronoun, "@") && p.Pronoun != "@you" || slices.ContainsFunc(p.Words, func(w Word) bool { return w.Low == "i" || w.Low == "we" })
}

// named reports words of which one is written as a name.
func named(words []Word) bool {
	return slices.ContainsFunc(words, func(w Word) bool { return w.Text[0] >= 'A' && w.Text[0] <= 'Z' })
}

// Has reports whether a word is among some, by its lemma.
func Has(words []Word, w Word) bool {
	return slices.ContainsFunc(words, func(x Word) bool { return x.Lemma == w.Lemma })
}

// tells reports that what is called off is said with a word of a phrase: "the Eiger hike".
func (x *Call) tells(o *Phrase) bool {
	return slices.ContainsFunc(x.Noun.Words, func(w Word) bool { return w.Content && Has(o.Words, w) })
}

// Shortly reports that a plan is put off by minutes or hours: "delayed by two hours".
func (c *Clause) Shortly() bool {
	by := slices.IndexFunc(c.Words, func(w Word) bool { return w.Low == "by" })
	return by >= 0 && slices.ContainsFunc(c.Words[by:], func(w Word) bool { return strings.HasSuffix(w.Lemma, "hour") || strings.HasSuffix(w.Lemma, "minute") })
}
