package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// findVerb returns the index of the verb group of a segment, or −1.
func findVerb(t []token, shared bool) int {
	best, lead := -1, 0
	for lead < len(t)-1 && t[lead].is(adverb) {
		lead++
	}
	for i, x := range t {
		if x.punctuation && x.low == ":" {
			return -1
		}
		if x.used || !x.finite {
			continue
		}
		prev := lowAt(t, i-1)
		switch {
		case x.low == "'s":
			if !isCopula(t, i) {
				continue
			}
			return i
		case i > 0 && (determiners[prev] && !(x.strong && (prev == "this" || prev == "that" || prev == "these" || prev == "those" || prev == "some" || prev == "her")) || prepositions[prev] && prev != "off" && prev != "up" && prev != "in" || prev == "to"):
			continue
		case i > 0 && prepositions[prev] && !x.strong:
			continue
		case x.ing && !(i == lead && !shared && !hasVerb(t[1:])):
			continue
		case x.strong:
			if x.past && !x.is(formOfBe) && !x.is(formOfHave) && !x.is(formOfDo) && i+1 < len(t) && i > 0 && strongVerbLater(t, i) && !subjectPronoun[prev] {
				continue // "the meeting scheduled for Monday is"
			}
			return i
		case nounish[x.lem]:
			if i+1 < len(t) && (t[i+1].strong || t[i+1].low == "'s") {
				continue
			}
			if i == lead && !shared {
				if j := afterAdverbs(t, i+1); j < len(t) && x.low != x.lem && strings.HasSuffix(x.low, "s") && t[j].verb && isBaseForm(t[j]) && !nounish[t[j].lem] {
					continue // "logs now go to"
				}
				if n := lowAt(t, i+1); n != "" && (determiners[n] || pronoun(n) != "" || prepositions[n] || !strongVerbLater(t, i)) && !hasColon(t) {
					return i
				}
				continue
			}
			if strongVerbLater(t, i) && !subjectPronoun[prev] {
				continue
			}
			if isBaseForm(x) && i > 0 && !pluralSubject(t[:i]) && !(i+1 < len(t) && t[i+1].used) {
				continue
			}
			return i
		default:
			if i > 0 && i+1 < len(t) && t[i+1].strong && !subjectPronoun[prev] {
				continue // "tax returns are due"
			}
			if isBaseForm(x) && i > 0 && strongVerbLater(t, i) && !subjectPronoun[prev] && !adverbs[prev] {
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
	return slices.ContainsFunc(t, func(x token) bool { return x.punctuation && x.low == ":" })
}

// strongVerbLater reports whether an unmistakable verb follows i before the phrase ends.
func strongVerbLater(t []token, i int) bool {
	for j := i + 1; j < len(t) && j < i+8 && !t[j].punctuation; j++ {
		if low := t[j].low; low == "that" || low == "which" || low == "who" || low == "because" || low == "if" || low == "when" || low == "where" || low == "what" || subjectPronoun[low] {
			return false
		}
		if (t[j].is(formOfBe) && t[j].low != "'s" && t[j].low != "be" && t[j].low != "being" || t[j].is(modal) && t[j].low != "'d" || t[j].low == "has" || t[j].low == "does" || t[j].low == "did") && lowAt(t, j-1) != "to" {
			return true
		}
	}
	return false
}

func pluralSubject(t []token) bool {
	for j := len(t) - 1; j >= 0; j-- {
		x := t[j]
		if x.is(adverb) || x.punctuation || strings.HasSuffix(x.low, "ly") || x.low == "longer" || x.low == "no" && j+1 < len(t) && t[j+1].low == "longer" {
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

// readSegment reads one clause.
func (p *parser) readSegment(t []token) {
	for len(t) > 0 && (t[0].punctuation || t[0].is(joining) || t[0].is(interjection) && len(t) > 1 && t[0].low != "now") {
		t = t[1:]
	}
	for len(t) > 0 && t[len(t)-1].punctuation {
		t = t[:len(t)-1]
	}
	if len(t) < 2 || len(p.out) >= maxClauses || unsureWords[t[0].low] {
		return
	}
	p.readClause(t, false)
}

var unsureWords = english.WordSet("maybe perhaps possibly hopefully presumably apparently supposedly allegedly potentially")

// readClause reads a clause. flip negates it: it follows "I don't think".
func (p *parser) readClause(t []token, flip bool) {
	shared := len(p.subjectTokens) > 0
	vals := values(t, p.at)
	v := findVerb(t, shared)
	c := clause{values: vals}
	var g verbGroup
	var subject []token
	switch {
	case v < 0:
		split := p.noteSubjectEnd(t, vals)
		if split < 1 {
			return
		}
		subject = t[:split]
		g = verbGroup{verb: "be", be: true, end: split}
		if lowAt(t, split) == ":" {
			g.end++
		}
		for i := g.end; i < len(t); i++ {
			if t[i].low == "not" || t[i].low == "no" || t[i].low == "never" {
				return
			}
		}
		v = split
	default:
		g = readVerbGroup(t, v)
		subject = t[:v]
		if g.verb == "" {
			return
		}
	}
	for len(subject) > 0 && (subject[0].punctuation || subject[0].is(adverb) || subject[0].low == "currently" || len(subject) == 2 && subject[1].is(subjectForm) && strings.HasSuffix(subject[0].low, "ly") && !unsureWords[subject[0].low]) {
		if subject[0].low == "not" || subject[0].low == "maybe" || subject[0].low == "perhaps" {
			return
		}
		if subject[0].low == "always" || subject[0].low == "never" {
			if subject[0].low == "never" {
				g.negated, g.never = true, true
			} else {
				g.frequency = 1
			}
		}
		subject = subject[1:]
	}
	for len(subject) > 0 && (subject[len(subject)-1].is(adverb) || subject[len(subject)-1].low == "longer") {
		switch w := subject[len(subject)-1].low; {
		case w == "never" || w == "not":
			g.negated, g.never = !g.negated, true
		case w == "longer" && len(subject) > 1:
			g.negated, g.ended = true, true
			subject = subject[:len(subject)-1]
		case w == "almost" || w == "nearly":
			return
		case rareWords[w]:
			g.frequency = -1
		case oftenWords[w]:
			g.frequency = 1
		case w == "formerly" || w == "previously" || w == "originally" || w == "once":
			g.tense = past
		}
		subject = subject[:len(subject)-1]
	}
	imperative := false
	if len(subject) == 0 {
		switch {
		case shared:
			subject = p.subjectTokens
			if p.previous != nil && g.tense == present && !t[v].strong && isBaseForm(t[v]) {
				if p.previous.hedged || p.previous.modality != asserted || p.previous.tense == future {
					g.modality, g.hedged, g.tense = p.previous.modality, p.previous.hedged, p.previous.tense
					if p.previous.hedged {
						g.modality = notAsserted
					}
				}
			}
		case t[v].strong && !t[v].is(formOfDo) || t[v].ing || subjectlessVerbs[g.verb]:
			if t[v].is(formOfBe) {
				return
			}
			c.subject = []string{p.selfKey()}
		case isBaseForm(t[v]) || t[v].is(formOfDo):
			imperative = true
			c.subject = []string{"@you"}
			g.modality = max(g.modality, obligation)
		default:
			return
		}
	}
	if len(subject) > 0 {
		p.subject(&c, subject, vals, &g)
		if len(c.subject) == 0 {
			return
		}
	}
	p.subjectTokens, p.previous = subject, &g
	// opinions: "I think that …" states the clause, "Ann thinks that …" does not
	if opinionVerbs[g.verb] && !imperative && g.end < len(t) {
		if lowAt(t, g.end) == "that" || subjectPronoun[lowAt(t, g.end)] || (hasVerb(t[g.end:]) || findVerb(t[g.end:], false) > 0) && !isHedged(t, g.end) {
			own := len(c.subject) == 1 && (c.subject[0] == "@i" || c.subject[0] == "@we" || c.subject[0] == p.self)
			if !own || g.modality != asserted || g.negated && !deniedOpinions[g.verb] || reportVerbs[g.verb] {
				p.subjectTokens = nil
				return
			}
			inner := t[g.end:]
			for len(inner) > 0 && (inner[0].low == "that" || inner[0].punctuation || inner[0].low == "like") {
				inner = inner[1:]
			}
			for i := range inner {
				inner[i].used = false
			}
			p.subjectTokens = nil
			if len(inner) > 1 {
				p.readClause(inner, flip != g.negated)
			}
			return
		}
	}
	c.verb, c.progressive, c.negated, c.never, c.ended, c.frequency, c.tense, c.modality = g.verb, g.progressive, c.negated != (g.negated != flip), g.never, g.ended, g.frequency, g.tense, g.modality
	c.hedged = g.hedged
	if g.participle != "" {
		c.passive = true
	}
	p.readComplement(&c, t, g, v)
	if len(p.leadIn) > 0 {
		lead := slices.Clone(p.leadIn)
		lv := values(lead, p.at)
		c.values = append(c.values, lv...)
		p.readItems(&c, lead)
	}
	if len(p.condition) > 0 {
		c.condition = strings.TrimSpace(c.condition + " " + strings.Join(p.condition, " "))
	}
	for i := range c.values {
		c.values[i].beforeVerb = c.values[i].index < v
	}
	if c.modality == notAsserted {
		return
	}
	p.readAssertions(&c, g, t)
	p.out = append(p.out, c)
	p.addImplied(&c)
	p.readRareFacts(&c, t)
	if len(c.relative) > 1 && len(p.out) < maxClauses {
		p.readClause(c.relative, false)
	}
}

func isHedged(t []token, i int) bool {
	w := lowAt(t, i)
	return w == "to" || w == "about" || w == "of" || w == "how"
}

var reportVerbs = lemmas("hear doubt wonder assume imagine pretend dream suspect claim say tell")

// subjectlessVerbs begin a note about the speaker without a subject: "Love sushi".
var subjectlessVerbs = lemmas("like hate prefer live work have enjoy")
