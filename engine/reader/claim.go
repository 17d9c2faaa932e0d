package reader

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verbgroup"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/internal/english"
)

// Hints is what is known of a text besides its words.
type Hints struct {
	Speaker string    // who "I" is; empty if unknown
	User    string    // whom "the user" and this name stand for; empty: the speaker
	At      time.Time // when it was said; relative dates are read from it, zero: not read
}

// Claim is what a clause says.
type Claim struct {
	// Subject and Object are as written, without articles. Predicate is the verb in the third
	// person, with the preposition before the object ("lives in"); a change is read as the
	// state that it leads to ("moved to Bergen": lives in, Bergen).
	Subject, Predicate, Object string
	Qualifiers                 []Qualifier
	Negated                    bool
	Modality                   Modality
	Cardinality                Cardinality // of Predicate
	ValidFrom, ValidTo         time.Time   // half-open; zero: open
	Lasting                    bool        // it has been so since ValidFrom: "since 2019"
	Certainty                  float64     // of the reading, (0, 1]
	Start, End                 int         // byte offsets of the clause
}

// Qualifier limits a claim: a place, a condition, an occasion, an interval or a thing.
type Qualifier struct {
	Kind string // "place", "condition", "occasion", "interval" or "thing"
	Text string
}

// Read returns the claims of a text, one for each clause, in order. It reads the first 4096
// bytes.
func Read(text string, h Hints) []Claim {
	text = bounded(text)
	words := scan(text)
	nameUser(words, h.User)
	cs := clauses(text, words, me(h.Speaker))
	dateClauses(cs, text, h.At)
	claims := make([]Claim, 0, len(cs))
	for i := range cs {
		out := cs[i].claim(text, h)
		from, to := i, i+1
		for from > 0 && cs[from-1].sentence == cs[i].sentence {
			from--
		}
		for to < len(cs) && cs[to].sentence == cs[i].sentence {
			to++
		}
		var next *clause
		if i+1 < to {
			next = &cs[i+1]
		}
		cs[i].harmed(&out, next, cs[from:to], text, h)
		claims = append(claims, out)
	}
	return claims
}

// maxText is how much of a text is read, in bytes.
const maxText = 4096

func bounded(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "")
}

// me is the holder that the first person stands for.
func me(speaker string) string { return "@" + strings.ToLower(speaker) }

// claim turns a clause into a claim.
func (c *clause) claim(text string, h Hints) Claim {
	out := Claim{Negated: c.negated, Modality: c.modality, Start: c.start, End: c.end, Certainty: c.certainty()}
	out.Subject = c.name(&c.subject, text, h)
	if w := first(c.subject.words); w != nil && (w.low == "nobody" || w.low == "nothing") {
		out.Negated = false // the subject denies it
	}
	value := c.object.words
	var prep string
	if at := c.adjective(); at >= 0 {
		prep, value = c.words[c.verb+1].low+" "+c.phrases[at].prep, c.phrases[at].noun.words
	} else if len(value) == 0 {
		for i := range c.phrases {
			if !c.phrases[i].leading {
				prep, value = c.phrases[i].prep, c.phrases[i].noun.words
				break
			}
		}
		if to := c.governed("to"); c.changes && prep == "from" && len(to) > 0 {
			prep, value = "to", to // "switched from Vim to Helix"
		}
	}
	out.Predicate = c.verbPhrase(prep)
	begins := false // a change dates the beginning of what it brings about
	if s := c.stated(); s != nil && !c.mayBeTool(s) {
		begins = s.use == frames.Change && c.cues&cueBounded == 0 && c.modality != Bounded
		f := &frames.All[s.frame]
		out.Cardinality = f.Cardinality
		if s.thing {
			out.Subject = c.name(c.thing(), text, h)
		}
		switch {
		case s.inverse && f.Label != "" && len(s.value) > 0:
			out.Predicate, value = f.Label, s.value
			n := &c.object
			for i := range c.phrases {
				if n.empty() && (s.prep == "" || c.phrases[i].prep == s.prep) {
					n = &c.phrases[i].noun
				}
			}
			out.Subject = c.name(n, text, h)
		case s.label == "~":
		case s.label != "" && len(s.value) > 0:
			out.Predicate, value = s.label, s.value
		case s.use == frames.Change && !c.imperative && len(s.value) > 0 && !s.byNoun && f.Label != "" && !isParticiple(s.value) && (c.subject.personal() && !s.thing || strings.HasPrefix(f.Label, "is ")):
			out.Predicate, value = f.Label, s.value
		case s.use == frames.Change && !c.imperative && len(s.value) > 0 && (s.thing || !c.subject.personal() && (c.passive || s.byNoun)):
			out.Predicate, value = "is", s.value
		}
	}
	thing, predicate, to := c.target(c.stated(), value)
	if thing != nil {
		out.Subject, out.Predicate, value = c.name(thing, text, h), predicate, to
	} else if c.countsUs() {
		out.Predicate = "number"
	}
	if len(value) > 0 && first(value) == first(c.object.words) && thing == nil {
		value = c.listed(value)
		if named := c.nameOf(); named != nil {
			out.Subject, out.Predicate, value = "my "+textOf(c.object.words[len(c.object.words)-1:], text), "is", named
		}
	}
	if c.modality == Reported && c.verb >= 0 && tables.ReportLemma[c.verbLemma] {
		value = c.words[c.verb+1:]
	}
	out.Object = textOf(value, text)
	for i := range c.phrases {
		p := &c.phrases[i]
		if len(p.noun.words) > 0 && &p.noun.words[0] != first(value) && thing != &p.noun && !(len(value) > 0 && p.noun.words[0].start >= value[0].start && p.noun.words[0].start < value[len(value)-1].end) {
			out.Qualifiers = append(out.Qualifiers, Qualifier{p.kind(), textOf(p.noun.words, text)})
		}
	}
	if c.movesPlan() {
		return out // the days are the plan's, and not those of the claim
	}
	if begins && !c.past && !c.perfect && !h.At.IsZero() || c.changes && !c.past && !c.perfect && c.modality == Asserted && !h.At.IsZero() {
		if w := temporal.Read(text[c.start:c.end], h.At); w.From.After(h.At) {
			out.ValidFrom = w.From // "I'm moving to Berlin in June"
		}
	}
	if !h.At.IsZero() && (c.cues&(cueBounded|cueFrom|cueUsed|cueDated) != 0 || c.dates("from") || c.dates("until") || c.modality == Bounded || c.modality == Plan) {
		w := temporal.Read(text[c.start:c.end], h.At)
		out.ValidFrom, out.ValidTo = w.From, w.To
		if c.cues&cueFrom != 0 || c.dates("from") || c.modality == Plan || begins || c.begins() || (c.past || c.perfect || c.stopped) && (c.modality == Event || c.modality == Asserted) {
			out.ValidTo = time.Time{}
		}
		if c.hasWord("until") || c.hasWord("till") {
			out.ValidFrom, out.ValidTo = time.Time{}, time.Time{}
		}
	}
	if !h.At.IsZero() && !c.begun && c.ending() != nil && (c.modality == Asserted || c.modality == Event) && c.isOver() {
		if w := temporal.Read(text[c.start:c.end], h.At); len(w.Spans) == 1 && !w.From.IsZero() && !w.From.After(h.At) {
			out.ValidFrom, out.ValidTo = w.From, time.Time{} // "I resigned last Friday"
		}
	}
	if !c.until.IsZero() || !c.due.IsZero() {
		out.ValidFrom, out.ValidTo = c.due, c.until
	}
	if from, to, lasting := c.toldAt(text, h.At); lasting || out.ValidFrom.IsZero() && out.ValidTo.IsZero() {
		if out.ValidFrom, out.ValidTo, out.Lasting = from, to, lasting; lasting {
			out.Predicate = tables.Tokens.Verbs.Lasting(out.Predicate, c.verbLemma, strings.ToLower(c.words[c.verb].text), c.passive)
		}
	}
	return out
}

// isParticiple reports a value that is the participle of a verb like "get": "getting married".
func isParticiple(value []word) bool {
	return len(value) == 1 && verbForm(value[0].low) == pastForm
}

// dates reports a date or a day directly after a preposition: "from 1 April".
func (c *clause) dates(prep string) bool {
	for i := 1; i < len(c.words); i++ {
		if w := &c.words[i]; c.words[i-1].low == prep && (w.class == classDate || w.class == classWeekday) {
			return true
		}
	}
	return false
}

// slot returns the slot of the table that the clause is read by: the first one with a single
// value that states it, otherwise the first one that changes it; nil if there is none.
func (c *clause) slot() (found *slot) {
	for i := range c.slots {
		s := &c.slots[i]
		if frames.All[s.frame].Cardinality == frames.Many {
			continue
		}
		if s.use == frames.State {
			return s
		}
		if found == nil || len(found.value) == 0 && len(s.value) > 0 || s.specific && !found.specific && len(s.value) > 0 {
			found = s
		}
	}
	return found
}

// stated returns the slot by which a claim is read: that of slot, but for a person a change that asks for the kind of its value comes before a state
// that does not. "I started at Equinor" says where I work, "the talk started at noon" when it is.
func (c *clause) stated() *slot {
	s := c.slot()
	if s == nil || s.use != frames.State || s.byNoun || s.specific || !c.subject.personal() {
		return s
	}
	at := slices.IndexFunc(c.slots, func(x slot) bool {
		return x.use == frames.Change && x.specific && !x.byNoun && x.prep == s.prep && len(x.value) > 0 && frames.All[x.frame].Cardinality != frames.Many
	})
	if at < 0 {
		return s
	}
	return &c.slots[at]
}

// personal reports a phrase that stands for a person, as far as one can tell.
func (n *nounPhrase) personal() bool {
	return n.pronoun != "" || tables.Family[n.head] || slices.ContainsFunc(n.mods, func(mod string) bool { return tables.Family[mod] }) || len(n.words) > 0 && isName(wordclass.OfName(n.words[0].text, 1)) && startsUpper(n.words[0].text) && !n.the
}

// adjective returns the index of the phrase that completes an adjective: "is allergic to
// peanuts"; -1 if there is none.
func (c *clause) adjective() int {
	if c.verbLemma != "be" || c.setting || len(c.object.words) != 1 || c.object.words[0].value || c.object.pronoun != "" || startsUpper(c.object.words[0].text) || c.verb+1 >= len(c.words) || c.words[c.verb+1].start != c.object.words[0].start {
		return -1
	}
	return slices.IndexFunc(c.phrases, func(p prepositional) bool { return !p.leading && completes[p.prep] && len(p.noun.words) > 0 })
}

var completes = english.WordSet("to of at with about from for")

// verbPhrase returns the verb group in the third person without its denial, and the
// preposition before the value.
func (c *clause) verbPhrase(prep string) string {
	if c.setting {
		return "is"
	}
	if c.verb < 0 {
		return c.verbLemma
	}
	if c.stopped {
		return "does " + strings.ToLower(c.words[c.verb].text)
	}
	from := max(c.aux-1, 0)
	return verbgroup.Third(viewed(c.words[from:c.verb+1]), c.aux-from, verbgroup.Saying{Imperative: c.imperative, Past: c.past, Becomes: c.becomesRelated()}, prep)
}

func first(words []word) *word {
	if len(words) == 0 {
		return nil
	}
	return &words[0]
}

// kind classifies a phrase as a qualifier.
func (p *prepositional) kind() string {
	for i := range p.noun.words {
		w := &p.noun.words[i]
		switch {
		case w.class == classClock || w.class == classDate || w.class == classWeekday || tables.Relative[w.low]:
			return "interval"
		case tables.Part[w.low]:
			return "occasion"
		}
	}
	switch p.prep {
	case "when", "if", "during", "while":
		return "condition"
	case "in", "at", "near", "on", "under", "behind":
		return "place"
	case "until", "till", "since":
		return "interval"
	}
	return "thing"
}

// name returns a noun phrase as written; the first person is the speaker, if known.
func (c *clause) name(n *nounPhrase, text string, h Hints) string {
	if n.empty() {
		return ""
	}
	if n.pronoun == me(h.Speaker) && h.Speaker != "" {
		return h.Speaker
	}
	if h.User != "" && n.pronoun == me(h.User) {
		return h.User
	}
	name := textOf(n.words, text)
	if len(n.possessor) > 0 && len(n.words) > 1 {
		owner := c.name(&nounPhrase{words: n.possessor}, text, h)
		return owner + "'s " + textOf(n.words[1:], text)
	}
	switch at := len(n.words) - 1; {
	case n.pronoun != "":
		name, _, _ = strings.Cut(strings.ReplaceAll(name, "’", "'"), "'") // "it's"
	case at >= 0 && n.words[at].possessive:
		name = strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
	}
	return name
}

// textOf returns the text from the first to the last word, without an article; "" if the words are in another order than in the text.
func textOf(words []word, text string) string {
	words = slices.Clip(words)
	for len(words) > 1 && (words[0].low == "the" || words[0].low == "a" || words[0].low == "an") {
		words = words[1:]
	}
	if len(words) == 0 || words[0].start > words[len(words)-1].start {
		return ""
	}
	return text[words[0].start:words[len(words)-1].end]
}

// certainty rates the reading of a clause: how much of the pattern of a claim was found.
func (c *clause) certainty() float64 {
	p := 0.5
	if c.verb >= 0 {
		p += 0.2
	}
	if !c.subject.empty() || c.imperative {
		p += 0.1
	}
	if len(c.slots) > 0 {
		p += 0.15
	}
	if c.subject.pronoun == "?" {
		p -= 0.2
	}
	return p
}
