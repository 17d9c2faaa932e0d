package conflict

import "slices"

// compareDenials holds what either statement denies against what the other says.
func compareDenials(a, b *Analysis) Result {
	if r := deniedBy(a, b); r.Score > 0 {
		return r
	}
	return deniedBy(b, a)
}

func deniedBy(a, b *Analysis) Result {
	if a.habits == nil {
		return Result{}
	}
	for i := range a.habits.denials {
		d := &a.habits.denials[i]
		for j := range b.clauses {
			if d.against(&b.clauses[j]) {
				return Result{scoreTopic, KindNegation, "one leaves out what the other says"}
			}
		}
		if d.deed != has || b.habits == nil {
			continue
		}
		for _, h := range b.habits.belongings {
			if isA(h.what, d.what) && len(d.who) == 1 && sameWho(d.who[0], h.who) {
				return Result{scoreTopic, KindNegation, "one has what the other has not"}
			}
		}
	}
	return Result{}
}

func sameWho(x, y string) bool {
	return x == y || x == "@we" && y == "@i" || x == "@i" && y == "@we"
}

// against reports whether a clause says what is denied.
func (d *denial) against(c *clause) bool {
	if c.neg || c.hedged || c.weak || c.cond != "" || c.mood != fact && !(d.ever && c.mood == can) || c.freq < 0 {
		return false
	}
	entered := enters[c.verb] || c.verb == "get" || c.verb == adoptKey
	if c.tense == future || c.tense == past && !entered || c.tense == perfect && !entered && c.verb != "have" && c.verb != "be" {
		return false
	}
	if d.deed == exists {
		return performs[c.verb] && c.tense == present && len(c.subj) == len(d.who) && slices.EqualFunc(c.subj, d.who, func(x, y string) bool { return sameWho(x, y) || isA(x, y) })
	}
	if d.deed != uses && !(len(d.who) == len(c.subj) && slices.EqualFunc(d.who, c.subj, sameWho)) {
		return false
	}
	switch d.deed {
	case eats:
		if !(ingests[c.verb] || enjoys[c.verb]) || c.tense == past {
			return false
		}
		for i, x := range c.rest {
			if x.than || x.prep != "" && x.prep != "with" && x.prep != "of" && x.prep != "in" || !isA(x.lem, d.what) {
				continue
			}
			if i > 0 && substituted(c.rest[i-1]) && c.rest[i-1].lem != d.what {
				continue
			}
			if subset0(d.mods, lemsOf(c.rest)) {
				return true
			}
		}
	case has:
		if !owns[c.verb] && !(c.tense != present && (c.verb == "get" || c.verb == adoptKey)) {
			return false
		}
		o := c.object()
		for i, x := range o {
			if isA(x.lem, d.what) && (x.end || i+1 < len(o) && calling[o[i+1].low]) && x.det != "no" {
				return subset0(d.mods, lemsOf(o))
			}
		}
	case isIn:
		var o []item
		switch {
		case enters[c.verb]:
			o = c.object()
		case c.verb == belongKey:
			o = c.phrase("to")
		case c.verb == "be" && len(c.rest) > 0 && c.rest[0].lem == "member":
			o = c.phrase("of", "in", "at")
		case takePart[c.verb]:
			for i := range c.rest {
				if joinWays[c.rest[i].prep] {
					o = c.phrase(c.rest[i].prep)
					break
				}
			}
		}
		return len(o) > 0 && o[len(o)-1].lem == d.what && subset0(d.mods, lemsOf(o))
	case uses:
		if len(d.who) == 1 && d.who[0][0] != '@' && !slices.Equal(d.who, c.subj) {
			return false // what Ann gave up Ben may use
		}
		if slices.Contains(c.subj, d.what) && len(c.subj) == 1 {
			return carries[c.verb] && !c.passiv && c.verb != "be"
		}
		for _, x := range c.rest {
			if x.lem == d.what && (x.proper || len(d.who) > 0 && slices.EqualFunc(d.who, c.subj, sameWho)) && !x.than && (toolWays[x.prep] || x.prep == "" && (c.verb == useKey || c.verb == "be" && len(c.rest) == 1)) {
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
