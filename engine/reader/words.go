package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/preface"
	"github.com/somnograph/somnograph/engine/reader/relative"
	"github.com/somnograph/somnograph/engine/reader/request"
	"github.com/somnograph/somnograph/engine/reader/rule"
	"github.com/somnograph/somnograph/engine/reader/wording"
)

// tokens returns the words of a text as the weights of the wording see them.
func tokens(text string, words []word) []wording.Token {
	out := make([]wording.Token, 0, min(len(words), wording.MaxTokens))
	end := 0
	for i := range words[:min(len(words), wording.MaxTokens)] {
		w := &words[i]
		first := i == 0
		for ; end < w.start && !first; end++ {
			c := text[end]
			first = c == '!' || c == '?' || c == '\n' || c == '.' && end+1 < len(text) && text[end+1] == ' '
		}
		end = max(end, w.end)
		out = append(out, wording.Token{
			Low: wording.Hash(w.low), Lem: w.hash, Class: byte(w.class), Value: isValue(w.class), Verb: w.class == classVerb, Content: w.content(), First: first,
			Possessive: w.possessive, Sets: w.sets,
		})
	}
	return out
}

// WordingOf returns the features of the words of two statements.
func WordingOf(earlier, later *Prepared) Features { return wording.Of(earlier.tokens, later.tokens) }

// ruled returns the words of a sentence as package rule sees them.
func ruled(words []word) []rule.Word {
	out := make([]rule.Word, len(words))
	for i := range words {
		w := &words[i]
		f := verbForm(w.low)
		out[i] = rule.Word{
			Word: request.Word{
				Text: w.text, Low: w.low, Lem: w.lem, Sign: w.sign, Value: w.value, Weekday: w.class == classWeekday, Possessive: w.possessive,
				Preposition: tables.preposition[w.low], Determiner: tables.determiner[w.low],
			},
			Quoted: w.quoted, Verb: f != noVerb, Base: f == baseForm, Finite: tables.finite[w.low], Imperative: tables.imperative[w.low],
			Adverb: tables.adverb[w.low], Function: tables.function[w.low], Filler: tables.filler[w.low], Reports: tables.reportLemma[w.lem], Opener: openerLength(words[i:]),
		}
	}
	return out
}

// openerLength returns the number of words of the longest opener at the beginning of words: "by the way".
func openerLength(words []word) int {
	n := 0
	for _, p := range tables.phrases[words[0].low] {
		if p.cue == cueFiller && len(p.words) > n && matchPhrase(words, p.words) {
			n = len(p.words)
		}
	}
	return n
}

// relativeWords returns the words of a clause as package relative sees them; nil if its subject can have no relative clause.
func relativeWords(words []word) []relative.Word {
	if len(words) < relative.Least || !tables.determiner[words[0].low] || !slices.ContainsFunc(words[1:], func(w word) bool { return tables.determiner[w.low] || relative.Begins(w.low) }) {
		return nil
	}
	out := make([]relative.Word, len(words))
	for i := range words {
		w := &words[i]
		f := verbForm(w.low)
		out[i] = relative.Word{
			Low: w.low, Sign: i > 0 && w.sign != 0, Determiner: tables.determiner[w.low], Preposition: tables.preposition[w.low], Finite: tables.finite[w.low], Verb: f != noVerb,
			Third: f == thirdForm, Name: isName(w.class) || isValue(w.class) || startsUpper(w.text) && w.low != "i",
		}
	}
	return out
}

// plainOrder returns the words of a clause as a plain sentence says them, see relative.Plain.
func plainOrder(words []word) (out []word) {
	order, ok := relative.Plain(relativeWords(words))
	if !ok {
		return words
	}
	for _, at := range order {
		out = append(out, words[at])
	}
	out[0].sign = 0
	return out
}

// prefaced returns words as package preface sees them.
func prefaced(words []word) []preface.Word {
	out := make([]preface.Word, len(words))
	for i := range words {
		w := &words[i]
		f := verbForm(w.low)
		out[i] = preface.Word{
			Low: w.low, Sign: w.sign, Preposition: tables.preposition[w.low], Determiner: tables.determiner[w.low] || w.possessive,
			Timely: w.class == classWeekday || w.class == classDate || w.class == classClock || w.class == classPart || tables.relative[w.low] || tables.unit[w.low],
			Past:   f == pastForm, Third: f == thirdForm, Reports: tables.reportLemma[w.lem], Named: isName(w.class),
		}
	}
	return out
}
