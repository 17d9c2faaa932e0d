package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// meets reports whether a clause meets a condition with a value for the form.
func (c *clause) meets(x *frames.Condition, value []word) bool {
	return slices.ContainsFunc(x.Kinds, func(kind string) bool { return c.is(kind, value) }) != x.Not
}

// is reports whether a clause, or a value in it, is of a kind.
func (c *clause) is(kind string, value []word) bool {
	switch kind {
	case "alone": // nothing is acted on: not "moved the sofa to flat 5"
		return c.object.empty() || c.object.pronoun != ""
	case "definite":
		return c.object.the || c.object.owner != ""
	case "some": // "a kayak", "two cats"
		return c.object.owner == "" && len(c.object.words) > 1 && (lexicon.Indefinite[c.object.first()] || c.object.words[0].class == classNumber)
	case "own":
		return c.object.owner != "" && c.object.owner == c.subject.key()
	case "passive":
		return c.passive
	case "term":
		return frames.Kinds[kind][c.thing().head]
	case "person": // that acts
		return c.subject.personal()
	case "offer": // "you can go to the library from eight" states nothing of the listener
		return c.subject.pronoun == "@you" && c.modal
	}
	head := headOf(value)
	switch {
	case kind == "time":
		return slices.ContainsFunc(value, func(w word) bool {
			return w.class == classDate || w.class == classClock || w.class == classWeekday || tables.Relative[w.low]
		}) || head != nil && (tables.Part[head.low] || tables.Unit[head.low] && value[0].low == "next")
	case kind == "none":
		return head == nil
	case head == nil:
		return false
	case kind == "name":
		return isName(head.class) || startsUpper(head.text)
	case kind == "firm":
		return isName(head.class) && head.class != classPlace && len(head.sets) == 0 && !extract.IsSoftware(head.low)
	case kind == "town": // a name that is not known as one of something else
		return head.class == classPlace || isName(head.class) && MayBeTown(head.low) && !c.namesUse()
	case kind == "family":
		return tables.Family[head.low]
	case kind == "assignment": // "the Lisbon office", "Project Falcon", but "unit 5" is a flat and "a standing desk" a thing
		at := slices.IndexFunc(value, func(w word) bool { return frames.Kinds[kind][w.lem] })
		return at >= 0 && (at+1 == len(value) || startsUpper(value[at+1].text)) && !(value[0].low == "a" && lexicon.Rooms[value[at].lem])
	case kind == "premises" && !isName(head.class):
		return slices.ContainsFunc(value, func(w word) bool { return frames.Kinds[kind][w.lem] }) // "flat 5", "the company headquarters"
	}
	return frames.Kinds[kind][head.lem]
}

// thing returns what a clause acts on: its object, or its subject in the passive voice and without an object.
func (c *clause) thing() *nounPhrase {
	if c.passive || c.object.empty() {
		return &c.subject
	}
	return &c.object
}

// movesPlan reports a clause that gives a plan another day.
func (c *clause) movesPlan() bool {
	return !c.ofLastTime() && slices.ContainsFunc(c.slots, func(s slot) bool { return s.thing && isPlan[frames.All[s.frame].Name] })
}

var isPlan = map[string]bool{"schedule": true, "due": true}
