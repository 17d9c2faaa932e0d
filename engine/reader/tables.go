package reader

import (
	_ "embed"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/language"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/quantity"
	"github.com/somnograph/somnograph/internal/english"
)

//go:embed data/words.txt
var wordsFile string

//go:embed data/frames.txt
var framesFile string

//go:embed data/cues.txt
var cuesFile string

// Cardinality is how many values a predicate has at a time.
type Cardinality uint8

const (
	Many Cardinality = iota // likes, has visited, speaks; and all that the table does not have
	One                     // lives in, is called, log level
	Open                    // undecided: prefers
)

// frame is a predicate of frames.txt.
type frame struct {
	person      bool // its nouns name persons: a value without a name describes them
	apart       bool // its nouns name different things: a dentist is no physician
	name, label string
	cardinality Cardinality
}

// use is what a form says about the value of its slot.
type use uint8

const (
	useState  use = iota
	useChange     // the value has changed to this one
	useEnd        // the value has ended
)

// surface is one form of a frame.
type surface struct {
	frame   uint8
	use     use
	inverse bool   // the value is the subject
	direct  bool   // the value is the direct object, and the words after prep tell the slot apart
	thing   bool   // the slot is that of what is acted on: "they moved it to V", "it moved to V"
	passive bool   // "be" and a participle
	prep    string // before the value; empty for a direct object or complement
	noun    string // lemma of the direct object or complement that the form needs
	label   string // the predicate that the form means instead of that of its frame; "~" is the verb as written
	takes   []condition
	beside  bool // a second value by this form stands beside the first one
}

// cue is a set of the classes of cues.txt, by their order in the file.
type cue uint32

const (
	cueNow cue = 1 << iota
	cueNoLonger
	cueInstead
	cueChanged
	cueFinally
	cueCorrect
	cueAlso
	cueSometimes
	cueActually
	cueUsed
	cueDated
	cueBounded
	cueFuture
	cueFrom
	cueIf
	cueWish
	cueFiction
	cueQuoted
	cueReported
	cueAttempt
	cueCondition
	cueFiller
	cues = iota
)

// phrase is a phrase of cues.txt. "~" in it stands for any word.
type phrase struct {
	words []string
	cue   cue
}

// tables holds what the embedded files say.
var tables = func() (t struct {
	function, preposition, determiner, adverb, filler, verb, event, many, change, stop                  map[string]bool
	report, copula, imperative, months, weekdays, relative, part, unit, family                          map[string]bool
	verbLemma, eventLemma, manyLemma, changeLemma, stopLemma, reportLemma, finite, copies, stativeLemma map[string]bool
	movesLemma, lastsLemma                                                                              map[string]bool
	bothForms                                                                                           map[string]bool
	currency                                                                                            map[string]string
	quantities                                                                                          quantity.Reader
	frames                                                                                              []frame
	verbs                                                                                               map[string][]surface // by lemma of the verb
	nouns                                                                                               map[string][]surface // by lemma of the noun
	phrases                                                                                             map[string][]phrase  // by the first word
	kinds                                                                                               map[string]map[string]bool
}) {
	lists := map[string]string{}
	name := ""
	for line := range lexicon.Lines(wordsFile) {
		if rest, ok := strings.CutPrefix(line, "@"); ok {
			name = rest
			continue
		}
		lists[name] += " " + line
	}
	set := func(name string) map[string]bool { return english.WordSet(lists[name]) }
	t.function, t.preposition, t.determiner, t.adverb = set("function"), set("preposition"), set("determiner"), set("adverb")
	t.filler, t.verb, t.event, t.many, t.change = set("filler"), set("verb"), set("event"), set("many"), set("change")
	t.stop, t.report, t.copula, t.imperative = set("stop"), set("report"), set("copula"), set("imperative")
	t.months, t.weekdays, t.relative, t.part, t.unit, t.family = set("months"), set("weekdays"), set("relative"), set("part"), set("unit"), set("family")
	t.verbLemma, t.eventLemma, t.manyLemma = lexicon.Lemmas(t.verb), lexicon.Lemmas(t.event), lexicon.Lemmas(t.many)
	t.changeLemma, t.stopLemma, t.reportLemma = lexicon.Lemmas(t.change), lexicon.Lemmas(t.stop), lexicon.Lemmas(t.report)
	t.movesLemma, t.lastsLemma = lexicon.Lemmas(set("moves")), lexicon.Lemmas(set("lasts"))
	t.stativeLemma = lexicon.Lemmas(set("stative"))
	t.finite = english.WordSet("am is are was were have has had do does did will would shall should can could may might must 'd")
	t.copies = lexicon.Lemmas(t.copula)
	t.bothForms = english.WordSet("put cut set let read hit cost quit beat shut split spread come run become lay")
	t.currency = map[string]string{}
	t.quantities = quantity.Reader{Parts: t.part, Units: t.unit, Function: t.function, Currency: t.currency}
	for pair := range strings.FieldsSeq(lists["currency"]) {
		from, to, _ := strings.Cut(pair, "=")
		t.currency[from] = to
	}
	t.frames, t.verbs, t.nouns, t.kinds = readFrames()
	t.phrases = map[string][]phrase{}
	at := 0
	for line := range lexicon.Lines(cuesFile) {
		_, list, _ := strings.Cut(line, ": ")
		for p := range strings.SplitSeq(list, ", ") {
			ws := strings.Fields(p)
			t.phrases[ws[0]] = append(t.phrases[ws[0]], phrase{ws, 1 << at})
		}
		at++
	}
	return t
}()

// languages tells English from other languages by the words of the tables.
var languages = language.New(lexicon.Lines(wordsFile+lexicon.Texts()+framesFile+cuesFile), tables.function)

// English reports whether a text is English, and how certain that is, in [0.5, 1].
func English(text string) (bool, float64) { return languages.English(bounded(text)) }

// readFrames reads frames.txt.
func readFrames() (frames []frame, verbs, nouns map[string][]surface, kinds map[string]map[string]bool) {
	verbs, nouns, kinds = map[string][]surface{}, map[string][]surface{}, map[string]map[string]bool{}
	for line := range lexicon.Lines(framesFile) {
		head, forms, _ := strings.Cut(line, ": ")
		if kind, ok := strings.CutPrefix(head, "@"); ok {
			kinds[kind] = lexicon.Lemmas(english.WordSet(forms))
			continue
		}
		name, cardinality, _ := strings.Cut(head, " ")
		cardinality, label, _ := strings.Cut(cardinality, " ")
		f := frame{name: name, label: label}
		switch cardinality {
		case "one":
			f.cardinality = One
		case "each":
			f.cardinality, f.apart = One, true
		case "open":
			f.cardinality = Open
		}
		f.person = persons[name]
		at := uint8(len(frames))
		frames = append(frames, f)
		for form := range strings.SplitSeq(forms, ", ") {
			s := surface{frame: at}
			for ; strings.IndexByte("><^", form[0]) >= 0; form = form[1:] {
				switch form[0] {
				case '>':
					s.use = useChange
				case '<':
					s.use = useEnd
				case '^':
					s.inverse = true
				}
			}
			if noun, ok := strings.CutPrefix(form, "#"); ok {
				lem := lexicon.Lemma(noun)
				nouns[lem] = append(nouns[lem], s)
				continue
			}
			form, s.label, _ = strings.Cut(form, " =")
			ws := strings.Fields(form)
			verb := lexicon.Lemma(ws[0])
			if verb == "be" && len(ws) > 1 && !prepositions[ws[1]] && participles[ws[1]] {
				ws = ws[1:]
				verb, s.passive = lexicon.Lemma(ws[0]), true
			}
			for _, w := range ws[1:] {
				takes, ok := conditionOf(w)
				switch {
				case ok:
					s.takes = append(s.takes, takes)
				case w == "&":
					s.beside = true
				case w == "it":
					s.thing = true
				case w == "_":
					s.direct = true
				case prepositions[w]:
					s.prep = w
				default:
					s.noun = lexicon.Lemma(w)
				}
			}
			verbs[verb] = append(verbs[verb], s)
		}
	}
	return frames, verbs, nouns, kinds
}

// persons are the predicates whose nouns name persons.
var persons = english.WordSet("relationship roommate doctor therapist coach landlord boss")

// prepositions are the words of which a form of a frame is told apart; particles are among them.
var prepositions = english.WordSet("in at on with to for by from of as out up down over off until under behind inside next above below beside into per after through back")

// participles are the verbs that frames.txt uses in the passive voice.
var participles = english.WordSet("base bear employ enrol call know name reach marry engage divorce coach manage lead run head own maintain handle assign close block host deploy keep schedule plan collect store insure set use write build track read learn listen divorced do")
