package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/fate"
	"github.com/somnograph/somnograph/engine/reader/plans"
	"github.com/somnograph/somnograph/engine/reader/tables"
)

// endsState reports that somebody, or a thing, is no longer in one of the states that the class ends: "Carla is pregnant", "Carla gave birth".
func (e *ending) endsState(a, b *clause, states [][]string) bool {
	if l, _ := compareNouns(&a.subject, &b.subject); !fate.OfChild(e.class, e.verb, planPhrase(&e.noun, ""), planPhrase(&b.subject, ""), planPhrase(&a.subject, "")) && (e.class == fate.Born || wild(b.subject.pronoun) || l != equal && !oneNamed(&a.subject, &b.subject)) {
		return false
	}
	if slices.ContainsFunc(planPhrases(e.rest), func(q plans.Phrase) bool { return fate.Narrows(e.class, q, planWords(a.words)) }) {
		return false
	}
	if fate.Recovers(e.class, e.verb) && a.illness() != "" {
		return !slices.ContainsFunc(e.rest, func(q prepositional) bool { // "for today", "from last night's party"
			return slices.ContainsFunc(q.noun.words, func(w word) bool { return w.content() && !hasWord(a.words, &w) })
		})
	}
	return slices.ContainsFunc(states, func(state []string) bool {
		alone := state[len(state)-1] == "."
		if alone {
			state = state[:len(state)-1]
		}
		return !slices.ContainsFunc(state, func(lem string) bool {
			return !slices.ContainsFunc(a.words[a.verb:], func(w word) bool { return w.lem == lem })
		}) && (a.verbLemma == state[0] && (!alone || a.object.empty()) && (state[0] != "have" || a.object.head == state[1]) || a.verbLemma == "be" && (a.object.empty() || a.object.head == state[len(state)-1]))
	})
}

// illness returns the noun of the illness, or of the part of the body, from which somebody of whom a clause tells may recover; empty: it says none.
func (c *clause) illness() string {
	had := c.object
	if from := c.governed("from"); had.empty() && from != nil {
		had = readNoun(from, "")
	}
	return fate.Passing(c.verbLemma, planPhrase(&had, ""))
}

// recovered returns the illness of the earlier clause that a recovery ends that names none: "I'm cured".
func (p *pair) recovered() string {
	if e := p.later.ending(); e == nil || !fate.Recovers(e.class, e.verb) {
		return ""
	}
	return p.earlier.illness()
}

// recoversElse reports a recovery that names no illness in a statement with other clauses, which may name one: "I'm cured, my cold is gone".
func (p *pair) recoversElse(s statements) bool {
	return len(s.later) > 1 && p.common == 0 && p.recovered() != ""
}

// Recovers reports a statement of a recovery that names no illness.
func (p *Prepared) Recovers() bool {
	return slices.ContainsFunc(p.clauses, func(c clause) bool {
		e := c.ending()
		return e != nil && fate.Recovers(e.class, e.verb) && c.isOver()
	})
}

// tellsWho reports a clause that says who somebody is, or where they come from, which a death does not change.
func (c *clause) tellsWho() bool {
	value := c.object.words
	named := !c.object.empty() && (c.object.owner != "" || c.object.the || tables.Family[c.object.head] || isValue(value[len(value)-1].class) || isName(value[len(value)-1].class))
	return c.verbLemma == "be" && (named || c.governed("from") != nil) || c.passive && c.verbLemma == "call"
}

// outlives reports that somebody of whom the earlier clause says who they are has died.
func (p *pair) outlives() bool {
	e := p.later.ending()
	return e != nil && fate.Deadly(e.class, e.verb) && p.earlier.tellsWho()
}

// finishesApart reports a pregnancy and the loss of a child, of which the clauses share no word: "my wife is pregnant", "we lost the baby".
func (p *pair) finishesApart() bool {
	return p.earlier.verb >= 0 && p.later.object.head == "baby" && p.earlier.object.head == "pregnant"
}
