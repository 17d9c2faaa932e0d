package reader

import (
	_ "embed"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/language"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/quantity"
	"github.com/somnograph/somnograph/engine/reader/token"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/internal/english"
)

//go:embed data/words.txt
var wordsFile string

//go:embed data/cues.txt
var cuesFile string

// Cardinality is how many values a predicate has at a time.
type Cardinality = frames.Cardinality

const (
	Many = frames.Many // likes, has visited, speaks; and all that the table does not have
	One  = frames.One  // lives in, is called, log level
	Open = frames.Open // undecided: prefers
)

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
	tokens                                                                                              token.Reader
	phrases                                                                                             map[string][]phrase // by the first word
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
	t.tokens = token.Reader{
		Function: t.function, Adverb: t.adverb, Preposition: t.preposition, Determiner: t.determiner, Finite: t.finite, Imperative: t.imperative,
		Verbs: verb.New(t.verb, t.verbLemma, t.bothForms, t.finite, lexicon.Lemma), ChangeLemma: t.changeLemma, StopLemma: t.stopLemma, MovesLemma: t.movesLemma,
		Quantities: quantity.Reader{Parts: t.part, Units: t.unit, Function: t.function, Currency: t.currency},
	}
	for pair := range strings.FieldsSeq(lists["currency"]) {
		from, to, _ := strings.Cut(pair, "=")
		t.currency[from] = to
	}
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
var languages = language.New(lexicon.Lines(wordsFile+lexicon.Texts()+frames.File+cuesFile), tables.function)

// English reports whether a text is English, and how certain that is, in [0.5, 1].
func English(text string) (bool, float64) { return languages.English(bounded(text)) }
