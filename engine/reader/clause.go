package reader

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/preface"
	"github.com/somnograph/somnograph/engine/reader/relative"
	"github.com/somnograph/somnograph/engine/reader/toponym"
	"github.com/somnograph/somnograph/internal/english"
	"github.com/somnograph/somnograph/internal/english/pasted"
)

// clause is a clause of a text with its parts.
type clause struct {
	words      []word
	start, end int // byte offsets in the text
	sentence   int // number of its sentence in the text
	cues       cue
	modality   Modality
	negated    bool
	setting    bool // "x: value", "x = value"
	imperative bool

	verb      int    // index of the main verb; -1 if there is none
	aux       int    // index of the first word of the verb group; verb if there is no auxiliary
	verbLemma string // "be" for settings
	past      bool   // the finite verb is in the past tense
	passive   bool
	stopped   bool // "stopped smoking": verb is "smoke", negated
	perfect   bool
	changes   bool // the verb names a change of a state
	redone    bool // the verb tells that something was done again: "rewritten", "rebooted"
	modal     bool // will, can, should …
	ing       bool

	subject nounPhrase
	object  nounPhrase      // direct object or complement
	denied  nounPhrase      // in contrast to the object: "not on 3 May", "instead of tea"
	phrases []prepositional // after the verb and before the subject, in order
	slots   []slot
	barred  []uint8 // predicates of the table of which a form of change lacks only a value of its kind: "moved to decaf"

	contrast bool         // it follows "but"
	told     toponym.Kind // of a name that no table knows and to which the speaker moves

	until   time.Time // end of a stay; zero: it has none
	due     time.Time // from when it holds, after it was said; zero: now
	dueSpan [2]int    // where the text says that
	begun   bool      // a plan, as it is said on its day
	today   bool      // it begins on the day on which it was said
}

// prepositional is a preposition or particle with the words that it governs.
type prepositional struct {
	prep    string
	noun    nounPhrase
	leading bool // before the verb
}

// sentenceCues apply to all clauses of their sentence.
const sentenceCues = cueIf | cueWish | cueFiction | cueQuoted | cueReported | cueCondition

// textCues apply to all clauses of their text.
const textCues = cueCorrect

// clauses cuts words into clauses and reads their parts. me is the holder that "I" stands for.
func clauses(text string, words []word, me string) []clause {
	var out []clause
	all, foreignText := cue(0), pasted.Spans(text)
	for number := 0; len(words) > 0; number++ {
		n := sentenceEnd(text, words)
		sentence := words[:n]
		to := len(text)
		if n < len(words) {
			to = words[n].start
		}
		question := strings.Contains(text[sentence[n-1].end:to], "?")
		words = words[n:]
		found, ignored := matchCues(sentence), cue(0)
		if !question && !quotes(text[sentence[0].start:to], sentence) {
			ignored = cueQuoted
		}
		whole := found & sentenceCues &^ ignored
		if sentence[0].low == "while" {
			whole |= cueBounded // "While Dana is away, Priya runs the team."
		}
		if found&cueNoLonger == 0 { // the "no" of "no longer" is no correction
			all |= found & textCues
		}
		first, foreign := len(out), preface.Foreign(prefaced(sentence))
		for _, part := range split(sentence) {
			introduced := cue(0)
			if n := preface.Label(prefaced(part), func(from int) bool { return verbAt(part[from:]) > 0 }); n > 0 {
				introduced = matchCues(part[:n]) &^ (cueBounded | cueDated | cueNoLonger | cueAlso)
				part = part[n:]
				part[0].sign = 0
			}
			c := clause{words: plainOrder(part), start: part[0].start, end: part[len(part)-1].end, sentence: number, verb: -1}
			c.cues = (matchCues(part)|introduced)&^ignored | whole
			if foreign > 0 && part[len(part)-1].start >= sentence[foreign].start {
				c.cues |= cueReported
			}
			c.contrast = follows(sentence, &part[0], "but")
			c.parse(me)
			if c.imperative && len(out) > first && c.continues(&out[len(out)-1], sentence) {
				c.imperative = false
			}
			if c.subject.empty() && len(out) > first && !c.imperative && c.verb >= 0 {
				c.subject = out[len(out)-1].subject
			}
			c.resolve(out, me)
			c.resolveObject(out[first:])
			if c.modality = c.readModality(question); pasted.In(foreignText, c.start) {
				c.modality = Quoted
			}
			if len(c.words) > 0 {
				out = append(out, c)
			}
		}
	}
	for i := range out {
		out[i].cues |= all
		out[i].readSlots()
		c := &out[i]
		if _, told := c.age(); told && !c.modality.Holds() && c.modality != Quoted {
			c.modality, c.cues = Event, c.cues&^cueBounded // "Today is Liv's eighth birthday"
		} else if c.modality == Bounded && c.movesPlan() && (c.hasWord("until") || c.hasWord("till")) {
			c.modality, c.cues = Asserted, c.cues&^cueBounded // "delayed until Friday" is no stay
		} else if c.modality == Bounded && c.beginsToday() {
			c.dropToday()
		}
	}
	return out
}

// quotes reports a sentence that quotes or asks for words: "Translate I live in Oslo" does, "My quote is 400 euros" does not.
func quotes(text string, words []word) bool {
	return strings.ContainsRune(text, ':') || tables.imperative[words[0].low] || slices.ContainsFunc(words, func(w word) bool { return w.quoted || w.low == "please" })
}

// continues reports a clause that has the subject of the clause before it: "I gave up coffee and drink rooibos". Such a clause
// looks like an order, because its verb is in the base form.
func (c *clause) continues(before *clause, sentence []word) bool {
	shared := strings.HasPrefix(before.subject.pronoun, "@") || before.subject.pronoun == "?" && before.subject.first() == "they"
	return shared && before.verb >= 0 && !before.imperative && c.words[0].sign == 0 && c.verb == 0 && follows(sentence, &c.words[0], "and") && (before.subject.plural || !tables.imperative[c.words[0].low])
}

// follows reports that a word of a sentence follows another one.
func follows(sentence []word, w *word, low string) bool {
	i := slices.IndexFunc(sentence, func(x word) bool { return x.start == w.start })
	return i > 0 && sentence[i-1].low == low
}

// resolve replaces a subject "it", "he" or "she" by what the clause before names, and so the owner of "her teacher": "it" is
// what that clause acts on, otherwise its subject; a person is its subject, unless that is the speaker.
func (c *clause) resolve(before []clause, me string) {
	if len(before) == 0 || len(c.subject.words) == 0 {
		return
	}
	last := &before[len(before)-1]
	switch low := c.subject.words[0].low; {
	case len(c.subject.words) == 1 && (low == "who" || low == "which"):
		if n := last.lastNoun(); n.pronoun == "" && !n.empty() {
			c.subject = n
		}
		return
	case c.subject.words[len(c.subject.words)-1].possessive:
		c.subject.completeFrom(&last.subject)
		return
	case c.subject.pronoun != "?" && c.subject.owner != "?":
		return
	}
	if last.modality == Quoted || last.modality == Reported {
		return
	}
	names := func(n *nounPhrase) bool { return !n.empty() && n.pronoun == "" && n.head != "" && n.owner != "?" }
	person := last.subject
	if person.head == "nam" || person.head == "name" {
		if at := slices.IndexFunc(person.words, func(w word) bool { return w.possessive }); at >= 0 {
			person = readNoun(person.words[:at+1], me) // "My sister's name is Ida and she …"
		}
	}
	if c.subject.owner == "?" {
		if low := c.subject.words[0].low; names(&person) && (low == "his" || low == "her") {
			c.subject.owner, c.subject.possessor = person.key(), person.words
		}
		return
	}
	if len(c.subject.words) != 1 {
		return
	}
	switch c.subject.words[0].low {
	case "it":
		if names(&last.object) && last.verbLemma != "be" {
			c.subject = last.object
		} else if names(&last.subject) {
			c.subject = last.subject
		}
	case "he", "she", "they":
		if names(&person) && (c.subject.words[0].low != "they" || person.several()) {
			c.subject = person
		}
	}
}

// several reports a noun phrase in the plural, or of two names: "the kids", "Ana and Tom".
func (n *nounPhrase) several() bool {
	for i := range n.words {
		if n.words[i].low == "and" || i+1 == len(n.words) && !startsUpper(n.words[i].text) && english.Singular(n.words[i].low) != n.words[i].low {
			return true
		}
	}
	return false
}

// resolveObject replaces the object "it" or "them" by what the clause before names last, if both have one subject.
func (c *clause) resolveObject(before []clause) {
	if len(before) == 0 || len(c.object.words) != 1 || c.object.words[0].low != "it" && c.object.words[0].low != "them" {
		return
	}
	last := &before[len(before)-1]
	n := last.lastNoun()
	if o := &last.object; last.subject.key() != c.subject.key() && c.object.words[0].low == "it" && last.verbLemma != "be" && o.pronoun == "" && o.head != "" && !o.dated() {
		c.object = *o // "Helga gave the key back, Karin has it now"
		return
	}
	if last.subject.key() != c.subject.key() || n.empty() || n.pronoun != "" || n.head == "" || n.named() && c.object.words[0].low == "them" || n.dated() {
		return
	}
	c.object = n
}

// lastNoun is the noun phrase that ends a clause.
func (c *clause) lastNoun() nounPhrase {
	if n := len(c.phrases); n > 0 && !c.phrases[n-1].leading {
		return c.phrases[n-1].noun
	}
	return c.object
}

// completeFrom adds the noun that a possessor leaves out: "Marta's number is …, Luis's is …".
func (n *nounPhrase) completeFrom(other *nounPhrase) {
	at := slices.IndexFunc(other.words, func(w word) bool { return w.possessive })
	if p, pronoun := english.PronounOf(other.first()); pronoun && p.Case&english.Possessive != 0 {
		at = 0
	}
	if at < 0 || at+1 == len(other.words) {
		return
	}
	possessor, owner := n.words, n.key()
	*n = *other
	n.possessor, n.owner, n.words = possessor, owner, other.words[at:]
}

// sentenceEnd returns the number of words of the first sentence.
func sentenceEnd(text string, words []word) int {
	for i := 1; i < len(words); i++ {
		for j := words[i-1].end; j < words[i].start; j++ {
			if strings.IndexByte(".!?\n", text[j]) >= 0 && english.EndsSentence(text, j) || strings.HasPrefix(text[j:], "…") {
				return i
			}
		}
	}
	return len(words)
}

// longestClause bounds the words in which split looks for a verb, at each sign. A longer clause ends at the next sign or conjunction.
const longestClause = 256

// split cuts a sentence into clauses: at a comma, a dash, a semicolon or a conjunction between
// two parts that both have a verb.
func split(words []word) [][]word {
	var parts [][]word
	from := 0
	for i := 1; i < len(words); i++ {
		w := &words[i]
		next := i
		switch {
		case w.low == "and" || w.low == "but" || w.low == "so" && w.sign != 0 || w.low == "because" || w.low == "while" && w.sign != 0:
			next = i + 1
		case w.sign == ',' || w.sign == ';' || w.sign == '-' || w.sign == '(' || w.sign == ':' && (i-from >= longestClause || statesBefore(words[from:i])):
		default:
			continue
		}
		if next >= len(words) || i-from < longestClause && !hasVerb(words[from:i]) && !(from == 0 && next == i && preface.Elided(prefaced(words[:i]))) {
			continue
		}
		if next > i && slices.ContainsFunc(words[from+1:i], func(w word) bool { return w.sign == ',' }) && (next+1 == len(words) || words[next+1].sign != 0) {
			continue // "tea, coffee and milk"
		}
		end := next + 1
		for end < len(words) && end-next < longestClause && words[end].sign != ',' && words[end].sign != ';' && words[end].low != "and" && words[end].low != "but" {
			end++
		}
		words[next].afterAmount = next > i && (isAmount(words[from:i]) || bothThird(words[from:i], words[next:]))
		if i-from < longestClause && !startsClause(words[next:end], next > i && w.sign == 0 || w.sign == ',' && opensRelative(words[from:i])) {
			continue
		}
		parts = append(parts, words[from:i])
		from = next
	}
	return append(parts, words[from:])
}

// statesBefore reports that the words before a colon are a clause: "the allergist tested me again: …".
func statesBefore(words []word) bool {
	if ordersWhat(words) || slices.ContainsFunc(words, func(w word) bool { return tables.finite[w.low] }) || verbForm(words[len(words)-1].low) == pastForm || preface.Elided(prefaced(words)) {
		return true
	}
	at := verbAt(words)
	return at > 0 && !tables.preposition[words[0].low] && verbForm(words[at].low) == pastForm
}

// isAmount reports words that end with a number, a time or a number of units: a word after "and" that looks like a verb in the
// third person is one, "leaves at 7:40 and arrives at 8".
func isAmount(words []word) bool {
	last := &words[len(words)-1]
	number := func(w *word) bool {
		return w.value || w.class == classNumber || w.class == classClock || w.class == classDate || w.class == classWeekday
	}
	return number(last) || len(words) > 1 && number(&words[len(words)-2]) && (tables.unit[last.low] || tables.currency[last.low] != "")
}

// bothThird reports that a word after "and" is a verb in the third person as the one before it is: "lives in Hamburg and works as".
func bothThird(before, words []word) bool {
	at, last := verbAt(before), &before[len(before)-1]
	return len(words) > 2 && at > 0 && verbForm(before[at].low) == thirdForm && verbForm(words[0].low) == thirdForm && tables.preposition[words[1].low] && (isName(last.class) || !strings.HasSuffix(last.low, "s"))
}

// opensRelative reports a relative clause between commas: "the lead, who sits in Oulu".
func opensRelative(words []word) bool {
	return slices.ContainsFunc(words[1:], func(w word) bool { return w.sign == ',' && (w.low == "who" || w.low == "which") })
}

// startsClause reports whether words begin with a subject and have a verb, or with a verb.
func startsClause(words []word, conjoined bool) bool {
	if !hasVerb(words) {
		return false
	}
	first := 0
	for conjoined && first < len(words)-1 && tables.adverb[words[first].low] {
		first++ // "and also looks after"
	}
	f := verbForm(words[first].low)
	if conjoined && f != noVerb && f != ingForm {
		return true
	}
	return verbAt(words) > 0 || !conjoined && f == baseForm || tables.finite[words[0].low]
}

func hasVerb(words []word) bool { return verbAt(words) >= 0 }

// verbAt returns the index of the first word of the verb group of a clause, -1 if there is none.
func verbAt(words []word) int {
	if len(words) > 2 && lexicon.Whoever[words[0].low] {
		own := verbAt(words[1:]) + 1 // the verb of the subject comes first: "whoever is on call carries the pager"
		if n := verbAt(words[own+1:]); n >= 0 {
			return own + 1 + n
		}
		return own
	}
	if n := relative.Main(relativeWords(words)); n > 0 {
		return n
	}
	if ordersWhat(words) {
		return 0
	}
	start := 0
	for start < len(words)-1 && (tables.adverb[words[start].low] || words[start].low == "not") {
		start++
	}
	for i := range words {
		w := &words[i]
		if w.quoted != words[0].quoted {
			continue
		}
		if i == start && start > 0 && (words[0].low == "never" || words[0].low == "always") && w.class == classNoun && i+1 < len(words) && words[i+1].sign == 0 && !subjectFollows(words[i+1:]) {
			return i // "Never shout at …"
		}
		if tables.finite[w.low] && !(w.low == "may" && startsUpper(w.text)) {
			return i
		}
		f := verbForm(w.low)
		if f == pastForm && i > start && reducedRelative(words[i+1:]) {
			continue // "The project known as Falcon is called Kestrel"
		}
		if i > 0 && f == noVerb && w.class != classFunction && w.class != classAdverb && w.sign == 0 && unknownVerb(words, i) && !verbFollows(words[i+1:]) {
			return i
		}
		if f == noVerb || f == ingForm || w.class == className && i > 0 {
			continue
		}
		if i <= start {
			if f == baseForm && !subjectFollows(words[i+1:]) || f == pastForm || f == thirdForm && actsOnNext(words[i:]) {
				return i
			}
			continue
		}
		if i+1 < len(words) && tables.finite[words[i+1].low] && f != pastForm {
			continue
		}
		if f == thirdForm && !tables.reportLemma[w.lem] && verbFollows(words[i+1:]) {
			continue // a plural: "new hires get", "in release builds assertions are off"
		}
		if f == baseForm && (actsAfterNoun(words, i) || samePast(words, i)) {
			return i
		}
		prev := &words[i-1]
		for j := i - 1; j > 0 && (tables.adverb[prev.low] || prev.low == "not" || prev.low == "no" && words[j+1].low == "longer"); j-- {
			prev = &words[j-1]
		}
		if tables.determiner[prev.low] || prev.possessive || tables.preposition[prev.low] && f != pastForm {
			continue
		}
		p, pronoun := english.PronounOf(prev.low)
		switch {
		case f == thirdForm && !pronoun, pronoun && p.Case&english.Subjective != 0, f == pastForm && !tables.function[prev.low]:
			return i
		case f == baseForm && i > 2 && words[i-2].low == "and" && startsUpper(prev.text) && startsUpper(words[0].text):
			return i // "Ana and Tom run the shop"
		case f == baseForm && !tables.function[prev.low] && strings.HasSuffix(prev.low, "s") && prev.class != className:
			return i
		case prev.low == "who" || prev.low == "which":
			return i
		}
	}
	return -1
}

// ordersWhat reports words that begin with a verb, of the table or not, before a clause that it governs: "Forget what I said".
func ordersWhat(words []word) bool {
	if len(words) < 4 || words[0].class != classNoun && words[0].class != classVerb || words[1].low != "what" && words[1].low != "everything" && words[1].low != "whatever" || words[1].sign != 0 {
		return false
	}
	p, pronoun := english.PronounOf(words[2].low)
	return pronoun && p.Case&english.Subjective != 0 && verbForm(words[0].low) != pastForm && verbForm(words[0].low) != ingForm
}

// actsOnNext reports that what follows the first word, in the third person, shows it to be a verb and no plural: an article or a
// pronoun that it governs, "loves it there", "runs the bakery".
func actsOnNext(words []word) bool {
	switch {
	case len(words) < 2 || words[1].sign != 0 || tables.finite[words[1].low]:
		return false
	case lexicon.HardlyPlural[words[0].low], words[0].afterAmount:
		return true
	case hasVerb(words[1:]):
		return false
	}
	p, pronoun := english.PronounOf(words[1].low)
	return tables.determiner[words[1].low] || pronoun && p.Case&english.Subjective == 0 || words[1].low == "it"
}

// reducedRelative reports that a participle before the words belongs to the subject: it governs a phrase, and the verb of
// the clause follows.
func reducedRelative(words []word) bool {
	if len(words) < 3 || !tables.preposition[words[0].low] {
		return false
	}
	for i := 1; i < len(words); i++ {
		w := &words[i]
		_, pronoun := english.PronounOf(w.low)
		switch {
		case w.sign != 0 || pronoun || lexicon.QuestionWords[w.low] || w.low == "that" || w.low == "and" || w.low == "but" || w.low == "because" || w.low == "so":
			return false
		case w.low == "is" || w.low == "are" || w.low == "was" || w.low == "were" || w.low == "has" || w.low == "will":
			return i > 1
		case i > 1 && i+1 < len(words) && verbForm(w.low) == pastForm && !tables.function[words[i-1].low]:
			p, pronoun := english.PronounOf(words[i+1].low)
			return tables.determiner[words[i+1].low] || pronoun && p.Case&english.Subjective == 0 // "sent at midnight woke me"
		}
	}
	return false
}

// unknownVerb reports whether the word at i is a verb by its place: after "I" and the like, or
// after a name with the ending of the third person or the past tense, or after a noun in the singular.
func unknownVerb(words []word, i int) bool {
	prev := &words[i-1]
	if p, ok := english.PronounOf(prev.low); ok {
		return p.Case&english.Subjective != 0 && p.Case&english.Possessive == 0 && words[i].class == classNoun
	}
	low := words[i].low
	if thirdAfterNoun(words, i) || pastAfterNoun(words, i) || actsAfterNoun(words, i) {
		return true
	}
	return (i == 1 || i == 2 && isName(words[0].class) && words[1].class != classNoun && startsUpper(words[1].text)) && !tables.function[prev.low] && !tables.adverb[prev.low] && isName(nameClass(prev.text, 1)) && startsUpper(prev.text) && !prev.possessive && words[i].class == classNoun && i+1 < len(words) &&
		(strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") || strings.HasSuffix(low, "ed"))
}

// thirdAfterNoun reports a word with the ending of the third person between a noun in the singular and what
// a verb governs, in words without another verb: "the choir rehearses in …", "my desk faces the wall".
func thirdAfterNoun(words []word, i int) bool {
	low, noun := words[i].low, &words[i-1]
	if i < 2 || i+1 >= len(words) || !tables.determiner[words[0].low] || len(low) < 5 || !strings.HasSuffix(low, "s") || strings.HasSuffix(low, "ss") || words[i].class != classNoun {
		return false
	}
	next := &words[i+1]
	if noun.class != classNoun || strings.HasSuffix(noun.low, "s") || next.sign != 0 || !tables.determiner[next.low] && !tables.preposition[next.low] {
		return false
	}
	return !slices.ContainsFunc(words[i+1:], func(w word) bool {
		f := verbForm(w.low)
		return tables.finite[w.low] || f == thirdForm || f == pastForm
	})
}

// pastAfterNoun reports a word with the ending of the past tense between a noun and a pronoun that it governs: "the airline
// rebooked me".
func pastAfterNoun(words []word, i int) bool {
	if i < 2 || i+1 >= len(words) || words[i+1].sign != 0 || !endsInEd(&words[i]) || words[i-1].class != classNoun || !tables.determiner[words[0].low] {
		return false
	}
	p, pronoun := english.PronounOf(words[i+1].low)
	return pronoun && p.Case&english.Objective != 0 && p.Case&english.Subjective == 0
}

// actsAfterNoun reports a word with the ending of the past tense, or a verb whose past is its base form, between a noun in the singular
// and what it acts on, in words without another verb: "my doctor upped my dose", "the landlord put the rent up".
func actsAfterNoun(words []word, i int) bool {
	if i < 2 || i+1 >= len(words) || !tables.determiner[words[0].low] {
		return false
	}
	w, noun, next := &words[i], &words[i-1], &words[i+1]
	if !endsInEd(w) && !lexicon.SamePast[w.low] || noun.class != classNoun && noun.class != className && !tables.determiner[words[i-2].low] || noun.possessive || strings.HasSuffix(noun.low, "s") || w.sign != 0 || next.sign != 0 {
		return false
	}
	p, pronoun := english.PronounOf(next.low)
	if !tables.determiner[next.low] && !(pronoun && p.Case&(english.Objective|english.Possessive) != 0 && next.low != "it") {
		return false
	}
	return !slices.ContainsFunc(words[i+1:], func(w word) bool {
		f := verbForm(w.low)
		return tables.finite[w.low] || f == thirdForm || f == pastForm
	})
}

// samePast reports a verb whose past is its base form after a name at the beginning: "Yara quit".
func samePast(words []word, i int) bool {
	name := &words[max(i-1, 0)]
	return (i == 1 || i == 2 && startsUpper(words[0].text) && words[1].sign == 0) && lexicon.SamePast[words[i].low] && words[i].sign == 0 && startsUpper(name.text) && !startsUpper(words[i].text) && !name.possessive &&
		!tables.function[name.low] && !tables.adverb[name.low] && verbForm(name.low) == noVerb && isName(nameClass(name.text, 1)) && !verbFollows(words[i+1:])
}

// verbFollows reports a verb that is no noun before any function word, sign or pronoun: the word
// before is no verb.
func verbFollows(words []word) bool {
	for i := range words {
		w := &words[i]
		switch {
		case tables.finite[w.low] && w.low != "may" && w.low != "might", i == 0 && lexicon.SurelyVerb[w.low] && !startsUpper(w.text):
			return w.sign == 0
		case tables.function[w.low] || w.sign != 0 || w.quoted:
			return false
		}
	}
	return false
}

// subjectFollows reports whether a finite verb follows before any function word, so that the
// word before is a noun: "log level is debug", "rent is 950".
func subjectFollows(words []word) bool {
	for i := range words {
		w := &words[i]
		if tables.finite[w.low] {
			return true
		}
		if tables.function[w.low] && !tables.preposition[w.low] && !tables.determiner[w.low] || w.sign != 0 {
			return false
		}
		if i > 0 && verbForm(w.low) == pastForm && !english.Uninflected(w.low) {
			return true
		}
		if i > 0 && i+1 < len(words) && verbForm(w.low) == thirdForm && !strings.HasSuffix(words[i-1].low, "s") {
			return true
		}
	}
	return false
}

// matchCues returns the cues in words.
func matchCues(words []word) (found cue) {
	since := 0 // the words before it say from when: "as of today" has no bound
	for i := range words {
		if words[i].class == classDate {
			continue
		}
		for _, p := range tables.phrases[words[i].low] {
			if found&p.cue != 0 && p.cue != cueNow || p.cue == cueBounded && i < since || !matchPhrase(words[i:], p.words) {
				continue
			}
			found |= p.cue
			if p.cue == cueNow {
				since = i + len(p.words)
			}
		}
		if i+1 < len(words) {
			for _, p := range tables.phrases["~"] {
				if found&p.cue == 0 && matchPhrase(words[i:], p.words) {
					found |= p.cue
				}
			}
		}
	}
	return found
}

func matchPhrase(words []word, p []string) bool {
	if len(p) > len(words) {
		return false
	}
	for i, w := range p {
		if w != "~" && words[i].low != w {
			return false
		}
	}
	return true
}
