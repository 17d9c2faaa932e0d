package lexicon

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Words as they are written.
var (
	// Allowed are words of what may be done.
	Allowed = english.WordSet("fine ok okay allowed welcome good alright acceptable")
	// BePrepositions are prepositions after "be" before what something is.
	BePrepositions = english.WordSet("in at on with under")
	// Bounds are words before a number that bound it.
	Bounds = english.WordSet("least most up about around only exactly roughly nearly over under almost")
	// Couples are words that say that two are a couple.
	Couples = english.WordSet("together couple dating seeing engaged married relationship girlfriend boyfriend wife husband partner fiancé fiancée fiance fiancee")
	// DayOpeners are words before a day that begin a phrase of time.
	DayOpeners = english.WordSet("on in from next this tomorrow at as after the over during coming")
	// DayProperties are what a thing is for a length of time that begins with its own first day.
	DayProperties = english.WordSet("valid good free guaranteed worth active eligible covered married")
	// Degrees are words of how much, how often or with what else something is so.
	Degrees = english.WordSet("only just always all much often regularly exclusively solely alone mainly mostly usually")
	// Dwellings are nouns of where somebody lives.
	Dwellings = english.WordSet("flat apartment house place room")
	// Habitual are words of what is usual and does not tell of one time.
	Habitual = english.WordSet("usually always often most sometimes normally generally whenever daily weekly nightly weekdays weekends")
	// Hedges are words of a clause that does not say for sure what will be.
	Hedges = english.WordSet("probably likely maybe perhaps possibly hopefully might may should would could want wants hope hopes planning intend intends aim thinking considering if unless try trying only just whether")
	// Indefinite are words before a noun that name no certain thing.
	Indefinite = english.WordSet("a an some one another most half part any two three several")
	// Located are prepositions of where something is.
	Located = english.WordSet("in at on under behind beside inside outside above below with")
	// OneOfSeveral are words before a noun that tell it from another one of the same owner.
	OneOfSeveral = english.WordSet("first previous former earlier second third other spare")
	// Reasons are prepositions of why and since when, not of what.
	Reasons = english.WordSet("since because due despite as after before from by without via like , than instead")
	// Resuming are words that take an end back: "but they asked me to stay".
	Resuming = english.WordSet("but back again reopened reopen resumed restarted rejoined returned stayed stay renewed until till however though although tried almost nearly")
	// SamePast are verbs whose past is their base form.
	SamePast = english.WordSet("put cut set let read hit cost quit beat shut split spread bet hurt")
	// Seasons are nouns of a part of a year.
	Seasons = english.WordSet("spring summer autumn fall winter season term semester")
	// SinceWhen are prepositions of why or from when a denial holds.
	SinceWhen = english.WordSet("since because due despite as from thanks")
	// ValuePrepositions are prepositions before the value of a relation.
	ValuePrepositions = english.WordSet("in at on for with of to under by as")
	// Temporary are words of what holds for a time only: "took over for the week".
	Temporary = english.WordSet("for while until till during temporarily")
)

// Wrappers are nouns that name a relation, by the class that ends it.
var Wrappers = func() map[string]string {
	m := map[string]string{}
	for class, list := range map[string]string{
		"post":   "contract job employment internship placement traineeship apprenticeship secondment",
		"member": "membership subscription account enrolment enrollment trial season",
		"home":   "lease tenancy rental sublet",
	} {
		for w := range strings.FieldsSeq(list) {
			m[Lemma(w)] = class
		}
	}
	return m
}()
