package reader

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/reader/cueset"
	"github.com/somnograph/somnograph/engine/reader/preface"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/token"
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
		n := token.SentenceEnd(text, words, (*word).span)
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
		seen := viewed(sentence)
		first, foreign := len(out), preface.Foreign(syntax.Preface(seen))
		for _, at := range split(sentence, seen) {
			part, seen := sentence[at[0]:at[1]], seen[at[0]:at[1]]
			introduced := cue(0)
			if n := preface.Label(syntax.Preface(seen), func(from int) bool { return syntax.VerbAt(seen[from:]) > 0 }); n > 0 {
				introduced = matchCues(part[:n]) &^ (cueBounded | cueDated | cueNoLonger | cueAlso)
				part, seen = part[n:], seen[n:]
				part[0].sign = 0
			}
			c := clause{words: plainOrder(part, seen), start: part[0].start, end: part[len(part)-1].end, sentence: number, verb: -1}
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
	return strings.ContainsRune(text, ':') || tables.Imperative[words[0].low] || slices.ContainsFunc(words, func(w word) bool { return w.quoted || w.low == "please" })
}

// continues reports a clause that has the subject of the clause before it: "I gave up coffee and drink rooibos". Such a clause
// looks like an order, because its verb is in the base form.
func (c *clause) continues(before *clause, sentence []word) bool {
	shared := strings.HasPrefix(before.subject.pronoun, "@") || before.subject.pronoun == "?" && before.subject.first() == "they"
	return shared && before.verb >= 0 && !before.imperative && c.words[0].sign == 0 && c.verb == 0 && follows(sentence, &c.words[0], "and") && (before.subject.plural || !tables.Imperative[c.words[0].low])
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

// matchCues returns the cues in words.
func matchCues(words []word) cue {
	return cueset.Find(lowOf(words), func(i int) bool { return words[i].class == classDate })
}

// lowOf returns words in lower case.
func lowOf(words []word) []string {
	out := make([]string, len(words))
	for i := range words {
		out[i] = words[i].low
	}
	return out
}
