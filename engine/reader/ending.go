package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/fate"
	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/phrase"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/internal/english"
)

// ending is what a clause says has ended.
type ending struct {
	class string
	verb  string          // lemma
	noun  nounPhrase      // what ended
	own   []prepositional // phrases of the noun: "my contract with Acme"
	rest  []prepositional // the others: when, why, to whom
	mine  bool            // it is the speaker's, whoever acts: "my doctor took me off X"
}

// maxEnded is the number of texts that Ended returns at most.
const maxEnded = 20

// Ended returns the words by which the statements are found that a statement may end, each text the words of one: "Civic" of "I sold the
// Civic", "smoke" of "I no longer smoke", and the states that an event ends, "pregnant" of "Carla gave birth".
func (p *Prepared) Ended() (texts []string) {
	for i := range p.clauses {
		c := &p.clauses[i]
		if c.modality != Asserted && c.modality != Event {
			continue
		}
		for _, e := range c.endings() {
			if !c.isOver() {
				continue
			}
			found := lexicon.Ends.Relations[e.class].Said
			if found == nil {
				var words []string
				for _, w := range e.noun.words {
					if w.content() {
						words = append(words, w.text)
					}
				}
				if len(words) == 0 && (e.class == "stop" || e.class == "deny") {
					words = append(words, c.words[c.verb].text)
				}
				if len(words) > 0 {
					found = []string{strings.Join(words, " ")}
				}
				if e.verb == dieLemma && len(words) > 1 {
					found = append(found, slices.DeleteFunc(words, func(w string) bool { return !startsUpper(w) })...) // "my parrot Kiko", "Kiko"
				}
			}
			for _, text := range found {
				if len(texts) < maxEnded && !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}

// ending returns the first reading of a clause as the end of something, nil if it has none.
func (c *clause) ending() *ending {
	if all := c.endings(); len(all) > 0 {
		return &all[0]
	}
	return nil
}

// endings returns the readings of a clause as the end of something.
func (c *clause) endings() (found []ending) {
	if c.verb < 0 || c.setting || c.imperative {
		return nil
	}
	if c.stopped {
		return []ending{{class: "stop", verb: c.verbLemma, noun: c.object, rest: c.phrases}}
	}
	if c.lapses() {
		return []ending{{class: "deny", verb: c.verbLemma, noun: c.object, rest: c.phrases}}
	}
	if c.negated {
		return nil
	}
	longest := 0
	for _, f := range lexicon.Ends.Forms[c.verbLemma] {
		if f.Passive != (c.passive || c.verbLemma == "be") || len(f.Words) < longest {
			continue
		}
		e, ok := c.readEnding(f)
		if !ok {
			continue
		}
		if len(f.Words) > longest {
			found, longest = nil, len(f.Words)
		}
		found = append(found, e)
	}
	return found
}

// lapses reports a denial of what was so until now: "I no longer smoke", "I don't run these days", but not "I don't only run anymore".
func (c *clause) lapses() bool {
	return c.negated && !c.partly() && !c.stopped && !c.modal && (c.cues&cueNoLonger != 0 || c.cues&cueNow != 0 && !c.ing && !c.past && c.verbLemma != "be")
}

// partly reports that a denial denies how much, how often or with what else something is so: "I no longer only teach".
func (c *clause) partly() bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return lexicon.Degrees[w.low] })
}

// readEnding reads a clause by a form.
func (c *clause) readEnding(f lexicon.EndForm) (e ending, ok bool) {
	e = ending{class: f.Class, verb: c.verbLemma}
	words := c.words[c.verb+1:]
	var seen []syntax.Word
	left := func() []syntax.Word { // the view of words
		if seen == nil {
			seen = viewed(c.words[c.verb+1:])
		}
		return seen[len(seen)-len(words):]
	}
	for i, t := range f.Words {
		for len(words) > 0 && tables.Adverb[words[0].low] && words[0].low != t {
			words = words[1:]
		}
		if t != "X" {
			if len(words) == 0 || words[0].low != t && words[0].lem != t {
				return e, false
			}
			words = words[1:]
			continue
		}
		n := 0
		for n < len(words) && !phrase.Opens(left(), n) && (i+1 == len(f.Words) || words[n].low != f.Words[i+1]) {
			n++
		}
		if n == 0 {
			return e, false
		}
		e.noun = readNoun(words[:n], c.subject.pronounOfSpeaker())
		words = words[n:]
	}
	e.mine = slices.Contains(f.Words, "me")
	for len(words) > 0 && (tables.Adverb[words[0].low] || c.verbLemma == "di") {
		words = words[1:]
	}
	if len(words) > 0 && !phrase.Opens(left(), 0) {
		return e, false
	}
	var after clause
	after.parsePhrases(words, c.subject.pronounOfSpeaker(), false)
	e.rest = after.phrases
	for i := range c.phrases {
		if q := &c.phrases[i]; q.leading {
			if f.Object || q.kind() == "interval" || len(c.subject.words) == 0 || len(q.noun.words) == 0 || q.noun.words[0].start < c.subject.words[0].start {
				e.rest = append(e.rest, *q)
			} else {
				e.own = append(e.own, *q)
			}
		}
	}
	if !f.Object {
		e.noun = c.subject
	}
	return e, true
}

// pronounOfSpeaker returns the holder for which the first person stands in a clause with this subject, as far as it tells.
func (n *nounPhrase) pronounOfSpeaker() string {
	for _, h := range []string{n.pronoun, n.owner} {
		if strings.HasPrefix(h, "@") && h != "@you" {
			return h
		}
	}
	return "@"
}

// isOver reports that a clause says that an end has come, and not that one comes or is usual.
func (c *clause) isOver() bool {
	if c.begun || c.lapses() {
		return c.begun || c.cues&cueSometimes == 0
	}
	aux := c.words[c.aux].low
	switch {
	case c.modal, c.ing && !c.stopped && c.verb > c.aux, c.habit(), c.cues&cueSometimes != 0, slices.ContainsFunc(c.words, func(w word) bool { return lexicon.Habitual[w.low] }):
		return false
	case c.past, c.perfect, aux == "has" || aux == "have" || aux == "had" || aux == "got":
		return true
	case c.verbLemma == "be" || c.passive:
		return !c.stopped
	}
	return tables.BothForms[aux] || strings.HasSuffix(aux, "ed") || english.IrregularPast(aux) || strings.HasSuffix(c.words[c.verb].low, "ed") && !c.stopped
}

// finishes reports that the later clause ends what the earlier one states: it has a form of the table, names the same
// thing and nothing more, and the earlier clause tells of a relation or state that such a form ends.
func (p *pair) finishes(s statements) bool {
	a, b := p.earlier, p.later
	if a.verb < 0 || a.modality != Asserted && a.modality != Bounded || a.negated || a.past || a.perfect && !a.ing || a.setting || a.imperative || a.modal || a.tellsEnd() {
		return false
	}
	if b.modality != Asserted && b.modality != Event || !b.denied.empty() || b.hasWord("but") || b.hasWord("not") && !b.stopped && !b.lapses() {
		return false
	}
	found := b.endings()
	if len(found) == 0 || !b.isOver() || s.contrasted(b) || s.resumes(b) && lexicon.Ends.Relations[found[0].class].States == nil {
		return false
	}
	return slices.ContainsFunc(found, func(e ending) bool { return e.ends(a, b) || e.unwrapped(a, b) })
}

// tellsEnd reports a clause that says that something is over, and not what has come of it: "are married".
func (c *clause) tellsEnd() bool {
	e := c.ending()
	return e != nil && c.isOver() && lexicon.Ends.Relations[e.class].States == nil
}

// contrasted reports that a clause with "but" follows a clause of the later statement.
func (s statements) contrasted(b *clause) bool {
	return slices.ContainsFunc(s.later, func(c clause) bool { return c.contrast && c.start > b.start })
}

// resumes reports that another clause of the later statement takes an end back: "but they asked me to stay".
func (s statements) resumes(b *clause) bool {
	after := false
	for i := range s.later {
		c := &s.later[i]
		other := c.subject.firstPerson() && !b.subject.firstPerson() // "the flu is over, I'm back at work"
		if after && slices.ContainsFunc(c.words, func(w word) bool { return lexicon.Resuming[w.low] && !(other && w.low == "back") }) {
			return true
		}
		after = after || c.start == b.start
	}
	return b.again() || slices.ContainsFunc(b.words, func(w word) bool { return lexicon.Resuming[w.low] })
}

// unwrapped reports that the end of a contract, a membership or a lease ends what it was for.
func (e *ending) unwrapped(a, b *clause) bool {
	class := lexicon.Wrappers[e.noun.head]
	if class == "" || e.noun.owner != "" && !strings.HasPrefix(e.noun.owner, "@") && !e.hasOf() {
		return false
	}
	inner := ending{class: class, verb: e.verb, rest: e.rest}
	for i := range e.own {
		if q := &e.own[i]; !q.noun.empty() && inner.noun.empty() {
			inner.noun = q.noun
		}
	}
	for i := 0; i < len(e.rest) && inner.noun.empty(); i++ {
		if q := &e.rest[i]; (q.prep == "with" || q.prep == "at" || q.prep == "for" || q.prep == "to") && q.kind() != "interval" && !q.noun.empty() {
			inner.noun = q.noun
			inner.rest = slices.Delete(slices.Clone(e.rest), i, i+1)
		}
	}
	if inner.noun.empty() {
		words := slices.DeleteFunc(slices.Clone(e.noun.words), func(w word) bool { return w.lem == e.noun.head || w.low == "of" || !w.content() })
		inner.noun = readNoun(words, b.subject.pronounOfSpeaker())
	}
	first := slices.ContainsFunc(e.noun.words, func(w word) bool { p, ok := english.PronounOf(w.low); return ok && p.Person == 1 })
	if inner.noun.empty() || a.subject.pronoun != b.subject.pronoun && !(first && a.subject.firstPerson()) {
		return false
	}
	return a.subject.firstPerson() && inner.relates(a) && inner.names(a) && inner.unlimited(a)
}

// firstPerson reports "I" or "we".
func (n *nounPhrase) firstPerson() bool {
	return strings.HasPrefix(n.pronoun, "@") && n.pronoun != "@you"
}

func (e *ending) hasOf() bool { return hasOf(&e.noun) }

// ends reports whether a clause with this ending, b, ends what the clause a states.
func (e *ending) ends(a, b *clause) bool {
	switch e.class {
	case "tie":
		return e.parts(a, b)
	case "flat":
		return e.leavesFlat(a, b)
	case "thing":
		return (e.ofSubject(a) || e.ofHolder(a)) && (e.unlimited(a) || fate.Deadly(e.class, e.verb) && e.noun.personal())
	case fate.Death:
		return !b.modal && fate.Dies(e.verb, planPhrase(&e.noun, ""), planPhrases(e.rest), planWords(a.words)) && (e.ofSubject(a) || e.ofHolder(a))
	case "off":
		return e.ofSubject(a) && e.unlimited(a)
	case "stop":
		return b.subject.holds(a) && a.does(e) && (e.noun.empty() || e.names(a)) && e.unlimited(a)
	case "deny":
		return b.subject.holds(a) && a.does(e) && e.denies(a)
	}
	if states := lexicon.Ends.Relations[e.class].States; states != nil {
		return e.endsState(a, b, states)
	}
	if e.class == fate.Illness && !fate.IsIllness(e.noun.head) {
		return false
	}
	if e.class == "gift" && !slices.ContainsFunc(e.rest, func(q prepositional) bool { return q.prep == "to" && !q.noun.empty() }) {
		return false
	}
	return (b.subject.holds(a) || e.mine && a.subject.firstPerson()) && e.relates(a) && e.names(a) && e.unlimited(a)
}

// does reports that the verb of a clause is that of an ending: "smoke", "go running".
func (c *clause) does(e *ending) bool {
	return c.verbLemma == e.verb || c.verbLemma == goLemma && e.noun.empty() && len(c.object.words) > 0 && c.object.words[0].lem == e.verb
}

var goLemma = lexicon.Lemma("go")

// sharesName reports a name that two noun phrases have in common: "my wife Carla", "Carla". "Carla's dog" is somebody else.
func sharesName(x, y *nounPhrase) bool {
	return slices.ContainsFunc(x.words, func(w word) bool {
		return startsUpper(w.text) && w.content() && !w.possessive && slices.ContainsFunc(y.words, func(v word) bool { return v.lem == w.lem && !v.possessive })
	})
}

// denies reports that a denial names what an earlier clause states, or all of it, and nothing that the clause does not say:
// "I no longer play" and "I no longer play in Tin Lizard", but not "I no longer play on Sundays".
func (e *ending) denies(a *clause) bool {
	named := false
	for i := range e.rest {
		q := &e.rest[i]
		fresh := slices.ContainsFunc(q.noun.words, func(w word) bool { return w.content() && !hasWord(a.words, &w) })
		if fresh && !lexicon.SinceWhen[q.prep] || q.noun.empty() {
			return false
		}
		named = named || !fresh
	}
	noun := e.noun.words
	if len(noun) > 1 && (noun[0].low == "a" || noun[0].low == "an" || noun[0].low == "any") {
		noun = noun[1:]
	}
	if !e.noun.empty() {
		return e.namesIn(noun, a)
	}
	return named || !lexicon.ObjectDecides[e.verb] || a.object.empty() || a.verbLemma != e.verb
}

// holds reports that a subject is that of an earlier clause.
func (n *nounPhrase) holds(a *clause) bool {
	switch {
	case n.empty() || a.subject.empty() || wild(n.pronoun):
		return false
	case a.subject.plural && !n.plural:
		return false // what one of us ends, the others may go on with
	}
	return n.key() == a.subject.key()
}

// relates reports that a clause states a relation that the class of the ending ends.
func (e *ending) relates(a *clause) bool {
	r := lexicon.Ends.Relations[e.class]
	if slices.ContainsFunc(a.slots, func(s slot) bool { return s.use == frames.State && r.Frames[frames.All[s.frame].Name] && !s.byNoun }) || r.Words[a.verbLemma] {
		return true
	}
	return (a.verbLemma == "be" || a.verbLemma == "hav" || a.verbLemma == "have") && r.Words[a.object.head]
}

// names reports that what has ended is the value of an earlier clause, and no more than that clause says.
func (e *ending) names(a *clause) bool {
	for words := range splitAnd(e.noun.words) {
		if n := len(words) - 1; e.class == "home" && n > 0 && lexicon.Dwellings[words[n].low] && !hasWord(a.words, &words[n]) {
			words = words[:n] // "my parents' house"
		}
		if e.namesIn(words, a) {
			return true
		}
	}
	return false
}

func splitAnd(words []word) func(yield func([]word) bool) {
	return func(yield func([]word) bool) {
		for {
			i := slices.IndexFunc(words, func(w word) bool { return w.low == "and" })
			if i < 0 {
				yield(words)
				return
			}
			if !yield(words[:i]) {
				return
			}
			words = words[i+1:]
		}
	}
}

func (e *ending) namesIn(words []word, a *clause) bool {
	if len(words) == 0 || lexicon.Indefinite[words[0].low] || words[0].class == classNumber || slices.ContainsFunc(words, func(w word) bool { return w.content() && !hasWord(a.words, &w) }) {
		return false
	}
	if e.isValue(words, &a.object) {
		return true
	}
	for i := range a.phrases {
		q := &a.phrases[i]
		if !q.leading && (lexicon.ValuePrepositions[q.prep] && (a.verbLemma != "be" || a.passive || lexicon.BePrepositions[q.prep] || !a.object.empty())) && e.isValue(words, &q.noun) {
			return true
		}
	}
	return false
}

// isValue reports that words name a noun phrase: its head, or the names that it has besides a noun of the class.
func (e *ending) isValue(words []word, v *nounPhrase) bool {
	if v.empty() || v.pronoun != "" {
		return false
	}
	r := lexicon.Ends.Relations[e.class]
	head := headOf(words)
	if head == nil {
		return false
	}
	if v.several() && english.Singular(head.low) == head.low {
		return false // "the car", of two cars
	}
	if head.lem == v.head {
		return true
	}
	return slices.ContainsFunc(v.words, func(w word) bool { return w.lem == head.lem }) &&
		!slices.ContainsFunc(v.words, func(w word) bool {
			return w.content() && !hasWord(words, &w) && !r.Words[w.lem] && lexicon.Wrappers[w.lem] == ""
		})
}

// ofSubject reports that what has ended is the subject of a clause that tells of its state.
func (e *ending) ofSubject(a *clause) bool {
	n, s := &e.noun, &a.subject
	if n.pronoun != "" || s.pronoun != "" || len(n.words) == 0 || lexicon.Indefinite[n.words[0].low] {
		return false
	}
	if same := n.head == s.head && n.owner == s.owner && slices.Equal(n.mods, s.mods) && slices.Equal(n.ids, s.ids); !same && (!fate.Deadly(e.class, e.verb) || !oneNamed(n, s) && !fate.SameRelative(planPhrase(n, ""), planPhrase(s, ""))) {
		return false
	}
	if fate.Deadly(e.class, e.verb) && n.personal() { // a thing that broke is still where it is, and with whom
		return !a.tellsWho() && e.sameOwn(a)
	}
	if a.verbLemma == "be" && !a.passive && (a.object.empty() && !onlyParticle(a) || len(a.object.words) > 1 || !a.object.empty() && isValue(a.object.words[0].class)) {
		return false // what and where it is
	}
	return e.sameOwn(a)
}

var dieLemma = lexicon.Lemma("die")

// oneNamed reports that two noun phrases name one person or animal, of which one has a name and a description: "my dog Pepper", "Pepper".
func oneNamed(x, y *nounPhrase) bool {
	l, _ := compareNouns(x, y)
	return (l == narrower || l == wider) && sharesName(x, y) && !hasOf(x) && !hasOf(y)
}

// onlyParticle reports "is on", "is up".
func onlyParticle(a *clause) bool {
	return len(a.phrases) > 0 && a.phrases[len(a.phrases)-1].noun.empty()
}

// ofHolder reports that what has ended is what somebody has or takes part in: "my contract with Acme".
func (e *ending) ofHolder(a *clause) bool {
	n := &e.noun
	if n.pronoun != "" || n.empty() || n.owner != "" && n.owner != a.subject.key() || !lexicon.Havings[a.verbLemma] || a.passive || !n.the && !n.named() {
		return false
	}
	return e.names(a) && e.sameOwn(a)
}

// sameOwn reports that the phrases of what has ended are those of the earlier clause: "the alarm in the kitchen".
func (e *ending) sameOwn(a *clause) bool {
	for i := range e.own {
		q := &e.own[i]
		if slices.ContainsFunc(q.noun.words, func(w word) bool { return w.content() && !hasWord(a.words, &w) }) {
			return false
		}
	}
	for i := range a.phrases { // "the cafe on the corner", "the cafe"
		q := &a.phrases[i]
		if x := slices.IndexFunc(e.own, func(o prepositional) bool { return o.prep == q.prep }); q.leading && x >= 0 && e.own[x].noun.key() != q.noun.key() {
			return false
		}
	}
	return true
}

// parts reports that the ending parts two that the earlier clause says are a couple.
func (e *ending) parts(a, b *clause) bool {
	if !slices.ContainsFunc(a.slots, func(s slot) bool { return s.use == frames.State && frames.All[s.frame].Name == "relationship" }) && !slices.ContainsFunc(a.words, func(w word) bool { return lexicon.Couples[w.low] }) {
		return false
	}
	var named [][]word
	for words := range splitAnd(b.subject.words) {
		named = append(named, words)
	}
	for i := range e.rest {
		q := &e.rest[i]
		switch {
		case q.prep == "with" || q.prep == "from":
			named = append(named, q.noun.words)
		case q.kind() != "interval" && !q.timely() && !lexicon.Reasons[q.prep]:
			return false
		}
	}
	if b.verbLemma == "divorc" && e.noun.key() != b.subject.key() {
		named = append(named, e.noun.words)
	}
	first, others := false, 0
	for _, words := range named {
		if len(words) == 0 {
			return false
		}
		if p, ok := english.PronounOf(words[0].low); ok && len(words) == 1 {
			if p.Person != 1 || !slices.ContainsFunc(a.words, func(w word) bool { x, ok := english.PronounOf(w.low); return ok && x.Person == 1 }) {
				return false
			}
			first = true
			continue
		}
		others++
		if slices.ContainsFunc(words, func(w word) bool { return w.content() && !hasWord(a.words, &w) }) || !slices.ContainsFunc(words, func(w word) bool { return w.content() }) {
			return false
		}
	}
	if len(named) == 1 && b.subject.several() {
		others++ // "my parents"
	}
	return others == 2 && !first || others == 1 && first || first && others == 0 && b.verbLemma == "divorc"
}

// leavesFlat reports that somebody with whom another one shares a flat has moved out.
func (e *ending) leavesFlat(a, b *clause) bool {
	if b.subject.pronoun != "" || b.subject.empty() || !e.relates(a) || slices.ContainsFunc(b.subject.words, func(w word) bool { return w.content() && !hasWord(a.words, &w) }) {
		return false
	}
	return !slices.ContainsFunc(e.rest, func(q prepositional) bool {
		return q.kind() != "interval" && !q.timely() && !lexicon.Reasons[q.prep] && !slices.ContainsFunc(q.noun.words, func(w word) bool { return hasWord(a.words, &w) || lexicon.Dwellings[w.low] })
	})
}

// timely reports a phrase that tells when, in days or longer.
func (q *prepositional) timely() bool {
	return q.prep == "every" && !q.noun.empty() && !q.ofTheDay() || q.prep == "on" && q.noun.dated() || q.prep == "in" && (q.noun.dated() || q.season())
}

func (n *nounPhrase) dated() bool {
	return slices.ContainsFunc(n.words, func(w word) bool {
		return w.class == classDate || w.class == classWeekday || w.class == classNumber && len(w.low) == 4 || tables.Months[w.low]
	})
}

// unlimited reports that no other phrase says that only a part has ended, or for a time.
func (e *ending) unlimited(a *clause) bool {
	return !slices.ContainsFunc(e.rest, func(q prepositional) bool { return e.limits(&q, a) })
}

func (e *ending) limits(q *prepositional, a *clause) bool {
	if q.noun.empty() {
		return q.prep == "back"
	}
	fresh := slices.ContainsFunc(q.noun.words, func(w word) bool { return w.content() && !hasWord(a.words, &w) })
	daily := lexicon.DailyEnds[e.verb]
	switch {
	case q.prep == "for" && (lexicon.LastingReasons[q.noun.head] || len(q.noun.words) > 0 && q.noun.words[0].low == "good"):
		return false
	case q.prep == "for" && (q.season() || q.kind() == "interval" || lexicon.ForATime[q.noun.head]):
		return true
	case q.ofTheDay():
		return fresh && (daily || e.class == "stop")
	case slices.ContainsFunc(q.noun.words, func(w word) bool { return tables.Relative[w.low] }):
		return daily
	case q.kind() == "interval", q.timely(), q.season(), q.prep == "ago":
		return false
	case !fresh:
		return false
	case lexicon.Reasons[q.prep], lexicon.Decides[q.noun.head] && (q.prep == "on" || q.prep == "at" || q.prep == "upon" || q.prep == "with"):
		return false
	}
	x := a.phrase(q.prep, &q.noun)
	if x != nil && !x.noun.empty() && x.noun.key() != q.noun.key() {
		return true
	}
	if e.verb == "leav" && q.ofOneDeparture() {
		return true
	}
	money := slices.ContainsFunc(q.noun.words, func(w word) bool { return w.class == classMoney || w.class == classAmount })
	switch e.class {
	case "own", "gift":
		return !(q.prep == "to" || q.prep == "in" || q.prep == "at" || q.prep == "on" || money || q.prep == "for")
	case "post", "member":
		return q.prep != "in" && q.prep != "with" && !money
	}
	return true
}
