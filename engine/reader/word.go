package reader

import (
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

// class is the class of a word, see package wordclass.
type class = wordclass.Class

const (
	classFunction, classNumber, classClock, classDate   = wordclass.Function, wordclass.Number, wordclass.Clock, wordclass.Date
	classWeekday, classPart, classMoney, classAmount    = wordclass.Weekday, wordclass.Part, wordclass.Money, wordclass.Amount
	classPercent, classVersion, classCode, classAddress = wordclass.Percent, wordclass.Version, wordclass.Code, wordclass.Address
	classPerson, classPlace, className                  = wordclass.Person, wordclass.Place, wordclass.Name
	classVerb, classAdverb, classNoun                   = wordclass.Verb, wordclass.Adverb, wordclass.Noun
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
	read := wordclass.Scan(text)
	words := make([]word, len(read))
	for i := range read {
		t := &read[i]
		words[i] = word{
			text: t.Text, low: t.Low, lem: t.Lem, value: t.Value, class: class(t.Class), start: t.Start, end: t.End, hash: wording.Hash(t.Lem),
			sign: t.Sign, quoted: t.Quoted, possessive: t.Possessive, sets: lexicon.Sets[t.Lem],
		}
	}
	return words
}

// span returns where in the text a word begins and ends.
func (w *word) span() (start, end int) { return w.start, w.end }

// Forms of verbs.
const noVerb, baseForm, thirdForm, pastForm, ingForm = verb.None, verb.Base, verb.Third, verb.Past, verb.Ing

// verbForm returns the form in which a word is a verb of the table.
func verbForm(low string) verb.Form { return tables.Tokens.Verbs.FormOf(low) }

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
