package conflict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// qualifierWords restrict when or where something holds.
var qualifierWords = lemmas("morning evening afternoon night weekend weekday summer winter spring autumn fall holiday lunch breakfast dinner christmas season weekends mornings evenings nights")

var periodNouns = lemmas("year month week weekend summer winter spring autumn fall quarter morning evening night afternoon semester term season")

var mealNouns = lemmas("lunch breakfast dinner holiday christmas")

// clauseEndWords end the predicate of a clause.
var clauseEndWords = english.WordSet("which who whom whose because although though whereas while since so where why how what and/or")

// readComplement reads the predicate after the verb group.
func (p *parser) readComplement(c *clause, t []token, g verbGroup, v int) {
	tail := t[min(g.end, len(t)):]
	if g.participle != "" {
		c.items = append(c.items, item{lem: g.participle, low: g.participle, last: true})
	}
	p.readItems(c, tail)
	p.normalise(c)
	if g.participle != "" && (rescheduleVerbs[g.participle] || adjustVerbs[g.participle]) && c.tense != future && len(c.values) > 0 {
		if c.tense == past {
			c.tense = present // "was moved to Friday" states the current date
		}
		c.values = slices.DeleteFunc(c.values, func(v value) bool { return v.prep == "from" && len(c.values) > 1 })
		if adjustVerbs[g.participle] {
			c.items, c.passive = slices.DeleteFunc(c.items, func(x item) bool { return x.lem == g.participle }), false
		}
	}
	// "we moved the meeting to Friday" is about the meeting
	if rescheduleVerbs[c.verb] && !c.negated && c.tense != future && !c.hedged && len(c.values) > 0 {
		if o := c.object(); len(o) > 0 && eventNouns[o[len(o)-1].lem] && c.phrase("to") == nil {
			c.subject, c.named, c.plural = lemsOf(o), false, false
			slices.Sort(c.subject)
			c.open = o[0].det == "a" || o[0].det == "an"
			c.verb, c.tense, c.items = "be", present, nil
			c.values = slices.DeleteFunc(c.values, func(v value) bool { return v.prep == "from" && len(c.values) > 1 })
		}
	}
}

// normalise maps different wordings of the same statement to one verb.
func (p *parser) normalise(c *clause) {
	person := c.named || len(c.subject) == 1 && c.subject[0][0] == '@' || slices.ContainsFunc(c.subject, func(s string) bool { return relatives[s] })
	switch {
	case c.verb == "be" && len(c.subject) == 1 && c.subject[0] == "@there":
		c.normaliseThere()
	case c.verb == "have":
		c.normaliseAllergy()
	}
	switch {
	case c.verb == "learn" && c.negated && len(c.items) > 0 && c.items[0].prep == "to" && isVerb(c.items[0].lem): // cannot swim
		c.verb, c.modality, c.tense, c.items = c.items[0].lem, max(c.modality, ability), present, c.items[1:]
	case c.verb == becomeKey && c.modality == asserted:
		c.verb = "be"
		if c.tense == past || c.tense == perfect {
			c.tense = present
		}
	case c.verb == "call" && len(c.items) > 1 && slices.ContainsFunc(c.items, func(x item) bool { return x.low == "off" }):
		c.verb = "cancel"
		c.items = slices.DeleteFunc(c.items, func(x item) bool { return x.low == "off" })
	case c.verb == "pass" && len(c.items) > 0 && c.items[0].low == "away":
		c.verb, c.items = "die", c.items[1:]
	case c.verb == "turn" && len(c.items) == 0 && len(c.values) > 0 && person:
		c.verb, c.tense = "be", present
	case c.verb == "be" && c.tense == perfect && !c.passive && len(c.items) > 0 && c.items[0].prep == "to":
		c.verb = "visit"
		c.dropPreposition("to")
	case c.verb == "go" && c.tense == past && len(c.items) > 0 && c.items[0].prep == "to" && (c.items[0].proper || isPlace(c.items[0].low)):
		c.verb = "visit"
		c.dropPreposition("to")
	}
	if c.verb != "be" || len(c.values) != 1 || len(c.items) > 0 {
		return
	}
	v := &c.values[0]
	if i := slices.Index(c.subject, "age"); i >= 0 && len(c.subject) > 1 && (v.kind == valueNumber || v.unit == "month") {
		c.subject, person = slices.Delete(slices.Clone(c.subject), i, i+1), true
	}
	if v.kind == valueNumber && person && v.num >= 1 && v.num <= 120 {
		v.kind, v.unit, v.num = valueQuantity, "age", v.num*12
	} else if v.kind == valueQuantity && v.unit == "month" && person {
		v.unit = "age"
	}
}

// normaliseThere reads "there is a balcony in the flat" as "the flat has a balcony".
func (c *clause) normaliseThere() {
	where := c.phrase("in", "at", "on")
	n := len(c.items) - len(where)
	if len(where) == 0 || n < 1 || where[0].det != "the" && where[0].det != "my" || c.items[n].prep != where[0].prep {
		return
	}
	c.subject = append(c.subject[1:], lemsOf(where)...)
	slices.Sort(c.subject)
	c.verb, c.items, c.named, c.open, c.plural = "have", c.items[:n], false, false, false
}

// normaliseAllergy reads "has a nut allergy" as "is allergic to nuts".
func (c *clause) normaliseAllergy() {
	o := c.object()
	if len(o) == 0 || o[len(o)-1].lem != "allergy" || len(o) != len(c.items) && c.phrase("to") == nil {
		return
	}
	rest := []item{{lem: "allergic", low: "allergic", last: true}}
	for _, x := range slices.Concat(o[:len(o)-1], c.phrase("to")) {
		x.prep, x.last = "to", true
		rest = append(rest, x)
	}
	c.verb, c.items = "be", rest
}

// dropPreposition removes a preposition from the items.
func (c *clause) dropPreposition(prep string) {
	for i := range c.items {
		if c.items[i].prep == prep {
			c.items[i].prep = ""
		}
	}
}

var relatives = lemmas("wife mother father brother sister son daughter child cousin uncle aunt nephew niece grandmother grandfather grandma grandpa boss friend roommate neighbor colleague baby dog cat")

var adjustVerbs = lemmas("raise lower increase decrease reduce change bump cut set adjust extend shorten")

var rescheduleVerbs = lemmas("move reschedule postpone push shift schedule set delay bring advance")

// maxItems is the maximum number of items of a clause. The items of two clauses are compared with
// each other.
const maxItems = 32

func (p *parser) readItems(c *clause, t []token) {
	prep, det, than := "", "", false
	if c.items == nil {
		c.items = make([]item, 0, min(len(t)/2+1, maxItems))
	}
	for i := 0; i < len(t) && len(c.items) < maxItems; i++ {
		x := t[i]
		if x.punctuation {
			prep, det = "", ""
			than = false
			continue
		}
		switch low := x.low; {
		case low == "if" || low == "when" || low == "whenever" || low == "unless":
			c.condition = strings.Join(contentLemmas(t[i:]), " ")
			return
		case low == "who" && c.verb == "be":
			c.relative = t[i+1:]
			return
		case clauseEndWords[low] && (low != "so" || i > 0) && low != "how" && low != "what":
			if low == "since" && i+1 < len(t) && t[i+1].used {
				prep = low
				continue
			}
			return
		case low == "that" && i+1 < len(t) && (pronoun(t[i+1].low) != "" || t[i+1].strong || t[i+1].is(determiner) || t[i+1].upper):
			return
		case low == "not" || low == "never":
			if low == "not" && emphaticAfterNot[lowAt(t, i+1)] {
				i++
				continue
			}
			if len(c.items) == 0 && len(c.values) == 0 {
				c.negated = !c.negated
				continue
			}
			return
		case low == "no" && lowAt(t, i+1) == "longer":
			c.negated, c.ended = true, true
			i++
			continue
		case low == "no":
			if n := lowAt(t, i+1); n == "problem" || n == "doubt" || n == "wonder" || n == "matter" || n == "idea" || n == "worries" || n == "more" || n == "less" || n == "1" {
				c.modality = notAsserted
				return
			}
			c.negated, det = !c.negated, "no"
			continue
		case low == "nothing" || low == "nobody" || low == "none":
			if lowAt(t, i+1) == "but" {
				i++
				continue
			}
			c.negated = !c.negated
			continue
		case low == "anymore" || low == "longer" && lowAt(t, i-1) == "any" || low == "more" && lowAt(t, i-1) == "any" && i == len(t)-1:
			if c.negated {
				c.ended = true
			}
			continue
		case low == "instead" || low == "except" || low == "unlike" || low == "besides" || low == "without" || low == "despite":
			i = phraseEnd(t, i+1) - 1
			if low == "without" {
				c.condition = strings.TrimSpace(c.condition + " without " + t[min(i, len(t)-1)].lem)
			}
			continue
		case low == "rather" && lowAt(t, i+1) == "than" || low == "than" || low == "over" && c.verb == "prefer":
			than = true
			continue
		case low == "to" && c.verb == "prefer" && len(c.items) > 0:
			than = true
			continue
		case low == "maybe" || low == "perhaps" || low == "hopefully" || low == "possibly" || low == "potentially":
			c.modality = notAsserted
			return
		case rareWords[low]:
			c.frequency = -1
			continue
		case oftenWords[low]:
			c.frequency = 1
			continue
		case (low == "but" || low == "and" || low == "or" || low == "then") && lowAt(t, i+1) == "not":
			return
		case low == "ago" || low == "formerly" || low == "previously":
			if c.tense == present {
				c.tense = past
			}
			continue
		case low == "before" && i == len(t)-1:
			continue
		case (low == "last" || low == "next" || low == "this" || low == "past") && i+1 < len(t) && periodNouns[t[i+1].lem]:
			i++
			continue
		case low == "ahead" && lowAt(t, i+1) == "of":
			prep, det = low, ""
			i++
			continue
		case prepositions[low] && !particles[low]:
			prep, det = low, ""
			continue
		case particles[low]:
			if i+1 < len(t) && !t[i+1].punctuation && t[i+1].low != "in" && t[i+1].low != "for" && t[i+1].low != "by" && low != "up" && low != "down" && low != "off" && low != "out" {
				prep, det = low, ""
				continue
			}
			if (low == "on" || low == "off" || low == "up" || low == "down" || low == "out" || low == "in") && (i == len(t)-1 || t[i+1].punctuation || t[i+1].low == "in" || t[i+1].low == "for" || t[i+1].low == "by" || low == "up" || low == "down" || low == "off" || low == "out") {
				c.items = append(c.items, item{lem: low, low: low, last: true})
				prep = low
			}
			continue
		case low == "'s":
			if n := len(c.items); n > 0 {
				c.items[n-1].last = false
			}
			continue
		case determiners[low] || low == "both" || low == "all":
			det = low
			if low == "every" || low == "each" {
				if !c.negated {
					c.frequency = max(c.frequency, 1)
				}
				continue
			}
			if k := pronoun(low); k == "@i" || k == "@we" {
				det = "my"
			}
			continue
		case x.used:
			continue
		case stopWords[low] || adverbs[low]:
			if low == "and" || low == "or" || low == "but" {
				det = ""
			}
			continue
		}
		if qualifierWords[x.lem] && (prep != "" || det == "every" || det == "each" || i == 0 && len(c.items) == 0 && det == "" && !mealNouns[x.lem]) {
			c.qualifiers = append(c.qualifiers, x.lem)
			continue
		}
		degree := ""
		if d := lowAt(t, i-1); d == "more" || d == "less" {
			degree = d
		}
		last := i+1 >= len(t) || t[i+1].punctuation || t[i+1].used || t[i+1].is(stopWord) || t[i+1].is(preposition) || t[i+1].is(adverb) || t[i+1].is(determiner) || t[i+1].low == "last" || t[i+1].low == "next"
		c.items = append(c.items, item{lem: x.lem, low: x.low, prep: prep, det: det, last: last, proper: x.upper, compared: than, degree: degree})
	}
	for _, v := range c.values {
		if v.recurring && v.kind == valueWeekday {
			c.qualifiers = append(c.qualifiers, "weekday"+strconv.Itoa(int(v.num)))
		}
	}
	slices.Sort(c.qualifiers)
	c.qualifiers = slices.Compact(c.qualifiers)
}

var particles = english.WordSet("on off up down in out")

// phraseEnd returns the end of the phrase that begins at i.
func phraseEnd(t []token, i int) int {
	for i < len(t) && !t[i].punctuation && !t[i].is(joining) {
		i++
	}
	return i
}
