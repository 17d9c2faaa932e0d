package conflict

import (
	"slices"
	"strconv"
	"strings"
)

func (p *parser) selfKey() string {
	if p.self != "" {
		return p.self
	}
	return "@i"
}

// noteSubjectEnd returns the end of the subject of a note without a verb: before a colon, or
// before its first value or preposition; −1 if the text is no note.
func (p *parser) noteSubjectEnd(t []token, vals []value) int {
	if !p.isNote {
		return -1
	}
	for i, x := range t {
		if x.punctuation && x.low == ":" {
			return i
		}
	}
	for _, x := range t {
		if x.finite && !nounish[x.lem] && !x.ing {
			return -1
		}
	}
	if len(vals) == 0 || len(t) > 10 || vals[0].kind >= valueMoney {
		return -1
	}
	i := vals[0].index
	for i > 0 && (t[i-1].is(preposition) || t[i-1].punctuation || t[i-1].is(vagueWord)) {
		i--
	}
	return i
}

// subject reads the subject of a clause.
func (p *parser) subject(c *clause, t []token, vals []value, g *verbGroup) {
	c.named, c.open = true, true
	c.subject = make([]string, 0, min(len(t), 4))
	for i, x := range t {
		if x.punctuation || x.low == "'s" {
			continue
		}
		if i > 0 && (x.low == "who" || x.low == "which" || x.low == "that" && i+1 < len(t) && (t[i+1].finite || t[i+1].is(subjectForm))) {
			break
		}
		switch x.low {
		case "some", "most", "many", "few", "part", "half", "several", "certain", "one":
			c.weak = true
		case "no", "none", "nobody", "neither", "nothing":
			g.negated = !g.negated
			if x.low == "nobody" || x.low == "none" || x.low == "nothing" {
				c.subject = append(c.subject, "@any")
			}
			c.open = false
			continue
		case "everyone", "everybody", "someone", "somebody", "anyone", "everything":
			if x.low[0] == 's' {
				c.weak = true
			}
			c.subject = append(c.subject, "@any")
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
				c.subject = append(c.subject, k)
			}
			c.named = c.named && k == p.self
			if x.is(subjectForm) {
				c.open = false
			}
			continue
		}
		if x.low == "user" {
			c.subject, c.named, c.open = append(c.subject, p.selfKey()), false, false
			continue
		}
		if isLabel(t, i) {
			c.subject = append(c.subject, "#"+x.low)
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
			c.plural = c.plural || i == len(t)-1 && isPlural(x.low, x.lem)
		}
		if x.first && x.raw[0] >= 'a' {
			c.named = false
		}
		c.subject = append(c.subject, x.lem)
	}
	for _, v := range vals {
		if v.index < len(t) && len(t) > 0 && v.kind <= valueYear {
			c.subject = append(c.subject, "#"+string(rune('a'+int(v.kind)))+strconv.Itoa(int(v.num)))
		}
	}
	if c.named || c.open && !c.plural && !containsAny(c.subject, eventNouns) && !slices.ContainsFunc(t, func(x token) bool { return x.low == "a" || x.low == "an" || x.low == "another" || x.low == "any" }) {
		c.open = false
	}
	slices.Sort(c.subject)
	c.subject = slices.Compact(c.subject)
}

// isLabel reports a number or a letter that identifies a thing: studio 3, team B.
func isLabel(t []token, i int) bool {
	x := t[i]
	if i == 0 || t[i-1].punctuation || t[i-1].used || t[i-1].is(stopWord|preposition|determiner) {
		return false
	}
	return digits(x.raw) && len(x.raw) < 4 || len(x.raw) == 1 && x.raw[0] >= 'A' && x.raw[0] <= 'Z' && x.raw != "I"
}

func isPlural(low, lem string) bool {
	return strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") && low != lem || low == "children" || low == "people"
}
