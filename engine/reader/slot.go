package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/internal/english"
)

// slot is what a clause says of a predicate of the table: whose it is and the value.
type slot struct {
	frame           uint8
	use             frames.Use
	byNoun          bool     // found by the noun: "my phone is …"
	inverse         bool     // the value is the subject
	holder          string   // key of the subject, or of the owner of the noun; "" if it is not named
	mods            []string // that tell the thing apart: modifiers of the noun, its ids
	noun            string   // lemma of the noun
	prep            string   // preposition of the form, if it was found by a verb: "as" before what somebody is
	label           string   // of the form
	thing, specific bool     // of the form: about what is acted on; asks for more than a verb and a preposition
	beside          bool     // of the form: a second value stands beside the first one
	value           []word
}

// readSlots finds the predicates of the table in a clause.
func (c *clause) readSlots() {
	if c.verb < 0 {
		return
	}
	for _, s := range frames.Verbs[c.verbLemma] {
		c.readVerbSlot(s)
	}
	change := c.changes || c.verbLemma == "set"
	value := c.complement()
	if change {
		value = c.governed("to")
	}
	named := c.passive && (c.verbLemma == "call" || c.verbLemma == "nam")
	if c.verbLemma == "be" || named || change || tables.Copies[c.verbLemma] || c.setting {
		c.readNounSlots(&c.subject, value, change)
	}
	if change && !c.object.empty() {
		c.readNounSlots(&c.object, value, true)
	}
	if (c.verbLemma == "be" || c.verbLemma == "serv" || c.verbLemma == becomeLemma) && c.object.owner != "" && !c.setting {
		c.readNounSlots(&c.object, c.subject.words, c.verbLemma == becomeLemma)
	}
	if n := len(c.object.words); c.verbLemma == "be" && n > 0 && c.object.words[n-1].possessive {
		for _, s := range frames.Nouns["owner"] {
			c.slots = append(c.slots, slot{frame: s.Frame, byNoun: true, holder: c.subject.key(), value: c.object.words})
		}
	}
	if (c.verbLemma == "hav" || c.verbLemma == "have") && !c.object.empty() {
		for _, s := range frames.Nouns[c.object.head] {
			c.slots = append(c.slots, slot{frame: s.Frame, holder: c.subject.key(), noun: c.object.head, byNoun: true, value: c.object.words})
		}
	}
}

// readVerbSlot adds the slot of a form with the clause's verb, if the rest of the form fits.
func (c *clause) readVerbSlot(s frames.Form) {
	if s.Passive != (c.passive && s.Use == frames.State) && !(s.Use != frames.State && !s.Passive) {
		return
	}
	if s.Use == frames.State && c.past && !c.perfect && !c.passive && (s.Inverse || tables.EventLemma[c.verbLemma]) {
		return
	}
	if s.Prep == "" && (c.becomesRelated() || s.Inverse && s.Noun == "" && (c.object.empty() || c.object.words[0].value)) {
		return
	}
	out := slot{frame: s.Frame, use: s.Use, inverse: s.Inverse, prep: s.Prep, label: s.Label, thing: s.Thing, beside: s.Beside, specific: s.Noun != "" || len(s.Takes) > 0}
	if s.Noun != "" && c.object.head != s.Noun && slices.Contains(c.object.mods, s.Noun) {
		return // "got a job offer"
	}
	if s.Noun != "" && !slices.ContainsFunc(c.words[c.verb+1:], func(w word) bool { return w.lem == s.Noun }) {
		if _, told := c.age(); s.Noun != "year" || !told || c.object.empty() {
			return
		}
	}
	if s.Prep != "" {
		at := slices.IndexFunc(c.phrases, func(p prepositional) bool { return p.prep == s.Prep && !p.leading })
		if at < 0 || s.Inverse && c.phrases[at].timely() { // "works on Fridays"
			return
		}
		if c.verbLemma == "be" && s.Noun == "" && !s.Direct && !c.object.empty() {
			return // "is friends with", "is a student at"
		}
		out.value = c.phrases[at].noun.words
		if s.Direct {
			if c.object.empty() {
				return
			}
			out.value, out.mods = c.object.words, []string{c.phrases[at].noun.key()}
		}
		if s.Inverse {
			out.holder = c.phrases[at].noun.key()
		}
	} else {
		if c.object.empty() && s.Use != frames.End && s.Noun == "" {
			return
		}
		out.value = c.object.words
		out.holder = c.object.key()
		if s.Noun != "" && s.Use == frames.Change && c.object.head == s.Noun {
			for _, prep := range [...]string{"as", "at", "with"} { // "got a job at Aldi"
				if at := c.governed(prep); len(at) > 0 && (startsUpper(at[0].text) || prep == "as") {
					if out.value = at; prep == "as" {
						out.label = "works as"
					}
				}
			}
		}
		if s.Noun != "" && len(out.value) == 0 && s.Use == frames.State {
			out.value = c.words[c.verb : c.verb+1]
		}
	}
	if s.Inverse {
		out.value = c.subject.words
	} else {
		out.holder = c.subject.key()
		if s.Thing {
			out.holder = c.thing().key()
		} else if c.imperative && c.subject.empty() && !c.object.empty() && s.Prep != "" {
			out.holder = c.object.key()
		}
	}
	if s.Inverse && s.Noun != "" && c.actsOnPerson() {
		return // "takes care of him"
	}
	for i := range s.Takes {
		if !c.meets(&s.Takes[i], out.value) {
			if s.Use == frames.Change && !s.Thing {
				c.barred = append(c.barred, s.Frame)
			}
			return
		}
	}
	c.slots = append(c.slots, out)
}

// actsOnPerson reports a pronoun for a person, or a relative, in the object.
func (c *clause) actsOnPerson() bool {
	return slices.ContainsFunc(c.object.words, func(w word) bool {
		_, pronoun := english.PronounOf(w.low)
		return tables.Family[w.lem] || pronoun && w.low != "it" && w.low != "them" && w.low != "its" && w.low != "their"
	})
}

// becomesRelated reports that somebody became a relative, a friend or something else of somebody. It says nothing about work: "became a parent of Rufus",
// "became my manager".
func (c *clause) becomesRelated() bool {
	return c.verbLemma == becomeLemma && (lexicon.Kin[c.object.head] || c.object.owner != "")
}

const becomeLemma = "becom"

// readNounSlots adds the slots of a noun that the table has.
func (c *clause) readNounSlots(n *nounPhrase, value []word, change bool) {
	add := func(s frames.Form, mods []string) {
		if frames.All[s.Frame].Person && describes(value) {
			return
		}
		out := slot{frame: s.Frame, use: s.Use, byNoun: true, holder: n.owner, noun: n.head, mods: mods, value: value}
		if change && s.Use == frames.State {
			out.use = frames.Change
		}
		c.slots = append(c.slots, out)
	}
	for _, s := range frames.Nouns[n.head] {
		add(s, append(slices.Clip(n.mods), n.ids...))
	}
	for _, m := range n.mods {
		if m == "favourit" || m == "favorit" {
			add(frames.Nouns[m][0], append(slices.Clip(n.mods), n.head))
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
