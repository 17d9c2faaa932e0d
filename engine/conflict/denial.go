package conflict

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// denial is something that a person does not do, have or belong to, in any wording: "Ola is vegan"
// (eats no meat), "we sold the van" (have none), "he left the choir" (is not in it), "we replaced
// A with B" (use no A). It is compared with the clauses of the other statement. Few statements
// contain one, so the clauses are not prepared for it.
type denial struct {
	who       []string // keys of the persons; nil for all
	act       deniedAct
	what      string   // lemma of what is denied, or its class
	modifiers []string // words before it: the old van
	unable    bool     // the person cannot do it either
}

// deniedAct is the act that is denied.
type deniedAct int8

const (
	actEats   deniedAct = iota + 1 // eats or drinks it
	actHas                         // has, owns or keeps it
	actIsIn                        // belongs to it; plays, sings or works in it
	actUses                        // uses it, runs on it, keeps something in it
	actExists                      // exists and can act
)

// excludedFoods are the classes of food that a diet excludes.
var excludedFoods = lemmaLists("excludedFoods")

// lackingStates are what a person in a state does not have.
var lackingStates = lemmaLists("lackingStates")

// lemmaLists reads a list of entries "word: words" as lemmas.
func lemmaLists(name string) map[string][]string {
	m := map[string][]string{}
	for head, w := range wordLists.Keyed(name) {
		m[lemma(head)] = append(m[lemma(head)], lemma(w))
	}
	return m
}

var (
	ingestVerbs            = lemmas("eat drink have touch take consume tolerate order devour swallow sip")
	enjoyVerbs             = lemmas("like prefer crave order devour enjoy")
	avoidVerbs             = lemmas("avoid shun")
	ownVerbs               = lemmas("have own possess keep drive ride")
	disbandVerbs           = lemmas("disband dissolve fold split break die perish")
	performVerbs           = lemmas("play perform meet open sell serve work bake teach practise practice live run sing rehearse cook write offer travel train paint publish")
	giveAwayVerbs          = lemmas("sell donate")
	lossVerbs              = lemmas("lose bury")
	leaveGroupVerbs        = lemmas("leave quit resign withdraw")
	takePartVerbs          = lemmas("play sing act dance work serve study sit volunteer be stay train")
	joinVerbs              = lemmas("join attend enter")
	replaceVerbs           = lemmas("replace drop ditch abandon swap retire deprecate dump")
	switchVerbs            = lemmas("switch migrate move transition")
	carryOutVerbs          = lemmas("handle run host serve power do store send be process manage collect hold keep deliver")
	membershipPrepositions = english.WordSet("in at for with on")
	toolPrepositions       = english.WordSet("in on with via through by at to using into")
)

// readDenials reads what a clause denies.
func (p *parser) readDenials(c *clause) {
	if c.modality == notAsserted || c.hedged || c.weak || c.condition != "" || c.tense == future || c.frequency > 0 && c.negated {
		return
	}
	over := !c.negated && (c.tense == past || c.tense == perfect)
	switch {
	case c.negated && (c.tense == present || c.tense == perfect || c.never):
		switch {
		case c.verb == "use" && c.ended:
			if o := c.object(); len(o) == 1 && len(c.items) == 1 {
				p.addDenial(c.subject, actUses, o[0].lem)
			}
		case ingestVerbs[c.verb] || c.verb == "lik" && c.ended:
			p.denyFood(c)
		}
		if ownVerbs[c.verb] && c.modality == asserted {
			p.denyThing(c, actHas, c.object(), func(x item) bool {
				return x.det == "no" || x.det == "any" || x.det == "a" || x.det == "an" || x.det == ""
			})
		}
	case c.negated:
	case (c.verb == "be" || c.verb == "keep" || c.verb == "follow" || c.verb == "eat" || c.verb == "stay") && (c.tense == present || c.tense == perfect) && c.modality == asserted:
		p.denyByState(c)
		if c.verb == "be" && c.passive && c.tense != future && replaceVerbs[c.items[0].lem] && c.named && len(c.subject) == 1 {
			p.addDenial(nil, actUses, c.subject[0])
		}
	case avoidVerbs[c.verb] && c.tense == present:
		p.denyFood(c)
	case disbandVerbs[c.verb] && (over || c.passive) && len(c.items) < 3 && len(withoutOwner(c.subject)) > 0:
		if c.verb != "split" && c.verb != "break" && c.verb != closeKey && c.verb != "shut" || slices.ContainsFunc(c.items, func(x item) bool { return x.low == "up" || x.low == "down" }) {
			p.addDenial(c.subject, actExists, "")
		}
	case giveAwayVerbs[c.verb] && over, c.verb == giveKey && (over || c.tense == past) && slices.ContainsFunc(c.items, func(x item) bool { return x.low == "away" }):
		p.denyThing(c, actHas, c.object(), func(x item) bool { return x.det != "a" && x.det != "an" && x.low != "away" })
	case lossVerbs[c.verb] && over:
		p.denyThing(c, actHas, c.object(), func(x item) bool { return relatives[x.lem] })
	case leaveGroupVerbs[c.verb] && over:
		o := c.phrase("from", "at")
		if o == nil {
			o = c.object()
		}
		p.denyThing(c, actIsIn, o, func(x item) bool { return x.det != "a" && x.det != "an" })
	case c.verb == "cancel" && over:
		if o := c.object(); len(o) == 2 && (o[1].lem == "membership" || o[1].lem == "subscription") {
			p.addDenial(c.subject, actIsIn, o[0].lem)
		}
	case replaceVerbs[c.verb] && over:
		if o := c.object(); len(o) > 0 && o[0].proper {
			p.addDenial(c.subject, actUses, o[0].lem)
		}
	case switchVerbs[c.verb] && over:
		if o := c.phrase("from", "off"); len(o) > 0 && o[0].proper {
			p.addDenial(c.subject, actUses, o[0].lem)
		}
	}
}

func (p *parser) addDenial(who []string, d deniedAct, what string, mods ...string) {
	if w := p.rareFacts(); len(w.denials) < maxDenials {
		w.denials = append(w.denials, denial{who: who, act: d, what: what, modifiers: mods})
	}
}

// maxDenials is the maximum number of denials of a text.
const maxDenials = 8

// denyByState reads a state that excludes something: vegan, allergic to nuts, single.
func (p *parser) denyByState(c *clause) {
	for i, x := range c.items {
		if x.compared || x.prep != "" && c.verb == "be" && x.prep != "on" {
			continue
		}
		for _, food := range excludedFoods[x.lem] {
			p.addDenial(c.subject, actEats, food)
		}
		if x.prep == "" && i == 0 && c.verb == "be" && x.last {
			for _, what := range lackingStates[x.lem] {
				p.addDenial(c.subject, actHas, what)
			}
		}
		if x.lem == "intolerant" && i > 0 {
			food := c.items[i-1].lem
			if food == lactoseKey {
				food = "dairy"
			}
			p.addDenial(c.subject, actEats, food)
		}
		if (x.low == "dead" || x.low == "deceased") && i == 0 && len(c.items) == 1 {
			p.addDenial(c.subject, actExists, "")
		}
		if x.lem == "allergic" {
			for _, y := range c.phrase("to") {
				p.addDenial(c.subject, actEats, y.lem)
				p.rare.denials[len(p.rare.denials)-1].unable = true
			}
		}
	}
}

// denyFood reads what somebody does not eat or drink.
func (p *parser) denyFood(c *clause) {
	o := c.object()
	if len(o) == 0 {
		return
	}
	if last := o[len(o)-1]; generic[last.lem] || last.lem == "food" || last.lem == "dish" || last.lem == "meal" || last.low == "anything" || last.low == "nothing" {
		o = c.phrase("with", "from")
	}
	if n := len(o); n > 0 && n < 4 && len(c.qualifiers) == 0 && isFood(o[n-1].lem) && o[0].det != "the" && o[0].det != "my" {
		p.addDenial(c.subject, actEats, o[n-1].lem, lemsOf(o[:n-1])...)
	}
}

// denyThing reads a phrase as something that somebody does not have, or does not belong to.
func (p *parser) denyThing(c *clause, d deniedAct, o []item, fits func(item) bool) {
	for len(o) > 0 && o[len(o)-1].low == "away" {
		o = o[:len(o)-1]
	}
	if len(o) == 0 || len(o) > 3 || !fits(o[0]) || generic[o[len(o)-1].lem] {
		return
	}
	p.addDenial(c.subject, d, o[len(o)-1].lem, lemsOf(o[:len(o)-1])...)
}

// isFood reports a known food or drink, or a class of it.
func isFood(w string) bool {
	return foodKinds[w] || containsAny(hyponyms[w], foodKinds)
}

var foodKinds = lemmas("meat pork alcohol dairy seafood shellfish nut fish caffeine fruit gluten sugar egg honey")

// substituteWords make another thing of the food that follows: oat milk.
var substituteWords = lemmaSet("substituteWords")

// isSubstitute reports a word that makes another thing of the food that follows.
func isSubstitute(x item) bool { return !x.last && substituteWords[x.lem] }

// denyWithout reads denials without a verb: "I grew up without any brothers", "Ada is an only
// child".
func (p *parser) denyWithout(t []token) {
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
		case x.low == "only" && lowAt(t, i+1) == "child" && t[1].is(formOfBe):
			p.addDenial([]string{who}, actHas, "sibling")
		case x.low == "without" && withoutVerbs[t[1].lem]:
			for j := i + 1; j < len(t) && j < i+5 && lowAt(t, i+1) != "my" && lowAt(t, i+1) != "the"; j++ {
				if possessions[t[j].lem] {
					p.addDenial([]string{who}, actHas, t[j].lem)
				}
			}
		}
	}
}

// withoutVerbs are verbs before "without" for lasting states.
var withoutVerbs = lemmas("grow live be get manage")
