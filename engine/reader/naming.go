package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// nameSlot returns the slot in which a clause gives somebody or something a name; nil: it gives none.
func (c *clause) nameSlot() *slot {
	i := slices.IndexFunc(c.slots, func(s slot) bool { return frames.All[s.frame].Name == "name" })
	if i < 0 {
		return nil
	}
	return &c.slots[i]
}

// renamed reports that somebody or something has another name "now": "the project is called Falcon", "Falcon is now called Kestrel"; "my dog's
// name is Rex", "my dog is now called Max".
func (p *pair) renamed() bool {
	a, b := p.earlier, p.later
	x, y := a.nameSlot(), b.nameSlot()
	if x == nil || y == nil || y.byNoun || !b.named() || b.cues&cueNow == 0 || b.past || b.negated || len(b.phrases) > 0 || b.namesBeside() || b.modality != Asserted && b.modality != Event ||
		!x.byNoun && !a.named() || a.past || a.negated || len(a.phrases) > 0 || a.modality != Asserted || !isWritten(x.value) || !isWritten(y.value) || x.value[0].low == y.value[0].low {
		return false
	}
	return x.byNoun && (x.holder == y.holder || lexicon.OwnThing(y.holder, x.holder)) ||
		slices.EqualFunc(x.value, b.subject.words, func(v, w word) bool { return v.low == w.low && !v.possessive && !w.possessive })
}

// named reports a clause that says what its subject is called.
func (c *clause) named() bool { return c.verbLemma == callLemma && c.passive }

// isWritten reports words that are written as a name is.
func isWritten(words []word) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w word) bool { return !startsUpper(w.text) })
}

var callLemma = lexicon.Lemma("call")

// namesBeside reports a name that stands beside the one somebody has: what others call them, or what they are to somebody. "Leo is called Lion
// by his friends", "my mother is now called Grandma".
func (c *clause) namesBeside() bool {
	s := c.nameSlot()
	if s == nil || !c.named() {
		return false
	}
	return len(c.governed("by")) > 0 || len(s.value) == 1 && tables.Family[lexicon.Lemma(s.value[0].low)]
}

// ofLastTime reports a subject of an earlier time: "last year's workshop" is another one than "the workshop".
func (c *clause) ofLastTime() bool {
	if c.verb < 2 {
		return false
	}
	for i := range c.words[:c.verb-1] {
		if (c.words[i].low == "last" || lexicon.OneOfSeveral[c.words[i].low]) && c.words[i+1].possessive && tables.Unit[c.words[i+1].lem] {
			return true
		}
	}
	return false
}

// changesPart reports a change, without a value, of what a thing with a value only names: "the team meeting is on Friday", "we moved the team meeting notes to the wiki".
func (p *pair) changesPart() bool {
	x, y := &p.earlier.subject, &p.later.object
	if !p.later.changes || p.later.passive || x.head == "" || x.pronoun != "" || y.head == "" || y.head == x.head || !slices.Contains(y.mods, x.head) {
		return false
	}
	value := func(w word) bool { return measured(w.class) }
	if !slices.ContainsFunc(p.earlier.words, value) || slices.ContainsFunc(p.later.words, value) {
		return false // "we moved the meeting date to 23 March"
	}
	return len(frames.Nouns[y.head]) == 0 && !slices.ContainsFunc(p.earlier.words, func(w word) bool { return w.lem == y.head })
}
