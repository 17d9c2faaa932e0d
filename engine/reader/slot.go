package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// slot is what a clause says of a predicate of the table: whose it is and the value.
type slot struct {
	frame   uint8
	use     use
	byNoun  bool     // found by the noun: "my phone is …"
	inverse bool     // the value is the subject
	holder  string   // key of the subject, or of the owner of the noun; "" if it is not named
	mods    []string // that tell the thing apart: modifiers of the noun, its ids
	noun    string   // lemma of the noun
	prep    string   // preposition of the form, if it was found by a verb: "as" before what somebody is
	value   []word
}

// readSlots finds the predicates of the table in a clause.
func (c *clause) readSlots() {
	if c.verb < 0 || c.offers() {
		return
	}
	for _, s := range tables.verbs[c.verbLemma] {
		c.readVerbSlot(s)
	}
	change := c.changes || c.verbLemma == "set"
	value := c.complement()
	if change {
		value = c.governed("to")
	}
	named := c.passive && (c.verbLemma == "call" || c.verbLemma == "nam")
	if c.verbLemma == "be" || named || change || tables.copies[c.verbLemma] || c.setting {
		c.readNounSlots(&c.subject, value, change)
	}
	if change && !c.object.empty() {
		c.readNounSlots(&c.object, value, true)
	}
	if (c.verbLemma == "be" || c.verbLemma == "serv" || c.verbLemma == becomeLemma) && c.object.owner != "" && !c.setting {
		c.readNounSlots(&c.object, c.subject.words, c.verbLemma == becomeLemma)
	}
	if n := len(c.object.words); c.verbLemma == "be" && n > 0 && c.object.words[n-1].possessive {
		for _, s := range tables.nouns["owner"] {
			c.slots = append(c.slots, slot{frame: s.frame, byNoun: true, holder: c.subject.key(), value: c.object.words})
		}
	}
	if (c.verbLemma == "hav" || c.verbLemma == "have") && !c.object.empty() {
		for _, s := range tables.nouns[c.object.head] {
			c.slots = append(c.slots, slot{frame: s.frame, holder: c.subject.key(), noun: c.object.head, byNoun: true, value: c.object.words})
		}
	}
}

// offers reports a clause that says where anybody may go: "you can go to the library from eight". It states nothing of the listener.
func (c *clause) offers() bool {
	return c.verbLemma == "go" && c.subject.pronoun == "@you" && c.modal
}

// readVerbSlot adds the slot of a form with the clause's verb, if the rest of the form fits.
func (c *clause) readVerbSlot(s surface) {
	if s.passive != (c.passive && s.use == useState) && !(s.use != useState && !s.passive) {
		return
	}
	if s.use == useState && c.past && !c.perfect && !c.passive && (s.inverse || tables.eventLemma[c.verbLemma]) {
		return
	}
	if s.prep == "" && (c.becomesRelated() || s.inverse && s.noun == "" && !c.leads()) {
		return
	}
	out := slot{frame: s.frame, use: s.use, inverse: s.inverse, prep: s.prep}
	if s.noun != "" && !slices.ContainsFunc(c.words[c.verb+1:], func(w word) bool { return w.lem == s.noun }) {
		return
	}
	if s.prep != "" {
		at := slices.IndexFunc(c.phrases, func(p prepositional) bool { return p.prep == s.prep && !p.leading })
		if at < 0 {
			return
		}
		if c.verbLemma == "be" && s.noun == "" && !s.direct && !c.object.empty() {
			return // "is friends with", "is a student at"
		}
		out.value = c.phrases[at].noun.words
		if s.direct {
			if c.object.empty() {
				return
			}
			out.value, out.mods = c.object.words, []string{c.phrases[at].noun.key()}
		}
		if s.inverse {
			out.holder = c.phrases[at].noun.key()
		}
	} else {
		if c.object.empty() && s.use != useEnd && s.noun == "" {
			return
		}
		out.value = c.object.words
		out.holder = c.object.key()
		if s.noun != "" && len(out.value) == 0 && s.use == useState {
			out.value = c.words[c.verb : c.verb+1]
		}
	}
	if s.inverse {
		out.value = c.subject.words
	} else {
		out.holder = c.subject.key()
		if c.imperative && c.subject.empty() && !c.object.empty() && s.prep != "" {
			out.holder = c.object.key()
		}
	}
	if s.inverse && s.noun != "" && c.actsOnPerson() {
		return // "takes care of him"
	}
	if s.use == useChange && !c.mayBecome(tables.frames[s.frame].name, s.prep, out.value) || c.goesElsewhere(tables.frames[s.frame].name, out.value) {
		return
	}
	c.slots = append(c.slots, out)
}

// actsOnPerson reports a pronoun for a person, or a relative, in the object.
func (c *clause) actsOnPerson() bool {
	return slices.ContainsFunc(c.object.words, func(w word) bool {
		_, pronoun := english.PronounOf(w.low)
		return tables.family[w.lem] || pronoun && w.low != "it" && w.low != "them" && w.low != "its" && w.low != "their"
	})
}

// goesElsewhere reports that somebody goes to what is no school: "goes to the dentist".
func (c *clause) goesElsewhere(predicate string, value []word) bool {
	head := headOf(value)
	return predicate == "school" && c.verbLemma == "go" && head != nil && !schools[head.lem] && !isName(head.class) && !startsUpper(head.text)
}

// mayBecome reports that the verb of the clause may name a change to a value of a predicate. One moves to a town and to another
// tool, switches to a school and to an editor, adopts a tool and a cat.
func (c *clause) mayBecome(predicate, prep string, value []word) bool {
	head := headOf(value)
	switch {
	case c.verbLemma == moveLemma && prep != "" && personsMove[predicate]:
		return c.movesThere(value)
	case head == nil:
		return true
	case predicate == "school" && c.verbLemma == "switch":
		return schools[head.lem]
	case predicate == "tool" && c.verbLemma == "adopt":
		return !living[head.lem] && !tables.family[head.low]
	}
	return true
}

var (
	schools = lemmas(english.WordSet("school college university academy institute gymnasium kindergarten nursery class course"))
	living  = lemmas(english.WordSet("cat dog puppy kitten child baby boy girl rabbit bird parrot horse pony hamster tortoise animal pet"))
)

const moveLemma = "mov"

// personsMove are the predicates that change when a person moves. A person may also move to another tool or desk, and
// move a thing.
var personsMove = english.WordSet("residence work")

// movesThere reports that a person moved to a value where one can live or work: a name that is not known as one of something else,
// or a noun of such places.
func (c *clause) movesThere(value []word) bool {
	if !c.object.empty() && c.object.pronoun == "" {
		return false // "moved the sofa to flat 5"
	}
	head := headOf(value)
	if head == nil || !isName(head.class) {
		return slices.ContainsFunc(value, func(w word) bool { return placesToMove[w.lem] })
	}
	return head.class == classPlace || len(head.sets) == 0 && !extract.IsSoftware(head.low)
}

var placesToMove = lemmas(english.WordSet("apartment flat house condo dorm houseboat cottage bungalow villa studio caravan farm mansion hut penthouse townhouse loft barn home room place building street road avenue city town village countryside country suburb coast island hill seaside centre center district neighbourhood neighborhood area company firm team department office branch unit group role position job"))

// kin are nouns that say how one person is related to another one.
var kin = lemmas(english.WordSet("parent mother father mum mom mam dad stepmother stepfather son daughter brother sister twin uncle aunt niece nephew cousin grandparent grandmother grandfather grandma grandpa granny godmother godfather godparent wife husband spouse friend neighbour neighbor"))

// becomesRelated reports that somebody became a relative, a friend or something else of somebody. It says nothing about work: "became a parent of Rufus",
// "became my manager".
func (c *clause) becomesRelated() bool {
	return c.verbLemma == becomeLemma && (kin[c.object.head] || c.object.owner != "")
}

const (
	becomeLemma = "becom"
	teachLemma  = "teach"
)

// leads reports that the object of a clause is what somebody may lead or own. "Run" and "head" have other meanings: "runs 10 km", "runs
// Debian", "the script runs the tests", "heads north".
func (c *clause) leads() bool {
	if c.object.empty() || c.object.words[0].value {
		return false
	}
	definite := c.object.the || c.object.owner != ""
	switch c.verbLemma {
	case "run":
		return definite && c.subject.personal()
	case "head":
		return definite
	}
	return true
}

// readNounSlots adds the slots of a noun that the table has.
func (c *clause) readNounSlots(n *nounPhrase, value []word, change bool) {
	add := func(s surface, mods []string) {
		if tables.frames[s.frame].person && describes(value) {
			return
		}
		out := slot{frame: s.frame, use: s.use, byNoun: true, holder: n.owner, noun: n.head, mods: mods, value: value}
		if change && s.use == useState {
			out.use = useChange
		}
		c.slots = append(c.slots, out)
	}
	for _, s := range tables.nouns[n.head] {
		add(s, append(slices.Clip(n.mods), n.ids...))
	}
	for _, m := range n.mods {
		if m == "favourit" || m == "favorit" {
			add(tables.nouns[m][0], append(slices.Clip(n.mods), n.head))
		}
	}
}

// describes reports that a value says what somebody is like, and not who it is: "My wife is a nurse",
// "my boss is strict".
func describes(value []word) bool {
	return len(value) > 0 && !slices.ContainsFunc(value, func(w word) bool { return isName(w.class) || startsUpper(w.text) })
}

// complement returns the words after the verb that are the value of a copula.
func (c *clause) complement() []word {
	if !c.object.empty() {
		return c.object.words
	}
	for i := range c.phrases {
		if !c.phrases[i].leading {
			return c.phrases[i].noun.words
		}
	}
	return nil
}

// governed returns the words after a preposition, nil if there is none.
func (c *clause) governed(prep string) []word {
	for i := range c.phrases {
		if c.phrases[i].prep == prep && !c.phrases[i].leading {
			return c.phrases[i].noun.words
		}
	}
	return nil
}
