package conflict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

func itoa(n int) string { return strconv.Itoa(n) }

// qualWords limit when or where something holds.
var qualWords = lemmas("morning evening afternoon night weekend weekday summer winter spring autumn fall holiday lunch breakfast dinner christmas season weekends mornings evenings nights")

var periods = lemmas("year month week weekend summer winter spring autumn fall quarter morning evening night afternoon semester term season")

var meals = lemmas("lunch breakfast dinner holiday christmas")

// endWords close the part of a segment that is the clause's own.
var endWords = english.WordSet("which who whom whose because although though whereas while since so where why how what and/or")

// complement reads what stands behind the verb group.
func (p *parser) complement(c *clause, t []token, g group, v int) {
	tail := t[min(g.end, len(t)):]
	if g.part != "" {
		c.rest = append(c.rest, item{lem: g.part, low: g.part, end: true})
	}
	p.items(c, tail)
	p.settle(c)
	if g.part != "" && (reschedules[g.part] || adjusts[g.part]) && c.tense != future && len(c.vals) > 0 {
		if c.tense == past {
			c.tense = present // "was moved to Friday" says when it is
		}
		c.vals = slices.DeleteFunc(c.vals, func(v value) bool { return v.prep == "from" && len(c.vals) > 1 })
		if adjusts[g.part] {
			c.rest, c.passiv = slices.DeleteFunc(c.rest, func(x item) bool { return x.lem == g.part }), false
		}
	}
	// "we moved the meeting to Friday" is about the meeting
	if reschedules[c.verb] && !c.neg && c.tense != future && !c.hedged && len(c.vals) > 0 {
		if o := c.object(); len(o) > 0 && isEvent(o[len(o)-1].lem) && c.phrase("to") == nil {
			c.subj, c.named, c.plural = nil, false, false
			for _, x := range o {
				c.subj = append(c.subj, x.lem)
			}
			slices.Sort(c.subj)
			c.open = o[0].det == "a" || o[0].det == "an"
			c.verb, c.tense, c.rest = "be", present, nil
			c.vals = slices.DeleteFunc(c.vals, func(v value) bool { return v.prep == "from" && len(c.vals) > 1 })
		}
	}
}

// settle brings wordings of one thing under one verb.
func (p *parser) settle(c *clause) {
	person := c.named || len(c.subj) == 1 && c.subj[0][0] == '@' || slices.ContainsFunc(c.subj, func(s string) bool { return kin[s] })
	switch {
	case c.verb == "be" && len(c.subj) == 1 && c.subj[0] == "@there":
		c.there()
	case c.verb == "have":
		c.allergy()
	}
	switch {
	case c.verb == "learn" && c.neg && len(c.rest) > 0 && c.rest[0].prep == "to" && isVerb(c.rest[0].lem): // cannot swim
		c.verb, c.mood, c.tense, c.rest = c.rest[0].lem, max(c.mood, can), present, c.rest[1:]
	case c.verb == becomeKey && c.mood == fact:
		c.verb = "be"
		if c.tense == past || c.tense == perfect {
			c.tense = present
		}
	case c.verb == "call" && len(c.rest) > 1 && slices.ContainsFunc(c.rest, func(x item) bool { return x.low == "off" }):
		c.verb = cancelKey
		c.rest = slices.DeleteFunc(c.rest, func(x item) bool { return x.low == "off" })
	case c.verb == "pass" && len(c.rest) > 0 && c.rest[0].low == "away":
		c.verb, c.rest = "die", c.rest[1:]
	case c.verb == "turn" && len(c.rest) == 0 && len(c.vals) > 0 && person:
		c.verb, c.tense = "be", present
	case c.verb == "be" && c.tense == perfect && !c.passiv && len(c.rest) > 0 && c.rest[0].prep == "to":
		c.verb = visitKey
		c.bare("to")
	case c.verb == "go" && c.tense == past && len(c.rest) > 0 && c.rest[0].prep == "to" && (c.rest[0].proper || isPlace(c.rest[0].low)):
		c.verb = visitKey
		c.bare("to")
	}
	if c.verb != "be" || len(c.vals) != 1 || len(c.rest) > 0 {
		return
	}
	v := &c.vals[0]
	if i := slices.Index(c.subj, "age"); i >= 0 && len(c.subj) > 1 && (v.kind == valueNumber || v.unit == "month") {
		c.subj, person = slices.Delete(slices.Clone(c.subj), i, i+1), true
	}
	if v.kind == valueNumber && person && v.num >= 1 && v.num <= 120 {
		v.kind, v.unit, v.num = valueQuantity, "age", v.num*12
	} else if v.kind == valueQuantity && v.unit == "month" && person {
		v.unit = "age"
	}
}

// there reads "there is a balcony in the flat" as what the flat has.
func (c *clause) there() {
	where := c.phrase("in", "at", "on")
	n := len(c.rest) - len(where)
	if len(where) == 0 || n < 1 || where[0].det != "the" && where[0].det != "my" || c.rest[n].prep != where[0].prep {
		return
	}
	for _, x := range where {
		c.subj = append(c.subj, x.lem)
	}
	c.subj = c.subj[1:]
	slices.Sort(c.subj)
	c.verb, c.rest, c.named, c.open, c.plural = "have", c.rest[:n], false, false, false
}

// allergy reads "has a nut allergy" as what one is allergic to.
func (c *clause) allergy() {
	o := c.object()
	if len(o) == 0 || o[len(o)-1].lem != allergyKey || len(o) != len(c.rest) && c.phrase("to") == nil {
		return
	}
	rest := []item{{lem: "allergic", low: "allergic", end: true}}
	for _, x := range slices.Concat(o[:len(o)-1], c.phrase("to")) {
		x.prep, x.end = "to", true
		rest = append(rest, x)
	}
	c.verb, c.rest = "be", rest
}

var allergyKey = lemma("allergy")

// bare takes the preposition off the words that hang on it.
func (c *clause) bare(prep string) {
	for i := range c.rest {
		if c.rest[i].prep == prep {
			c.rest[i].prep = ""
		}
	}
}

var becomeKey, visitKey = lemma("become"), lemma("visit")

var kin = lemmas("wife mother father brother sister son daughter child cousin uncle aunt nephew niece grandmother grandfather grandma grandpa boss friend roommate neighbor colleague baby dog cat")

var adjusts = lemmas("raise lower increase decrease reduce change bump cut set adjust extend shorten")

var reschedules = lemmas("move reschedule postpone push shift schedule set delay bring advance")

// maxItems is how many words of a clause are kept: what lists more is no statement, and
// words are compared each with each.
const maxItems = 32

func (p *parser) items(c *clause, t []token) {
	prep, det, than := "", "", false
	if c.rest == nil {
		c.rest = make([]item, 0, min(worded(t), maxItems))
	}
	for i := 0; i < len(t) && len(c.rest) < maxItems; i++ {
		x := t[i]
		if x.mark {
			prep, det = "", ""
			than = false
			continue
		}
		switch low := x.low; {
		case low == "if" || low == "when" || low == "whenever" || low == "unless":
			c.cond = strings.Join(content(t[i:]), " ")
			return
		case low == "who" && c.verb == "be":
			c.who = t[i+1:]
			return
		case endWords[low] && (low != "so" || i > 0) && low != "how" && low != "what":
			if low == "since" && i+1 < len(t) && t[i+1].used {
				prep = low
				continue
			}
			return
		case low == "that" && i+1 < len(t) && (pronoun(t[i+1].low) != "" || strongVerb(t[i+1]) || t[i+1].is(determiner) || t[i+1].upper):
			return
		case low == "not" || low == "never":
			if low == "not" && notNot[at(t, i+1)] {
				i++
				continue
			}
			if len(c.rest) == 0 && len(c.vals) == 0 {
				c.neg = !c.neg
				continue
			}
			return
		case low == "no" && at(t, i+1) == "longer":
			c.neg, c.ended = true, true
			i++
			continue
		case low == "no":
			if n := at(t, i+1); n == "problem" || n == "doubt" || n == "wonder" || n == "matter" || n == "idea" || n == "worries" || n == "more" || n == "less" || n == "1" {
				c.mood = aside
				return
			}
			c.neg, det = !c.neg, "no"
			continue
		case low == "nothing" || low == "nobody" || low == "none":
			if at(t, i+1) == "but" {
				i++
				continue
			}
			c.neg = !c.neg
			continue
		case low == "anymore" || low == "longer" && at(t, i-1) == "any" || low == "more" && at(t, i-1) == "any" && i == len(t)-1:
			if c.neg {
				c.ended = true
			}
			continue
		case low == "instead" || low == "except" || low == "unlike" || low == "besides" || low == "without" || low == "despite":
			i = phraseEnd(t, i+1) - 1
			if low == "without" {
				c.cond = strings.TrimSpace(c.cond + " without " + t[min(i, len(t)-1)].lem)
			}
			continue
		case low == "rather" && at(t, i+1) == "than" || low == "than" || low == "over" && c.verb == preferKey:
			than = true
			continue
		case low == "to" && c.verb == preferKey && len(c.rest) > 0:
			than = true
			continue
		case low == "maybe" || low == "perhaps" || low == "hopefully" || low == "possibly" || low == "potentially":
			c.mood = aside
			return
		case rareWords[low]:
			c.freq = -1
			continue
		case oftenWords[low]:
			c.freq = 1
			continue
		case (low == "but" || low == "and" || low == "or" || low == "then") && at(t, i+1) == "not":
			return
		case low == "ago" || low == "formerly" || low == "previously":
			if c.tense == present {
				c.tense = past
			}
			continue
		case low == "before" && i == len(t)-1:
			continue
		case (low == "last" || low == "next" || low == "this" || low == "past") && i+1 < len(t) && periods[t[i+1].lem]:
			i++
			continue
		case low == "ahead" && at(t, i+1) == "of":
			prep, det = low, ""
			i++
			continue
		case prepositions[low] && !opposedParticle[low]:
			prep, det = low, ""
			continue
		case opposedParticle[low]:
			if i+1 < len(t) && !t[i+1].mark && t[i+1].low != "in" && t[i+1].low != "for" && t[i+1].low != "by" && low != "up" && low != "down" && low != "off" && low != "out" {
				prep, det = low, ""
				continue
			}
			if (low == "on" || low == "off" || low == "up" || low == "down" || low == "out" || low == "in") && (i == len(t)-1 || t[i+1].mark || t[i+1].low == "in" || t[i+1].low == "for" || t[i+1].low == "by" || low == "up" || low == "down" || low == "off" || low == "out") {
				c.rest = append(c.rest, item{lem: low, low: low, end: true})
				prep = low
			}
			continue
		case low == "'s":
			if n := len(c.rest); n > 0 {
				c.rest[n-1].end = false
			}
			continue
		case determiners[low] || low == "both" || low == "all":
			det = low
			if low == "every" || low == "each" {
				if !c.neg {
					c.freq = max(c.freq, 1)
				}
				continue
			}
			if k := pronoun(low); k == "@i" || k == "@we" {
				det = "my"
			}
			continue
		case x.used:
			continue
		case stop[low] || adverbs[low]:
			if low == "and" || low == "or" || low == "but" {
				det = ""
			}
			continue
		}
		if qualWords[x.lem] && (prep != "" || det == "every" || det == "each" || i == 0 && len(c.rest) == 0 && det == "" && !meals[x.lem]) {
			c.quals = append(c.quals, x.lem)
			continue
		}
		degree := ""
		if d := at(t, i-1); d == "more" || d == "less" {
			degree = d
		}
		last := i+1 >= len(t) || t[i+1].mark || t[i+1].used || t[i+1].is(stopWord) || t[i+1].is(preposition) || t[i+1].is(adverb) || t[i+1].is(determiner) || t[i+1].low == "last" || t[i+1].low == "next"
		c.rest = append(c.rest, item{lem: x.lem, low: x.low, prep: prep, det: det, end: last, proper: x.upper, than: than, degree: degree})
	}
	for _, v := range c.vals {
		if v.habit && v.kind == valueWeekday {
			c.quals = append(c.quals, "weekday"+itoa(int(v.num)))
		}
	}
	slices.Sort(c.quals)
	c.quals = slices.Compact(c.quals)
}

// worded is how many tokens may say something of a thing.
func worded(t []token) int {
	n := 0
	for _, x := range t {
		if !x.mark && !x.is(stopWord) {
			n++
		}
	}
	return n
}

var opposedParticle = english.WordSet("on off up down in out")

var preferKey = lemma("prefer")

// phraseEnd is where the phrase that begins at i ends.
func phraseEnd(t []token, i int) int {
	for i < len(t) && !t[i].mark && !t[i].is(joining) {
		i++
	}
	return i
}
