package conflict

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// nounClaim reads "the rent of the flat is 900", "the flat has a rent of 900" and "900 is the rent
// of the flat". The verb is at i.
func (p *parser) nounClaim(t []token, i int) (claim, bool) {
	if i == 0 || i+1 >= len(t) {
		return claim{}, false
	}
	was := t[i].low == "was" || t[i].low == "were" || t[i].low == "had" || t[i].low == "been"
	np := t[:i]
	for len(np) > 0 && isAuxiliary(np[len(np)-1]) {
		np = np[:len(np)-1]
	}
	rest := t[i+1:]
	for len(rest) > 0 && (rest[0].is(adverb) || rest[0].low == "been") {
		rest = rest[1:]
	}
	if t[i].lem == "have" {
		return p.hasNoun(np, rest, was)
	}
	// "the rent was raised to 900" states the rent
	if len(rest) > 2 && settingVerbs[rest[0].lem] && (rest[0].past || rest[0].low == "cut" || rest[0].low == "set") {
		for k := 1; k < len(rest)-1; k++ {
			if rest[k].low == "to" {
				rest, was = rest[k+1:], false
				break
			}
		}
	}
	if len(rest) > 1 && (rest[0].lem == "call" || rest[0].low == "named") {
		rest = rest[1:]
	}
	for len(rest) > 1 && isLeadIn(rest) {
		rest = rest[1:]
	}
	if c, ok := p.attributeBeforeValue(np, rest, was); ok {
		return c, true
	}
	return p.attributeAfterValue(np, rest, was)
}

// settingVerbs are verbs that give a measure a new value.
var settingVerbs = lemmas("set raise lower cut increase reduce decrease change bump extend shorten fix limit cap adjust")

// setToClaim reads "they raised the rent of the flat to 900". The verb is at i.
func (p *parser) setToClaim(t []token, i int) (claim, bool) {
	if i != 1 || !settingVerbs[t[1].lem] || !(t[1].past || t[1].low == "cut" || t[1].low == "set") || !t[0].is(subjectForm) {
		return claim{}, false
	}
	for k := 3; k < len(t)-1 && k < 12; k++ {
		if t[k].low == "to" {
			return p.attributeBeforeValue(t[2:k], t[k+1:], false)
		}
	}
	return claim{}, false
}

// materialClaim reads the material of a thing or the fuel of a car: "is gold", "is a hybrid". The
// verb is at i.
func (p *parser) materialClaim(t []token, i int) (claim, bool) {
	k := i + 1
	for k < len(t) && (t[k].is(adverb) || t[k].low == "a" || t[k].low == "an") {
		k++
	}
	if k >= len(t) || k+1 < len(t) && !mayFollowState(t[k+1]) || t[i].low == "was" || t[i].low == "were" {
		return claim{}, false
	}
	c := claim{kind: ofNoun}
	switch {
	case fuels[t[k].lem]:
		c.attribute = "fuel"
	case materials[t[k].lem]:
		c.attribute = "material"
	default:
		return claim{}, false
	}
	return p.complete(c, t[:i], t[k:])
}

// freeClaim reads "is free" and "costs nothing" as a price of nothing. The verb is at i.
func (p *parser) freeClaim(t []token, i int) (claim, bool) {
	end := i + 1
	for end < len(t) && t[end].is(adverb) {
		end++
	}
	switch {
	case i == 0:
		return claim{}, false
	case t[i].lem == "cost" && lowAt(t, end) == "nothing":
	case t[i].is(formOfBe) && (lowAt(t, end) == "free" || lowAt(t, end) == "gratis" || lowAt(t, end) == "complimentary"):
		if end+1 < len(t) && t[end+1].low == "of" && lowAt(t, end+2) == "charge" {
			end += 2
		}
		for _, x := range t[:i] {
			if x.is(subjectForm) || x.is(doubtWord|modal) {
				return claim{}, false
			}
		}
	default:
		return claim{}, false
	}
	if end+1 < len(t) && !t[end+1].punctuation && t[end+1].low != "on" && t[end+1].low != "for" {
		return claim{}, false
	}
	c := claim{attribute: "price", kind: ofMeasure, past: t[i].past && t[i].low != "cost", weak: true, subject: t[:i], owner: p.owner(t[:i]), vals: []value{{kind: valueMoney, unit: freeUnit}}}
	for _, x := range t[min(end+1, len(t)):] {
		if !x.punctuation && !x.is(stopWord) {
			c.rest = append(c.rest, x.lem)
		}
	}
	return c, len(c.owner) > 0
}

// freeUnit is the currency of a price of nothing.
const freeUnit = "none"

// isLeadIn reports a word before a value that is not part of it: on, at, in, a.
func isLeadIn(t []token) bool {
	switch t[0].low {
	case "on", "at", "in", "an":
		return true
	case "a":
		return t[1].low != "positive" && t[1].low != "negative"
	}
	return false
}

// hasNoun reads "has a rent of 900".
func (p *parser) hasNoun(np, rest []token, was bool) (claim, bool) {
	if len(rest) < 3 || !rest[0].is(determiner) {
		return claim{}, false
	}
	for j := 1; j < len(rest)-1 && j < 4; j++ {
		a, before, ok := attributeAt(rest, j)
		if !ok || a.kind == ofName {
			continue
		}
		from := j + 1
		if rest[from].low == "of" || rest[from].punctuation {
			from++
		}
		qualified := slices.Concat(np, qualifiers(rest[1:j-before]))
		return p.complete(p.claimFor(a, rest[:j+1], was), qualified, rest[from:])
	}
	return claim{}, false
}

// attributeBeforeValue reads a claim whose subject names the attribute.
func (p *parser) attributeBeforeValue(np, rest []token, was bool) (claim, bool) {
	if noun, who, ok := superlativeLiking(np); ok {
		return p.complete(claim{attribute: "favorite " + noun.lem, kind: ofNoun, past: was}, who, rest)
	}
	last := len(np) - 1
	for k := 1; k < last; k++ { // the attribute is the code of the gate, not the gate
		if _, _, ok := attributeAt(np, k); ok && (np[k+1].low == "of" || np[k+1].low == "for") {
			last = k
			break
		}
	}
	for k := last; k >= 0; k-- {
		a, subject, ok := p.attributeOf(np, k)
		if !ok {
			continue
		}
		if len(subject) == 0 || len(subject) == 1 && subject[0].low == "the" {
			return claim{}, false
		}
		return p.complete(p.claimFor(a, np[:k+1], was), subject, rest)
	}
	return claim{}, false
}

// attributeOf reads the noun at np[k] as an attribute with its owner.
func (p *parser) attributeOf(np []token, k int) (a attributeNoun, subject []token, ok bool) {
	a, before, ok := attributeAt(np, k)
	if !ok {
		return a, nil, false
	}
	follows := k+1 < len(np)
	if follows && np[k+1].low != "of" && np[k+1].low != "for" && np[k+1].low != "at" && np[k+1].low != "with" {
		return a, nil, false
	}
	from := k - before
	for from > 0 && !np[from-1].is(determiner) && plainQualifiers[np[from-1].lem] {
		from--
	}
	subject = slices.Clone(np[:from])
	if follows {
		subject = slices.Concat(subject, np[k+2:])
	}
	// the worker's Python version
	if n := len(subject); a.attribute == "version" && !follows && n > 1 && subject[n-1].upper && (subject[n-2].low == "'s" || subject[n-2].is(determiner)) {
		a.attribute, subject = "version of "+subject[n-1].lem, subject[:n-1]
	}
	// the name of somebody's wife says who the wife is
	if a.attribute == "name" {
		if n := len(subject); n > 1 && subject[n-1].low == "'s" {
			subject = subject[:n-1]
		}
		if n := len(subject); n > 0 {
			if of, ok := attributeNouns[subject[n-1].lem]; ok && of.kind == ofName && personAttributes[of.attribute] {
				return of, subject[:n-1], true
			}
		}
	}
	return a, subject, true
}

// personAttributes are attributes whose value is a person.
var personAttributes = english.WordSet("spouse boss doctor dentist landlord therapist coach lead owner physio")

// attributeAfterValue reads "Jo is my husband": a name, then the attribute and its owner.
func (p *parser) attributeAfterValue(np, rest []token, was bool) (claim, bool) {
	if len(np) == 0 || len(np) > 4 || len(rest) == 0 || len(rest) > 8 || rest[0].low == "a" || rest[0].low == "an" || np[0].is(determiner) && np[0].low != "the" {
		return claim{}, false
	}
	rest = firstPhrase(rest)
	for k := len(rest) - 1; k > 0; k-- {
		a, subject, ok := p.attributeOf(rest, k)
		if !ok || a.kind != ofName && a.kind != ofNoun || a.attribute == "name" || a.attribute == "role" {
			continue
		}
		if len(subject) == 0 || len(subject) == 1 && subject[0].low == "the" {
			return claim{}, false
		}
		return p.complete(p.claimFor(a, rest[:k+1], was), subject, np)
	}
	return claim{}, false
}

// superlativeLiking reads "the colour I like best", "the band that Ben loves most".
func superlativeLiking(np []token) (noun token, who []token, ok bool) {
	if len(np) < 5 || np[0].low != "the" {
		return token{}, nil, false
	}
	end := len(np)
	switch np[end-1].low {
	case "best", "most", "better":
		end--
	default:
		return token{}, nil, false
	}
	if end < 4 || np[end-1].lem != "lik" && np[end-1].lem != "prefer" {
		return token{}, nil, false
	}
	who = np[2 : end-1]
	if who[0].low == "that" || who[0].low == "which" {
		who = who[1:]
	}
	return np[1], who, len(who) > 0 && !np[1].is(stopWord)
}

func qualifiers(t []token) []token {
	return slices.DeleteFunc(slices.Clone(t), func(x token) bool { return plainQualifiers[x.lem] || x.is(determiner) })
}

// claimFor returns a claim of the attribute that a noun names.
func (p *parser) claimFor(a attributeNoun, noun []token, was bool) claim {
	c := claim{attribute: a.attribute, kind: a.kind, past: was}
	last := noun[len(noun)-1].lem
	switch {
	case a.attribute == "role":
		c.weak = true
	case last == "number" && !slices.ContainsFunc(noun, func(x token) bool {
		return x.low == "phone" || x.low == "telephone" || x.low == "mobile" || x.low == "cell" || x.low == "contact"
	}):
		c.attribute = "number"
		if n := len(noun); n > 1 && noun[n-2].low == "'s" && n > 2 && (noun[n-3].upper || noun[n-3].first || relatives[noun[n-3].lem]) || n == 2 && noun[0].low == "my" {
			c.attribute = "phone" // Greta's number
		}
	case a.kind == ofBlood && !slices.ContainsFunc(noun, func(x token) bool { return x.lem == "blood" }):
		c.attribute = ""
	}
	return c
}
