package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// denial is what somebody does not do, have or belong to, said in whatever words: "Ola
// is vegan" (eats no meat), "we sold the van" (have none), "he left the choir" (is not in
// it), "we replaced A with B" (use no A). It is held against the clauses of the other
// statement that say so. Few statements deny, so nothing is prepared for those that don't.
type denial struct {
	who  []string // keys of who denies it; nil: everybody
	deed deed
	what string   // word family of what is denied, or a kind of it
	mods []string // words before it: the old van
	ever bool     // who denies it cannot do it either
}

// deed is what is denied.
type deed int8

const (
	eats   deed = iota + 1 // eats or drinks it
	has                    // has, owns, keeps it
	isIn                   // belongs to it, plays, sings or works in it
	uses                   // uses it, runs on it, keeps something in it
	exists                 // is there to do anything
)

// excluded are the kinds of food that a way of eating leaves out.
var excluded = families(`vegan: meat fish seafood dairy egg honey
plant-based: meat fish seafood dairy egg honey
vegetarian: meat fish seafood
veggie: meat fish seafood
pescatarian: meat
pescetarian: meat
halal: pork alcohol
kosher: pork shellfish
teetotal: alcohol
teetotaler: alcohol
teetotaller: alcohol
sober: alcohol
coeliac: gluten
celiac: gluten
gluten-free: gluten
dairy-free: dairy
sugar-free: sugar`)

// lacking are what who is so has none of.
var lacking = families(`single: wife girlfriend boyfriend fiance fiancee
unmarried: wife
widowed: wife
divorced: wife
childless: child
petless: pet
carless: car
unemployed: job
jobless: job`)

// families reads lines "word: words" into word families.
func families(list string) map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(list) {
		head, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		for _, w := range strings.Fields(rest) {
			m[lemma(head)] = append(m[lemma(head)], lemma(w))
		}
	}
	return m
}

var (
	ingests  = lemmas("eat drink have touch take consume tolerate order devour swallow sip")
	enjoys   = lemmas("like prefer crave order devour enjoy")
	avoids   = lemmas("avoid shun")
	owns     = lemmas("have own possess keep drive ride")
	disbands = lemmas("disband dissolve fold split break die perish")
	performs = lemmas("play perform meet open sell serve work bake teach practise practice live run sing rehearse cook write offer travel train paint publish")
	parts    = lemmas("sell donate")
	losing   = lemmas("lose bury")
	leaves   = lemmas("leave quit resign withdraw")
	takePart = lemmas("play sing act dance work serve study sit volunteer be stay train")
	enters   = lemmas("join attend enter")
	replaces = lemmas("replace drop ditch abandon swap retire deprecate dump")
	turnsTo  = lemmas("switch migrate move transition")
	carries  = lemmas("handle run host serve power do store send be process manage collect hold keep deliver")
	joinWays = english.WordSet("in at for with on")
	toolWays = english.WordSet("in on with via through by at to using into")
)

// deny reads what a clause denies.
func (p *parser) deny(c *clause) {
	if c.mood == aside || c.hedged || c.weak || c.cond != "" || c.tense == future || c.freq > 0 && c.neg {
		return
	}
	over := !c.neg && (c.tense == past || c.tense == perfect)
	switch {
	case c.neg && (c.tense == present || c.tense == perfect || c.never):
		switch {
		case c.verb == useKey && c.ended:
			if o := c.object(); len(o) == 1 && len(c.rest) == 1 {
				p.denied(c.subj, uses, o[0].lem)
			}
		case ingests[c.verb] || c.verb == "lik" && c.ended:
			p.denyFood(c)
		}
		if owns[c.verb] && c.mood == fact {
			p.denyThing(c, has, c.object(), func(x item) bool {
				return x.det == "no" || x.det == "any" || x.det == "a" || x.det == "an" || x.det == ""
			})
		}
	case c.neg:
	case (c.verb == "be" || c.verb == "keep" || c.verb == followKey || c.verb == eatKey || c.verb == "stay") && (c.tense == present || c.tense == perfect) && c.mood == fact:
		p.denyLabel(c)
		if c.verb == "be" && c.passiv && c.tense != future && replaces[c.rest[0].lem] && c.named && len(c.subj) == 1 {
			p.denied(nil, uses, c.subj[0])
		}
	case avoids[c.verb] && c.tense == present:
		p.denyFood(c)
	case disbands[c.verb] && (over || c.passiv) && len(c.rest) < 3 && len(unowned(c.subj)) > 0:
		if c.verb != "split" && c.verb != "break" && c.verb != closeKey && c.verb != "shut" || slices.ContainsFunc(c.rest, func(x item) bool { return x.low == "up" || x.low == "down" }) {
			p.denied(c.subj, exists, "")
		}
	case parts[c.verb] && over, c.verb == giveKey && (over || c.tense == past) && slices.ContainsFunc(c.rest, func(x item) bool { return x.low == "away" }):
		p.denyThing(c, has, c.object(), func(x item) bool { return x.det != "a" && x.det != "an" && x.low != "away" })
	case losing[c.verb] && over:
		p.denyThing(c, has, c.object(), func(x item) bool { return kin[x.lem] })
	case leaves[c.verb] && over:
		o := c.phrase("from", "at")
		if o == nil {
			o = c.object()
		}
		p.denyThing(c, isIn, o, func(x item) bool { return x.det != "a" && x.det != "an" })
	case c.verb == cancelKey && over:
		if o := c.object(); len(o) == 2 && (o[1].lem == "membership" || o[1].lem == subscriptionKey) {
			p.denied(c.subj, isIn, o[0].lem)
		}
	case replaces[c.verb] && over:
		if o := c.object(); len(o) > 0 && o[0].proper {
			p.denied(c.subj, uses, o[0].lem)
		}
	case turnsTo[c.verb] && over:
		if o := c.phrase("from", "off"); len(o) > 0 && o[0].proper {
			p.denied(c.subj, uses, o[0].lem)
		}
	}
}

func (p *parser) denied(who []string, d deed, what string, mods ...string) {
	if w := p.noting(); len(w.denials) < maxDenials {
		w.denials = append(w.denials, denial{who: who, deed: d, what: what, mods: mods})
	}
}

// maxDenials bounds what is compared of one text.
const maxDenials = 8

// denyLabel reads a state that leaves something out: vegan, allergic to nuts, single.
func (p *parser) denyLabel(c *clause) {
	for i, x := range c.rest {
		if x.than || x.prep != "" && c.verb == "be" && x.prep != "on" {
			continue
		}
		for _, food := range excluded[x.lem] {
			p.denied(c.subj, eats, food)
		}
		if x.prep == "" && i == 0 && c.verb == "be" && x.end {
			for _, what := range lacking[x.lem] {
				p.denied(c.subj, has, what)
			}
		}
		if x.lem == "intolerant" && i > 0 {
			food := c.rest[i-1].lem
			if food == lactoseKey {
				food = "dairy"
			}
			p.denied(c.subj, eats, food)
		}
		if (x.low == "dead" || x.low == "deceased") && i == 0 && len(c.rest) == 1 {
			p.denied(c.subj, exists, "")
		}
		if x.lem == "allergic" {
			for _, y := range c.phrase("to") {
				p.denied(c.subj, eats, y.lem)
				p.habits.denials[len(p.habits.denials)-1].ever = true
			}
		}
	}
}

// denyFood reads what a clause says that somebody does not eat or drink.
func (p *parser) denyFood(c *clause) {
	o := c.object()
	if len(o) == 0 {
		return
	}
	if last := o[len(o)-1]; generic[last.lem] || last.lem == "food" || last.lem == "dish" || last.lem == "meal" || last.low == "anything" || last.low == "nothing" {
		o = c.phrase("with", "from")
	}
	if n := len(o); n > 0 && n < 4 && len(c.quals) == 0 && edible(o[n-1].lem) && o[0].det != "the" && o[0].det != "my" {
		p.denied(c.subj, eats, o[n-1].lem, lemsOf(o[:n-1])...)
	}
}

// denyThing reads a phrase as what somebody has not, or is not in.
func (p *parser) denyThing(c *clause, d deed, o []item, fits func(item) bool) {
	for len(o) > 0 && o[len(o)-1].low == "away" {
		o = o[:len(o)-1]
	}
	if len(o) == 0 || len(o) > 3 || !fits(o[0]) || generic[o[len(o)-1].lem] {
		return
	}
	var mods []string
	for _, x := range o[:len(o)-1] {
		mods = append(mods, x.lem)
	}
	p.denied(c.subj, d, o[len(o)-1].lem, mods...)
}

// edible reports a known food or drink, or a kind of it.
func edible(w string) bool {
	if foodKinds[w] {
		return true
	}
	return slices.ContainsFunc(hyponyms[w], func(k string) bool { return foodKinds[k] })
}

var foodKinds = lemmas("meat pork alcohol dairy seafood shellfish nut fish caffeine fruit gluten sugar egg honey")

// substitutes are words that make another thing of the food behind them: oat milk.
var substitutes = lemmas(`oat almond soy soya coconut rice cashew hazelnut pea hemp plant plant-based vegan vegetarian veggie tofu seitan mock meatless meat-free
alcohol-free non-alcoholic zero-alcohol virgin decaf decaffeinated gluten-free lactose-free dairy-free sugar-free peanut cocoa shea body root ginger`)

// substituted reports a word that makes another thing of the food behind it.
func substituted(x item) bool { return !x.end && substitutes[x.lem] }

// without reads what is denied without a verb of its own: "I grew up without any brothers",
// "Ada is an only child".
func (p *parser) without(t []token) {
	if len(t) < 4 || !t[0].first {
		return
	}
	who := t[0].lem
	switch k := pronoun(t[0].low); {
	case k == "@i" || k == "@we":
		who = p.selfKey()
	case k != "" || t[0].is(determiner) || t[0].raw[0] > 'Z':
		return
	}
	for i, x := range t {
		switch {
		case x.low == "only" && at(t, i+1) == "child" && t[1].is(formOfBe):
			p.denied([]string{who}, has, siblingKey)
		case x.low == "without" && doesWithout[t[1].lem]:
			for j := i + 1; j < len(t) && j < i+5 && at(t, i+1) != "my" && at(t, i+1) != "the"; j++ {
				if lackable[t[j].lem] {
					p.denied([]string{who}, has, t[j].lem)
				}
			}
		}
	}
}

// doesWithout are verbs that say of "without" that it is so for long.
var doesWithout = lemmas("grow live be get manage")
