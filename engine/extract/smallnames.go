package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

var (
	// determiners begin a phrase of which the nouns after them are no names: "the gas valve".
	determiners = english.WordSet("a an the this that these those each every any no some another my your his her its our their")
	// personNouns are nouns of persons after which a name often stands without a comma: "my husband tomek".
	personNouns = english.WordSet(`husband wife partner spouse fiance fiancee boyfriend girlfriend friend boss manager colleague neighbour neighbor son daughter
		child baby brother sister mother father mum mom dad uncle aunt cousin nephew niece grandmother grandfather grandma grandpa patient client customer
		doctor nurse teacher guest tenant driver student resident`)
	// pastInT are past forms of verbs that the lists have with -ed.
	pastInT = english.WordSet("burnt learnt dreamt spelt spilt leapt leant smelt spoilt knelt dwelt")
	// beforePlaces are the prepositions that stand before a place.
	beforePlaces = english.WordSet("in at from to near of via")
)

// mayNameInSmallLetters reports whether a text has a word in small letters that may be a name: one that no list of English words has,
// without a determiner before its phrase; a given name after a noun of a person; a place after a preposition.
func mayNameInSmallLetters(text string) bool {
	words := wordsOf(text)
	for i, w := range words {
		first, _ := utf8.DecodeRuneInString(w.Text)
		low := strings.TrimSuffix(strings.TrimSuffix(w.Lower(), "'s"), "’s")
		if !unicode.IsLower(first) || countDigits(low) > 0 {
			continue
		}
		before := ""
		if i > 0 {
			before = words[i-1].Lower()
		}
		switch {
		case givenNames[low] && (personNouns[before] || !inEnglish(low)), places[low] && beforePlaces[before]:
			return true
		case !inEnglish(low) && !determined(text, words, i):
			return true
		}
	}
	return false
}

// determined reports that the phrase of the word at i begins with a determiner, a possessive or a number, and that no noun of a person stands between.
func determined(text string, words []textWord, i int) bool {
	for j := i - 1; j >= 0 && strings.Trim(text[words[j].End:words[j+1].Start], " -") == ""; j-- {
		switch low := words[j].Lower(); {
		case personNouns[low]:
			return false
		case determiners[low], strings.HasSuffix(low, "'s"), strings.HasSuffix(low, "’s"), countDigits(low) > 0:
			return true
		case english.StopWord(low):
			return false
		}
	}
	return false
}

// EnglishWord reports whether a word in small letters is an ordinary word of English, in some form.
func EnglishWord(low string) bool { return inEnglish(low) }

// GivenName reports whether a word in small letters is a first name.
func GivenName(low string) bool { return givenNames[low] }

// PlaceName reports whether a word in small letters is the name of a country or a large city.
func PlaceName(low string) bool { return places[low] }

// inEnglish reports a word that a list of English words has, in some form.
func inEnglish(low string) bool {
	for _, w := range []string{low, english.Lemma(low)} {
		if w != "" && (english.StopWord(w) || determiners[w] || personNouns[w] || commonWords[w] || len(lexicon.Related(w)) > 0) {
			return true
		}
	}
	return english.IrregularPast(low) || pastInT[low] || len(lexicon.Topics{}.Of(english.Stem(low))) > 0
}
