package conflict

import "strings"

// impliedAct is a verb and its object.
type impliedAct struct{ verb, object string }

// impliedDenials are the acts that a state excludes: a vegetarian eats no meat.
var impliedDenials = func() map[string][]impliedAct {
	m := map[string][]impliedAct{}
	for state, act := range wordLists.Keyed("impliedDenials") {
		verb, object, _ := strings.Cut(act, "_")
		m[lemma(state)] = append(m[lemma(state)], impliedAct{lemma(verb), lemma(object)})
	}
	return m
}()

// addImplied adds the denials that a state or an allergy implies.
func (p *parser) addImplied(c *clause) {
	if c.verb != "be" && c.verb != "have" || c.negated || c.ended || c.modality != asserted || c.hedged || c.tense == past || c.tense == future || c.weak || c.condition != "" || len(c.items) == 0 {
		return
	}
	deny := func(verb, object string) {
		d := clause{subject: c.subject, named: c.named, verb: verb, negated: true, never: true}
		if verb == "die" {
			d.tense = perfect
		}
		if object != "" {
			d.items = []item{{lem: object, low: object, last: true}}
		}
		p.out = append(p.out, d)
		d.modality = ability // and is not able to
		p.out = append(p.out, d)
	}
	if c.verb == "have" {
		for _, x := range c.items {
			if x.lem == "coeliac" || x.lem == "celiac" {
				deny("eat", "gluten")
				deny("tolerat", "gluten")
			}
		}
		return
	}
	head := c.items[0]
	if head.prep == "" && head.last {
		for _, a := range impliedDenials[head.lem] {
			deny(a.verb, a.object)
		}
	}
	if head.lem == "allergic" {
		if o := c.phrase("to"); len(o) == 1 {
			deny("eat", o[0].lem)
			deny("lik", o[0].lem)
			deny("tolerat", o[0].lem)
		}
	}
	if len(c.items) == 2 && c.items[1].lem == "intolerant" {
		deny("tolerat", head.lem)
		deny("eat", head.lem)
	}
	if len(c.items) == 2 && head.lem == "only" && c.items[1].lem == "child" {
		deny("have", "sibling")
	}
}
