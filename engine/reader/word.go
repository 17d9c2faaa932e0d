package reader

import (
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/graph"
)

// class is the kind of a word. Its letter stands for the word in masked n-grams.
type class byte

const (
	classFunction class = 'f'
	classNumber   class = 'n'
	classClock    class = 't'
	classDate     class = 'd'
	classWeekday  class = 'w'
	classPart     class = 'p' // morning, night
	classMoney    class = '$'
	classAmount   class = 'u' // a number with a unit
	classPercent  class = '%'
	classVersion  class = 'v'
	classCode     class = 'i' // letters mixed with digits, telephone numbers
	classAddress  class = '@' // e-mail, URL, path, channel
	classPerson   class = 'P'
	classPlace    class = 'L'
	className     class = 'N'
	classVerb     class = 'V'
	classAdverb   class = 'a'
	classNoun     class = 'x'
)

// word is a word of a text, or several that mean one value ("half past nine").
type word struct {
	text       string
	low        string // lower case; contractions are expanded
	lem        string // english.Lemma of low, or the value in normal form
	value      bool   // lem is a normal form: equal values have equal lem
	class      class
	start, end int
	hash       uint32 // of lem
	sign       byte   // the sign before it: , ; : = ( " ' - or 0
	quoted     bool
	possessive bool // it had 's
	// afterAmount says that it follows "and" after a number or a time, so that it is no noun.
	afterAmount bool
	sets        []lexicon.Member // of lexicon.Sets
	holder      string           // whom a word for the user stands for: "Ana" and "the user", "@ana"; empty for all other words
}

// scan cuts a text into words and merges those that form a value.
func scan(text string) []word {
	read := tables.Tokens.Scan(text)
	words := make([]word, len(read))
	for i := range read {
		t := &read[i]
		words[i] = word{text: t.Text, low: t.Low, lem: t.Lem, value: t.Value, class: class(t.Class), start: t.Start, end: t.End, sign: t.Sign, quoted: t.Quoted, possessive: t.Possessive}
		words[i].complete(i)
		if w := &words[i]; i > 0 && w.low == "may" && startsUpper(w.text) && namesMonth(words[i-1].low) {
			w.class = classDate
		}
	}
	return words
}

// namesMonth reports a word before "May" that makes it the month.
func namesMonth(before string) bool {
	return tables.Preposition[before] || before == "this" || before == "next" || before == "last" || before == "early" || before == "late"
}

// complete fills in what follows from low and the place in the text.
func (w *word) complete(at int) {
	if !w.value {
		w.lem = lexicon.Lemma(w.low)
	}
	w.hash = wording.Hash(w.lem)
	if w.class == 0 {
		w.class = classify(w, at)
	}
	w.sets = lexicon.Sets[w.lem]
}

// classify returns the class of a word that is no value.
func classify(w *word, at int) class {
	switch {
	case tables.Function[w.low]:
		return classFunction
	case tables.Weekdays[w.low]:
		return classWeekday
	case tables.Part[w.low]:
		return classPart
	case tables.Months[w.low] && w.text[0] < 'a':
		return classDate
	case tables.Adverb[w.low]:
		return classAdverb
	case strings.ContainsAny(w.low, "@/#") || strings.Contains(w.low, "://"):
		return classAddress
	case strings.ContainsAny(w.low, "0123456789"):
		return classCode
	case w.text[0] >= 'A' && w.text[0] <= 'Z' && (at > 0 && w.sign != '.' || lexicon.Sets[lexicon.Lemma(w.low)] == nil && verbForm(w.low) == noVerb):
		return nameClass(w.text, at)
	case verbForm(w.low) != noVerb:
		return classVerb
	}
	return classNoun
}

// Forms of verbs.
const noVerb, baseForm, thirdForm, pastForm, ingForm = verb.None, verb.Base, verb.Third, verb.Past, verb.Ing

// verbForm returns the form in which a word is a verb of the table.
func verbForm(low string) verb.Form { return tables.Tokens.Verbs.FormOf(low) }

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// nameClass returns the class of a word with a capital.
func nameClass(text string, at int) class {
	switch extract.TypeOf(text) {
	case graph.Person:
		return classPerson
	case graph.Place:
		return classPlace
	}
	if at == 0 && !strings.ContainsAny(text[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return classNoun
	}
	return className
}
