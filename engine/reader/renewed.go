package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// renewed reports that the later clause tells of a new thing of a kind of which the earlier one names the only one that
// somebody has: "my phone is a Pixel 6", "I'm getting a new phone".
func (p *pair) renewed() bool {
	a, b := p.earlier, p.later
	s, o := &a.subject, &b.object
	if !acquires[b.verbLemma] || b.passive || b.negated || a.verbLemma != "be" || a.object.empty() || s.owner == "" || s.owner != b.subject.key() || o.head != s.head || o.owner != "" {
		return false
	}
	if len(s.mods) > 0 || !slices.ContainsFunc(o.words, func(w word) bool { return w.low == "new" }) || !slices.ContainsFunc(tables.nouns[s.head], func(x surface) bool { return tables.frames[x.frame].cardinality == One }) {
		return false
	}
	if !article(a) && !slices.ContainsFunc(a.object.words, func(w word) bool { return isValue(w.class) }) {
		return false // "my phone is broken"
	}
	return !slices.ContainsFunc(b.phrases, func(q prepositional) bool {
		return q.kind() != "interval" && !q.timely() && !reasons[q.prep] && !q.noun.empty() && q.prep != "at"
	})
}

var acquires = lexicon.Lemmas(english.WordSet("get buy receive order pick"))
