package conflict

import "slices"

// compareDenials compares the denials of a with what b says.
func compareDenials(a, b *Analysis) Result {
	if a.rare == nil {
		return Result{}
	}
	for i := range a.rare.denials {
		d := &a.rare.denials[i]
		for j := range b.clauses {
			if d.contradicts(&b.clauses[j]) {
				return Result{scoreSlot, KindNegation}
			}
		}
		if d.act != actHas || b.rare == nil {
			continue
		}
		for _, h := range b.rare.belongings {
			if isA(h.what, d.what) && len(d.who) == 1 && sameWho(d.who[0], h.who) {
				return Result{scoreSlot, KindNegation}
			}
		}
	}
	return Result{}
}

func sameWho(x, y string) bool {
	return x == y || x == "@we" && y == "@i" || x == "@i" && y == "@we"
}

// contradicts reports whether a clause says what is denied.
func (d *denial) contradicts(c *clause) bool {
	if c.negated || c.hedged || c.weak || c.condition != "" || c.modality != asserted && !(d.unable && c.modality == ability) || c.frequency < 0 {
		return false
	}
	entered := joinVerbs[c.verb] || c.verb == "get" || c.verb == "adopt"
	if c.tense == future || c.tense == past && !entered || c.tense == perfect && !entered && c.verb != "have" && c.verb != "be" {
		return false
	}
	if d.act == actExists {
		return performVerbs[c.verb] && c.tense == present && len(c.subject) == len(d.who) && slices.EqualFunc(c.subject, d.who, func(x, y string) bool { return sameWho(x, y) || isA(x, y) })
	}
	if d.act != actUses && !(len(d.who) == len(c.subject) && slices.EqualFunc(d.who, c.subject, sameWho)) {
		return false
	}
	switch d.act {
	case actEats:
		if !(ingestVerbs[c.verb] || enjoyVerbs[c.verb]) || c.tense == past {
			return false
		}
		for i, x := range c.items {
			if x.compared || x.prep != "" && x.prep != "with" && x.prep != "of" && x.prep != "in" || !isA(x.lem, d.what) {
				continue
			}
			if i > 0 && isSubstitute(c.items[i-1]) && c.items[i-1].lem != d.what {
				continue
			}
			if isEmptyOrSubset(d.modifiers, lemsOf(c.items)) {
				return true
			}
		}
	case actHas:
		if !ownVerbs[c.verb] && !(c.tense != present && (c.verb == "get" || c.verb == "adopt")) {
			return false
		}
		o := c.object()
		for i, x := range o {
			if isA(x.lem, d.what) && (x.last || i+1 < len(o) && namingWords[o[i+1].low]) && x.det != "no" {
				return isEmptyOrSubset(d.modifiers, lemsOf(o))
			}
		}
	case actIsIn:
		var o []item
		switch {
		case joinVerbs[c.verb]:
			o = c.object()
		case c.verb == "belong":
			o = c.phrase("to")
		case c.verb == "be" && len(c.items) > 0 && c.items[0].lem == "member":
			o = c.phrase("of", "in", "at")
		case takePartVerbs[c.verb]:
			for i := range c.items {
				if membershipPrepositions[c.items[i].prep] {
					o = c.phrase(c.items[i].prep)
					break
				}
			}
		}
		return len(o) > 0 && o[len(o)-1].lem == d.what && isEmptyOrSubset(d.modifiers, lemsOf(o))
	case actUses:
		if len(d.who) == 1 && d.who[0][0] != '@' && !slices.Equal(d.who, c.subject) {
			return false // another person may still use it
		}
		if slices.Contains(c.subject, d.what) && len(c.subject) == 1 {
			return carryOutVerbs[c.verb] && !c.passive && c.verb != "be"
		}
		for _, x := range c.items {
			if x.lem == d.what && (x.proper || len(d.who) > 0 && slices.EqualFunc(d.who, c.subject, sameWho)) && !x.compared && (toolPrepositions[x.prep] || x.prep == "" && (c.verb == "use" || c.verb == "be" && len(c.items) == 1)) {
				return true
			}
		}
	}
	return false
}

func lemsOf(o []item) []string {
	out := make([]string, len(o))
	for i, x := range o {
		out[i] = x.lem
	}
	return out
}
