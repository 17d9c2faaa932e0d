package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/internal/english"
)

// part tells how much of what the earlier clause states the later one ends or denies.
type part uint8

const (
	whole    part = iota // all of it, or the later clause ends nothing
	narrowed             // less: the later clause names a circumstance that the earlier one does not have
	apart                // something else: both name a circumstance, and the two differ
)

// orderedOnly is the highest certainty of a pair of which the later statement comes first and neither is contested.
const orderedOnly = 0.5

// endsPart returns how much of the earlier clause the later one ends or denies. "We no longer use Redis for queues" ends no use
// for sessions, "I left the flat at nine" no tenancy, and "one of my dogs died" leaves the others.
func (p *pair) endsPart() part {
	a, b := p.earlier, p.later
	denies := p.flip && b.negated && !(b.stopped && tables.ChangeLemma[b.verbLemma]) // "we finished moving to Fly.io" tells of a move
	ends := tables.StopLemma[b.verbLemma] || lexicon.Endings[b.verbLemma] || lexicon.Leaves[b.verbLemma] || lexicon.Phrasal[b.verbLemma] != ""
	if b.verb < 0 || !denies && (!ends || p.verb == verbSame) || !b.denied.empty() || b.hasWord("but") || p.fresh&cueCorrect != 0 && b.cues&cueNoLonger == 0 {
		return whole
	}
	found := whole
	if denies && b.partly() {
		found = narrowed
	}
	for i := range b.phrases {
		q := &b.phrases[i]
		if lexicon.Occasional[b.verbLemma] && q.prep == "for" && q.kind() == "interval" && !q.noun.empty() {
			found = narrowed // "for January"
		}
		if b.explains(q) || !q.circumstance(denies || lexicon.Departs[b.verbLemma], a) {
			continue
		}
		x := a.phrase(q.prep, &q.noun)
		switch differs := x != nil && !x.noun.empty() && x.kind() != "interval" && x.noun.key() != q.noun.key(); {
		case differs && !b.has(x):
			return apart
		case denies, q.ofTheDay(), lexicon.Occasional[b.verbLemma] && q.occasion(a), b.verbLemma == "leav" && q.ofOneDeparture():
			found = narrowed
		}
	}
	if ends && (p.endsListed() || ofSome(&b.object, a) || ofSome(&b.subject, a) || lexicon.Finishes[b.verbLemma] && a.habit()) {
		return narrowed
	}
	return found
}

// circumstance reports a phrase that limits what a clause ends, with a word that the clause a lacks. When and why
// something ended limits nothing, but a time of day and a day of every week do, where lasting is not what ends: "I left at nine".
func (q *prepositional) circumstance(daily bool, a *clause) bool {
	if q.noun.empty() || !slices.ContainsFunc(q.noun.words, func(w word) bool { return w.content() && !hasWord(a.words, &w) }) {
		return false
	}
	switch {
	case q.ofTheDay():
		return daily
	case q.kind() == "interval", q.season(), lexicon.Reasons[q.prep], q.prep == "for" && lexicon.LastingReasons[q.noun.head]:
		return false
	}
	return true
}

// occasion reports a phrase that tells for what somebody left or gave up something for a time: "for a conference", "for Lent". Whom
// one works for next is none.
func (q *prepositional) occasion(a *clause) bool {
	return q.prep == "for" && !slices.ContainsFunc(a.slots, func(s slot) bool { return frames.All[s.frame].Name == "work" })
}

// ofOneDeparture reports a phrase that tells how somebody left, or with what: "in tears", "with a lamp".
func (q *prepositional) ofOneDeparture() bool {
	return q.prep != "for" && q.prep != "to" && q.prep != "as"
}

// season reports a phrase that ends with a unit of time or a season: "for two years", "in spring".
func (q *prepositional) season() bool {
	n := len(q.noun.words)
	return n > 0 && (tables.Unit[q.noun.words[n-1].low] || lexicon.Seasons[q.noun.words[n-1].low])
}

// explains reports a phrase after "because" or "since".
func (c *clause) explains(q *prepositional) bool {
	at := slices.IndexFunc(c.words, func(w word) bool { return w.low == "because" || w.low == "since" })
	return at >= 0 && len(q.noun.words) > 0 && q.noun.words[0].start > c.words[at].start
}

// ofTheDay reports a time of day, a meal, or a day of every week, but not of one day: "last night". It also reports what
// comes again and again: "before meals", "between classes".
func (q *prepositional) ofTheDay() bool {
	switch q.prep {
	case "every":
		return false
	case "before", "between", "during":
		if w := q.noun.words; len(w) == 1 && w[0].text == w[0].low && english.Singular(w[0].low) != w[0].low {
			return true
		}
	}
	return slices.ContainsFunc(q.noun.words, func(w word) bool {
		return w.class == classClock || tables.Part[w.low] || w.class == classWeekday && strings.HasSuffix(w.low, "s")
	})
}

// ofSome reports a phrase that takes only some, or a part, of what a clause names: "one of my dogs".
func ofSome(n *nounPhrase, a *clause) bool {
	of := slices.IndexFunc(n.words, func(w word) bool { return w.low == "of" })
	if of < 1 || hasWord(a.words, &n.words[of-1]) {
		return false
	}
	return slices.ContainsFunc(n.words[of+1:], func(w word) bool { return w.content() && hasWord(a.words, &w) })
}

// habit reports a clause that tells what happens again and again: "every morning", "on Sundays".
func (c *clause) habit() bool {
	return c.hasWord("every") || c.hasWord("each") || slices.ContainsFunc(c.words, func(w word) bool { return w.class == classWeekday && strings.HasSuffix(w.low, "s") })
}
