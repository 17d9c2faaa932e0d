package extract

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// functional lists the predicates that have one object at a time.
var functional = wordLists.Set("functional")

// Functional reports whether a predicate has one object at a time, so that a new object replaces
// the old one: lives_in, works_at, birthday, deadline, status, a favourite. Spaces and hyphens
// count as underscores. A leading "is", "has" or "current" is ignored.
func Functional(predicate string) bool {
	p := strings.Trim(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return '_'
		}
		return r
	}, strings.ToLower(predicate)), "_")
	for _, prefix := range []string{"is_", "has_", "current_"} {
		p = strings.TrimPrefix(p, prefix)
	}
	return functional[p] || strings.HasPrefix(p, "favorite_") || strings.HasPrefix(p, "favourite_")
}

// Preference reports whether a predicate states what somebody likes or chooses.
func Preference(predicate string) bool {
	p := strings.TrimPrefix(strings.TrimPrefix(predicate, "not_"), "formerly_")
	switch p {
	case "likes", "dislikes", "prefers":
		return true
	}
	return strings.HasPrefix(p, "favorite_") || strings.HasPrefix(p, "favourite_")
}

// attributePredicates are nouns whose value follows a copula ("the deadline is Friday"), with the
// predicate of the statement.
var attributePredicates = func() map[string]string {
	m := map[string]string{}
	for predicate, noun := range wordLists.Keyed("attributePredicates") {
		m[strings.ReplaceAll(noun, "_", " ")] = predicate
	}
	return m
}()

// personAttributes are the attributes whose value is a person. "my boss is a runner" is about the
// boss.
var personAttributes = english.WordSet("wife husband partner boss manager lead owner maintainer ceo cto director captain mayor president doctor dentist landlord")

// verb is what a verb states.
type verb struct {
	predicate string
	next      string // one of these words must follow, if any
	past      bool   // this form speaks of the past
	object    string // kind of object that is required: "time", "name", "number", or empty
	swap      bool   // the object becomes the subject: X leads Y
}

// verbs are the meanings of each verb form.
var verbs = func() map[string][]verb {
	m := map[string][]verb{}
	for key, form := range wordLists.Keyed("verbs") {
		fields := strings.Fields(key)
		v := verb{predicate: fields[0]}
		for _, f := range fields[1:] {
			switch name, value, _ := strings.Cut(f, "="); name {
			case "next":
				v.next = strings.ReplaceAll(value, ",", " ")
			case "object":
				v.object = value
			case "past":
				v.past = true
			case "swap":
				v.swap = true
			default:
				panic("verbs: " + f)
			}
		}
		m[form] = append(m[form], v)
	}
	return m
}()

// complementPredicates are words that form a predicate after a copula, together with a
// preposition.
var complementPredicates = map[string]struct{ next, predicate string }{
	"allergic": {"to", "allergic_to"}, "married": {"to", "spouse"}, "engaged": {"to", "partner"}, "based": {"in", "lives_in"}, "located": {"in", "located_in"},
	"responsible": {"for", "responsible_for"}, "interested": {"in", "interested_in"}, "afraid": {"of", "afraid_of"}, "born": {"in", "birthplace"},
	"due": {"on", "deadline"}, "owned": {"by", "owner"}, "led": {"by", "lead"}, "managed": {"by", "manager"}, "maintained": {"by", "maintainer"},
}

// statusWords are adjectives for passing conditions: they state the status of a thing.
var statusWords = wordLists.Set("statusWords")
