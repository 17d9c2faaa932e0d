package extract

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// copula reads "X is Y" with the verb at i.
func (p *parser) copula(ws []Word, i int) (Statement, bool) {
	np, pol, ok := splitSubject(ws[:i])
	if !ok || len(np) == 0 || ws[i].SignAfter != 0 && ws[i].SignAfter != ':' {
		return Statement{}, false
	}
	pol.negated = pol.negated || strings.HasSuffix(ws[i].Low, "n't")
	past := strings.HasPrefix(ws[i].Low, "was") || strings.HasPrefix(ws[i].Low, "were")
	at := i + 1
	for at < len(ws) && ws[at].Low != "to" && ws[at].Low != "used" && (auxiliaries[ws[at].Low] && ws[at].Low != "all" && ws[at].Low != "both" || negations[ws[at].Low]) {
		if negations[ws[at].Low] {
			pol.negated = true
		}
		if ws[at].Low == "longer" {
			pol.former, pol.negated = true, false
		}
		at++
	}
	if at >= len(ws) || isParticiple(ws[at].Low) && at+1 < len(ws) && verbFollows(ws[at:]) {
		return Statement{}, false // is scheduled for: read with the participle as the verb
	}
	c := objectOf(ws[at:])
	if len(c) == 0 || c[0].Low == "to" || c[0].Low == "used" || c[0].Low == "going" || c[0].Low == "trying" || strings.HasSuffix(c[0].Low, "ing") && len(c) > 1 && !placePrepositions[c[1].Low] {
		return Statement{}, false
	}
	if st, ok := p.attribute(np, c, pol, past); ok {
		return st, true
	}
	subject := p.subject(np)
	first := c[0].Low
	switch {
	case subject == "":
		return Statement{}, false
	case (first == "called" || first == "named") && len(c) > 1:
		return statement(subject, "name", p.value(c[1:]), pol, past)
	case timeLike(c):
		if isPerson(np) {
			return Statement{}, false
		}
		return statement(subject, "scheduled_for", p.value(c), pol, false)
	}
	if k, ok := complementPredicates[first]; ok {
		rest := c[1:]
		if first == "due" || first == "born" {
			rest = toClauseEnd(ws[at:])[1:] // including the time
		}
		switch {
		case first == "due" && timeLike(rest), first == "born" && timeLike(rest):
			predicate := map[string]string{"due": "deadline", "born": "birthday"}[first]
			return statement(subject, predicate, p.value(rest), pol, false)
		case len(rest) > 1 && rest[0].Low == k.next:
			return statement(subject, k.predicate, p.value(rest[1:]), pol, past && first != "born")
		}
	}
	switch {
	case past:
		return Statement{}, false // an event, not a lasting fact
	case placePrepositions[first] && len(c) > 1:
		return statement(subject, "located_in", p.value(c), pol, false)
	case isPerson(np) && len(c) > 2 && c[1].Low == "years" && c[2].Low == "old":
		return statement(subject, "age", c[0].Text, pol, false)
	case np[0].Low == "i" && len(np) == 1 && c[0].capital() && givenNames[first]:
		return statement(subject, "name", p.value(c), pol, false)
	case first == "the":
		return p.role(subject, c, pol)
	case (first == "a" || first == "an") && len(c) > 1:
		return statement(subject, "is_a", p.value(c[1:]), pol, false)
	case statusWords[first] && hasTime(ws[at:]):
		return statement(subject, "is", p.value(toClauseEnd(ws[at:])), pol, false) // closed on Mondays: not a status
	case statusWords[first] && len(c) <= 3:
		return statement(subject, "status", p.value(c), pol, false)
	case len(c) <= 6 && !notAttributes[first] && first != "that":
		return statement(subject, "is", p.value(c), pol, false)
	}
	return Statement{}, false
}

// hasTime reports an expression of time after the complement that ws begins with.
func hasTime(ws []Word) bool {
	ws = toClauseEnd(ws)
	return wordsBeforeTime(ws) < len(ws)
}

var notAttributes = english.WordSet("so very too really here there it this what how why because like about sorry glad happy excited sure welcome able supposed back")

// verbFollows reports whether one of the words that the verb ws[0] requires follows it.
func verbFollows(ws []Word) bool {
	for _, v := range verbs[ws[0].Low] {
		for next := range strings.FieldsSeq(v.next) {
			if ws[1].Low == next {
				return true
			}
		}
	}
	return false
}

// role reads "the lead of the kite team". The subject of the statement is the team.
func (p *parser) role(subject string, c []Word, pol polarity) (Statement, bool) {
	for i := 2; i+1 < len(c) && i <= 4; i++ {
		if c[i].Low == "of" || c[i].Low == "for" {
			if predicate, ok := attributePredicates[c[i-1].Low]; ok {
				return statement(p.thing(c[i+1:]), predicate, subject, pol, false)
			}
		}
	}
	if len(c) > 6 {
		return Statement{}, false
	}
	return statement(subject, "is", p.value(c), pol, false)
}

// attribute reads a copula whose subject is an attribute of something: "my dog's name", "the
// deadline for the grant", "our budget", "the grant deadline", "Ana's birthday".
func (p *parser) attribute(np, c []Word, pol polarity, past bool) (Statement, bool) {
	if len(np) > maxSubject+2 {
		return Statement{}, false
	}
	// the deadline for the grant, the name of my dog
	for i := 1; i+1 < len(np); i++ {
		if np[i].Low == "of" || np[i].Low == "for" {
			if predicate, ok := attributePredicates[np[i-1].Low]; ok {
				return p.valued(p.subject(np[i+1:]), predicate, c, pol, past)
			}
			return Statement{}, false
		}
	}
	last := np[len(np)-1]
	owner := np[:len(np)-1]
	predicate, ok := attributePredicates[last.Low]
	if n := len(owner); n > 0 {
		if p, both := attributePredicates[owner[n-1].Low+" "+last.Low]; both {
			predicate, ok, owner = p, true, owner[:n-1]
		}
	}
	if n := len(owner); n > 0 && (owner[n-1].Low == "favorite" || owner[n-1].Low == "favourite") {
		if !ok {
			predicate = last.Low
		}
		predicate, ok = "favorite_"+predicate, true
		owner = owner[:n-1]
	}
	if !ok || personAttributes[predicate] && !c[0].capital() {
		return Statement{}, false // my boss is a runner
	}
	if _, other := complementPredicates[c[0].Low]; other {
		return Statement{}, false // the rent is due
	}
	if len(owner) == 0 || len(owner) == 1 && (owner[0].Low == "the" || owner[0].Low == "our") {
		return p.valued(p.textOf(np[len(np)-1:]), predicate, c, pol, past) // the budget is 900
	}
	return p.valued(p.possessor(owner), predicate, c, pol, past)
}

func (p *parser) valued(owner, predicate string, c []Word, pol polarity, past bool) (Statement, bool) {
	if owner == "" {
		return Statement{}, false
	}
	return statement(owner, predicate, p.value(c), pol, past)
}

// possessor returns the owner of an attribute: the speaker for "my", the dog for "my dog".
func (p *parser) possessor(ws []Word) string {
	if len(ws) == 1 {
		switch ws[0].Low {
		case "my":
			return p.speakerName()
		case "his", "her":
			return p.personMentioned()
		case "the", "a", "an", "their", "its", "your", "this", "that":
			return ""
		}
	}
	return p.subject(ws)
}
