package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/plans"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/internal/english"
)

// Vetoes of pairs of which both statements stand whatever the trees say. The trees do not learn from them.
const (
	vetoOccasion   Veto = "occasion"   // what happened on two occasions
	vetoDenied     Veto = "denied"     // the later one denies another value
	vetoName       Veto = "name"       // one says that a thing has another name, the other one something else about it
	vetoPreference Veto = "preference" // two preferences that are about two kinds of things
	vetoTask       Veto = "task"       // something to be done, against a fact
)

// bothStand returns why both clauses stand by what they say themselves; empty if nothing shows it.
func (p *pair) bothStand() Veto {
	switch {
	case p.recounts():
		return vetoOccasion
	case p.deniesOther():
		return vetoDenied
	case p.onlyRenames(), p.outlives(), p.later.namesBeside() && !p.earlier.namesBeside():
		return vetoName
	case p.prefersOtherKind():
		return vetoPreference
	case p.changesToOtherKind(), p.tellsQuality(), p.changesPart(), p.refusesThing():
		return vetoAttribute
	case p.sharesRole(), p.later.ofLastTime() && !p.earlier.ofLastTime():
		return vetoSubject
	case p.occasions() && p.earlier.habit() && p.later.habit() && !p.corrects() && p.fresh&(cueNow|cueChanged|cueFinally) == 0:
		return vetoQualifier // "at 6 on weekdays", "at 8 on weekends"
	}
	return ""
}

// corrects reports a word of correction or of a denial that only the later clause has.
func (p *pair) corrects() bool {
	return p.flip || p.later.negated || !p.later.denied.empty() || p.later.cues&cueCorrect != 0 || p.fresh&(cueActually|cueInstead|cueNoLonger) != 0
}

// refusesThing reports an act, by a particle, on a thing that the earlier clause does not name, from what it names: "I work at Renault", "I turned
// down a company car from Renault".
func (p *pair) refusesThing() bool {
	c := p.later
	if !p.sourced || !c.object.empty() || len(c.phrases) == 0 || c.verb+1 >= len(c.words) {
		return false
	}
	q := &c.phrases[0]
	if !lexicon.Particles[q.prep] || c.words[c.verb+1].low != q.prep || q.noun.head == "" || isName(q.noun.words[0].class) || lexicon.Wrappers[q.noun.head] != "" {
		return false
	}
	_, offered := plans.Nouns[q.noun.head] // "the offer from Renault"
	return !offered && !slices.ContainsFunc(p.earlier.words, func(w word) bool { return w.lem == q.noun.head })
}

// recounts reports that both clauses tell in the simple past what happened, in one verb, and that nothing shows that
// they mean one occasion: "Ben closed issue 12", "Ben closed issue 13". What a change leads to lasts until the next
// one: "I moved to Oslo", "I moved to Bergen".
func (p *pair) recounts() bool {
	a, b := p.earlier, p.later
	i, j := a.tellsAt(), b.tellsAt()
	if i < 0 || j < 0 || a.words[i].lem != b.words[j].lem || lexicon.HappensOnce[a.words[i].lem] || p.corrects() || sharesDate(a.words, b.words) {
		return false
	}
	if lexicon.Settles[a.words[i].lem] && p.object != renumbered || p.asOne() {
		return false
	}
	m := &p.slot
	acts := p.object != equal && p.object != bothEmpty && p.object != onlyEarlier && p.object != onlyLater
	switch {
	case m.found && (m.earlier.use == frames.Change || m.later.use == frames.Change) && frames.All[m.later.frame].Name != "status" && p.sameSlot():
		return false
	case p.phrasePrep == "at" && p.phraseKind == classClock: // "the train left at 8:05"
		return true
	case a.changes || b.changes:
		return acts && a.governed("to") == nil && b.governed("to") == nil
	}
	return true
}

// tellsAt returns the index of a verb in the simple past that tells what happened; -1 if there is none.
func (c *clause) tellsAt() int {
	switch {
	case c.negated || c.passive || c.perfect || c.imperative || c.setting || c.modal:
		return -1
	case c.modality != Event && c.modality != Past && c.modality != Asserted || c.cues&cueUsed != 0:
		return -1
	case c.verb < 0:
		return c.unreadPast()
	case c.verbLemma == "be" || !c.past && !c.pastInBase(c.verb) && !verb.EndsInEd(c.words[c.verb].low):
		return -1
	}
	return c.verb
}

// unreadPast returns the index of the first word after a noun that has a form of the simple past, in a clause whose
// verb was not found: "the call lasted 20 minutes"; -1 if there is none.
func (c *clause) unreadPast() int {
	for i := 1; i+1 < len(c.words); i++ {
		w, before := &c.words[i], &c.words[i-1]
		if w.sign != 0 || tables.Preposition[before.low] {
			return -1
		}
		if (verb.EndsInEd(w.low) || c.pastInBase(i)) && !tables.Function[before.low] && !tables.Adverb[before.low] {
			return i
		}
	}
	return -1
}

// pastInBase reports a verb whose past looks like its base form, where it must be the past: after a singular subject
// other than I and you, or before a numbered thing: "dinner cost 40 euros", "I read chapter 3".
func (c *clause) pastInBase(i int) bool {
	if !lexicon.SamePast[c.words[i].low] || i == 0 {
		return false
	}
	if _, pronoun := english.PronounOf(c.words[i-1].low); pronoun {
		low := c.words[i-1].low
		return low == "he" || low == "she" || low == "it" || c.cues&cueDated != 0 ||
			slices.ContainsFunc(c.words[i+1:], func(w word) bool { return w.class == classNumber || w.class == classCode })
	}
	return !strings.HasSuffix(c.words[i-1].low, "s") && c.words[i-1].class != classFunction
}

// asOne reports that both clauses give one role to somebody: "hired Ana as my assistant".
func (p *pair) asOne() bool {
	x, y := p.earlier.governed("as"), p.later.governed("as")
	l, _ := compareWords(x, y)
	return len(x) > 0 && len(y) > 0 && l == equal
}

// sharesDate reports a date that both clauses name.
func sharesDate(a, b []word) bool {
	return slices.ContainsFunc(a, func(w word) bool { return w.class == classDate && hasWord(b, &w) })
}

// repeatsValue reports a contrast that says a value of the earlier clause again and denies one that it does not have: "I'm a vet in Bristol", "I'm in
// Bristol, not Bath".
func (p *pair) repeatsValue() bool {
	known := func(w word) bool { return hasWord(p.earlier.words, &w) }
	said, other := 0, 0
	for _, w := range p.later.words {
		if w.content() && !hasWord(p.later.subject.words, &w) && w.class != classVerb {
			if said++; !known(w) {
				other++
			}
		}
	}
	return said > 0 && other == 0 && !slices.ContainsFunc(p.later.denied.words, func(w word) bool { return w.content() && known(w) })
}

// deniesOther reports that the later clause denies another value than the one that the earlier clause states: "I live in
// Turku", "I never lived in Oslo".
func (p *pair) deniesOther() bool {
	a, b := p.earlier, p.later
	if !b.denied.empty() {
		return !a.negated && p.repeatsValue()
	}
	if !b.negated || a.negated || b.stopped {
		return false
	}
	another := func(l likeness) bool { return l == kindred || l == alike || l == opposed }
	if m := &p.slot; m.found && m.holder == equal && another(m.value) {
		return true
	}
	if b.cues&cueNoLonger != 0 {
		return false
	}
	if p.verb != verbSame || p.subject != equal {
		return false
	}
	return another(p.object) || p.objectsAgree() && p.differ == 1 && another(p.phrase)
}

// withdraws reports that the later clause says that what the earlier one states was never so: "I live in Oslo", "I never
// lived in Oslo".
func (p *pair) withdraws() bool {
	a, b := p.earlier, p.later
	if !p.flip || !b.never() || a.past || a.modality != Asserted || p.verb != verbSame || p.subject != equal || wild(b.subject.pronoun) {
		return false
	}
	return (p.object == equal || p.object == bothEmpty) && p.same+p.differ == len(b.phrases) && p.differ == 0 && p.onlyEarlier == 0 && (p.object == equal || p.same > 0)
}

// wasInstead reports two clauses of the past, of which the later one denies the value of the earlier one in contrast to
// its own: "the meeting was on Wednesday, not Tuesday".
func (p *pair) wasInstead() bool {
	return p.earlier.past && p.later.past && p.sourced && !p.later.denied.empty() && !p.flip
}

// never reports a clause that denies for all of the past.
func (c *clause) never() bool { return c.negated && c.hasWord("never") && (c.past || c.perfect) }

// onlyRenames reports that one clause says that a thing has another name, and that the other one states no name.
func (p *pair) onlyRenames() bool {
	a, b := p.earlier, p.later
	return a.renames() && !b.states(nameFrame) && !b.identifies() || b.renames() && !a.states(nameFrame) && !a.identifies()
}

// nameFrame and preferenceFrame are predicates of frames.txt.
const nameFrame, preferenceFrame = "name", "preference"

// states reports a slot of a predicate.
func (c *clause) states(frame string) bool {
	return slices.ContainsFunc(c.slots, func(s slot) bool { return frames.All[s.frame].Name == frame })
}

// renames reports a clause that gives a thing another name.
func (c *clause) renames() bool {
	return slices.ContainsFunc(c.slots, func(s slot) bool { return s.use == frames.Change && frames.All[s.frame].Name == nameFrame })
}

// identifies reports a clause that says which one a thing is: "the product is Atlas", "the main branch is master".
func (c *clause) identifies() bool {
	if c.verbLemma != "be" || c.passive || c.object.empty() {
		return false
	}
	return c.states("branch") || !slices.ContainsFunc(c.object.words, func(w word) bool { return w.content() && !isName(w.class) && w.class != classCode })
}

// prefersOtherKind reports two preferences that nothing shows to be about one kind of thing: "I prefer tea", "I prefer
// window seats".
func (p *pair) prefersOtherKind() bool {
	a, b := p.earlier, p.later
	if !a.states(preferenceFrame) || !b.states(preferenceFrame) || p.subject != equal || p.corrects() || p.fresh&(cueNow|cueChanged|cueFinally) != 0 && (p.common > 1 || p.object == alike) {
		return false
	}
	switch {
	case p.object == equal, p.object == bothEmpty, p.object == opposed, p.object == kindred, measured(p.objectKind) && p.object == alike, p.crossKind == opposed, p.crossKind == kindred:
		return false
	case p.sourced, p.swaps(), p.namesOther(), p.sameFrame():
		return false
	case a.object.head == b.object.head && a.object.head != "":
		return ofTwoScales(a.object.words, b.object.words)
	}
	return true
}

// ofTwoScales reports modifiers that do not exclude each other as far as the table of sets knows: it has one of them,
// and not the other one as its alternative: "short replies", "polite replies".
func ofTwoScales(a, b []word) bool {
	only := func(x, y []word) bool {
		return slices.ContainsFunc(x, func(w word) bool { return w.content() && len(w.sets) > 0 && !hasWord(y, &w) })
	}
	return only(a, b) || only(b, a)
}

// sameFrame reports a phrase that says when or for what both clauses hold: "for breakfast".
func (p *pair) sameFrame() bool {
	for i := range p.later.phrases {
		q := &p.later.phrases[i]
		if x := p.earlier.phrase(q.prep, &q.noun); x != nil && framing[q.prep] && !q.noun.empty() && x.noun.key() == q.noun.key() {
			return true
		}
	}
	return false
}

var framing = english.WordSet("for in at on during when as with")

// alternative returns what a clause prefers something to: "tea over coffee".
func (c *clause) alternative() []word {
	for _, prep := range []string{"over", "to", "than"} {
		if w := c.governed(prep); w != nil {
			return w
		}
	}
	return nil
}

// namesOther reports that one clause prefers what the other one names as the alternative.
func (p *pair) namesOther() bool {
	is := func(x, y []word) bool {
		l, _ := compareWords(x, y)
		return len(x) > 0 && len(y) > 0 && (l == equal || l == narrower || l == wider)
	}
	return is(p.earlier.object.words, p.later.alternative()) || is(p.later.object.words, p.earlier.alternative())
}

// swaps reports two preferences with what is preferred and its alternative exchanged: "tea over coffee", "coffee over
// tea".
func (p *pair) swaps() bool {
	a, b := p.earlier, p.later
	if !a.states(preferenceFrame) || !b.states(preferenceFrame) || p.subject != equal || a.negated || b.negated || a.alternative() == nil || b.alternative() == nil {
		return false
	}
	x, _ := compareWords(a.object.words, b.alternative())
	y, _ := compareWords(a.alternative(), b.object.words)
	return x == equal && y == equal
}

// rivalFrame is the certainty for another preference of one frame: "for breakfast I prefer …".
const rivalFrame = 0.6

// prefersInFrame reports two preferences in one frame.
func (p *pair) prefersInFrame() bool {
	a, b := p.earlier, p.later
	return a.states(preferenceFrame) && b.states(preferenceFrame) && p.subject == equal && !a.negated && !b.negated && p.fresh&cueAlso == 0 && p.sameFrame() && p.differ == 0 && p.onlyEarlier+p.onlyLater == 0 &&
		(p.object == other || p.object == kindred || p.object == alike || p.object == opposed || p.object == modified)
}

// prefersAnother reports another preference of a known kind, or one with a word of change.
func (p *pair) prefersAnother() bool {
	a, b := p.earlier, p.later
	if !a.states(preferenceFrame) || !b.states(preferenceFrame) || p.subject != equal || a.negated || b.negated || p.onlyEarlier > 1 || p.onlyLater > 1 {
		return false
	}
	known := (p.object == kindred || p.object == opposed) && p.differ+p.onlyEarlier+p.onlyLater == 0
	return known || p.fresh&cueNow != 0 && p.differ <= 1
}
