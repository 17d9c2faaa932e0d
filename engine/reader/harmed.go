package reader

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/harm"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// The predicates of claims of what harms somebody, and of what somebody must not have.
const (
	harmedBy  = "is harmed by"
	mustAvoid = "must avoid"
)

// harmed changes a claim of a clause that says what harms the speaker or one of their household, or what they must not have: "Nuts could
// kill me" is a statement about the speaker, and no plan of the nuts. next is the clause after it, if it is of the same sentence, which may say on what
// condition; nil: there is none. others are all clauses of the sentence.
func (c *clause) harmed(out *Claim, next *clause, others []clause, text string, h Hints) {
	switch c.modality {
	case Asserted, Plan, Conditional, Event, Attempt, Imperative, Bounded:
	default:
		return
	}
	if c.cues&(cueUsed|cueFiction|cueQuoted|cueReported|cueWish|cueNoLonger) != 0 && !c.stillForbidden() {
		return
	}
	words := c.words
	r, ok := harm.Of(harmWords(words))
	if !ok && next != nil {
		words = slices.Concat(c.words, next.words)
		r, ok = harm.Of(harmWords(words))
	}
	if !ok || r.Forbidden && c.cues&(cueBounded|cueDated) != 0 {
		return
	}
	if c.past && c.modality == Event && c.cues&cueDated != 0 {
		return // "The oysters made me sick last night"
	}
	if !r.Conditional && slices.ContainsFunc(others, func(x clause) bool { return x.hasWord("if") || x.hasWord("unless") || x.hasWord("were") }) {
		return
	}
	whom := words[r.Whom[0]:r.Whom[1]]
	out.Subject = h.Speaker
	if !r.Speaker {
		n := readNoun(whom, me(h.Speaker))
		out.Subject = c.name(&n, text, h)
	} else if h.Speaker == "" {
		out.Subject = "I"
	}
	if out.Predicate = harmedBy; r.Forbidden {
		out.Predicate = mustAvoid
	}
	out.Object, out.Qualifiers, out.Negated, out.Modality, out.Cardinality = textOf(words[r.Cause[0]:r.Cause[1]], text), nil, false, Asserted, frames.Many
	out.ValidFrom, out.ValidTo, out.Lasting = time.Time{}, time.Time{}, false
}

// stillForbidden reports "can't eat dairy any more": the end is that of what was eaten.
func (c *clause) stillForbidden() bool {
	return c.cues&(cueUsed|cueFiction|cueQuoted|cueReported|cueWish) == 0 && c.negated && (c.hasWord("any") || c.hasWord("anymore"))
}

func harmWords(words []word) []harm.Word {
	out := make([]harm.Word, len(words))
	for i := range words {
		w := &words[i]
		out[i] = harm.Word{Low: w.low, Sign: w.sign, Possessive: w.possessive, Capital: startsUpper(w.text), Determiner: tables.Determiner[w.low]}
	}
	return out
}

// harmOver returns what a clause says that no longer harms somebody; ok is false if it does not say it for sure.
func (c *clause) harmOver() (words []harm.Word, r harm.Reading, ok bool) {
	if c.modality != Asserted && c.modality != Event && c.modality != Plan || c.imperative || c.cues&(cueUsed|cueFiction|cueQuoted|cueReported|cueWish|cueSometimes) != 0 || c.hasWord("if") || c.hasWord("will") || c.hasWord("hope") {
		return nil, r, false
	}
	words = harmWords(c.words)
	r, ok = harm.Over(words, c.cues&cueNoLonger != 0)
	return words, r, ok
}

// keepsAllergy reports that the later clause tells of what somebody is allergic to, and not of the person or the allergy: "the peanuts are gone".
func (p *pair) keepsAllergy() bool {
	allergic := func(w word) bool { return harm.NamesAllergy(w.low) }
	return slices.ContainsFunc(p.earlier.words, allergic) && !slices.ContainsFunc(p.later.words, allergic) && p.later.subject.pronoun == "" && p.later.subject.owner == ""
}

// harmEnds returns the relation of a later statement by which something no longer harms somebody, of whom p says that it does.
func (p *Prepared) harmEnds(later *Prepared) (r Relation, ok bool) {
	if !p.english || !later.english || p.triple() || later.triple() || len(later.clauses) != 1 {
		return r, false // another clause may say when, where or for whom: "when I take antihistamines"
	}
	for j := range later.clauses {
		is, over, found := later.clauses[j].harmOver()
		if !found || (statements{later: later.clauses}).contrasted(&later.clauses[j]) {
			continue
		}
		for i := range p.clauses {
			c := &p.clauses[i]
			if !c.modality.Holds() && c.modality != Plan && c.modality != Conditional || c.cues&(cueUsed|cueFiction|cueQuoted|cueReported|cueWish) != 0 {
				continue
			}
			was := harmWords(c.words)
			h, found := harm.Sensitive(was)
			if !found {
				h, found = harm.Of(was)
			}
			if found && harm.Ends(was, h, is, over) {
				return Relation{Kind: Changed, Certainty: finished, Anchored: true, Ground: Ended, Lifts: true, Earlier: i, Later: j, limit: 1}, true
			}
		}
	}
	return r, false
}
