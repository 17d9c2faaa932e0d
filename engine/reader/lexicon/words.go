package lexicon

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Words as they are written.
var (
	// Allowed are words of what may be done.
	Allowed = english.WordSet("fine ok okay allowed welcome good alright acceptable")
	// Anything are pronouns for whatever thing.
	Anything = english.WordSet("anything everything something")
	// Around are prepositions that tell where a place is.
	Around = english.WordSet("near outside opposite beyond across along")
	// BePrepositions are prepositions after "be" before what something is.
	BePrepositions = english.WordSet("in at on with under")
	// Bounds are words before a number that bound it.
	Bounds = english.WordSet("least most up about around only exactly roughly nearly over under almost")
	// Choices are verbs that by themselves say how to choose.
	Choices = english.WordSet("prefer avoid")
	// BodyParts are nouns of what may be injured.
	BodyParts = Lemmas(english.WordSet("leg arm wrist ankle foot toe finger thumb hand knee shoulder rib ribs nose collarbone hip elbow jaw back muscle ligament tendon shin"))
	// Borns are nouns of a child that is born.
	Borns = Lemmas(english.WordSet("baby son daughter twins child boy girl triplets"))
	// Briefly are adverbs of an end that comes before its time, or for a short time.
	Briefly = english.WordSet("early briefly temporarily momentarily")
	// CliticHosts are words after which "'s" stands for "is".
	CliticHosts = english.WordSet("that there here what who where how when everything everyone nobody nothing today tomorrow let")
	// Conditions are words that open a condition of a rule.
	Conditions = english.WordSet("when whenever if before after once unless while until since every each for in on at as")
	// Couples are words that say that two are a couple.
	Couples = english.WordSet("together couple dating seeing engaged married relationship girlfriend boyfriend wife husband partner fiancé fiancée fiance fiancee")
	// DayOpeners are words before a day that begin a phrase of time.
	DayOpeners = english.WordSet("on in from next this tomorrow at as after the over during coming")
	// DayProperties are what a thing is for a length of time that begins with its own first day.
	DayProperties = english.WordSet("valid good free guaranteed worth active eligible covered married")
	// Degrees are words of how much, how often or with what else something is so.
	Degrees = english.WordSet("only just always all much often regularly exclusively solely alone mainly mostly usually")
	// Duty are verbs with which a sentence says what must be.
	Duty = english.WordSet("should must ought shall")
	// Dwellings are nouns of where somebody lives.
	Dwellings = english.WordSet("flat apartment house place room")
	// FirstPersons are the speaker, as canonical subjects.
	FirstPersons = english.WordSet("i me we us myself ourselves")
	// Further are words beside a number that is added.
	Further = english.WordSet("more additional extra further")
	// Habitual are words of what is usual and does not tell of one time.
	Habitual = english.WordSet("usually always often most sometimes normally generally whenever daily weekly nightly weekdays weekends")
	// HardlyPlural are verbs in the third person that are hardly ever nouns.
	HardlyPlural = english.WordSet("agrees allows applies approves arrives asks becomes begins belongs brings buys carries closes comes consists contains costs depends earns eats ends enjoys exists expires feels finds follows gets gives goes grows happens hates includes insists keeps knows lasts leads learns likes listens lives looks loves makes meets needs opens owes owns pays prefers provides reads receives refuses remains requires says seems sells sends sings sits sleeps speaks starts swims takes teaches tells thinks tries wants wears writes")
	// Hedges are words of a clause that does not say for sure what will be.
	Hedges = english.WordSet("probably likely maybe perhaps possibly hopefully might may should would could want wants hope hopes planning intend intends aim thinking considering if unless try trying only just whether")
	// Illnesses are what somebody recovers from, apart from the endings of their names.
	Illnesses = english.WordSet("flu influenza cold covid covid-19 cancer leukaemia leukemia lymphoma melanoma tumour tumor pneumonia infection virus fever cough migraine depression burnout malaria measles mumps chickenpox shingles norovirus salmonella illness disease anorexia bulimia insomnia asthma tuberculosis hernia ulcer anaemia anemia concussion poisoning")
	// Injuries are words before a part of the body that heals.
	Injuries = english.WordSet("broken sprained fractured torn twisted dislocated bruised")
	// Implicative are words before "to" and a verb that do not change what the verb says.
	Implicative = english.WordSet("going used managed learned began started continue continues")
	// Indefinite are words before a noun that name no certain thing.
	Indefinite = english.WordSet("a an some one another most half part any two three several")
	// Located are prepositions of where something is.
	Located = english.WordSet("in at on under behind beside inside outside above below with")
	// Movers are particles that make a verb of movement one of change.
	Movers = english.WordSet("over up down on away off out back")
	// Occasions are words that open a clause that tells when or why.
	Occasions = english.WordSet("when whenever while because although")
	// NeverCured are illnesses that stay, or come back, and words before those that do.
	NeverCured = english.WordSet("asthma migraine arthritis colitis dermatitis rhinitis pancreatitis spondylitis glaucoma thalassemia thalassaemia haemophilia psoriasis disease illness chronic lifelong incurable hereditary terminal autoimmune")
	// OneOfSeveral are words before a noun that tell it from another one of the same owner.
	OneOfSeveral = english.WordSet("first previous former earlier second third other spare")
	// Particles are words after a verb that belong to it.
	Particles = english.WordSet("up down out off back away together apart forward")
	// Perhaps are adverbs before the subject of what the speaker does not assert.
	Perhaps = english.WordSet("maybe perhaps possibly")
	// QuestionWords are words that begin a question.
	QuestionWords = english.WordSet("what which who whom whose when where why how")
	// Reasons are prepositions of why and since when, not of what.
	Reasons = english.WordSet("since because due despite as after before from by without via like , than instead")
	// Relatives are nouns of persons of a family.
	Relatives = english.WordSet("mum mom mummy mommy mother dad daddy father papa mama sister brother son daughter wife husband partner girlfriend boyfriend fiancé fiancée fiance fiancee cousin aunt uncle niece nephew grandma grandpa grandmother grandfather nan gran granny granddad twin stepson stepdaughter stepmother stepfather mother-in-law father-in-law brother-in-law sister-in-law friend baby child grandson granddaughter")
	// Resuming are words that take an end back: "but they asked me to stay".
	Resuming = english.WordSet("but back again reopened reopen resumed restarted rejoined returned stayed stay renewed until till however though although tried almost nearly")
	// SamePast are verbs whose past is their base form.
	SamePast = english.WordSet("put cut set let read hit cost quit beat shut split spread bet hurt")
	// Seasons are nouns of a part of a year.
	Seasons = english.WordSet("spring summer autumn fall winter season term semester")
	// Short are units of time shorter than a day.
	Short = english.WordSet("second seconds minute minutes min mins hour hours moment moments while")
	// SinceWhen are prepositions of why or from when a denial holds.
	SinceWhen = english.WordSet("since because due despite as from thanks")
	// Subordinators are words before the subject of a clause.
	Subordinators = english.WordSet("if that because unless whether while though although imagine suppose")
	// SurelyVerb are verbs in their base form that are hardly ever nouns.
	SurelyVerb = english.WordSet("get go take make know want live sit keep eat buy read write learn speak become receive need earn send bring begin arrive belong contain")
	// Temporary are words of what holds for a time only: "took over for the week".
	Temporary = english.WordSet("for while until till during temporarily")
	// Timewise are adverbs after an object that say when in time something happened.
	Timewise = english.WordSet("early late")
	// Vague are words for a number that is not said: "some weeks ago".
	Vague = english.WordSet("some several few many")
	// ValuePrepositions are prepositions before the value of a relation.
	ValuePrepositions = english.WordSet("in at on for with of to under by as")
	// Whole are words that say that nothing of a thing is left out.
	Whole = english.WordSet("all whole entire every")
	// Whoever are pronouns that begin a clause which is the subject of another one.
	Whoever = english.WordSet("whoever whatever whichever")
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
