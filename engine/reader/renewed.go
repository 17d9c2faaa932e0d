package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
)

// isNew reports that the later clause calls a thing new of which somebody has one, with its value or without.
func (p *pair) isNew() bool { return p.renewed() || p.hasNewValue() }

// renewed reports that the later clause tells of a new thing of a kind of which the earlier one names the only one that
// somebody has: "my phone is a Pixel 6", "I'm getting a new phone".
func (p *pair) renewed() bool {
	a, b := p.earlier, p.later
	s, o := &a.subject, &b.object
	if !lexicon.Acquires[b.verbLemma] || b.passive || b.negated || a.verbLemma != "be" || a.object.empty() || s.owner == "" || s.owner != b.subject.key() || o.head != s.head || o.owner != "" {
		return false
	}
	if !slices.Equal(s.mods, slices.DeleteFunc(slices.Clone(o.mods), func(m string) bool { return lexicon.Present[m] })) || !slices.ContainsFunc(o.words, func(w word) bool { return w.low == "new" }) || !slices.ContainsFunc(frames.Nouns[s.head], func(x frames.Form) bool { return frames.All[x.Frame].Cardinality == frames.One }) {
		return false
	}
	if !article(a) && !slices.ContainsFunc(a.object.words, func(w word) bool { return isValue(w.class) }) {
		return false // "my phone is broken"
	}
	return !slices.ContainsFunc(b.phrases, func(q prepositional) bool {
		return q.kind() != "interval" && !q.timely() && !lexicon.Reasons[q.prep] && !q.noun.empty() && q.prep != "at"
	})
}

// hasNewValue reports that the later clause gives another value of a thing of the speaker, which it calls new: "our address is V",
// "the new address is W"; "my office is in room 204", "my new office is in room 311".
func (p *pair) hasNewValue() bool {
	a, b := p.earlier, p.later
	s, o := &a.subject, &b.subject
	if a.verbLemma != "be" || b.verbLemma != "be" || a.negated || b.negated || !strings.HasPrefix(s.owner, "@") || o.owner != "" && o.owner != s.owner || !o.the || s.head == "" || s.head != o.head {
		return false
	}
	others := slices.DeleteFunc(slices.Clone(o.mods), func(m string) bool { return lexicon.Present[m] })
	x, y := headOf(a.object.words), headOf(b.object.words)
	if x == nil && y == nil && p.phrase == alike {
		x, y = headOf(a.complement()), headOf(b.complement())
	}
	return len(others) < len(o.mods) && slices.Equal(others, s.mods) && x != nil && y != nil && x.class == y.class && isValue(x.class) && p.onlyLater == 0
}
