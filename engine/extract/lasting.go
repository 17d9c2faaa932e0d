package extract

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// maxLasting is the number of sentences up to which a text may state what lasts. A longer one tells something.
const maxLasting = 3

// lasting reports whether a text says what holds over time: each of its sentences does, apart from questions and small talk. The tense
// and the aspect of the verb tell, and the time words. What is in the present tense, or what somebody can do or has done for years,
// holds; what was done, is being done or will be done is an event.
func lasting(all []Sentence) bool {
	found := 0
	for _, s := range all {
		switch {
		case s.Question, smallTalk(s.Words):
		case !holds(s.Words):
			return false
		default:
			found++
		}
	}
	return found > 0 && len(all) <= maxLasting
}

// momentary reports a statement about a state or a place of which a sentence says that it ends: "is blocked", "on holiday this week".
func momentary(all []Sentence, st Statement) bool {
	switch strings.TrimPrefix(st.Predicate, "not_") {
	case "is", "status", "has", "located_in":
	default:
		return false
	}
	return slices.ContainsFunc(all, func(s Sentence) bool { return !s.Question && passes(mainClause(s.Words)) })
}

func smallTalk(ws []Word) bool {
	return len(ws) <= 3 && slices.ContainsFunc(ws, func(w Word) bool { return smallTalkWords[w.Low] })
}

// stepWords are between the steps of something that is done in order.
var stepWords = english.WordSet("then afterwards finally")

// aspect is how the verb of a clause presents what it says.
type aspect int

const (
	noVerb      aspect = iota
	state              // present tense, without an auxiliary: a state or a habit
	possession         // has, and no participle
	being              // is, and no participle in -ing
	ability            // can
	progressive        // is doing
	perfect            // has done
	pastEvent          // did
	pastHabit          // used to do
	unreal             // will, would, must: not yet, or not known
)

// predicate is the verb of a clause.
type predicate struct {
	aspect aspect
	verb   string // its last form, in lower case
	end    int    // position after it
	own    bool   // its subject is "I" or "we"
}

// holds reports whether a sentence says what holds over time.
func holds(ws []Word) bool {
	ws, labelled := withoutLabel(withoutLeadIns(ws))
	if len(ws) == 0 || labelled == occasionLabel || len(ws) > 1 && supposed(ws) {
		return false
	}
	if slices.ContainsFunc(ws, func(w Word) bool { return stepWords[w.Low] }) {
		return false // steps: patterns are made of occasions
	}
	habit := tellsHabit(ws)
	if ws = mainClause(ws); passes(ws) {
		return false
	}
	if tellsWhen(ws, habit) {
		return false
	}
	p := predicateOf(ws)
	rest := ws[p.end:]
	switch p.aspect {
	case noVerb:
		return p.verb == "" && (labelled == nounLabel || trait(ws))
	case state:
		if !habit && happening(ws, p) {
			return false
		}
		return !opinions[english.Lemma(p.verb)] && !(p.own && inMind(p.verb, rest)) && !(samePast[p.verb] && !habit) && !(startsWith(rest, []string{"to"}) && intends[english.Lemma(p.verb)])
	case possession:
		return !slices.ContainsFunc(rest, func(w Word) bool { return passingThings[w.Low] || occasions[w.Low] }) && !endsInParticiple(rest)
	case being:
		return !startsWith(rest, []string{"to"})
	case ability:
		return len(rest) > 0 && !(p.own && attempts[rest[0].Low])
	case progressive:
		return habit || tellsSpan(ws)
	case perfect:
		return habit || tellsSpan(ws) || experiences[p.verb]
	case pastHabit:
		return true
	case pastEvent:
		return tellsLife(ws, p)
	}
	return false
}

// withoutLeadIns takes the words off that only lead to what is said.
func withoutLeadIns(ws []Word) []Word {
	for len(ws) > 1 && (leadIns[ws[0].Low] || smallTalkWords[ws[0].Low] && ws[0].SignAfter == ',') {
		ws = ws[1:]
	}
	return ws
}

// label is what stands before a colon.
type label int

const (
	noLabel       label = iota
	nounLabel           // the name of a thing: "Blood group: 0 negative"
	occasionLabel       // an occasion or something to be done: "Standup: …", "TODO: …"
)

const maxLabel = 4 // words

// withoutLabel takes off the words before a colon.
func withoutLabel(ws []Word) ([]Word, label) {
	at := slices.IndexFunc(ws[:min(len(ws), maxLabel)], func(w Word) bool { return w.SignAfter == ':' })
	if at < 0 || at+1 == len(ws) {
		return ws, noLabel
	}
	if slices.ContainsFunc(ws[:at+1], func(w Word) bool {
		return occasions[w.Low] || timeWords[w.Low] || calendar[w.Low] || isDate(w.Low) || isNumber(w.Low) || isPast(w.Low)
	}) {
		return ws[at+1:], occasionLabel
	}
	return ws[at+1:], nounLabel
}

// mainClause returns the words before the first clause that says when, if or why.
func mainClause(ws []Word) []Word {
	for i, w := range ws {
		if i > 1 && (conditional[w.Low] && w.Low != "should" && w.Low != "had" || w.Low == "because" || w.Low == "while") {
			return ws[:i]
		}
	}
	return ws
}

// supposed reports a clause about what might be. "When" and "whenever" say when something is so.
func supposed(ws []Word) bool {
	if first := ws[0].Low; first == "if" || first == "unless" || first == "suppose" || first == "imagine" || first == "should" || first == "had" || first == "let" || first == "lets" || first == "please" {
		return true
	}
	return slices.ContainsFunc(ws, func(w Word) bool {
		return wishes[w.Low] && w.Low != "if" && w.Low != "unless" && w.Low != "whether" && w.Low != "wonder"
	})
}

// tellsHabit reports words that say that something happens again and again.
func tellsHabit(ws []Word) bool {
	for i, w := range ws {
		day, plural := strings.CutSuffix(w.Low, "s")
		_, weekday := english.Weekday(day)
		switch {
		case habitWords[w.Low], w.Low == "when" && i > 0, plural && weekday, plural && dayParts[day]:
			return true
		case (w.Low == "a" || w.Low == "per") && i > 0 && i+1 < len(ws) && timeUnits[ws[i+1].Low] && (ws[i-1].Low == "once" || ws[i-1].Low == "twice" || ws[i-1].Low == "times"):
			return true
		}
	}
	return false
}

var dayParts = english.WordSet("weekday weekend morning evening afternoon night holiday")

// tellsWhen reports words that say on which day something happens, happened or will happen.
func tellsWhen(ws []Word, habit bool) bool {
	for i, w := range ws {
		next := ""
		if i+1 < len(ws) {
			next = ws[i+1].Low
		}
		_, weekday := english.Weekday(w.Low)
		switch {
		case dayWords[w.Low], w.Low == "again" && i+1 == len(ws) && !habit:
			return true
		case w.Low == "last" && (timeUnits[next] || passingUnits[next]):
			return !(i > 0 && (ws[i-1].Low == "the" || ws[i-1].Low == "since"))
		case weekday && !habit && w.capital() && !(i > 0 && (ws[i-1].Low == "every" || ws[i-1].Low == "first" || ws[i-1].Low == "second" || ws[i-1].Low == "third" || ws[i-1].Low == "last")):
			return true
		case isDate(w.Low) && strings.ContainsAny(w.Low, "-/.") && len(w.Low) >= 8 && !since(ws, i):
			return true
		case english.Month(w.Low) != 0 && w.capital() && (i > 0 && dayOfMonth(ws[i-1].Low) || dayOfMonth(next)) && !since(ws, i):
			return true
		}
	}
	return false
}

// since reports whether "since" or "from" stands before a date.
func since(ws []Word, i int) bool {
	return slices.ContainsFunc(ws[max(0, i-2):i], func(w Word) bool { return w.Low == "since" || w.Low == "from" })
}

// dayOfMonth reports a number of a day.
func dayOfMonth(low string) bool {
	if number, ok := english.CutOrdinal(low); ok {
		low = number
	}
	return isNumber(low) && len(low) <= 2
}

// tellsSpan reports words that say since when or for how long something has been so: since 2011, for ten years.
func tellsSpan(ws []Word) bool {
	for i, w := range ws {
		switch {
		case w.Low == "since" && i+1 < len(ws):
			return true
		case w.Low == "years" || w.Low == "decades" || w.Low == "ages" || w.Low == "months":
			return slices.ContainsFunc(ws[max(0, i-3):i], func(w Word) bool { return w.Low == "for" || w.Low == "since" })
		}
	}
	return false
}

// tellsLife reports a past tense that says what belongs to somebody's life: where they grew up, what they studied, what they did for years.
func tellsLife(ws []Word, p predicate) bool {
	rest := ws[p.end:]
	if slices.ContainsFunc(ws, func(w Word) bool { return timeWords[w.Low] }) {
		return false
	}
	if (p.verb == "was" || p.verb == "were") && p.end > 1 && len(rest) > 1 && (rest[0].Low == "a" || rest[0].Low == "an") {
		return peopleWords[ws[p.end-2].Low] && (p.end == 2 || beforeNouns[ws[p.end-3].Low]) // "my grandfather was a miner"
	}
	phrase, ok := lifePhrases[p.verb]
	return ok && (len(phrase) == 0 || slices.ContainsFunc(rest[:min(len(rest), 4)], func(w Word) bool { return slices.Contains(phrase, w.Low) }))
}

// predicateOf finds the verb of a sentence. It is noVerb with a word for a command and for "it" and "that", which state nothing by
// themselves, and noVerb without one for a note without a verb.
func predicateOf(ws []Word) predicate {
	if len(ws) == 0 {
		return predicate{verb: "and"}
	}
	if p, ok := withoutSubject(ws); ok {
		return p
	}
	for i := 0; i < min(len(ws), maxSubject+4); i++ {
		low := ws[i].Low
		base, clitic := english.Contraction(low)
		switch {
		case noFacts[base]:
			return predicate{verb: base}
		case subjectPronouns[base]:
			return withOwner(afterPronoun(ws, i, clitic), base)
		case i > 0 && auxiliaryAt(ws, i):
			return fromAuxiliary(ws, i)
		case i > 0 && !afterDeterminer(ws, i) && isPast(low) && !ws[i].capital():
			return predicate{aspect: pastEvent, verb: low, end: i + 1}
		case i > 0 && presentAt(ws, i):
			return predicate{aspect: state, verb: low, end: i + 1}
		case i > 0 && ws[i-1].SignAfter != 0 && ws[i-1].SignAfter != ',' && ws[i-1].SignAfter != ')' && ws[i-1].SignAfter != '"':
			return predicate{}
		}
	}
	return predicate{}
}

func withOwner(p predicate, pronoun string) predicate {
	p.own = pronoun == "i" || pronoun == "we"
	return p
}

// withoutSubject reads a note that begins with its verb: "Takes 20 mg", "Booked the flights". A command has no predicate.
func withoutSubject(ws []Word) (predicate, bool) {
	low, next := ws[0].Low, ""
	if len(ws) > 1 {
		next = ws[1].Low
	}
	switch {
	case ws[0].SignAfter == ',' || ws[0].Possessive:
	case isPast(low) && !subjectPronouns[next] && next != "to":
		return predicate{aspect: pastEvent, verb: low, end: 1}, true
	case strings.HasSuffix(low, "ing") && len(low) > 4 && (beforeNouns[next] || placePrepositions[next] || next == "for" || next == "to"):
		return predicate{aspect: progressive, verb: low, end: 1}, true
	case low == "has" || low == "is" || low == "can" || low == "can't" || low == "cannot" || low == "does" || low == "doesn't" || low == "isn't":
		return fromAuxiliary(ws, 0), true
	case english.Singular(low) != low && verbLemmas[english.Lemma(low)] && next != "" && !isCopula(next) && next != "for" && next != "about":
		return predicate{aspect: state, verb: low, end: 1}, true
	case imperatives[low] && !isCopula(next), english.Singular(low) == low && verbLemmas[english.Lemma(low)] && (beforeNouns[next] || emptyObjects[next] || conditional[next]):
		return predicate{verb: low, end: 0}, true
	}
	return predicate{}, false
}

// afterPronoun reads the verb after the pronoun of a subject at i, with what the pronoun is contracted with.
func afterPronoun(ws []Word, i int, clitic string) predicate {
	switch clitic {
	case "'m", "'re":
		return fromBe(ws, i+1)
	case "'ve":
		return fromHave(ws, i+1)
	case "'ll", "'d":
		return predicate{aspect: unreal, end: i + 1}
	}
	if ws[i].Possessive {
		at := afterAdverbs(ws, i+1)
		if at < len(ws) && (isPast(ws[at].Low) || ws[at].Low == "been") && ws[at].Low != "born" {
			return fromHave(ws, i+1)
		}
		return fromBe(ws, i+1)
	}
	at := afterAdverbs(ws, i+1)
	switch {
	case at == len(ws):
		return predicate{verb: ws[i].Low}
	case ws[at].Low == "and" || ws[at].Low == "or":
		p := predicateOf(ws[at+1:])
		p.end += at + 1
		return p
	case auxiliaryAt(ws, at):
		return fromAuxiliary(ws, at)
	case isPast(ws[at].Low):
		return predicate{aspect: pastEvent, verb: ws[at].Low, end: at + 1}
	case english.StopWord(ws[at].Low) && !verbLemmas[english.Lemma(ws[at].Low)]:
		return predicate{verb: ws[i].Low}
	}
	return predicate{aspect: state, verb: ws[at].Low, end: at + 1}
}

// auxiliaryAt reports a form of be, have or do, or a modal verb.
func auxiliaryAt(ws []Word, i int) bool {
	base, clitic := english.Contraction(ws[i].Low)
	return auxiliaryVerbs[base] || auxiliaryVerbs[english.Expand(base)] && clitic == "n't"
}

// fromAuxiliary reads the verb that an auxiliary at i begins.
func fromAuxiliary(ws []Word, i int) predicate {
	base, clitic := english.Contraction(ws[i].Low)
	if clitic != "" {
		base = english.Expand(base)
	}
	at := afterAdverbs(ws, i+1)
	switch base {
	case "am", "is", "are":
		return fromBe(ws, i+1)
	case "has", "have":
		return fromHave(ws, i+1)
	case "can", "cannot":
		return predicate{aspect: ability, verb: base, end: at}
	case "do", "does":
		if at < len(ws) && !beforeNouns[ws[at].Low] {
			return predicate{aspect: state, verb: ws[at].Low, end: at + 1}
		}
		return predicate{aspect: state, verb: base, end: at}
	case "was", "were", "had", "did":
		if at < len(ws) && (base == "was" || base == "were") && (ws[at].Low == "born" || ws[at].Low == "raised" || ws[at].Low == "brought") {
			return predicate{aspect: pastEvent, verb: ws[at].Low, end: at + 1}
		}
		return predicate{aspect: pastEvent, verb: base, end: at}
	case "used":
		if at < len(ws) && ws[at].Low == "to" {
			return predicate{aspect: pastHabit, verb: base, end: at + 1}
		}
		return predicate{aspect: pastEvent, verb: base, end: at}
	case "must", "should":
		if i > 0 && !subjectPronouns[ws[i-1].Low] {
			return predicate{aspect: ability, verb: base, end: at}
		}
	}
	return predicate{aspect: unreal, verb: base, end: at}
}

// fromBe reads what follows a present form of be.
func fromBe(ws []Word, from int) predicate {
	at := afterAdverbs(ws, from)
	if at < len(ws) && (ws[at].Low == "going" || ws[at].Low == "gonna" || ws[at].Low == "about" && at+1 < len(ws) && ws[at+1].Low == "to") {
		return predicate{aspect: unreal, verb: ws[at].Low, end: at + 1}
	}
	if at < len(ws) && strings.HasSuffix(ws[at].Low, "ing") && len(ws[at].Low) > 4 && !english.Uninflected(ws[at].Low) {
		return predicate{aspect: progressive, verb: ws[at].Low, end: at + 1}
	}
	return predicate{aspect: being, verb: "is", end: at}
}

// fromHave reads what follows a present form of have.
func fromHave(ws []Word, from int) predicate {
	at := afterAdverbs(ws, from)
	switch {
	case at == len(ws):
		return predicate{verb: "has"}
	case ws[at].Low == "to":
		return predicate{aspect: unreal, verb: "has", end: at + 1}
	case ws[at].Low == "got" && at+1 < len(ws) && (beforeNouns[ws[at+1].Low] || isNumber(ws[at+1].Low) || isNumberWord(ws[at+1].Low)):
		return predicate{aspect: possession, verb: "has", end: at + 1}
	case ws[at].Low == "been" && at+1 < len(ws) && ws[at+1].Low == "to":
		return predicate{aspect: perfect, verb: "visited", end: at + 2}
	case isPast(ws[at].Low) || ws[at].Low == "come" || ws[at].Low == "become" || ws[at].Low == "run":
		return predicate{aspect: perfect, verb: ws[at].Low, end: at + 1}
	}
	return predicate{aspect: possession, verb: "has", end: at}
}

// afterAdverbs returns the first position from i on that is no adverb and no negation.
func afterAdverbs(ws []Word, i int) int {
	for i < len(ws) && (verbAdverbs[ws[i].Low] || habitWords[ws[i].Low] && ws[i].Low != "every" && ws[i].Low != "each" || strings.HasSuffix(ws[i].Low, "ly") && len(ws[i].Low) > 4) {
		i++
	}
	return i
}

// isPast reports a past form or a participle, by its ending or from the list of irregular ones.
func isPast(low string) bool {
	return low == "born" || english.IrregularPast(low) && low != "lead" || strings.HasSuffix(low, "ed") && len(low) > 4 && !english.BaseInEd(low) && !strings.Contains(low, "-")
}

func afterDeterminer(ws []Word, i int) bool {
	before := ws[i-1]
	return beforeNouns[before.Low] || before.Possessive || strings.HasSuffix(before.Low, "ly") && before.Low != "only" || before.Low == "is" || isNumber(before.Low)
}

// presentAt reports a verb in the present tense at i, after a subject that is a noun: "comes" after "the cleaner", "need" after
// "tests".
func presentAt(ws []Word, i int) bool {
	w, before := ws[i], ws[i-1]
	if w.capital() || before.SignAfter != 0 || isNumber(w.Low) || before.Possessive || beforeNouns[before.Low] || isNumber(before.Low) || isNumberWord(before.Low) ||
		english.StopWord(before.Low) && !verbAdverbs[before.Low] && !habitWords[before.Low] {
		return false
	}
	if i+1 < len(ws) && w.SignAfter == 0 && (auxiliaryAt(ws, i+1) || isPast(ws[i+1].Low) && english.Lemma(w.Low) != "get") {
		return false
	}
	known := verbLemmas[english.Lemma(w.Low)]
	subject := i - 1
	for subject > 0 && (verbAdverbs[ws[subject].Low] || habitWords[ws[subject].Low]) {
		subject--
	}
	if singular := english.Singular(w.Low); singular != w.Low && !english.Uninflected(w.Low) {
		return known || i+1 < len(ws) && (beforeNouns[ws[0].Low] || ws[subject].capital() && subject == 0)
	}
	plural := english.Singular(ws[subject].Low) != ws[subject].Low || pluralNouns[ws[subject].Low] || subject > 1 && ws[subject-1].Low == "and"
	return plural && (known || beforeNouns[ws[0].Low] && !english.StopWord(w.Low) && !strings.HasSuffix(w.Low, "ly") && !strings.HasSuffix(w.Low, "ing") && !placePrepositions[w.Low] && i+1 < len(ws))
}

// inMind reports a verb that says what the speaker thinks, feels or wants at the moment. Whom or what one knows lasts.
func inMind(verb string, rest []Word) bool {
	lemma := english.Lemma(verb)
	if lemma == english.Lemma("know") {
		return len(rest) < 2 || !rest[0].capital() && !beforeNouns[rest[0].Low] && !english.StopWord(rest[0].Low) || conditional[rest[0].Low] || rest[0].Low == "that" || rest[0].Low == "the"
	}
	if lemma == "get" {
		return len(rest) == 0 || emptyObjects[rest[0].Low]
	}
	return mindVerbs[lemma] || rest != nil && len(rest) == 0 && verb != "smoke"
}

// endsInParticiple reports an object that ends with what was done to it: "the car repaired".
func endsInParticiple(ws []Word) bool {
	return len(ws) > 1 && isPast(ws[len(ws)-1].Low)
}

// trait reports a note without a verb that begins with an adjective for what somebody is: "Allergic to penicillin".
func trait(ws []Word) bool {
	low := ws[0].Low
	if occasions[low] || dayWords[low] {
		return false
	}
	return traits[low] || tellsSpan(ws) && !strings.HasSuffix(low, "ing") ||
		slices.ContainsFunc(traitEndings, func(end string) bool { return strings.HasSuffix(low, end) && len(low) > len(end)+2 }) && len(ws) > 1 && (ws[1].Low == "to" || ws[1].Low == "of" || ws[1].Low == "in" || ws[1].Low == "about")
}

var (
	traitEndings    = []string{"ic", "ous", "ful", "less", "able", "ible", "ive", "-free", "-handed", "-blind"}
	beforeNouns     = wordLists.Set("beforeNouns")
	subjectPronouns = english.WordSet("i we they he she")
	noFacts         = english.WordSet("it that this there you what which these those someone somebody something who let's")

	auxiliaryVerbs = english.WordSet("am is are was were has have had do does did can cannot will would could might may must should shall used")
	verbAdverbs    = wordLists.Set("verbAdverbs")
	habitWords     = wordLists.Set("habitWords")
	dayWords       = wordLists.Set("dayWords")
	occasions      = wordLists.Set("occasions")
	passingThings  = wordLists.Set("passingThings")
	experiences    = english.WordSet("visited lived known owned had worked studied")
	opinions       = lemmaSet(wordLists.Words("opinionVerbs"))
	intends        = lemmaSet("need want plan intend hope try ask have wish expect")
	mindVerbs      = lemmaSet(wordLists.Words("mindVerbs"))
	attempts       = wordLists.Set("attempts")
	samePast       = english.WordSet("cut put read set hit shut let quit hurt spread bet burst split")
	traits         = wordLists.Set("traits")
	pluralNouns    = english.WordSet("people children men women police staff both")

	// verbLemmas are the lemmas of common verbs.
	verbLemmas = func() map[string]bool {
		all := lemmaSet(wordLists.Words("commonVerbs"))
		for form := range verbs {
			all[english.Lemma(form)] = true
		}
		for _, list := range []string{"personVerbs", "placeVerbs", "imperatives"} {
			for form := range wordLists.Set(list) {
				all[english.Lemma(form)] = true
			}
		}
		return all
	}()

	// lifePhrases are past forms that tell of somebody's life, with the words of which one must follow.
	lifePhrases = func() map[string][]string {
		all := map[string][]string{}
		for _, line := range wordLists.Lines("lifePhrases") {
			forms, after, _ := strings.Cut(line, ":")
			for form := range strings.FieldsSeq(forms) {
				all[form] = strings.Fields(after)
			}
		}
		return all
	}()
)

func lemmaSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[english.Lemma(w)] = true
	}
	return set
}
