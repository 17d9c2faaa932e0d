package conflict

import (
	"slices"
	"strings"
)

func (p *parser) selfKey() string {
	if p.self != "" {
		return p.self
	}
	return "@i"
}

// fragment is where the subject of a note without a verb ends: before a colon, or
// before its first value or preposition.
func (p *parser) fragment(t []token, vals []value) int {
	if !p.note {
		return -1
	}
	for i, x := range t {
		if x.mark && x.low == ":" {
			return i
		}
	}
	for _, x := range t {
		if finite(x) && !nounish[x.lem] && !x.ing {
			return -1
		}
	}
	if len(vals) == 0 || len(t) > 10 || vals[0].kind >= valueMoney {
		return -1
	}
	i := vals[0].at
	for i > 0 && (t[i-1].is(preposition) || t[i-1].mark || t[i-1].is(vaguely)) {
		i--
	}
	return i
}

// subject reads who or what a clause is about.
func (p *parser) subject(c *clause, t []token, vals []value, g *group) {
	c.named, c.open = true, true
	c.subj = make([]string, 0, min(len(t), 4))
	for i, x := range t {
		if x.mark || x.low == "'s" {
			continue
		}
		if i > 0 && (x.low == "who" || x.low == "which" || x.low == "that" && i+1 < len(t) && (finite(t[i+1]) || t[i+1].is(subjectForm))) {
			break
		}
		switch x.low {
		case "some", "most", "many", "few", "part", "half", "several", "certain", "one":
			c.weak = true
		case "no", "none", "nobody", "neither", "nothing":
			g.neg = !g.neg
			if x.low == "nobody" || x.low == "none" || x.low == "nothing" {
				c.subj = append(c.subj, "@any")
			}
			c.open = false
			continue
		case "everyone", "everybody", "someone", "somebody", "anyone", "everything":
			if x.low[0] == 's' {
				c.weak = true
			}
			c.subj = append(c.subj, "@any")
			continue
		case "the", "my", "our", "your", "his", "her", "their", "its", "this", "every", "all":
			c.open = false
		case "and":
			c.plural = true
		}
		if k := pronoun(x.low); k != "" {
			if k == "@i" {
				k = p.selfKey()
			}
			if !(k == "@it" && len(t) > 1) {
				c.subj = append(c.subj, k)
			}
			c.named = c.named && k == p.self
			if x.is(subjectForm) {
				c.open = false
			}
			continue
		}
		if x.low == "user" {
			c.subj, c.named, c.open = append(c.subj, p.selfKey()), false, false
			continue
		}
		if label(t, i) {
			c.subj = append(c.subj, "#"+x.low)
			c.open = false
			continue
		}
		if x.used || x.is(stopWord) || strings.HasSuffix(x.low, "ly") && x.is(adverb) {
			continue
		}
		if i+1 < len(t) && t[i+1].low == "'s" || x.upper {
			c.open = false
		}
		if !x.upper && !x.first {
			c.named = false
			c.plural = c.plural || i == len(t)-1 && plural(x.low, x.lem)
		}
		if x.first && x.raw[0] >= 'a' {
			c.named = false
		}
		c.subj = append(c.subj, x.lem)
	}
	for _, v := range vals {
		if v.at < len(t) && len(t) > 0 && v.kind <= valueYear {
			c.subj = append(c.subj, "#"+string(rune('a'+int(v.kind)))+itoa(int(v.num)))
		}
	}
	if c.named || c.open && !c.plural && !slices.ContainsFunc(c.subj, isEvent) && !slices.ContainsFunc(t, func(x token) bool { return x.low == "a" || x.low == "an" || x.low == "another" || x.low == "any" }) {
		c.open = false
	}
	slices.Sort(c.subj)
	c.subj = slices.Compact(c.subj)
}

// label reports a number or a letter that says which one is meant: studio 3, team B.
func label(t []token, i int) bool {
	x := t[i]
	if i == 0 || t[i-1].mark || t[i-1].used || t[i-1].is(stopWord|preposition|determiner) {
		return false
	}
	return digits(x.raw) && len(x.raw) < 4 || len(x.raw) == 1 && x.raw[0] >= 'A' && x.raw[0] <= 'Z' && x.raw != "I"
}

func plural(low, lem string) bool {
	return strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") && low != lem || low == "children" || low == "people"
}
