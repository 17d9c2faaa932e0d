package reader

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/reader/cueset"
	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verbgroup"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/internal/english"
)

// dateClauses reads in clauses, as said at an instant, until when a stay lasts and from which day a change holds.
func dateClauses(cs []clause, text string, at time.Time) {
	if at.IsZero() {
		return
	}
	for i := range cs {
		c := &cs[i]
		if !c.movesPlan() && !c.readStay(text, at) {
			c.readDue(text, at)
		}
	}
}

// readStay reads the end of what a clause says of the present: "I'm in Lisbon until Friday". It makes an assertion a
// bounded one, which ends nothing else.
func (c *clause) readStay(text string, at time.Time) bool {
	if c.verb < 0 || c.past || c.perfect || c.hasWord("never") || c.habit() || slices.ContainsFunc(c.words, func(w word) bool { return lexicon.Habitual[w.low] }) {
		return false
	}
	switch c.modality {
	case Asserted, Bounded, Plan, Imperative:
	default:
		return false
	}
	end, counted, ok := temporal.Until(text[c.start:c.end], at)
	if !ok || counted && tables.LastsLemma[c.verbLemma] || c.passive && (c.changes || tables.ChangeLemma[c.verbLemma]) && !lexicon.StoppedStates[c.verbLemma] {
		return false
	}
	if counted && (!c.lasts() || !c.subject.personal() && (c.hasWord("from") || c.hasWord("all"))) || !counted && c.negated && c.verbLemma != "be" && !c.ing {
		return false // "I don't start until Monday"
	}
	c.until = end.To
	for _, s := range temporal.ReadAhead(text[c.start:c.end], at).Spans {
		if s.Start < end.Start && s.From.After(at) && s.From.Before(end.To) {
			c.due = s.From // "from 3 March until 20 March"
			break
		}
	}
	if c.modality == Asserted && (counted || c.verbLemma == "be" || c.ing || c.passive || c.subject.personal()) {
		c.modality = Bounded // "the contract runs until 2027" gives its term
	}
	return true
}

// lasts reports a clause in which "for two weeks" tells how long it is so from now on: a state or an activity that is
// under way, and not how long a thing always takes or is valid.
func (c *clause) lasts() bool {
	switch {
	case c.imperative || c.setting || c.negated && c.verbLemma != "be":
		return false
	case c.verbLemma == "be":
		if len(c.words) > c.verb+1 && c.words[c.verb+1].low == "for" {
			return false // "the lease is for two years"
		}
		return !slices.ContainsFunc(c.object.words, func(w word) bool { return lexicon.DayProperties[w.low] })
	case c.passive:
		return lexicon.StoppedStates[c.verbLemma]
	case c.ing && hasFinite(c, "be"):
		return !lexicon.TakesFor[c.verbLemma]
	}
	return c.subject.personal() && (lexicon.StayVerbs[c.verbLemma] || c.modal && c.modality == Plan && !lexicon.TakesFor[c.verbLemma])
}

// hasFinite reports that the first auxiliary of a clause is a form of a verb.
func hasFinite(c *clause, lemma string) bool {
	return c.aux >= 0 && c.aux < len(c.words) && c.words[c.aux].lem == lemma
}

// readDue reads the day from which a clause holds that says for sure what will be: "I will start at Siemens on
// 1 December", "I'm getting a new phone on Friday".
func (c *clause) readDue(text string, at time.Time) {
	if c.verb < 0 || c.negated || c.past || c.perfect || c.imperative || c.hasWord("until") || c.hasWord("till") || c.habit() ||
		slices.ContainsFunc(c.words, func(w word) bool { return !w.inMay() && (lexicon.Hedges[w.low] || lexicon.Habitual[w.low]) }) {
		return
	}
	switch c.modality {
	case Plan:
		if !c.surely(cueFuture, lexicon.Firmly) {
			return
		}
	case Bounded:
		if !c.surely(cueBounded, lexicon.OnOneDay) || !c.brings() {
			return
		}
	case Asserted:
		if c.modal || !c.ing && !c.brings() && c.cues&cueFrom == 0 && !c.dates("from") && !c.dates("of") && !c.dates("starting") && !c.dates("effective") {
			return
		}
	default:
		return
	}
	w := temporal.ReadAhead(text[c.start:c.end], at)
	if len(w.Spans) != 1 || !w.From.After(at) || w.To.Sub(w.From) < 24*time.Hour && !w.To.IsZero() {
		return
	}
	s := w.Spans[0]
	from, to := c.start+s.Start, c.start+s.End
	first, _, _ := strings.Cut(strings.ToLower(text[from:to]), " ")
	if n := lexicon.BeginsBefore(strings.ToLower(text[c.start:from]), first == "of"); n > 0 {
		from -= n
	} else if !lexicon.DayOpeners[first] {
		return
	}
	c.due, c.dueSpan = w.From, [2]int{from, to}
}

// brings reports a clause that tells of a change, or of an end.
func (c *clause) brings() bool {
	return c.changes || slices.ContainsFunc(c.slots, func(s slot) bool { return s.use != frames.State }) || c.ending() != nil
}

// inMay reports the name of the month.
func (w *word) inMay() bool { return w.class == classDate || w.low == "may" && startsUpper(w.text) }

// surely reports that all phrases of a cue in a clause are among some.
func (c *clause) surely(cues cue, among map[string]bool) bool {
	for i := range c.words {
		if c.words[i].inMay() {
			continue
		}
		for _, p := range tables.Phrases[c.words[i].low] {
			if cueset.Of(p) == cues && cueset.Begin(lowOf(c.words[i:]), p.Words) && !among[strings.Join(p.Words, " ")] {
				return false
			}
		}
	}
	return true
}

// happenedThen reports a clause of the past in which "today" or "this week" tells when something happened, and not how long
// it is so: "I moved to Ghent today".
func (c *clause) happenedThen() bool {
	return (c.past || c.perfect || c.stopped) && c.surely(cueBounded, lexicon.OnADay) && slices.ContainsFunc(c.words, func(w word) bool { return w.low == "today" || w.low == "tonight" || w.low == "this" })
}

// movesDay reports that the day of a clause is the value that it gives anew, and not from when something else holds: "the
// intern starts on Monday", "the intern is starting on Wednesday instead".
func (c *clause) movesDay(earlier *clause) bool {
	if c.due.IsZero() || c.verbLemma != earlier.verbLemma || c.cues&cueFrom != 0 || c.hasWord("from") || c.dates("of") {
		return false
	}
	return slices.ContainsFunc(earlier.words, func(w word) bool {
		return w.class == classDate || w.class == classWeekday || tables.Relative[w.low] || w.low == "next"
	})
}

// redates reports that a clause gives another day to a plan that an earlier one states: "the release is planned for 3 March", "the
// release was postponed to 17 March"; "I will start at Siemens on 3 March", "I will start at Siemens on 17 March instead".
func (c *clause) redates(e *clause) bool {
	on := func(w word) bool { return w.class == classDate || w.class == classWeekday || tables.Relative[w.low] }
	firm := func(x *clause) bool {
		return (x.modality == Asserted || x.modality == Plan) && !x.negated && slices.ContainsFunc(x.words, on) && !slices.ContainsFunc(x.words, func(w word) bool { return !w.inMay() && lexicon.Hedges[w.low] })
	}
	if !firm(c) || !firm(e) || e.past && !e.movesPlan() || slices.EqualFunc(datesOf(c.words, on), datesOf(e.words, on), func(x, y word) bool { return x.low == y.low }) {
		return false
	}
	others := slices.DeleteFunc(slices.Clone(e.phrases), func(p prepositional) bool { return p.noun.empty() || slices.ContainsFunc(p.noun.words, on) })
	if c.movesPlan() {
		key := c.thing().key()
		return len(others) == 0 && key != "" && !wild(c.thing().pronoun) && (key == e.subject.key() || key == e.object.key())
	}
	return c.movesDay(e) && c.subject.key() == e.subject.key() && c.object.key() == e.object.key() && !wild(c.subject.pronoun) && !slices.ContainsFunc(others, func(p prepositional) bool {
		return c.phrase(p.prep, &p.noun) == nil || c.phrase(p.prep, &p.noun).noun.key() != p.noun.key()
	})
}

func datesOf(words []word, on func(word) bool) []word {
	return slices.DeleteFunc(slices.Clone(words), func(w word) bool { return !on(w) })
}

// comeTrue returns the statement as it is said on the day of its plans: "I will start at Siemens on 1 December" is then
// "I start at Siemens". It is nil if the statement has no plan with a day.
func (p *Prepared) comeTrue() *Prepared {
	text := bounded(p.statement.Text)
	var edits []english.Edit
	for i := range p.clauses {
		c := &p.clauses[i]
		if c.due.IsZero() || c.dueSpan[1] == 0 {
			continue
		}
		from, to := c.dueSpan[0], c.dueSpan[1]
		if to < len(text) && text[to] == ',' && from == c.start {
			to++
		}
		if from == c.start || to > from && from > 0 && text[from-1] == ' ' {
			from = max(from-1, c.start)
		}
		edits = append(edits, english.Edit{Start: from, End: to})
		edits = append(edits, verbgroup.Present(viewed(c.words), c.aux, c.verb, c.formOfBe())...)
	}
	if len(edits) == 0 {
		return nil
	}
	s := p.statement
	edited, ok := english.Apply(text, edits)
	s.Text = edited
	q := Prepare(s)
	if !ok || len(q.clauses) != len(p.clauses) {
		return nil
	}
	for i := range q.clauses {
		q.clauses[i].begun = !p.clauses[i].due.IsZero()
	}
	return q
}

// formOfBe returns the form of "be" in the present tense after the subject.
func (c *clause) formOfBe() string {
	s := &c.subject
	last := len(s.words) - 1
	switch {
	case last < 0, len(s.words) == 1 && s.words[0].low == "i":
		return "am"
	case s.plural && s.pronoun != "", s.pronoun == "@you", last == 0 && s.words[0].low == "they",
		slices.ContainsFunc(s.words, func(w word) bool { return w.low == "and" }),
		!isName(s.words[last].class) && strings.HasSuffix(s.words[last].low, "s") && !strings.HasSuffix(s.words[last].low, "ss"):
		return "are"
	}
	return "is"
}
