package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/internal/english"
)

// beginsToday reports a clause of the present in which "today" says when something begins that lasts, and not how long it is
// so: "I start at Lumen today", "I'm at 78 kilos today".
func (c *clause) beginsToday() bool {
	if c.verb < 0 || c.negated || c.past || c.perfect || c.modal || c.imperative || c.setting || !c.hasWord("today") || !c.surely(cueBounded, map[string]bool{"today": true}) {
		return false
	}
	if slices.ContainsFunc(c.phrases, func(q prepositional) bool {
		return q.prep == "for" || q.prep == "until" || q.kind() == "occasion" || lastOf(q.noun.words) == classClock
	}) {
		return false // "I'm joining Ana for lunch today"
	}
	switch {
	case lexicon.Begun[c.verbLemma]:
		return true
	case lexicon.Starts[c.verbLemma]:
		return c.subject.personal() && (c.verb+1 < len(c.words) && c.words[c.verb+1].low == "there" || c.beginsSlot()) || lasting(c.object.head) || lasting(c.subject.head)
	case c.changes:
		return c.beginsSlot()
	}
	return c.measuresToday()
}

// dropToday makes "I start at Lumen today" an assertion that holds from now on, as "as of today" does.
func (c *clause) dropToday() {
	isToday := func(w word) bool { return w.low == "today" }
	c.modality, c.cues, c.today = Asserted, c.cues&^cueBounded|cueNow, true
	c.phrases = slices.DeleteFunc(c.phrases, func(q prepositional) bool { return q.prep == "every" && q.noun.empty() })
	at := slices.IndexFunc(c.words, isToday)
	c.words = slices.Concat(c.words[:at], c.words[at+1:])
	if c.words[0].sign = 0; at < c.aux {
		c.verb, c.aux = c.verb-1, c.aux-1
	}
}

// beginsSlot reports a change to a name, to something new that lasts, or to a group.
func (c *clause) beginsSlot() bool {
	return slices.ContainsFunc(c.slots, func(s slot) bool {
		if s.use != frames.Change || len(s.value) == 0 || !lastingFrames[frames.All[s.frame].Name] && !lexicon.Renews[c.verbLemma] {
			return false
		}
		last, of := &s.value[len(s.value)-1], lastOf(s.value)
		return isName(of) && of != classPerson || !measured(of) && lexicon.Starts[c.verbLemma] || !lexicon.Renews[c.verbLemma] && (lasting(last.lem) || lexicon.Groups[last.lem])
	})
}

// beginsAnother reports that what the later clause begins today gives another name in a predicate with one value.
func (p *pair) beginsAnother() bool {
	m := &p.slot
	if !p.later.today || !m.found || m.cardinality != frames.One || m.holder != equal || p.flip || p.differ > 1 || p.qualifier > 0 || len(m.later.value) == 0 {
		return false
	}
	return startsUpper(m.later.value[len(m.later.value)-1].text) && (m.value == kindred || m.value == alike || m.value == opposed || m.value == other)
}

// lasting reports a noun of a predicate that lasts: "my new job".
func lasting(noun string) bool {
	return slices.ContainsFunc(frames.Nouns[noun], func(s frames.Form) bool { return lastingFrames[frames.All[s.Frame].Name] })
}

// measuresToday reports the age or the weight of a person: it is so from then on, until it is measured again.
func (c *clause) measuresToday() bool {
	if slices.ContainsFunc(c.slots, func(s slot) bool { return bodily[frames.All[s.frame].Name] && counted(s.value) }) {
		return true
	}
	value := c.complement()
	if c.verbLemma != "be" || c.subject.pronoun == "" && !tables.Family[c.subject.head] || len(value) == 0 {
		return false
	}
	return len(value) == 1 && value[0].class == classNumber && !c.object.empty() || lexicon.Masses[unitOf(value[0].lem)] || lexicon.Masses[value[len(value)-1].lem]
}

var (
	// lastingFrames are predicates of frames.txt of which a change lasts.
	lastingFrames = english.WordSet("residence work school relationship roommate boss member")
	bodily        = english.WordSet("weight age")
)
