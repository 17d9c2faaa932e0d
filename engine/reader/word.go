package reader

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/quantity"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/internal/english"
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
	words := make([]word, 0, len(text)/4+2)
	var sign byte
	quoted := false
	for t := range english.Tokens(text, english.Names) {
		if !t.IsWord() {
			switch r := t.Text[0]; {
			case r == '"':
				quoted = !quoted
				sign = '"'
			case t.Text == "“" || t.Text == "«":
				quoted, sign = true, '"'
			case t.Text == "”" || t.Text == "»":
				quoted, sign = false, '"'
			case t.Text == "€" || t.Text == "$" || t.Text == "£" || t.Text == "¥":
				words = append(words, word{text: t.Text, low: t.Text, start: t.Start, end: t.End, sign: sign, quoted: quoted, class: classMoney})
				sign = 0
			case r == '\'' && len(words) > 0 && t.Start == words[len(words)-1].end && strings.HasSuffix(words[len(words)-1].low, "s") && t.End < len(text) && text[t.End] == ' ':
				words[len(words)-1].possessive = true
			case r == '%':
				words = append(words, word{text: "%", low: "percent", start: t.Start, end: t.End, quoted: quoted})
			case t.Text == "–" || t.Text == "—" || r == '-':
				if t.End < len(text) && text[t.End] == ' ' {
					sign = '-'
				}
			case r < 0x80 && r != '\'' && r != '_' && r != '*' && r != '`' && r != '.':
				sign = r
			}
			continue
		}
		words = appendWord(words, t, sign, quoted)
		sign = 0
	}
	resolveClitics(words)
	resolveHad(words)
	words = mergeIdioms(words)
	words = mergeValues(words, text)
	for i := range words {
		words[i].complete(i)
		if i > 0 && words[i].low == "may" && startsUpper(words[i].text) && namesMonth(words[i-1].low) {
			words[i].class = classDate
		}
	}
	return words
}

// namesMonth reports a word before "May" that makes it the month.
func namesMonth(before string) bool {
	return tables.preposition[before] || before == "this" || before == "next" || before == "last" || before == "early" || before == "late"
}

// appendWord appends the words of a token, with its contraction expanded.
func appendWord(words []word, t english.Token, sign byte, quoted bool) []word {
	low := t.Lower()
	w := word{text: t.Text, low: low, start: t.Start, end: t.End, sign: sign, quoted: quoted}
	base, clitic := english.Contraction(low)
	if base == "" && clitic != "" { // it stands apart: "Anna 's cat", "I 'll go"
		if clitic != "'s" {
			w.low = english.Expand(clitic)
			return append(words, w)
		}
		if len(words) > 0 {
			words[len(words)-1].possessive = true
		}
		return words
	}
	switch clitic {
	case "":
		if low == "cannot" {
			w.low = "can"
			return append(words, w, word{text: "not", low: "not", start: t.Start, end: t.End, quoted: quoted})
		}
		return append(words, w)
	case "'s":
		w.low, w.possessive = base, true
		w.text = t.Text[:min(len(base), len(t.Text))]
		return append(words, w)
	}
	w.low = english.Expand(base)
	w.text = t.Text[:min(len(base), len(t.Text))]
	c := english.Expand(clitic)
	if clitic == "'d" {
		c = "would"
	}
	return append(words, w, word{text: c, low: c, start: t.Start, end: t.End, quoted: quoted})
}

// resolveHad turns the "would" of 'd into "had" before a past participle: "he'd counted the interns".
func resolveHad(words []word) {
	for i := 1; i+1 < len(words); i++ {
		w, next := &words[i], i+1
		for next+1 < len(words) && tables.adverb[words[next].low] {
			next++
		}
		if w.low == "would" && w.start == words[i-1].start && verbForm(words[next].low) == pastForm {
			w.low, w.text = "had", "had"
		}
	}
}

// resolveClitics turns possessives into "is" where 's stands for it: after a pronoun, or in a
// clause without another verb ("the ladder's in the shed"). Resolved words keep possessive
// false and are followed by a word "is" that is inserted by mergeValues.
func resolveClitics(words []word) {
	for i := range words {
		w := &words[i]
		if !w.possessive {
			continue
		}
		if _, ok := english.PronounOf(w.low); ok || lexicon.CliticHosts[w.low] {
			w.possessive, w.class = false, cliticIs
			if hasDone(words[i+1:]) {
				w.class = cliticHas
			}
			continue
		}
		if i+1 == len(words) || words[i+1].sign != 0 {
			continue
		}
		verb := false
		from, to := i, i+1
		for from > 0 && words[from].sign != ',' {
			from--
		}
		for to < len(words) && words[to].sign != ',' {
			to++
		}
		for j := from; j < to; j++ {
			if j != i && !(j == i+1 && (words[j].low == "gone" || hasMoved(words[j:to]) || i > 0 && j+1 == to)) && !words[j].possessive && (tables.finite[words[j].low] || j > 0 && verbForm(words[j].low) == pastForm || j > i+1 && verbForm(words[j].low) == thirdForm) {
				verb = true
			}
			if j == 0 && i > 1 && tables.imperative[words[0].low] {
				verb = true
			}
		}
		next := words[i+1].low
		if hasDone(words[i+1:]) {
			w.possessive, w.class = false, cliticHas
			continue
		}
		if !verb && (tables.function[next] || tables.adverb[next] || i > 0 || quantity.IsNumeric(next) || next == "gone" || hasMoved(words[i+1:to]) || i+2 == to && verbForm(next) == pastForm || strings.HasSuffix(next, "ing")) {
			w.possessive, w.class = false, cliticIs
		}
	}
}

// mergeIdioms makes one word of each idiom of synonyms.txt.
func mergeIdioms(words []word) []word {
	for i := 0; i < len(words); i++ {
		for _, d := range lexicon.Idioms[words[i].low] {
			if matchPhrase(words[i:], d.Words) {
				n := i + len(d.Words)
				words[i].text, words[i].low, words[i].end = d.As, d.As, words[n-1].end
				words = append(words[:i+1], words[n:]...)
				break
			}
		}
	}
	return words
}

// hasDone reports words after 's that make it "has": "been", and the participle of a verb of change that governs a noun: "my sister's left
// the band".
func hasDone(words []word) bool {
	if len(words) < 2 || words[0].sign != 0 || words[1].sign != 0 {
		return false
	}
	participle, next := &words[0], &words[1]
	if participle.low == "been" || participle.low == "got" {
		return true
	}
	lem := english.Lemma(participle.low)
	if verbForm(participle.low) != pastForm || lexicon.Acquires[lem] || !tables.changeLemma[lem] && !tables.stopLemma[lem] && !tables.movesLemma[lem] {
		return false
	}
	return tables.determiner[next.low] || !tables.function[next.low] && !tables.adverb[next.low] && startsUpper(next.text)
}

// hasMoved reports the participle of a verb of change with a preposition or particle, which is no attribute of a noun: "my sister's moved to Leeds".
func hasMoved(words []word) bool {
	if len(words) < 3 || words[1].sign != 0 || verbForm(words[0].low) != pastForm || !tables.changeLemma[english.Lemma(words[0].low)] {
		return false
	}
	return tables.preposition[words[1].low] || lexicon.Particles[words[1].low]
}

// cliticIs marks, until values are merged, a word whose 's stands for "is".
// cliticHas marks one whose 's stands for "has".
const cliticIs, cliticHas class = 1, 2

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
	case tables.function[w.low]:
		return classFunction
	case tables.weekdays[w.low]:
		return classWeekday
	case tables.part[w.low]:
		return classPart
	case tables.months[w.low] && w.text[0] < 'a':
		return classDate
	case tables.adverb[w.low]:
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

// form is the form of a verb.
type form uint8

const (
	noVerb form = iota
	baseForm
	thirdForm // lives
	pastForm  // lived, went, gone
	ingForm
)

// verbForm returns the form in which a word is a verb of the table.
func verbForm(low string) form {
	if tables.verb[low] {
		if english.IrregularPast(low) && !tables.bothForms[low] {
			return pastForm
		}
		return baseForm
	}
	lem := english.Lemma(low)
	switch {
	case low == "lasts":
		return thirdForm
	case low == "lasted":
		return pastForm
	case !tables.verbLemma[lem]:
		if english.IrregularPast(low) {
			return pastForm
		}
		return noVerb
	case english.IrregularPast(low), strings.HasSuffix(low, "ed"):
		return pastForm
	case strings.HasSuffix(low, "ing"):
		return ingForm
	case strings.HasSuffix(low, "s"):
		return thirdForm
	}
	return noVerb
}
