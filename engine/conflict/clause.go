package conflict

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

// tense is the time for which a clause holds.
type tense int8

const (
	present tense = iota
	past
	perfect
	future
)

// modality is how a clause is meant. Clauses of different modality are not compared.
type modality int8

const (
	asserted    modality = iota
	ability              // ability: can, is able to
	obligation           // rule: must, should, always do …
	notAsserted          // question, condition, possibility, hearsay: states nothing
)

// item is a word of the predicate of a clause.
type item struct {
	lem      string
	low      string
	prep     string // the preposition of its phrase; empty for the object
	det      string // the determiner of its phrase
	last     bool   // the last word of its phrase
	proper   bool   // a name
	degree   string // "more" or "less", if that precedes it
	compared bool   // it follows "than", "over" or "to" in a comparison
}

// clause is one statement: a subject, a verb and a predicate.
type clause struct {
	subject     []string // lemmas of the subject, sorted
	named       bool     // the subject consists of names only
	plural      bool     // the subject is more than one
	weak        bool     // the subject is "some of", "most"
	open        bool     // the subject is indefinite ("a meeting")
	verb        string
	progressive bool
	passive     bool
	items       []item
	values      []value
	qualifiers  []string // when or where it holds: on weekends, in the morning, at work
	condition   string   // words of a condition
	negated     bool
	never       bool
	ended       bool // no longer, stopped, quit
	frequency   int8 // +1 often, −1 rarely
	tense       tense
	modality    modality
	hedged      bool // a hope or a plan
	assertions  []assertion
	relative    []token // a relative clause about the subject
}

// isSelf reports a word for the speaker.
func isSelf(low string) bool { return low == "user" || pronoun(low) == "@i" }

// pronoun returns the key of the person that a pronoun stands for; empty for other words.
func pronoun(low string) string {
	switch low {
	case "this", "that", "these", "those":
		return "@it"
	case "there":
		return "@there"
	}
	p, _ := english.PronounOf(low)
	return pronounKeys[p.Subject]
}

var pronounKeys = map[string]string{"i": "@i", "we": "@we", "you": "@you", "he": "@he", "she": "@she", "they": "@they", "it": "@it"}

// parser reads the clauses of a text.
type parser struct {
	scratch       *scratch // nil if no claims are read
	at            time.Time
	self          string
	isNote        bool // lines without a verb are read too
	out           []clause
	previous      *verbGroup // the verb group of the previous clause, for shared subjects and auxiliaries
	subjectTokens []token
	condition     []string   // a condition that holds for the rest of the sentence
	occupational  bool       // the sentence says that it is about an occupation
	leadIn        []token    // adverbial at the start of the sentence
	rare          *rareFacts // nil if there are none
}

// maxNote is the maximum length, in tokens, of a text in which a line without a verb is read as a
// note ("Dentist: Tuesday 3 pm"). In longer texts such lines are headings and lists.
const maxNote = 32

// maxClauses is the maximum number of clauses of a text that are compared.
const maxClauses = 16

// parse reads the clauses of a text.
func (p *parser) parse(t []token) []clause {
	for s, question := range sentences(t) {
		if !question && len(p.out) < maxClauses && !slices.ContainsFunc(s, func(x token) bool { return x.code }) {
			p.sentence(s)
		}
	}
	return p.out[:min(len(p.out), maxClauses)] // one sentence may have hundreds
}

var conditionals = english.WordSet("if when whenever unless once until suppose supposing imagine whether provided assuming given while after before as")

// sentence cuts a sentence into segments and reads each of them.
func (p *parser) sentence(t []token) {
	p.previous, p.subjectTokens, p.condition, p.leadIn = nil, nil, nil, nil
	for len(t) > 0 && (t[0].punctuation || t[0].is(interjection) && len(t) > 1) {
		t = t[1:]
	}
	if t = withNecessity(withPlainOrder(withoutReporter(t))); len(t) == 0 {
		return
	}
	if (t[0].low == "remember" || t[0].low == "note") && lowAt(t, 1) == "that" && len(t) > 3 {
		t = t[2:]
	}
	if low := t[0].low; low == "what" || low == "how" || low == "why" || low == "who" || low == "let" || low == "imagine" || low == "suppose" || low == "whether" {
		return // exclamations, and questions without a question mark
	}
	// a condition or an adverbial at the start
	if conditionals[t[0].low] || t[0].is(preposition) || isDayWord(t[0]) {
		c := firstComma(t)
		switch {
		case conditionals[t[0].low] && c < 0 && t[0].low != "as" && t[0].low != "after" && t[0].low != "before" && t[0].low != "until":
			return // nothing but a condition
		case c > 0 && conditionals[t[0].low] && hasVerb(t[:c]):
			if t[0].low == "if" || t[0].low == "unless" || t[0].low == "suppose" || t[0].low == "assuming" || t[0].low == "provided" || t[0].low == "when" || t[0].low == "whenever" {
				p.condition = contentLemmas(t[:c])
			}
			t = t[c+1:]
		case c > 0 && !hasVerb(t[1:c]):
			p.leadIn = t[:c]
			t = t[c+1:]
		case c < 0 || hasVerb(t[1:c]):
			// "On Mondays I swim": up to a subject pronoun
			for i := 1; i < len(t) && i < 6; i++ {
				if t[i].is(subjectForm) {
					p.leadIn = t[:i]
					t = t[i:]
					break
				}
			}
		}
	}
	start := 0
	for i := 1; i < len(t); i++ {
		if cut, skip := p.boundary(t, start, i); cut {
			p.readSegment(t[start:i])
			start = i + skip
			i = start
		}
	}
	if start < len(t) {
		p.readSegment(t[start:])
	}
}

func isDayWord(t token) bool {
	_, ok := weekdayOf(t.low)
	return ok || t.low == "every" || t.low == "last" || t.low == "next" || t.low == "today" || t.low == "tomorrow" || t.low == "yesterday"
}

var interjections = wordLists.Set("interjections")

var subjectPronoun = english.WordSet("i we he she they you it there")

func firstComma(t []token) int {
	return slices.IndexFunc(t, func(x token) bool { return x.punctuation && x.low == "," })
}

func hasVerb(t []token) bool {
	return slices.ContainsFunc(t, func(x token) bool { return x.strong || x.finite && !nounish[x.lem] && !x.ing })
}

func contentLemmas(t []token) []string {
	var out []string
	for _, x := range t {
		if !x.punctuation && !x.is(stopWord) {
			out = append(out, x.lem)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var joiners = english.WordSet("and but so then because although though whereas while since or yet plus nor")

// boundary reports whether a new segment begins at i, and how many tokens to skip.
func (p *parser) boundary(t []token, start, i int) (bool, int) {
	x := t[i]
	if x.low == "if" || x.low == "when" || x.low == "whenever" || x.low == "unless" {
		return false, 0 // read as a condition of the segment
	}
	skip := 0
	j := i
	for j < len(t) && (t[j].punctuation && t[j].low == "," || t[j].is(joining) && j-i < 3) {
		j++
		skip++
	}
	if skip == 0 || j >= len(t) || !hasVerb(t[start:i]) && findVerb(t[start:i], len(p.subjectTokens) > 0) < 0 {
		return false, 0
	}
	for j < len(t) && t[j].is(adverb) && j-i < 6 {
		j++
	}
	if j >= len(t) {
		return false, 0
	}
	joiner := x.is(joining) || i+1 < len(t) && t[i+1].is(joining)
	y := t[j]
	switch {
	case y.is(subjectForm) && j+1 < len(t):
		return true, skip
	case joiner && y.strong:
		return true, skip
	case joiner && y.finite && !nounish[y.lem] && !y.ing:
		return true, skip
	}
	// a new subject with its own verb
	for k := j; k < len(t) && k < j+6 && !t[k].punctuation; k++ {
		if t[k].is(preposition) && k > j+4 || t[k].is(joining) {
			return false, 0
		}
		if k > j && (t[k].strong && !afterTo(t, k) || t[k].low == "'s" && isCopula(t, k)) {
			if t[k].past && !t[k].is(formOfBe) && !t[k].is(formOfHave) && !t[k].is(formOfDo) && t[k-1].is(determiner) {
				continue
			}
			return true, skip
		}
		if k > j && t[k].finite && (t[j].upper || t[j].is(determiner)) && !nounish[t[k].lem] && !t[k].ing && !t[k-1].is(determiner) && !afterTo(t, k) && k != len(t)-1 {
			return true, skip
		}
	}
	return false, 0
}

func afterTo(t []token, k int) bool { return k > 0 && (t[k-1].low == "to" || t[k-1].is(preposition)) }

// isCopula reports whether the 's at k is "is" or "has", not a possessive.
func isCopula(t []token, k int) bool {
	if k == 0 {
		return false
	}
	switch w := t[k-1].low; {
	case subjectPronoun[w], w == "that", w == "this", w == "what", w == "who", w == "here", w == "where", w == "everything", w == "everyone", w == "nobody":
		return true
	}
	if k+1 >= len(t) {
		return false
	}
	n := t[k+1]
	return n.is(determiner) || n.low == "not" || n.is(adverb) || n.ing && n.verb || n.is(preposition) || n.past && n.verb && k+2 < len(t) && t[k+2].is(preposition)
}
