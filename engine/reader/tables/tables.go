// Package tables has the lists of words by which the reader reads English, and the phrases that are cues.
package tables

import (
	_ "embed"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/quantity"
	"github.com/somnograph/somnograph/engine/reader/token"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/internal/english"
)

//go:embed words.txt
var wordsFile string

//go:embed cues.txt
var cuesFile string

// File is the text of both lists.
var File = wordsFile + cuesFile

// Phrase is a phrase of cues.txt. "~" in it stands for any word.
type Phrase struct {
	Words []string
	Class int // of the cue: its line in the file
}

// The lists of words.txt by their names there, and what follows from them. Those with "Lemma" at the end have the lemmas of a list.
var (
	Function, Preposition, Determiner, Adverb, Filler, Verb, Event, Many, Change, Stop                  map[string]bool
	Report, Copula, Imperative, Months, Weekdays, Relative, Part, Unit, Family                          map[string]bool
	VerbLemma, EventLemma, ManyLemma, ChangeLemma, StopLemma, ReportLemma, Finite, Copies, StativeLemma map[string]bool
	MovesLemma, LastsLemma                                                                              map[string]bool
	BothForms                                                                                           map[string]bool     // verbs whose past has the form of the base
	Currency                                                                                            map[string]string   // a sign or a word of a currency by its other names
	Tokens                                                                                              token.Reader        // cuts texts into words
	Phrases                                                                                             map[string][]Phrase // by the first word
	Classes                                                                                             int                 // of cues
)

func init() {
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
	Function, Preposition, Determiner, Adverb = set("function"), set("preposition"), set("determiner"), set("adverb")
	Filler, Verb, Event, Many, Change = set("filler"), set("verb"), set("event"), set("many"), set("change")
	Stop, Report, Copula, Imperative = set("stop"), set("report"), set("copula"), set("imperative")
	Months, Weekdays, Relative, Part, Unit, Family = set("months"), set("weekdays"), set("relative"), set("part"), set("unit"), set("family")
	VerbLemma, EventLemma, ManyLemma = lexicon.Lemmas(Verb), lexicon.Lemmas(Event), lexicon.Lemmas(Many)
	ChangeLemma, StopLemma, ReportLemma = lexicon.Lemmas(Change), lexicon.Lemmas(Stop), lexicon.Lemmas(Report)
	MovesLemma, LastsLemma = lexicon.Lemmas(set("moves")), lexicon.Lemmas(set("lasts"))
	StativeLemma = lexicon.Lemmas(set("stative"))
	Finite = english.WordSet("am is are was were have has had do does did will would shall should can could may might must 'd")
	Copies = lexicon.Lemmas(Copula)
	BothForms = english.WordSet("put cut set let read hit cost quit beat shut split spread come run become lay")
	Currency = map[string]string{}
	Tokens = token.Reader{
		Function: Function, Adverb: Adverb, Preposition: Preposition, Determiner: Determiner, Finite: Finite, Imperative: Imperative,
		Verbs: verb.New(Verb, VerbLemma, BothForms, Finite, lexicon.Lemma), ChangeLemma: ChangeLemma, StopLemma: StopLemma, MovesLemma: MovesLemma,
		Quantities: quantity.Reader{Parts: Part, Units: Unit, Function: Function, Currency: Currency},
	}
	for pair := range strings.FieldsSeq(lists["currency"]) {
		from, to, _ := strings.Cut(pair, "=")
		Currency[from] = to
	}
	Phrases = map[string][]Phrase{}
	at := 0
	for line := range lexicon.Lines(cuesFile) {
		_, list, _ := strings.Cut(line, ": ")
		for p := range strings.SplitSeq(list, ", ") {
			ws := strings.Fields(p)
			Phrases[ws[0]] = append(Phrases[ws[0]], Phrase{ws, at})
		}
		at++
	}
	Classes = at
}
