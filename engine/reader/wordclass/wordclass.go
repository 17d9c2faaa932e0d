// Package wordclass tells of what class each word of a text is: a name, a number, a day, a verb, a noun.
package wordclass

import (
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/token"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/graph"
)

// Class is the class of a word. Its letter stands for the word in masked n-grams.
type Class byte

// The classes.
const (
	Function Class = 'f'
	Number   Class = 'n'
	Clock    Class = 't'
	Date     Class = 'd'
	Weekday  Class = 'w'
	Part     Class = 'p' // morning, night
	Money    Class = '$'
	Amount   Class = 'u' // a number with a unit
	Percent  Class = '%'
	Version  Class = 'v'
	Code     Class = 'i' // letters mixed with digits, telephone numbers
	Address  Class = '@' // e-mail, URL, path, channel
	Person   Class = 'P'
	Place    Class = 'L'
	Name     Class = 'N' // of neither a person nor a place
	Verb     Class = 'V'
	Adverb   Class = 'a'
	Noun     Class = 'x'
)

// Scan cuts a text into words, merges those that form a value, and gives each its lemma and its class.
func Scan(text string) []token.Word {
	words := tables.Tokens.Scan(text)
	for i := range words {
		w := &words[i]
		if !w.Value {
			w.Lem = lexicon.Lemma(w.Low)
		}
		if w.Class == 0 {
			w.Class = byte(of(w, i))
		}
		if i > 0 && w.Low == "may" && startsUpper(w.Text) && namesMonth(words[i-1].Low) {
			w.Class = byte(Date)
		}
	}
	return words
}

// namesMonth reports a word before "May" that makes it the month.
func namesMonth(before string) bool {
	return tables.Preposition[before] || before == "this" || before == "next" || before == "last" || before == "early" || before == "late"
}

// of returns the class of a word that is no value.
func of(w *token.Word, at int) Class {
	switch {
	case tables.Function[w.Low]:
		return Function
	case tables.Weekdays[w.Low]:
		return Weekday
	case tables.Part[w.Low]:
		return Part
	case tables.Months[w.Low] && w.Text[0] < 'a':
		return Date
	case tables.Adverb[w.Low]:
		return Adverb
	case strings.ContainsAny(w.Low, "@/#") || strings.Contains(w.Low, "://"):
		return Address
	case strings.ContainsAny(w.Low, "0123456789"):
		return Code
	case startsUpper(w.Text) && (at > 0 && w.Sign != '.' || lexicon.Sets[lexicon.Lemma(w.Low)] == nil && !isVerb(w.Low)):
		return OfName(w.Text, at)
	case isVerb(w.Low):
		return Verb
	}
	return Noun
}

// OfName returns the class of a word with a capital, by its index in the text.
func OfName(text string, at int) Class {
	switch extract.TypeOf(text) {
	case graph.Person:
		return Person
	case graph.Place:
		return Place
	}
	if at == 0 && !strings.ContainsAny(text[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return Noun
	}
	return Name
}

func isVerb(low string) bool { return tables.Tokens.Verbs.FormOf(low) != verb.None }

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
