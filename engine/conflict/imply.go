package conflict

// act is a verb and its object.
type act struct{ verb, object string }

// implied are the acts that a state excludes: who is a vegetarian eats no meat.
var implied = func() map[string][]act {
	m := map[string][]act{}
	for state, acts := range map[string][]act{
		"vegetarian": {{"eat", "meat"}, {"like", "meat"}, {"cook", "meat"}},
		"vegan":      {{"eat", "meat"}, {"eat", "dairy"}, {"eat", "egg"}, {"like", "meat"}, {"drink", "milk"}},
		"teetotaler": {{"drink", "alcohol"}},
		"teetotal":   {{"drink", "alcohol"}},
		"alive":      {{"die", ""}},
		"childless":  {{"have", "child"}},
		"non-smoker": {{"smoke", ""}},
		"nonsmoker":  {{"smoke", ""}},
	} {
		for _, a := range acts {
			m[lemma(state)] = append(m[lemma(state)], act{lemma(a.verb), lemma(a.object)})
		}
	}
	return m
}()

// imply adds the denials that a state or an allergy implies.
func (p *parser) imply(c *clause) {
	if c.verb != "be" && c.verb != "have" || c.neg || c.ended || c.mood != fact || c.hedged || c.tense == past || c.tense == future || c.weak || c.cond != "" || len(c.rest) == 0 {
		return
	}
	deny := func(verb, object string) {
		d := clause{subj: c.subj, named: c.named, verb: verb, neg: true, never: true}
		if verb == "die" {
			d.tense = perfect
		}
		if object != "" {
			d.rest = []item{{lem: object, low: object, end: true}}
		}
		p.out = append(p.out, d)
		d.mood = can // nor is one able to
		p.out = append(p.out, d)
	}
	if c.verb == "have" {
		for _, x := range c.rest {
			if x.lem == "coeliac" || x.lem == "celiac" {
				deny("eat", "gluten")
				deny("tolerat", "gluten")
			}
		}
		return
	}
	head := c.rest[0]
	if head.prep == "" && head.end {
		for _, a := range implied[head.lem] {
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
	if len(c.rest) == 2 && c.rest[1].lem == "intolerant" {
		deny("tolerat", head.lem)
		deny("eat", head.lem)
	}
	if len(c.rest) == 2 && head.lem == "only" && c.rest[1].lem == "child" {
		deny("have", siblingKey)
	}
}
