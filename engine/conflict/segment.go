package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// findVerb is the index of the verb group of a segment, or −1.
func findVerb(t []token, shared bool) int {
	best, lead := -1, 0
	for lead < len(t)-1 && t[lead].is(adverb) {
		lead++
	}
	for i, x := range t {
		if x.mark && x.low == ":" {
			return -1
		}
		if x.used || !finite(x) {
			continue
		}
		prev := at(t, i-1)
		switch {
		case x.low == "'s":
			if !copula(t, i) {
				continue
			}
			return i
		case i > 0 && (determiners[prev] && !(strongVerb(x) && (prev == "this" || prev == "that" || prev == "these" || prev == "those" || prev == "some" || prev == "her")) || prepositions[prev] && prev != "off" && prev != "up" && prev != "in" || prev == "to"):
			continue
		case i > 0 && prepositions[prev] && !strongVerb(x):
			continue
		case x.ing && !(i == lead && !shared && !hasVerb(t[1:])):
			continue
		case strongVerb(x):
			if x.past && !x.is(formOfBe) && !x.is(formOfHave) && !x.is(formOfDo) && i+1 < len(t) && i > 0 && strongLater(t, i) && !subjectPronoun[prev] {
				continue // "the meeting scheduled for Monday is"
			}
			return i
		case nounish[x.lem]:
			if i+1 < len(t) && (strongVerb(t[i+1]) || t[i+1].low == "'s") {
				continue
			}
			if i == lead && !shared {
				if j := afterAdverbs(t, i+1); j < len(t) && x.low != x.lem && strings.HasSuffix(x.low, "s") && t[j].verb && baseForm(t[j]) && !nounish[t[j].lem] {
					continue // "logs now go to"
				}
				if n := at(t, i+1); n != "" && (determiners[n] || pronoun(n) != "" || prepositions[n] || !strongLater(t, i)) && !hasColon(t) {
					return i
				}
				continue
			}
			if strongLater(t, i) && !subjectPronoun[prev] {
				continue
			}
			if baseForm(x) && i > 0 && !pluralSubject(t[:i]) && !(i+1 < len(t) && t[i+1].used) {
				continue
			}
			return i
		default:
			if i > 0 && i+1 < len(t) && strongVerb(t[i+1]) && !subjectPronoun[prev] {
				continue // "tax returns are due"
			}
			if baseForm(x) && i > 0 && strongLater(t, i) && !subjectPronoun[prev] && !adverbs[prev] {
				if best < 0 && pluralSubject(t[:i]) {
					best = i
				}
				continue
			}
			return i
		}
	}
	return best
}

func hasColon(t []token) bool {
	return slices.ContainsFunc(t, func(x token) bool { return x.mark && x.low == ":" })
}

// strongLater reports whether an unmistakable verb follows i before the phrase ends.
func strongLater(t []token, i int) bool {
	for j := i + 1; j < len(t) && j < i+8 && !t[j].mark; j++ {
		if low := t[j].low; low == "that" || low == "which" || low == "who" || low == "because" || low == "if" || low == "when" || low == "where" || low == "what" || subjectPronoun[low] {
			return false
		}
		if (t[j].is(formOfBe) && t[j].low != "'s" && t[j].low != "be" && t[j].low != "being" || t[j].is(modal) && t[j].low != "'d" || t[j].low == "has" || t[j].low == "does" || t[j].low == "did") && at(t, j-1) != "to" {
			return true
		}
	}
	return false
}

func pluralSubject(t []token) bool {
	for j := len(t) - 1; j >= 0; j-- {
		x := t[j]
		if x.is(adverb) || x.mark || strings.HasSuffix(x.low, "ly") || x.low == "longer" || x.low == "no" && j+1 < len(t) && t[j+1].low == "longer" {
			continue
		}
		if x.low == "i" || x.low == "we" || x.low == "you" || x.low == "they" || x.low == "people" || x.low == "who" {
			return true
		}
		if strings.HasSuffix(x.low, "s") && !strings.HasSuffix(x.low, "ss") && x.low != "'s" && !x.upper && !x.first {
			return true
		}
		for _, y := range t[:j] {
			if y.low == "and" {
				return true
			}
		}
		return false
	}
	return false
}

// segment reads one clause.
func (p *parser) segment(t []token) {
	for len(t) > 0 && (t[0].mark || t[0].is(joining) || t[0].is(interjection) && len(t) > 1 && t[0].low != "now") {
		t = t[1:]
	}
	for len(t) > 0 && t[len(t)-1].mark {
		t = t[:len(t)-1]
	}
	if len(t) < 2 || len(p.out) >= maxClauses || unsure[t[0].low] {
		return
	}
	p.read(t, false)
}

var unsure = english.WordSet("maybe perhaps possibly hopefully presumably apparently supposedly allegedly potentially")

// read reads a clause; flip is set where it stands under "I don't think".
func (p *parser) read(t []token, flip bool) {
	shared := len(p.subjT) > 0
	vals := values(t, p.at)
	v := findVerb(t, shared)
	c := clause{vals: vals}
	var g group
	var subject []token
	switch {
	case v < 0:
		split := p.fragment(t, vals)
		if split < 1 {
			return
		}
		subject = t[:split]
		g = group{verb: "be", be: true, end: split}
		if at(t, split) == ":" {
			g.end++
		}
		for i := g.end; i < len(t); i++ {
			if t[i].low == "not" || t[i].low == "no" || t[i].low == "never" {
				return
			}
		}
		v = split
	default:
		g = readGroup(t, v)
		subject = t[:v]
		if g.verb == "" {
			return
		}
	}
	for len(subject) > 0 && (subject[0].mark || subject[0].is(adverb) || subject[0].low == "currently" || len(subject) == 2 && subject[1].is(subjectForm) && strings.HasSuffix(subject[0].low, "ly") && !unsure[subject[0].low]) {
		if subject[0].low == "not" || subject[0].low == "maybe" || subject[0].low == "perhaps" {
			return
		}
		if subject[0].low == "always" || subject[0].low == "never" {
			if subject[0].low == "never" {
				g.neg, g.never = true, true
			} else {
				g.freq = 1
			}
		}
		subject = subject[1:]
	}
	for len(subject) > 0 && (subject[len(subject)-1].is(adverb) || subject[len(subject)-1].low == "longer") {
		switch w := subject[len(subject)-1].low; {
		case w == "never" || w == "not":
			g.neg, g.never = !g.neg, true
		case w == "longer" && len(subject) > 1:
			g.neg, g.ended = true, true
			subject = subject[:len(subject)-1]
		case w == "almost" || w == "nearly":
			return
		case rareWords[w]:
			g.freq = -1
		case oftenWords[w]:
			g.freq = 1
		case w == "formerly" || w == "previously" || w == "originally" || w == "once":
			g.tense = past
		}
		subject = subject[:len(subject)-1]
	}
	imperative := false
	if len(subject) == 0 {
		switch {
		case shared:
			subject = p.subjT
			if p.prev != nil && g.tense == present && !strongVerb(t[v]) && baseForm(t[v]) {
				if p.prev.hedged || p.prev.mood != fact || p.prev.tense == future {
					g.mood, g.hedged, g.tense = p.prev.mood, p.prev.hedged, p.prev.tense
					if p.prev.hedged {
						g.mood = aside
					}
				}
			}
		case strongVerb(t[v]) && !t[v].is(formOfDo) || t[v].ing || ownVerbs[g.verb]:
			if t[v].is(formOfBe) {
				return
			}
			c.subj = []string{p.selfKey()}
		case baseForm(t[v]) || t[v].is(formOfDo):
			imperative = true
			c.subj = []string{"@you"}
			g.mood = max(g.mood, must)
		default:
			return
		}
	}
	if len(subject) > 0 {
		p.subject(&c, subject, vals, &g)
		if len(c.subj) == 0 {
			return
		}
	}
	p.subjT, p.prev = subject, &g
	// opinions: "I think that …" says it, "Ann thinks that …" does not
	if opinionVerbs[g.verb] && !imperative && g.end < len(t) {
		if at(t, g.end) == "that" || subjectPronoun[at(t, g.end)] || (hasVerb(t[g.end:]) || findVerb(t[g.end:], false) > 0) && !hedgedTo(t, g.end) {
			own := len(c.subj) == 1 && (c.subj[0] == "@i" || c.subj[0] == "@we" || c.subj[0] == p.self)
			if !own || g.mood != fact || g.neg && !rawOpinions[g.verb] || reported[g.verb] {
				p.subjT = nil
				return
			}
			inner := t[g.end:]
			for len(inner) > 0 && (inner[0].low == "that" || inner[0].mark || inner[0].low == "like") {
				inner = inner[1:]
			}
			for i := range inner {
				inner[i].used = false
			}
			p.subjT = nil
			if len(inner) > 1 {
				p.read(inner, flip != g.neg)
			}
			return
		}
	}
	c.verb, c.ing, c.neg, c.never, c.ended, c.freq, c.tense, c.mood = g.verb, g.ing, c.neg != (g.neg != flip), g.never, g.ended, g.freq, g.tense, g.mood
	c.hedged = g.hedged
	if g.part != "" {
		c.passiv = true
	}
	p.complement(&c, t, g, v)
	if len(p.lead) > 0 {
		lead := slices.Clone(p.lead)
		lv := values(lead, p.at)
		c.vals = append(c.vals, lv...)
		p.items(&c, lead)
	}
	if len(p.cond) > 0 {
		c.cond = strings.TrimSpace(c.cond + " " + strings.Join(p.cond, " "))
	}
	for i := range c.vals {
		c.vals[i].before = c.vals[i].at < v
	}
	if c.mood == aside {
		return
	}
	p.assert(&c, g, t)
	p.out = append(p.out, c)
	p.imply(&c)
	p.habitsOf(&c, t)
	if len(c.who) > 1 && len(p.out) < maxClauses {
		p.read(c.who, false)
	}
}

func hedgedTo(t []token, i int) bool {
	w := at(t, i)
	return w == "to" || w == "about" || w == "of" || w == "how"
}

var reported = lemmas("hear doubt wonder assume imagine pretend dream suspect claim say tell")

// ownVerbs begin a note about oneself where the subject is left out: "Love sushi".
var ownVerbs = lemmas("like hate prefer live work have enjoy")
