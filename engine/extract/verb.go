package extract

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// verb reads a statement whose verb is at i.
func (p *parser) verb(ws []Word, i int, v verb) (Statement, bool) {
	np, pol, ok := splitSubject(ws[:i])
	if !ok {
		return Statement{}, false
	}
	at := i + 1
	if (v.predicate == "moved" || v.predicate == "uses") && at+1 < len(ws) && ws[at].Low == "from" {
		for k := at + 1; k < len(ws) && k < at+5; k++ {
			if ws[k].Low == "to" {
				at = k
				break
			}
		}
	}
	if v.object == "time" {
		at = timeAfter(ws, at, v.next) // leaves Orrin | at 06:55
	}
	if v.next != "" {
		if ws[at-1].SignAfter != 0 || at >= len(ws) || !slices.Contains(strings.Fields(v.next), ws[at].Low) {
			return Statement{}, false
		}
		at++
	}
	if at >= len(ws) || at > i+1 && ws[at-1].SignAfter != 0 || at == i+1 && ws[i].SignAfter != 0 {
		return Statement{}, false
	}
	object := objectOf(ws[at:])
	if len(object) == 0 {
		return Statement{}, false
	}
	subject := p.subject(np)
	if v.predicate == "uses" && len(np) == 1 && np[0].Low == "we" {
		subject = team
	}
	if pol.negated && slices.ContainsFunc(ws[at:], func(w Word) bool { return w.Low == "anymore" || w.Low == "longer" }) {
		pol.former = true
	}
	timed := timeLike(object) || v.next != "" && timeLike(withPreposition(ws[at-1:], object))
	switch {
	case v.object == "time" && !timed, v.object == "name" && !object[0].capital(), v.object == "number" && !isNumber(object[0].Low) && !isNumberWord(object[0].Low):
		return Statement{}, false
	case pol.future && v.object != "time":
		return Statement{}, false
	}
	switch v.predicate {
	case "moved":
		switch {
		case timed:
			v.predicate = "scheduled_for"
		case isPerson(np):
			v.predicate = "lives_in"
		default:
			v.predicate = "located_in"
		}
	case "duration":
		if !slices.ContainsFunc(object, func(w Word) bool { return timeUnits[strings.TrimSuffix(w.Low, "s")] }) {
			return Statement{}, false // takes 20 mg of something
		}
	case "uses":
		if ws[i].Low != "use" && ws[i].Low != "uses" && !object[0].capital() && !software[object[0].Low] {
			return Statement{}, false
		}
	case "keeps":
		return p.keptWhere(object, pol)
	case "has":
		return p.possessionOf(np, object, pol, ws[i].Low)
	case "decision":
		return p.decision(np, object, pol)
	case "located_in":
		if isNumber(object[0].Low) {
			return Statement{}, false // stands at 31
		}
		object = withPreposition(ws[at-1:], object)
	case "works_at", "studies_at":
		object = upTo(object, "in", "as", "on")
	case "likes", "dislikes", "prefers":
		object = toClauseEnd(ws[at:]) // including its time: meetings in the morning
		if object[0].Low == "that" || object[0].Low == "it" || object[0].Low == "this" {
			return Statement{}, false
		}
	}
	if v.swap {
		value := p.subject(np)
		if len(object) > maxSubject || value == "" {
			return Statement{}, false
		}
		return statement(p.thing(object), v.predicate, value, pol, v.past)
	}
	if subject == "" {
		return Statement{}, false
	}
	return statement(subject, v.predicate, p.value(object), pol, v.past)
}

// timeUnits are units of duration.
var timeUnits = english.WordSet("second minute hour day week month year night decade ms sec min hr h")

// upTo returns the words before the first of the stops, but at least one.
func upTo(ws []Word, stops ...string) []Word {
	for i := 1; i < len(ws); i++ {
		if slices.Contains(stops, ws[i].Low) {
			return ws[:i]
		}
	}
	return ws
}

// emptyObjects are objects without a meaning of their own.
var emptyObjects = english.WordSet("it that this them him her me us so one these those there here")

// timeAfter returns the position of one of the prepositions before a time, at most four words
// after at; at itself if there is none.
func timeAfter(ws []Word, at int, prepositions string) int {
	for k := at; k+1 < len(ws) && k < at+4 && ws[k-1].SignAfter == 0; k++ {
		if slices.Contains(strings.Fields(prepositions), ws[k].Low) && timeLike(ws[k:]) {
			return k
		}
	}
	return at
}

// statement makes a statement of its parts. ok is false if a part is empty or subject and object
// are the same.
func statement(subject, predicate, object string, pol polarity, past bool) (Statement, bool) {
	if len(subject) > maxText || len(object) > maxText || Canonical(subject) == "" || Canonical(object) == "" || Canonical(subject) == Canonical(object) || emptyObjects[strings.ToLower(object)] {
		return Statement{}, false
	}
	switch {
	case pol.former || past:
		predicate = "formerly_" + predicate
	case pol.negated:
		predicate = "not_" + predicate
	}
	return Statement{Subject: subject, Predicate: predicate, Object: object, Functional: Functional(predicate)}, true
}

// team is the subject for "we" when a group decides on something or uses it.
const team = "team"

// decision reads what was decided, and on what: "Postgres for the ledger".
func (p *parser) decision(np, object []Word, pol polarity) (Statement, bool) {
	for i, w := range object {
		if w.Low == "for" && i > 0 && i+1 < len(object) && len(object)-i-1 <= 4 && !timeLike(object[i+1:]) && !isNumber(object[i+1].Low) && !timeSpans[object[len(object)-1].Low] {
			choice := object[:i]
			if choice[0].Low == "use" || choice[0].Low == "go" && len(choice) > 2 && choice[1].Low == "with" {
				choice = choice[1:]
				if choice[0].Low == "with" {
					choice = choice[1:]
				}
			}
			if len(choice) > 0 {
				return statement(p.thing(object[i+1:]), "decision", p.value(choice), pol, false)
			}
		}
	}
	who := p.subject(np)
	if len(np) == 1 && np[0].Low == "we" {
		who = team
	}
	return statement(who, "decided", p.value(object), pol, false)
}

// keptWhere reads where something is kept: "the spare key under the blue pot".
func (p *parser) keptWhere(object []Word, pol polarity) (Statement, bool) {
	for i, w := range object {
		if i > 0 && i+1 < len(object) && placePrepositions[w.Low] {
			return statement(p.thing(object[:i]), "located_in", p.value(object[i:]), pol, false)
		}
	}
	return Statement{}, false
}

var placePrepositions = english.WordSet("in at on under behind near inside beneath below above beside")

// possessionOf reads what somebody has, and the name of an animal or a child mentioned with it.
func (p *parser) possessionOf(np, object []Word, pol polarity, form string) (Statement, bool) {
	subject := p.subject(np)
	if subject == "" || pol.future {
		return Statement{}, false
	}
	for i, w := range object {
		if (w.Low == "named" || w.Low == "called") && i > 0 && i+1 < len(object) && i <= 4 {
			return statement(p.possession(np, object[:i]), "name", p.value(object[i+1:]), pol, false)
		}
	}
	first := object[0].Low
	if first != "a" && first != "an" && first != "no" && !isNumber(first) && !isNumberWord(first) || first == "a" && len(object) > 1 && (object[1].Low == "lot" || object[1].Low == "bit") {
		return Statement{}, false
	}
	if form == "got" && first != "a" && first != "an" {
		return Statement{}, false
	}
	if first == "no" {
		pol.negated = true
		object = object[1:]
	}
	if len(object) == 0 {
		return Statement{}, false
	}
	// a wing area of 6 square metres
	for i := 2; i+1 < len(object) && i <= 4; i++ {
		if object[i].Low == "of" && (isNumber(object[i+1].Low) || isNumberWord(object[i+1].Low)) {
			st, ok := statement(subject, strings.ReplaceAll(strings.ToLower(p.textOf(object[1:i])), " ", "_"), p.value(object[i+1:]), pol, false)
			st.Functional = ok && !pol.negated && !pol.former
			return st, ok
		}
	}
	return statement(subject, "has", p.value(object), pol, false)
}

// withPreposition returns the object with the preposition before it.
func withPreposition(from, object []Word) []Word { return from[:len(object)+1] }
