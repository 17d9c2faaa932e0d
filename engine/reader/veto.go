package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// Veto names the rule that forbids a revision; it is empty if none does.
type Veto string

// Vetoes besides the names of modalities in lower case ("question", "plan").
const (
	vetoEarlier   Veto = "earlier"   // the earlier statement asserts nothing that holds now
	vetoAlso      Veto = "also"      // "also", "another", "too"
	vetoEntity    Veto = "entity"    // another number or code of the same thing: invoice 12 and 13
	vetoOwner     Veto = "owner"     // another possessor
	vetoSubject   Veto = "subject"   // another person or thing
	vetoAttribute Veto = "attribute" // another attribute of one person: where she lives and where she works
	vetoModifier  Veto = "modifier"  // the same noun with another modifier: front and rear tyre
	vetoQualifier Veto = "qualifier" // another time, occasion or thing on both sides
	vetoEvent     Veto = "event"     // two events
	vetoOnce      Veto = "once"      // what happened on one day, against a habit or a state
	vetoDenials   Veto = "denials"   // both deny, different things
	vetoSame      Veto = "same"      // the earlier value in other words
	vetoMany      Veto = "many"      // another value of a predicate with many values: likes, speaks
	vetoDetail    Veto = "detail"    // the same, with more words; or something about its object
	vetoLanguage  Veto = "language"  // a text is not recognised as English
	vetoCode      Veto = "code"      // the later statement is code, the earlier one is not
	vetoUnrelated Veto = "unrelated" // the clauses share nothing
)

// Failed is the veto of a comparison in which the rules failed.
const Failed Veto = "failed"

// TooLong is the veto of two statements of more than MaxWork.
const TooLong Veto = "too long"

// veto returns the rule that forbids that the later clause revises the earlier one.
func (p *pair) veto() Veto {
	a, b := p.earlier, p.later
	if v := p.modalityVeto(); v != "" {
		return v
	}
	if p.once() {
		return vetoOnce
	}
	if p.datedException() {
		return Veto(strings.ToLower(Bounded.String()))
	}
	if p.fresh&cueAlso != 0 && p.fresh&(cueNoLonger|cueInstead) == 0 {
		return vetoAlso
	}
	if p.numbersOther() {
		return vetoEntity
	}
	slotted := p.slot.found && p.slot.cardinality != frames.Many && (p.slot.holder == equal || p.slot.holder == bothEmpty)
	if sa, sb := &a.subject, &b.subject; sa.head == sb.head && sa.pronoun == "" && p.inverse != equal && subsetOf(sa.mods, sb.mods) == other {
		return vetoModifier
	}
	if p.actsOnOther() {
		return vetoOwner
	}
	switch p.subject {
	case renumbered:
		return vetoEntity
	case reowned:
		if !wild(a.subject.owner) && !wild(b.subject.owner) || strings.HasPrefix(a.subject.owner, "@") != strings.HasPrefix(b.subject.owner, "@") {
			return vetoOwner
		}
	}
	if m := &p.slot; m.found && m.holder == other && m.earlier.byNoun && m.later.byNoun && m.earlier.noun == m.later.noun && !wild(m.earlier.holder) && !wild(m.later.holder) && !strings.Contains(m.earlier.holder+m.later.holder, "'s ") && !b.names(m.earlier.holder) && !a.names(m.later.holder) {
		return vetoOwner
	}
	if ta, tb := a.theme(), b.theme(); !slotted && ta.head == tb.head && ta.pronoun == "" && !ta.empty() && a.verbLemma != "be" && b.verbLemma != "be" && p.theme != equal && p.object != equal && !counted(ta.words) && !counted(tb.words) && subsetOf(ta.mods, tb.mods) == other && p.crossKind == other {
		return vetoModifier
	}
	if !slotted && p.foreignSubject() {
		return vetoSubject
	}
	if a.negated && b.negated && p.object != equal && p.object != alike && p.object != bothEmpty {
		return vetoDenials
	}
	if p.verb == verbOther && p.differ > 0 && !p.slot.found && a.object.empty() && b.object.empty() {
		return vetoQualifier
	}
	if p.qualifies() {
		return vetoQualifier
	}
	if p.details() {
		return vetoDetail
	}
	if p.restates() {
		return vetoSame
	}
	if p.adds() {
		return vetoMany
	}
	if p.happened() {
		return vetoEvent
	}
	done := (a.past || a.perfect) && (b.past || b.perfect) && p.verb == verbSame && !a.passive && !b.passive
	if done && p.fresh == 0 && !a.object.empty() && p.object != equal && p.object != bothEmpty || !slotted && a.modality == Event && b.modality == Event {
		return vetoEvent
	}
	return ""
}

// actsOnOther reports that the later clause changes another thing of the kind of which the earlier one tells: "the staging database is on db1", "we
// moved the production database to db3". If only one of the two has a word before its noun, they may be one thing.
func (p *pair) actsOnOther() bool {
	x := &p.earlier.subject
	head, mods := p.later.actedOn()
	return head != "" && x.head == head && x.pronoun == "" && !x.empty() && len(x.mods) > 0 && len(mods) > 0 && subsetOf(x.mods, mods) == other && p.later.modality == Asserted
}

// adds reports another value of a predicate with many values, without a word of change and without a number.
func (p *pair) adds() bool {
	m := &p.slot
	if !m.found || m.cardinality != frames.Many || m.earlier.byNoun || m.later.byNoun || p.verb != verbSame || p.subject != equal || p.flip || p.differ > 0 {
		return false
	}
	if p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect|cueFinally) != 0 || counted(m.earlier.value) || counted(m.later.value) {
		return false
	}
	return m.value == kindred || m.value == other || m.value == alike
}

// restates reports that the later clause has all names, numbers and nouns of the earlier one and
// no name or number of its own: "I work at Bosch", "Bosch is my employer".
func (p *pair) restates() bool {
	a, b := p.earlier, p.later
	if p.flip || b.past || b.changes || b.stopped || tables.StopLemma[b.verbLemma] || b.cues&(cueNoLonger|cueInstead|cueChanged|cueCorrect) != 0 || p.crossKind == opposed || p.crossKind == kindred || p.phrase == opposed || p.prefersInFrame() {
		return false
	}
	named := false
	for i := range a.words {
		w := &a.words[i]
		if !w.content() || w.class == classVerb {
			continue
		}
		if !hasWord(b.words, w) {
			return false
		}
		named = named || isValue(w.class)
	}
	return named && !slices.ContainsFunc(b.words, func(w word) bool { return w.content() && isValue(w.class) && !hasWord(a.words, &w) })
}

// isValue reports a class of names, numbers and times.
func isValue(c class) bool {
	return c != classNoun && c != classVerb && c != classAdverb && c != classFunction
}

// details reports that the later clause says the same more exactly ("works at a hospital",
// "works in the laboratory of the hospital"), or something about the object of the earlier
// one ("I have a dog", "my dog is brown").
func (p *pair) details() bool {
	a, b := p.earlier, p.later
	if p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect) != 0 || p.flip || p.differ > 0 || b.changes || p.crossKind == opposed {
		return false
	}
	if p.inverseBack == equal && p.subject != equal && (a.verbLemma == "hav" || a.verbLemma == "have" || a.verbLemma == "own") && (b.verbLemma == "be" || b.verbLemma == "call") {
		return true
	}
	if p.subject != equal || p.verb != verbSame {
		return false
	}
	if p.same > 0 && p.onlyLater > 0 && p.onlyEarlier == 0 && (p.object == equal || p.object == bothEmpty) {
		return true
	}
	if p.slot.found && p.slot.holder == equal && p.slot.value == narrower {
		return !counted(p.slot.later.value)
	}
	return p.object == narrower && !counted(b.object.words)
}

// counted reports a number among words.
func counted(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return w.class == classNumber || w.class == classAmount || w.class == classVersion || w.class == classPercent || w.class == classMoney || w.low == "and"
	})
}

// happened reports an event, or an experience ("I have worked in Cairo"), of which the later clause tells and that changes no state.
func (p *pair) happened() bool {
	a, b := p.earlier, p.later
	if p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect|cueFinally) != 0 || b.negated || a.negated && b.cues&cueDated == 0 || p.slot.found && p.slot.later.use != frames.State {
		return false
	}
	if b.perfect && !b.passive && !b.changes && a.perfect && p.verb == verbSame {
		return true
	}
	return b.modality == Event && a.modality != Event && !a.past && !b.changes && (tables.EventLemma[b.verbLemma] && !lexicon.Gains[b.verbLemma] || p.verb == verbSame)
}

// once reports that the later clause tells what happened on one day, and that the earlier one does not: "I walked to work yesterday".
func (p *pair) once() bool {
	a, b := p.earlier, p.later
	return b.past && !b.perfect && !b.passive && !b.changes && !b.stopped && b.verbLemma != "be" && !lexicon.Gains[b.verbLemma] && !tables.MovesLemma[b.verbLemma] && !a.past && a.cues&cueDated == 0 && b.cues&cueDated != 0 && b.cues&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect|cueFinally) == 0
}

// modalityVeto returns the veto of how either clause is presented. Two plans or two bounded statements may revise each other.
func (p *pair) modalityVeto() Veto {
	a, b := p.earlier.modality, p.later.modality
	if a == b && (a == Plan || a == Bounded) {
		return ""
	}
	if told := func(m Modality) bool { return m.Holds() || m == Past || m == Bounded }; (p.fresh&cueCorrect != 0 || p.wasInstead()) && told(a) && told(b) {
		return ""
	}
	if b == Conditional && p.later.words[0].low == "when" && p.earlier.hasWord("when") && p.common > 0 {
		return "" // of the same occasion, or qualifies tells them apart
	}
	if !b.Holds() {
		if b == Past && p.later.cues&cueUsed == 0 && p.later.verbLemma != "be" && p.later.cues&cueDated == 0 && p.later.cues&cueCorrect != 0 {
			return ""
		}
		return Veto(strings.ToLower(b.String()))
	}
	if !a.Holds() {
		return vetoEarlier
	}
	return ""
}

func wild(holder string) bool { return holder == "?" || holder == "@you" }

// names reports whether a clause names a holder as a word.
func (c *clause) names(holder string) bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return w.lem == holder })
}

// foreignSubject reports two subjects that are surely different and not the value of a predicate that takes its value as the subject.
func (p *pair) foreignSubject() bool {
	a, b := &p.earlier.subject, &p.later.subject
	if a.empty() || b.empty() || p.subject == equal || p.subject == narrower || p.subject == wider || wild(a.pronoun) || wild(b.pronoun) {
		return false
	}
	if a.head == b.head {
		return false
	}
	if p.object == equal && p.verb == verbSame && !p.flip && a.pronoun == "" && b.pronoun == "" || p.inverse == equal || p.inverseBack == equal {
		return false
	}
	if p.inverse == narrower || p.inverse == wider || p.inverseBack == narrower || p.inverseBack == wider {
		return false
	}
	return p.verb == verbSame && (p.object != equal || p.phrase != bothEmpty) || p.verb == verbOpposed && p.object == equal
}

// qualifies reports that object and qualifier both differ, so that the two clauses are about different occasions or things.
func (p *pair) qualifies() bool {
	if p.qualifier > 0 || p.leadingLater > 0 && p.later.verbLemma == "be" && p.fresh&(cueNow|cueChanged) == 0 {
		return true
	}
	objects := p.object == opposed || p.object == kindred || p.object == alike || p.object == other || p.object == overlapping || p.object == modified
	if p.differ == 0 || !objects || p.objectKind == p.phraseKind && p.phrasePrep == "to" || p.object == alike && (p.objectKind == classClock || p.objectKind == classDate || p.objectKind == classWeekday) {
		return false
	}
	switch p.phraseKind {
	case classPart, classWeekday:
		return true
	case classPlace, className, classPerson:
		return p.phrasePrep != "at" && p.phrasePrep != "to" && p.phrasePrep != "from" && (p.phrasePrep != "in" || p.verb == verbSame && !p.slot.found)
	case classClock, classDate:
		return false
	}
	return p.verb == verbSame && p.phrasePrep != "from"
}

// datedException reports a state that the later clause gives for one date only.
func (p *pair) datedException() bool {
	b := p.later
	if b.past || b.perfect || b.object.empty() && !b.passive || p.onlyLater == 0 || b.cues&cueFrom != 0 {
		return false
	}
	for i := range b.phrases {
		q := &b.phrases[i]
		if q.prep == "on" && lastOf(q.noun.words) == classDate && p.earlier.phrase("on", &q.noun) == nil {
			return true
		}
	}
	return false
}

// hard reports a veto that keeps the certainty below Rivals.
func (v Veto) hard() bool {
	switch v {
	case vetoOnce, "question", "wish", "fiction", "quoted", "reported", "conditional", "past", "bounded", "attempt",
		vetoEntity, vetoOwner, vetoLanguage, vetoAlso, vetoSame, vetoDetail, vetoDenials:
		return true
	}
	return false
}

// licence tells what speaks for a revision: a predicate with one value, a word of change, words that
// exclude each other, or another value of one attribute of one thing. The trees ask for it.
func (p *pair) licence() int {
	a, b := p.earlier, p.later
	m := &p.slot
	switch {
	case m.found && m.cardinality != frames.Many && (m.holder == equal || m.holder == bothEmpty):
		return 1
	case p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect|cueFinally) != 0 || b.changes || b.stopped || p.sourced || tables.StopLemma[b.verbLemma] || p.verb == verbOpposed:
		return 2
	case p.flip && p.verb == verbSame:
		return 3
	case p.crossKind == opposed || p.phrase == opposed || p.object == opposed:
		return 4
	case p.crossKind == kindred && b.verbClass() != 4 && b.verbClass() != 5:
		return 5
	case p.subject == equal && a.verbLemma == "be" && b.verbLemma == "be" && a.subject.pronoun == "" && a.complementForm() == b.complementForm():
		return 6
	case p.verb == verbSame && p.object == alike && (p.objectKind == classNumber || p.objectKind == classAmount || p.objectKind == classClock || p.objectKind == classDate || p.objectKind == classMoney || p.objectKind == classPercent || p.objectKind == classVersion):
		return 7
	case p.verb == verbSame && p.phrase == alike && (p.phraseKind == classNumber || p.phraseKind == classAmount || p.phraseKind == classClock || p.phraseKind == classDate || p.phraseKind == classWeekday):
		return 8
	case b.imperative || b.setting:
		return 9
	case p.verb == verbSame && p.subject == equal:
		return 10
	}
	return unlicensed
}

// unlicensed is what licence returns if nothing speaks for a revision.
const unlicensed = 0

// limit returns the highest certainty that a pair of clauses with a ground may have. What other vetoes find is evidence for the trees.
func (p *pair) limit(veto Veto, ground Ground, s statements) float64 {
	ends := p.endsPart()
	switch {
	case veto.hard(), p.otherAttribute(), p.losesObject(), p.later.handles(p.earlier), p.keepsLiking(), lexicon.PartsWith[p.later.verbLemma] && p.earlier.employs(), p.carries(), p.thatDay(), p.happens(), p.roleAndPlace(), p.goesOn(ground, s) != "", p.was() && p.later.again(), p.earlier.again() && p.later.again(), !p.related(), p.actsOnly(ground),
		p.told() && p.later.cues&^p.earlier.cues&cueDated != 0, veto == "plan" && !p.later.hasWord("will"),
		veto == vetoQualifier && (p.phraseKind == classPart || p.phraseKind == classWeekday) && p.object != equal && !p.later.object.empty():
		return Rivals / 2
	case ends == apart:
		return Rivals / 2
	case ends == narrowed, ground == NoGround && (p.changesOwned() || p.usesName()):
		return orderedOnly
	case veto == "plan", p.tellsMore(ground, s), p.later.hasWord("should") && !p.earlier.hasWord("should"), p.was(), p.keeps(), p.narrowsSubject(), p.specifies(), p.carriesThing(), p.classesDiffer(), p.wasOnce(), p.elsewhere(), p.assorted(), p.fresh&cueSometimes != 0 && p.fresh&(cueNow|cueNoLonger|cueInstead) == 0,
		p.otherPredicate() && (ground == NoGround || ground == Turned), p.improvesTheme(), p.actsWithin(), p.numbersElse(), p.unsureKind(), p.sameKin():
		return Doubtful
	}
	return 1
}

// roleAndPlace reports that one clause says as what somebody works and the other one where or for whom, which
// are both true: "works as a puppeteer", "is employed by the city archive".
func (p *pair) roleAndPlace() bool {
	m := &p.slot
	return m.found && m.holder == equal && m.earlier.use == frames.State && m.later.use == frames.State && !m.earlier.byNoun && !m.later.byNoun && (m.earlier.prep == "as") != (m.later.prep == "as") &&
		p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect|cueActually) == 0 && !p.earlier.negated && !p.later.negated
}

// wasOnce reports that the later clause says of the past what the earlier one says of the present, in one verb in
// the passive: "the car was insured with Axa when it was my father's".
func (p *pair) wasOnce() bool {
	a, b := p.earlier, p.later
	return b.past && b.passive && !b.perfect && !b.changes && !a.past && p.verb == verbSame && p.fresh&(cueCorrect|cueActually|cueChanged) == 0 && !p.flip
}

// was reports that the earlier clause tells of the past, and that the later one does not correct it. What was so stays true, and what
// happens once more is another event: "the lift was stuck again for 9 minutes".
func (p *pair) was() bool {
	a, b := p.earlier, p.later
	if !a.past || a.perfect || a.changes || a.stopped || lexicon.Gains[a.verbLemma] || p.slot.found && p.slot.earlier.use == frames.Change {
		return false // the state that a change led to may end
	}
	return !b.negated && b.denied.empty() && p.fresh&(cueCorrect|cueActually) == 0
}

// again reports a clause that says that something happened once more.
func (c *clause) again() bool {
	for i := range c.words {
		if w := c.words[i].low; w == "again" || w == "once" && i+1 < len(c.words) && c.words[i+1].low == "more" {
			return true
		}
	}
	return false
}

// keeps reports that the later clause has all names, numbers and times of the earlier one, at least one, and none of its own, and no word
// of change: "deploys go out on Tuesdays" after "we deploy every Tuesday".
func (p *pair) keeps() bool {
	return p.repeats() && !slices.ContainsFunc(p.earlier.words, func(w word) bool {
		return w.content() && isValue(w.class) && !hasWord(p.later.words, &w)
	})
}

// otherSlot reports that the two clauses meet in a predicate of the table that is not the one by which the earlier one, a change, is read: one
// can move to a town and to a company, and "moved to Bergen" is read as a residence.
func (p *pair) otherSlot() bool {
	a, b := p.earlier.slot(), p.later.slot()
	return p.slot.found && p.slot.earlier.use != frames.State && a != nil && b != nil && a.frame != p.slot.earlier.frame && a.frame != b.frame
}

// otherAttribute reports two predicates of one person that the table keeps apart, with values that
// have nothing in common: where she lives and where she works, also with "now" or "no longer".
func (p *pair) otherAttribute() bool {
	a, b := p.earlier, p.later
	if p.movesTime() {
		return false
	}
	if p.changesAnother() {
		return true
	}
	if len(a.slots) == 0 || len(b.slots) == 0 || p.subject != equal || !a.subject.personal() || p.verb == verbSame || p.common > 0 || p.crossKind != other || p.sourced {
		return false
	}
	return !p.slot.found || movesTo(a, p.slot.earlier) && p.otherSlot() || movesTo(b, p.slot.later) && a.slot() != nil && a.slot().frame == p.slot.earlier.frame
}

// standsElsewhere reports that the later clause says in which state somebody is, "I'm on nights", "I'm in charge", and the earlier one another
// attribute of them that the table has: "I live in Flensburg". A name after the same preposition may be another value of it.
func (p *pair) standsElsewhere() bool {
	a, b := p.earlier, p.later
	s := a.slot()
	if s == nil || s.byNoun || s.use != frames.State || !lastingFrames[frames.All[s.frame].Name] || p.subject != equal || b.verbLemma != "be" || !b.object.empty() || b.negated || p.slot.found && p.slot.value != other || p.sourced || p.common > 0 || p.crossKind != other {
		return false
	}
	return !slices.ContainsFunc(b.phrases, func(q prepositional) bool {
		return !q.leading && slices.ContainsFunc(q.noun.words, func(w word) bool { return q.prep == s.prep && isName(w.class) || w.class == classPlace })
	})
}

// movesTime reports that the later clause gives what the earlier one is about another day or time: "Pilates is on Tuesdays",
// "Pilates was moved to Thursdays".
func (p *pair) movesTime() bool {
	a, b := p.earlier, p.later
	if a.verbLemma != "be" || !a.object.empty() || p.subject != equal || !b.shifts() {
		return false
	}
	x, y := headOf(a.complement()), headOf(b.governed("to"))
	return x != nil && y != nil && x.class == y.class && (x.class == classWeekday || x.class == classDate || x.class == classClock)
}

// changesAnother reports a change of another attribute of a person than the earlier clause states: "moved to the field unit" beside "lives in Turin".
func (p *pair) changesAnother() bool {
	x, y := p.earlier.slot(), p.later.slot()
	return p.subject == equal && p.earlier.subject.personal() && x != nil && y != nil && x.use == frames.State && y.use == frames.Change && y.specific &&
		!slices.ContainsFunc(p.later.slots, func(s slot) bool { return s.frame == x.frame })
}

// movesTo reports that a slot of a clause comes from a change to a place, "moved to Bergen", and that the clause is read by another one.
func movesTo(c *clause, s *slot) bool {
	return s.use == frames.Change && lastOf(s.value) == classPlace && c.slot() != nil && c.slot().frame != s.frame
}

// told reports that the later clause tells of the past what names no change, and the earlier one
// speaks of the present: "my daughter didn't practise", "I took the lift".
func (p *pair) told() bool {
	a, b := p.earlier, p.later
	return b.past && !b.perfect && !b.passive && !b.changes && !b.stopped && b.verbLemma != "be" && !a.past && p.fresh&(cueNow|cueNoLonger|cueInstead|cueCorrect|cueFinally) == 0 && !(p.slot.found && p.slot.later.use != frames.State)
}

// repeats reports that the later clause has a name, number or time of the earlier one and none of
// its own, and no word of change: "the application has to be in by the 30th" after "the deadline is
// the 30th".
func (p *pair) repeats() bool {
	a, b := p.earlier, p.later
	if p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect|cueFinally) != 0 || b.changes || b.stopped || p.flip || tables.StopLemma[b.verbLemma] || p.crossKind == opposed || p.crossKind == kindred || p.phrase == opposed || p.verb == verbOpposed {
		return false
	}
	shared, only := 0, 0
	for i := range b.words {
		if w := &b.words[i]; w.content() && isValue(w.class) {
			if hasWord(a.words, w) {
				shared++
			} else {
				only++
			}
		}
	}
	return shared > 0 && only == 0 && p.verb != verbSame
}

// Undecided reports whether the veto leaves open if two statements are about one matter: there is
// none, they share too few words, the earlier one says nothing that holds now, or one is not
// recognised as English. All other vetoes say that both statements stand.
func (v Veto) Undecided() bool {
	return v == "" || v == vetoUnrelated || v == vetoEarlier || v == vetoLanguage
}

// Happened reports whether the veto says that one of two statements tells of what happened once. What happened can have ended
// what the other one says ("She came home from hospital"), which a revision does not conclude.
func (v Veto) Happened() bool { return v == vetoEvent || v == vetoOnce }

// Apart reports whether the veto says that two statements are about two persons, things, occasions, attributes or details.
func (v Veto) Apart() bool {
	switch v {
	case vetoEntity, vetoOwner, vetoSubject, vetoAttribute, vetoModifier, vetoQualifier, vetoAlso, vetoOccasion, vetoDenied, vetoName, vetoPreference, vetoTask, vetoMany:
		return true
	}
	return false
}
