package extract

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// functional lists the predicates that have one object at a time.
var functional = english.WordSet(`
lives_in works_at works_as studies_at located_in based_in home residence address city country employer job job_title title position role
birthday birthplace birth_date age name full_name nickname email phone phone_number username password code pin height weight size length width depth colour color
spouse wife husband partner boss manager lead leader head owner maintainer ceo cto cfo president chair captain mayor director editor host
doctor dentist landlord capital currency nationality mother father
deadline due due_date scheduled_for meeting_time time date start starts_at start_time ends_at end_time opens_at closes_at departs_at arrives_at expires_on
release_date launch_date duration status state stage phase priority version price cost budget salary rent fee rate quota limit
port host_name hostname url domain region timezone time_zone language runs_on listens_on default decision choice goal plan topic theme
brand model floor room seat gate platform destination
`)

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
var attributePredicates = map[string]string{
	"name": "name", "nickname": "nickname", "birthday": "birthday", "age": "age", "job": "works_as", "profession": "works_as",
	"email": "email", "address": "address", "phone": "phone", "phone number": "phone", "email address": "email", "due date": "deadline", "job title": "works_as", "time zone": "timezone", "username": "username", "password": "password", "code": "code", "pin": "pin", "hometown": "birthplace",
	"height": "height", "weight": "weight", "size": "size", "length": "length", "width": "width", "colour": "color", "color": "color",
	"wife": "wife", "husband": "husband", "partner": "partner", "boyfriend": "partner", "girlfriend": "partner", "boss": "boss", "manager": "manager",
	"lead": "lead", "leader": "lead", "owner": "owner", "maintainer": "maintainer", "ceo": "ceo", "cto": "cto", "director": "director", "captain": "captain",
	"mayor": "mayor", "president": "president", "doctor": "doctor", "dentist": "dentist", "landlord": "landlord", "capital": "capital", "currency": "currency",
	"deadline": "deadline", "due": "deadline", "status": "status", "version": "version", "price": "price", "cost": "price", "budget": "budget",
	"salary": "salary", "rent": "rent", "fee": "fee", "limit": "limit", "quota": "quota", "port": "port", "url": "url", "region": "region",
	"timezone": "timezone", "priority": "priority", "goal": "goal", "location": "located_in", "room": "room", "gate": "gate", "platform": "platform",
	"destination": "destination", "duration": "duration", "default": "default", "theme": "theme", "topic": "topic", "employer": "works_at",
}

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

var verbs = verbTable(
	"live lives living reside resides residing", verb{predicate: "lives_in", next: "in at near on"},
	"lived resided", verb{predicate: "lives_in", next: "in at near on", past: true},
	"work works working employed", verb{predicate: "works_at", next: "at for by"},
	"worked", verb{predicate: "works_at", next: "at for", past: true},
	"work works working", verb{predicate: "works_as", next: "as"},
	"worked", verb{predicate: "works_as", next: "as", past: true},
	"joined", verb{predicate: "works_at", object: "name"},
	"left quit", verb{predicate: "works_at", object: "name", past: true},
	"moved relocated", verb{predicate: "moved", next: "to"},
	"study studies studying", verb{predicate: "studies_at", next: "at"},
	"studied", verb{predicate: "studies_at", next: "at", past: true},
	"study studies studying", verb{predicate: "studies"},
	"prefer prefers", verb{predicate: "prefers"},
	"like likes love loves enjoy enjoys adore adores", verb{predicate: "likes"},
	"hate hates dislike dislikes detest detests loathe loathes", verb{predicate: "dislikes"},
	"use uses", verb{predicate: "uses"},
	"switched migrated", verb{predicate: "uses", next: "to"},
	"own owns", verb{predicate: "owns"},
	"have has", verb{predicate: "has"},
	"got adopted", verb{predicate: "has"},
	"speak speaks", verb{predicate: "speaks"},
	"play plays", verb{predicate: "plays"},
	"drive drives", verb{predicate: "drives"},
	"cost costs", verb{predicate: "price"},
	"weigh weighs", verb{predicate: "weight"},
	"takes lasts", verb{predicate: "duration", object: "number"},
	"starts begins happens start begin", verb{predicate: "scheduled_for", next: "at on in", object: "time"},
	"opens open", verb{predicate: "opens_at", next: "at on", object: "time"},
	"closes close", verb{predicate: "closes_at", next: "at on", object: "time"},
	"ends end finishes", verb{predicate: "ends_at", next: "at on", object: "time"},
	"leaves departs leave depart", verb{predicate: "departs_at", next: "at on", object: "time"},
	"arrives lands arrive", verb{predicate: "arrives_at", next: "at on", object: "time"},
	"expires expire", verb{predicate: "expires_on", next: "on in at", object: "time"},
	"scheduled planned set booked rescheduled postponed pushed", verb{predicate: "scheduled_for", next: "for on at to until", object: "time"},
	"runs run", verb{predicate: "runs_on", next: "on"},
	"listens listen", verb{predicate: "listens_on", next: "on"},
	"stands lies sits hangs", verb{predicate: "located_in", next: "in at on under behind near inside"},
	"located kept stored parked hidden", verb{predicate: "located_in", next: "in at on under behind near inside"},
	"keeps stores", verb{predicate: "keeps"},
	"leads heads", verb{predicate: "lead", swap: true},
	"manages", verb{predicate: "manager", swap: true},
	"maintains", verb{predicate: "maintainer", swap: true},
	"chose picked selected", verb{predicate: "decision"},
	"decided agreed settled", verb{predicate: "decision", next: "to on for that"},
)

// verbTable reads pairs of verb forms and their meaning.
func verbTable(pairs ...any) map[string][]verb {
	m := map[string][]verb{}
	for i := 0; i < len(pairs); i += 2 {
		for form := range strings.FieldsSeq(pairs[i].(string)) {
			m[form] = append(m[form], pairs[i+1].(verb))
		}
	}
	return m
}

// complementPredicates are words that form a predicate after a copula, together with a
// preposition.
var complementPredicates = map[string]struct{ next, predicate string }{
	"allergic": {"to", "allergic_to"}, "married": {"to", "spouse"}, "engaged": {"to", "partner"}, "based": {"in", "lives_in"}, "located": {"in", "located_in"},
	"responsible": {"for", "responsible_for"}, "interested": {"in", "interested_in"}, "afraid": {"of", "afraid_of"}, "born": {"in", "birthplace"},
	"due": {"on", "deadline"}, "owned": {"by", "owner"}, "led": {"by", "lead"}, "managed": {"by", "manager"}, "maintained": {"by", "maintainer"},
}

// statusWords are adjectives for passing conditions: they state the status of a thing.
var statusWords = english.WordSet(`
open closed broken fixed down up online offline running stopped working done finished complete completed incomplete ready blocked unblocked pending active inactive
cancelled canceled confirmed approved rejected delayed late overdue on off enabled disabled full empty locked unlocked available unavailable
deprecated released live paused resolved unresolved merged stable unstable healthy sick red green amber yellow single married divorced retired pregnant
`)
