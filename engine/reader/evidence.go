package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/boosted"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/linear"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// statements is the clauses that a pair of clauses is taken from.
type statements struct{ earlier, later []clause }

// evidence answers the questions for a pair of clauses and returns their number. z is what the weights of the words say.
func (p *pair) evidence(out *boosted.Evidence, z [linear.Heads]float64, veto Veto, s statements) int {
	*out = boosted.Evidence{}
	e := boosted.Writer{Out: out}
	a, b := p.earlier, p.later
	for _, x := range z {
		e.Logit(x)
	}
	e.Logit(linear.Joint(z))
	for _, l := range [...]likeness{p.subject, p.object, p.theme, p.phrase, p.inverse, p.inverseBack, p.crossKind} {
		e.One(int(l), int(other)+1)
	}
	e.One(int(p.verb), int(verbBothMissing)+1)
	for _, c := range [...]class{p.objectKind, p.objectFrom, p.phraseKind, p.phraseFrom} {
		e.One(boosted.WordGroup(byte(c)), boosted.WordGroups)
	}
	e.One(vetoNumber[veto], len(vetoNumber)+1)
	for _, n := range [...]int{p.same, p.differ, p.onlyEarlier, p.onlyLater, p.qualifier, p.leadingLater, p.common, p.unmatched[0], p.unmatched[1], p.prefix, p.suffix, len(a.words), len(b.words), len(a.slots), len(b.slots)} {
		e.Number(n)
	}
	e.Share(p.common, p.common+p.unmatched[0])
	e.Share(p.common, p.common+p.unmatched[1])
	e.Share(p.prefix+p.suffix, len(a.words))
	e.Share(p.prefix+p.suffix, len(b.words))
	for _, f := range [...]bool{p.flip, p.sourced, p.doubtful(), p.agree(), p.restates(), p.details(), p.membersFrom, p.membersTo,
		p.otherSlot(), p.told(), p.repeats(), p.related(), p.anchored(), p.sameSlot()} {
		e.Flag(f)
	}
	for _, c := range [...]*clause{a, b} {
		c.evidence(&e)
	}
	for c := range cues {
		e.Flag(p.fresh&(1<<c) != 0)
	}
	k := &p.slot
	e.Flag(k.found)
	if k.found {
		e.One(int(k.cardinality), 3)
		e.One(int(k.holder), int(other)+1)
		e.One(int(k.value), int(other)+1)
		e.Number(int(k.earlier.use))
		e.Number(int(k.later.use))
	} else {
		e.N += 3 + 2*(int(other)+1) + 2
	}
	e.Number(len(s.earlier))
	e.Number(len(s.later))
	p.frameEvidence(&e)
	p.valueEvidence(&e)
	e.One(p.licence(), 11)
	s.evidence(&e)
	return e.N
}

// evidence answers the questions about one clause.
func (c *clause) evidence(e *boosted.Writer) {
	for _, f := range [...]bool{c.past, c.perfect, c.passive, c.setting, c.imperative, c.changes, c.stopped, c.modal, c.ing, c.negated} {
		e.Flag(f)
	}
	e.One(int(c.modality), modalities)
	e.One(int(c.verbClass()), 8)
	e.One(c.subject.form(), 6)
	e.One(c.object.form(), 6)
}

// form is the form of a noun phrase: 0 empty, 1 the first person, 2 another pronoun, 3 a name,
// 4 definite, 5 other.
func (n *nounPhrase) form() int {
	switch {
	case n.empty():
		return 0
	case n.pronoun != "" && n.pronoun[0] == '@' && n.pronoun != "@you":
		return 1
	case n.pronoun != "":
		return 2
	case n.the:
		return 4
	case len(n.words) > 0 && isName(n.words[0].class):
		return 3
	}
	return 5
}

// evidence answers the questions about the statements that a pair of clauses is taken from.
func (s statements) evidence(e *boosted.Writer) {
	var before, after cue
	for i := range s.earlier {
		before |= s.earlier[i].cues
	}
	var modality [modalities]int
	pasts := 0
	for i := range s.later {
		c := &s.later[i]
		after |= c.cues
		modality[c.modality]++
		if c.past && !c.perfect && !c.passive && !c.changes {
			pasts++
		}
	}
	for c := range cues {
		e.Flag(after&^before&(1<<c) != 0)
	}
	for _, n := range modality {
		e.Number(n)
	}
	e.Number(pasts)
	var shared, only [2]int
	for i := range s.earlier {
		countValues(s.earlier[i].words, s.later, &shared[0], &only[0])
	}
	for i := range s.later {
		countValues(s.later[i].words, s.earlier, &shared[1], &only[1])
	}
	for _, n := range [...]int{shared[0], only[0], shared[1], only[1]} {
		e.Number(n)
	}
}

// countValues counts the names, numbers and times that the clauses have, and those they lack.
func countValues(words []word, clauses []clause, shared, only *int) {
	for i := range words {
		if w := &words[i]; w.content() && isValue(w.class) {
			if slices.ContainsFunc(clauses, func(c clause) bool { return hasWord(c.words, w) }) {
				*shared++
			} else {
				*only++
			}
		}
	}
}

// valueEvidence answers what the values of the two clauses have to do with each other.
func (p *pair) valueEvidence(e *boosted.Writer) {
	a, b := p.earlier.words, p.later.words
	x, y := lastOnly(a, b), lastOnly(b, a)
	if x >= 0 && y >= 0 {
		v, w := &a[x], &b[y]
		e.One(int(oppose(v, w)), int(other)+1)
		e.Flag(x > 0 && y > 0 && a[x-1].hash == b[y-1].hash)
		e.Flag(x+1 == len(a) && y+1 == len(b))
		e.Flag(strings.HasSuffix(v.low, "s") == strings.HasSuffix(w.low, "s"))
		e.Flag(startsUpper(v.text) == startsUpper(w.text))
		e.Flag(x > 0 && y > 0 && tables.Preposition[a[x-1].low] && tables.Preposition[b[y-1].low])
	} else {
		e.N += int(other) + 1 + 5
	}
	e.Number(len(a) - p.prefix - p.suffix)
	e.Number(len(b) - p.prefix - p.suffix)
	s, t := p.earlier.complementForm(), p.later.complementForm()
	e.One(s, complementForms)
	e.One(t, complementForms)
	e.Flag(s == t)
	e.One(lexicon.PrepositionGroup[p.phrasePrep], len(lexicon.PrepositionGroup)+1)
	e.Flag(!p.earlier.object.empty() && !p.later.object.empty())
	e.Flag(p.later.hasWord("because") || p.later.hasWord("so"))
	e.Flag(p.earlier.verbLemma == "be" && p.later.verbLemma == "be")
}

// complementForms is the number of forms of what follows a verb.
const complementForms = 9

// complementForm is the form of what follows the verb: 0 nothing, 1 a phrase with a preposition,
// 2 "a …", 3 "the …" or "my …", 4 a name, 5 a number or time, 6 a plural, 7 one word, 8 several.
func (c *clause) complementForm() int {
	switch n := &c.object; {
	case n.empty() && len(c.phrases) == 0:
		return 0
	case n.empty():
		return 1
	case article(c):
		return 2
	case n.the || n.pronoun != "":
		return 3
	case isName(n.words[0].class):
		return 4
	case isValue(n.words[0].class):
		return 5
	case strings.HasSuffix(n.words[len(n.words)-1].low, "s"):
		return 6
	case len(n.words) == 1:
		return 7
	}
	return 8
}

// frameEvidence answers what the sequences of words show: how much of their function words agree
// and what the last words that differ are.
func (p *pair) frameEvidence(e *boosted.Writer) {
	a, b := p.earlier.words, p.later.words
	shared, na, nb := 0, 0, 0
	for i := range a {
		if !a[i].content() {
			na++
			if hasWord(b, &a[i]) {
				shared++
			}
		}
	}
	for i := range b {
		if !b[i].content() {
			nb++
		}
	}
	e.Share(shared, na)
	e.Share(shared, nb)
	x, y := lastNew(a, b), lastNew(b, a)
	e.One(x, boosted.WordGroups)
	e.One(y, boosted.WordGroups)
	e.Flag(x == y)
	e.Flag(p.earlier.subject.owner != "")
	e.Flag(p.later.subject.owner != "")
	e.Flag(p.earlier.subject.plural != p.later.subject.plural)
	e.Flag(article(p.earlier))
	e.Flag(article(p.later))
}

// article reports an object with an indefinite article.
func article(c *clause) bool {
	return len(c.object.words) > 0 && (c.object.words[0].low == "a" || c.object.words[0].low == "an")
}

// lastOnly returns the index of the last word of words with content that others lack, -1 if there is none.
func lastOnly(words, others []word) int {
	for i := len(words) - 1; i >= 0; i-- {
		if w := &words[i]; w.content() && !hasWord(others, w) {
			return i
		}
	}
	return -1
}

// lastNew returns the group of the class of the last word of words with content that others
// lack, 0 if there is none.
func lastNew(words, others []word) int {
	if i := lastOnly(words, others); i >= 0 {
		return boosted.WordGroup(byte(words[i].class))
	}
	return 0
}

// vetoNumber numbers the vetoes.
var vetoNumber = func() map[Veto]int {
	m := map[Veto]int{}
	for _, v := range [...]Veto{"", vetoEarlier, vetoAlso, vetoEntity, vetoOwner, vetoSubject, vetoModifier, vetoQualifier, vetoEvent, vetoDenials, vetoSame, vetoMany, vetoDetail, "past", "plan", "bounded", "attempt", "reported", "conditional"} {
		m[v] = len(m)
	}
	return m
}()

// EvidenceOf returns the answers for the pairs of clauses that have anything in common and that no equal value decides, as Relate asks them.
// m is the model of the words. It is what the trees are trained on.
func EvidenceOf(m *linear.Model, earlier, later *Prepared) (found []Answered) {
	var f linear.Builder
	for i := range earlier.clauses {
		for j := range later.clauses {
			p := align(&earlier.clauses[i], &later.clauses[j])
			w, veto := p.weight(), p.veto()
			if w <= 0 || p.agree() {
				continue
			}
			f.Out = f.Out[:0]
			p.features(&f)
			a := Answered{Weight: w, Revisable: p.limit(veto, NoGround, statements{earlier.around(i), later.around(j)}) >= Revises}
			p.evidence(&a.Evidence, m.Logits(f.Out), veto, statements{earlier.around(i), later.around(j)})
			found = append(found, a)
		}
	}
	return found
}

// Answered is the answers for a pair of clauses.
type Answered struct {
	boosted.Evidence
	Weight    float64 // how much the clauses have in common
	Revisable bool    // the certainty may reach Revises
}
