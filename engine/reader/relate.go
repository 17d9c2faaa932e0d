package reader

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/boosted"
	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/language"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/linear"
	"github.com/somnograph/somnograph/engine/reader/rule"
	"github.com/somnograph/somnograph/engine/reader/standing"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

// Statement is a text and what is known of it.
type Statement struct {
	Text    string
	Speaker string    // who "I" is; statements with different speakers have different "I"
	User    string    // whom "the user" and this name stand for; empty: the speaker
	At      time.Time // when it was said; zero: unknown
	// A triple that the caller gives; all three or none. A triple replaces the reading of Text.
	Subject, Predicate, Object string
	// Single says that the caller declares Predicate single-valued.
	Single bool
}

// Kind is how a later statement relates to an earlier one.
type Kind uint8

const (
	Unrelated     Kind = iota // about different things
	Same                      // the same value of the same slot
	Compatible                // both hold
	Changed                   // the later one replaces the earlier one from its time on
	Corrected                 // the later one says that the earlier one never held
	Contradicting             // they exclude each other, and nothing says which one holds
)

// String returns the name of a kind in capitals.
func (k Kind) String() string {
	return [...]string{"UNRELATED", "SAME", "COMPATIBLE", "CHANGED", "CORRECTED", "CONTRADICTING"}[k]
}

// Thresholds of the certainty.
const (
	Revises = 0.7 // from here on the later statement revises the earlier one
	Rivals  = 0.3 // from here on to Revises both stand as rivals, the later one first
)

// Relation is what Relate decides.
type Relation struct {
	Kind      Kind
	Certainty float64   // that the later statement revises the earlier one, [0, 1], calibrated
	Veto      Veto      // the rule that keeps the certainty below Rivals, if any
	Slot      bool      // both claims are in one slot of a predicate of the table with one value, and give it values that exclude each other
	Ground    Ground    // what the words show by themselves
	Anchored  bool      // both claims are about one subject, or in one slot of one holder
	Bare      bool      // the two name one thing or person, and have nothing else in common
	Earlier   int       // index of the claim of the earlier statement, in the order of Read
	Later     int       // index of the claim of the later statement
	Partly    bool      // the later one ends less than the earlier one states, or tells something else of somebody
	Unsure    bool      // nothing shows that the later value is of the kind that the predicate needs, or who the same relative is
	Beside    bool      // the two are values of one verb of which a person may have several: "studies maths", "studies physics"
	AtOnce    bool      // the day in the later claim is what changes, and not from when it holds
	Off       bool      // the earlier one is a plan that the later one calls off or moves
	Day       time.Time // the day to which it is moved; zero: it is called off
	Lifts     bool      // the later one lifts or replaces the rule that the earlier one is, or ends the harm that it tells
	Illness   string    // what the later one may be the recovery from, which names no illness
	limit     float64   // the highest certainty that the vetoes allow; lower than Revises after a veto of the words
}

// Prepared is a statement that was read. It can be compared any number of times and by several goroutines at once.
type Prepared struct {
	statement Statement
	clauses   []clause
	tokens    []wording.Token
	english   bool
	code      bool
	task      bool       // it announces a task, and states nothing else
	text      *Prepared  // of a triple that the caller gave: the reading of the text
	come      *Prepared  // as the statement is said on the day of its plans; nil: it has none
	from      time.Time  // the last of these days
	lift      *rule.Lift // the rule that it lifts or replaces; nil: none
}

// Prepare reads the first 4096 bytes of a statement.
func Prepare(s Statement) *Prepared {
	p := &Prepared{statement: s, english: true}
	holder := me(s.Speaker)
	if s.Subject != "" && s.Predicate != "" && s.Object != "" {
		p.clauses = []clause{tripleClause(s, holder)}
		if s.Text != "" {
			p.text = Prepare(Statement{Text: s.Text, Speaker: s.Speaker, User: s.User, At: s.At})
		}
		return p
	}
	text := bounded(s.Text)
	p.code, p.task = language.Code(text), extract.AnnouncesTask(text)
	ok, certainty := English(text)
	p.english = ok && certainty >= surelyEnglish
	if p.english {
		p.lift = standing.Lift(text)
	}
	words := scan(text)
	nameUser(words, s.User)
	p.tokens = tokens(text, words)
	p.clauses = clauses(text, words, holder)
	p.tellOfMove(text)
	dateClauses(p.clauses, text, s.At)
	for i := range p.clauses {
		if p.clauses[i].due.After(p.from) {
			p.from = p.clauses[i].due
		}
	}
	if !p.from.IsZero() {
		p.come = p.comeTrue()
	}
	return p
}

// surelyEnglish is the certainty from which a text counts as English in a comparison: one that
// is in doubt revises nothing.
const surelyEnglish = 0.58

// tripleClause makes a clause of a triple.
func tripleClause(s Statement, holder string) clause {
	predicate := strings.NewReplacer("_", " ", "-", " ").Replace(s.Predicate)
	text := s.Subject + " " + predicate + " " + s.Object
	c := clause{words: scan(text), end: len(text), setting: true, verbLemma: "be"}
	c.subject = readNoun(scan(s.Subject), holder)
	c.object = readNoun(scan(s.Object), holder)
	words := scan(predicate)
	c.verb, c.aux = 0, 0
	full := clauses(text, c.words, holder)
	if len(full) == 1 && full[0].verb >= 0 {
		c.verbLemma, c.slots = full[0].verbLemma, full[0].slots
	}
	if len(words) > 0 {
		for _, n := range frames.Nouns[words[len(words)-1].lem] {
			c.slots = append(c.slots, slot{frame: n.Frame, byNoun: true, holder: c.subject.key(), noun: words[len(words)-1].lem, value: c.object.words})
		}
	}
	return c
}

// Relate reads and compares two statements.
func Relate(earlier, later Statement) Relation { return Prepare(earlier).Relate(Prepare(later)) }

// Relate decides how a later statement relates to p. A triple and a text are compared by their texts.
//
// The pair of clauses that revises most surely decides, otherwise the pair that has most in
// common. If the rules fail on the texts, the relation has the veto Failed: a text must not stop a server.
// Statements of more than MaxWork are not compared: the relation has the veto TooLong.
func (p *Prepared) Relate(later *Prepared) (r Relation) {
	defer func() {
		if recover() != nil {
			r = Relation{Kind: Compatible, Veto: Failed}
		}
	}()
	return p.relate(later)
}

// MaxWork is the Work up to which two statements are compared: 250 words each in one clause, or 9 clauses each. That takes about 3 ms.
const MaxWork = 65_536

// clauseWork is the work of a pair of clauses, in pairs of words.
const clauseWork = 800

// Work estimates what it takes to compare two statements, in pairs of words: about 50 ns each.
func (p *Prepared) Work(later *Prepared) int {
	return len(p.clauses)*len(later.clauses)*clauseWork + p.length()*later.length()
}

// length is the number of words that were read.
func (p *Prepared) length() (n int) {
	for i := range p.clauses {
		n += len(p.clauses[i].words)
	}
	return n
}

// relate decides as Relate does.
func (p *Prepared) relate(later *Prepared) Relation {
	if r, ok := p.relateTriples(later); ok {
		return r
	}
	if p.task != later.task {
		return Relation{Kind: Compatible, Veto: vetoTask}
	}
	if p.Work(later) > MaxWork {
		return Relation{Kind: Compatible, Veto: TooLong}
	}
	if p.text != nil && !later.triple() {
		return p.text.Relate(later)
	}
	if later.text != nil && !p.triple() {
		return p.Relate(later.text)
	}
	if p.lifts(later) {
		return Relation{Kind: Changed, Certainty: finished, Anchored: true, Ground: Reversed, Lifts: true, limit: 1}
	}
	for i := range p.clauses {
		for j := range later.clauses {
			if p.english && later.english && later.clauses[j].redates(&p.clauses[i]) {
				return Relation{Kind: Changed, Certainty: finished, Anchored: true, Ground: Attribute, Earlier: i, Later: j, AtOnce: true, limit: 1}
			}
		}
	}
	if r, ok := p.callOffs(later); ok {
		return r
	}
	if r, ok := p.harmEnds(later); ok {
		return r
	}
	r := p.relateClauses(later)
	if p.come == nil && later.come == nil {
		return r
	}
	if r.Later < len(later.clauses) && r.Earlier < len(p.clauses) && later.clauses[r.Later].movesDay(&p.clauses[r.Earlier]) {
		r.AtOnce = true
		return r
	}
	if p.come != nil && later.statement.At.After(p.from) {
		p = p.come // what was planned has come true
		r = p.relateClauses(later)
	}
	if later.come != nil {
		if x := p.relateClauses(later.come); x.Certainty >= Revises {
			return x // on the day of the plan
		}
	}
	return r
}

// relateClauses decides by the pairs of clauses.
func (p *Prepared) relateClauses(later *Prepared) Relation {
	best := Relation{Veto: vetoUnrelated}
	var told Relation // the surest one with a ground
	weight := 0.0
	var f linear.Builder
	kept, repeated := restated(p.clauses, later.clauses)
	said := 0.0
	read := false
	for i := range p.clauses {
		for j := range later.clauses {
			if (kept[i] >= 0 || repeated[j] >= 0) && kept[i] != j {
				continue // what was said before changes nothing, and what is said again has not changed
			}
			pr := align(&p.clauses[i], &later.clauses[j])
			w := pr.weight()
			if w <= 0 && !pr.finishesApart() {
				continue
			}
			r := Relation{Kind: Same, Certainty: 0.01}
			if kept[i] != j {
				if !read {
					said, read = wordingModel.Logit(WordingOf(p, later)), true
				}
				r = pr.decide(statements{p.around(i), later.around(j)}, said, &f)
			}
			r.Earlier, r.Later = i, j
			if r.Ground != NoGround && r.limit >= Revises && r.Certainty >= Rivals && r.Certainty > told.Certainty {
				told = r
			}
			if r.Certainty > best.Certainty && r.Certainty >= Rivals || best.Certainty < Rivals && w > weight {
				best, weight = r, w
			}
		}
	}
	if best.Certainty >= groundFrom && best.Ground == NoGround && !best.Slot && told.Ground != NoGround {
		// Another clause of the statement shows what the change is: "my mother stepped down, and Mr Reeve is the treasurer".
		told.Certainty = max(grounded, best.Certainty)
		best = told
		if best.Kind != Corrected {
			best.Kind = Changed
		}
	}
	if best.Certainty >= Rivals && later.code && !p.code {
		best = Relation{Kind: Compatible, Certainty: Rivals / 2, Veto: vetoCode, Earlier: best.Earlier, Later: best.Later}
	}
	if best.Certainty >= Rivals && (!p.english || !later.english) {
		best.Certainty, best.Veto = Rivals/2, vetoLanguage
		best.Kind = Compatible
	}
	return best
}

// restated returns for each clause of two statements with several clauses the index of the clause
// of the other one that has the same words; -1: none has.
func restated(earlier, later []clause) (a, b []int) {
	a, b = slices.Repeat([]int{-1}, len(earlier)), slices.Repeat([]int{-1}, len(later))
	if len(earlier) < 2 || len(later) < 2 {
		return a, b
	}
	for i := range earlier {
		for j := range later {
			if slices.EqualFunc(earlier[i].words, later[j].words, func(x, y word) bool { return x.low == y.low }) {
				a[i], b[j] = j, i
			}
		}
	}
	return a, b
}

// maxWhole is the number of sentences up to which a text is one statement. Of a longer one each sentence is a statement.
const maxWhole = 2

// around returns the clauses of the statement that a clause belongs to.
func (p *Prepared) around(i int) []clause {
	if len(p.clauses) == 0 || p.clauses[len(p.clauses)-1].sentence < maxWhole {
		return p.clauses
	}
	from, to := i, i+1
	for from > 0 && p.clauses[from-1].sentence == p.clauses[i].sentence {
		from--
	}
	for to < len(p.clauses) && p.clauses[to].sentence == p.clauses[i].sentence {
		to++
	}
	return p.clauses[from:to]
}

// decide relates two clauses.
func (p *pair) decide(s statements, said float64, f *linear.Builder) Relation {
	if p.ages() || p.renamed() {
		return Relation{Kind: Changed, Certainty: finished, Slot: true, Anchored: true, Ground: Attribute, limit: 1}
	}
	veto := p.veto()
	if veto != vetoEntity && veto != vetoOwner && (p.finishes(s) && !p.endsAnother(s) && !p.onOccasion() && !p.recoversElse(s) || p.passesOn()) && !p.keepsAllergy() {
		return Relation{Kind: Changed, Certainty: finished, Slot: p.sameSlot(), Anchored: true, Ground: Ended, Illness: p.recovered(), limit: 1}
	}
	if p.agree() || p.subject == bothEmpty && p.unmatched == [2]int{} && !p.flip && p.phrase != opposed {
		return Relation{Kind: Same, Certainty: 0.01, Veto: veto}
	}
	if p.keepsAllergy() {
		return Relation{Kind: Compatible, Certainty: 0.01, Veto: vetoDetail, Anchored: p.anchored(), limit: Rivals / 2}
	}
	if v := p.bothStand(); v != "" {
		return Relation{Kind: Compatible, Certainty: 0.01, Veto: v, Anchored: p.anchored(), limit: Rivals / 2}
	}
	ground := p.ground(s)
	limit := p.limit(veto, ground, s)
	certainty := limit
	var z [linear.Heads]float64
	if f.Out = f.Out[:0]; limit >= Rivals || veto == "" {
		p.features(f)
		z = model.Logits(f.Out)
	}
	if limit >= Rivals { // else it does not depend on the trees what becomes of the two
		var answers boosted.Evidence
		p.evidence(&answers, z, veto, s)
		answers.SetWording(said)
		certainty = forest.Certainty(answers.Bytes())
	}
	if veto == "" && p.declared() {
		certainty = max(certainty, min(0.9, model.Certainty(z)))
	}
	if veto == "" && certainty >= sameSlotFrom && p.sameSlot() && !p.flip && p.leadingLater == 0 && p.unmatched[0] <= 2 && p.unmatched[1] <= 2 {
		certainty = max(certainty, sameSlotAtLeast)
	}
	begins := veto == "" && p.beginsAnother()
	if begins {
		certainty = max(certainty, sameSlotAtLeast)
	}
	switch {
	case p.contrasts(), p.swaps(), p.withdraws() && !veto.hard():
		certainty = max(certainty, contrasted)
	case p.prefersInFrame():
		certainty = max(certainty, rivalFrame)
	}
	soft := veto == "" || ground == Attribute && !veto.hard()
	if ground != NoGround && soft && (certainty >= groundFrom || certainty >= Rivals && (p.isNew() || ground == Attribute && p.subject == equal && p.later.measuresToday())) {
		certainty = max(certainty, grounded)
	}
	r := Relation{Veto: veto, Slot: begins || p.sameSlot(), Anchored: p.anchored(), Bare: p.bare(), Ground: ground, Partly: p.endsPart() == narrowed || p.tellsMore(ground, s), Unsure: p.unsureKind() || p.sameKin(), Beside: p.standsBeside(), limit: limit}
	if (s.resumes(p.later) || s.contrasted(p.later)) && p.later.ending() != nil {
		r.limit = min(r.limit, Doubtful)
	}
	r.Certainty = min(certainty, r.limit)
	if !soft {
		r.limit = min(r.limit, Doubtful)
	}
	if r.Certainty >= Rivals {
		r.Veto = ""
	} else if r.Veto == "" && p.changesAnother() {
		r.Veto = vetoAttribute
	} else if v := p.goesOn(ground, s); !r.Veto.Apart() && v != "" {
		r.Veto = v
	}
	r.Kind = p.kind(&r, z)
	return r
}

// finished is the certainty for a later clause that ends what the earlier one states, by a form of the table.
const finished = 0.92

// sameSlotAtLeast is the least certainty for another value of one slot with few other words that differ: "I live in Oslo", "I moved to Bergen".
const sameSlotAtLeast = 0.75

// sameSlotFrom is the certainty of the trees that it needs besides.
const sameSlotFrom = 0.4

// declared reports another value of a predicate that the table declares single-valued, of the same holder, with little else in either clause.
// The weights of the words decide it as well as the trees.
func (p *pair) declared() bool {
	m := &p.slot
	return m.found && !p.occasions() && !p.later.hasWord("should") && m.cardinality == frames.One && m.holder == equal && (m.earlier.use == frames.State || m.earlier.use == frames.Change && !p.otherSlot()) && m.later.use != frames.End && !p.flip && p.earlier.modality == Asserted && p.later.modality == Asserted && p.differ <= 1 && p.qualifier == 0 && p.added() == 0 && p.unmatched[0] <= 2 && p.unmatched[1] <= 2 && (m.value == kindred || m.value == alike || m.value == opposed)
}

// anchored reports that the two clauses are about one subject, that one names the subject of the other
// as its object, or that they meet in a predicate of the table with one holder.
func (p *pair) anchored() bool {
	return p.subject == equal && !wild(p.later.subject.pronoun) || p.inverse == equal || p.inverseBack == equal || p.slot.found && p.slot.holder == equal
}

// sameSlot reports other values of one kind of a predicate that the table declares single-valued, of the same holder and without a qualifier
// that differs. A later change must be read as one of that predicate by itself: one can move to a town, a company and a tool.
func (p *pair) sameSlot() bool {
	m := &p.slot
	if !m.found || m.cardinality != frames.One || m.holder != equal || p.qualifier > 0 || p.subject != equal && m.earlier.byNoun == m.later.byNoun {
		return false
	}
	if own := p.later.slot(); m.later.use == frames.Change && (own == nil || own.frame != m.later.frame) {
		return false
	}
	if m.later.use == frames.Change && !m.later.byNoun && (!p.later.object.empty() && p.later.subject.personal() && lexicon.Carried[p.later.verbLemma] || p.later.as()) {
		return false // "we moved the repo to GitHub", "I moved over to Vivaldi as my browser"
	}
	if v := m.later.value; len(v) > 0 && (v[0].low == "a" || v[0].low == "an") && p.later.subject.personal() && frames.All[m.later.frame].Name == "place" {
		return false // "I'm on a Pixel", "I'm in a meeting"
	}
	return !p.occasions() && (m.value == kindred || m.value == alike || m.value == opposed)
}

// added returns the number of phrases that only the later clause has, without the "back" of "moved
// back to Oslo".
func (p *pair) added() int {
	n := p.onlyLater
	for i := range p.later.phrases {
		if q := &p.later.phrases[i]; n > 0 && q.prep == "back" && q.noun.empty() && p.earlier.phrase("back", &q.noun) == nil {
			n--
		}
	}
	return n
}

// contrasted is the certainty for a later clause that denies the value of the earlier one in contrast to its own: "I prefer coffee now, not tea".
const contrasted = 0.93

// contrasts reports such a clause, with the same predicate of the same subject and nothing added.
func (p *pair) contrasts() bool {
	a, b := p.earlier, p.later
	old := a.complement()
	if b.denied.empty() || len(old) == 0 || p.subject != equal || p.verb != verbSame || p.qualifier > 0 || p.onlyLater > 0 || a.modality != Asserted && !p.wasInstead() || b.modality != a.modality || a.negated || b.negated {
		return false
	}
	l, _ := compareWords(old, b.denied.words)
	return l == equal
}

// Doubtful is the highest certainty of a relation that depends on knowledge of words that the
// table does not have: the statements are rivals.
const Doubtful = 0.65

// doubtful reports two rules with different objects of no known kind ("use hyphens", "use
// headings"), or a value that may be part of the other (a town and a country).
func (p *pair) doubtful() bool {
	if p.fresh&(cueNow|cueNoLonger|cueInstead|cueChanged|cueCorrect) != 0 || p.flip {
		return false
	}
	if p.later.imperative && !(p.slot.found && p.slot.cardinality == frames.One) && p.verb == verbSame && (p.object == other || p.object == alike && isName(p.objectKind)) && p.same == 0 && p.phrase == bothEmpty && p.crossKind == other {
		return true
	}
	if p.later.verbLemma == "be" && p.phrasePrep == "on" && p.phrase == other && p.membersFrom && !p.membersTo {
		return true // "on Windows", "on a deadline"
	}
	return p.slot.found && p.slot.value == overlapping && p.slot.later.use == frames.State && countryIn(p.slot.earlier.value) != countryIn(p.slot.later.value)
}

// kind names the relation for a certainty. What is no longer so was so, and is not corrected.
func (p *pair) kind(r *Relation, z [linear.Heads]float64) Kind {
	switch {
	case r.Certainty >= Rivals && (p.later.cues&cueCorrect != 0 && p.later.cues&cueNoLonger == 0 || p.later.never() || p.wasInstead()):
		return Corrected
	case r.Certainty >= Revises:
		return Changed
	case r.Certainty >= Rivals:
		return Contradicting
	case p.common == 0 && p.subject != equal && !p.slot.found:
		return Unrelated
	case r.Veto == "" && z[linear.HeadSlot] > 2 && z[linear.HeadOther] < -2 && p.unmatched[1] == 0:
		return Same
	}
	return Compatible
}

// agree reports that two clauses say the same: one value of one slot, or the same words.
func (p *pair) agree() bool {
	a, b := p.earlier, p.later
	if a.modality.Holds() != b.modality.Holds() {
		return false
	}
	if p.flip {
		return p.deniesOpposite()
	}
	if p.swaps() {
		return false
	}
	m := &p.slot
	if m.found && m.value == equal && m.holder == equal && m.later.use != frames.End && m.earlier.use != frames.End && m.cardinality == frames.One {
		return p.differ == 0 || p.unmatched[0]+p.unmatched[1] == 0
	}
	if p.subject == equal && (p.object == equal || p.object == bothEmpty) && p.verb == verbSame && p.differ == 0 && p.onlyEarlier == 0 && p.onlyLater == 0 {
		return true
	}
	return p.unmatched[0] == 0 && p.unmatched[1] == 0 && p.phrase != opposed && a.passive == b.passive && (p.subject == equal || p.inverse == equal || p.subject == onlyEarlier || p.subject == onlyLater) && p.verb != verbOpposed && p.later.cues&cueNoLonger == 0
}

// deniesOpposite reports that one clause denies the opposite of what the other one says: "is
// closed" and "is not open".
func (p *pair) deniesOpposite() bool {
	return p.crossKind == opposed && p.subject == equal && p.phrase != opposed && p.verb != verbLaterStops && p.later.cues&(cueNoLonger|cueCorrect) == 0 && p.unmatched[0] <= 2 && p.unmatched[1] <= 2
}

// relateTriples decides for two triples that callers gave.
func (p *Prepared) relateTriples(later *Prepared) (Relation, bool) {
	a, b := &p.statement, &later.statement
	if a.Subject == "" || a.Predicate == "" || b.Subject == "" || b.Predicate == "" || a.Object == "" || b.Object == "" {
		return Relation{}, false
	}
	fold := func(s string) string {
		return strings.ToLower(strings.TrimSpace(strings.NewReplacer("_", " ", "-", " ").Replace(s)))
	}
	switch {
	case fold(a.Subject) != fold(b.Subject):
		return Relation{Kind: Unrelated, Veto: vetoSubject}, true
	case fold(a.Predicate) != fold(b.Predicate) && sharedPredicate(&p.clauses[0], &later.clauses[0]):
		return Relation{}, false
	case fold(a.Predicate) != fold(b.Predicate):
		return Relation{Kind: Compatible, Veto: vetoUnrelated}, true
	case fold(a.Object) == fold(b.Object):
		return Relation{Kind: Same}, true
	}
	if l, _ := compareWords(scan(a.Object), scan(b.Object)); l == equal {
		return Relation{Kind: Same}, true
	}
	switch {
	case a.Single || b.Single:
		return Relation{Kind: Changed, Certainty: 0.95}, true
	case Valued(a.Predicate) == frames.One: // in one of its readings
		return Relation{Kind: Changed, Certainty: 0.85}, true
	}
	return Relation{Kind: Compatible, Certainty: 0.05}, true
}

// FeaturesOf returns the features of the pair of clauses with most in common; ok is false if
// the statements share nothing. It is what the model is trained on.
func FeaturesOf(earlier, later *Prepared) (f Features, veto Veto, ok bool) {
	weight := 0.0
	var b linear.Builder
	for i := range earlier.clauses {
		for j := range later.clauses {
			p := align(&earlier.clauses[i], &later.clauses[j])
			if w := p.weight(); w > weight {
				weight, veto = w, p.veto()
				b.Out = b.Out[:0]
				p.features(&b)
			}
		}
	}
	return b.Out, veto, weight > 0
}
