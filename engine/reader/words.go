package reader

import (
	"github.com/somnograph/somnograph/engine/reader/relative"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
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

// viewed returns words as package syntax sees them.
func viewed(words []word) []syntax.Word {
	out := make([]syntax.Word, len(words))
	for i := range words {
		w := &words[i]
		out[i] = syntax.Word{
			Text: w.text, Low: w.low, Lem: w.lem, Start: w.start, End: w.end, Sign: w.sign, Quoted: w.quoted, Possessive: w.possessive, AfterAmount: w.afterAmount, Form: verbForm(w.low), Class: w.class,
			Function: tables.Function[w.low], Adverb: tables.Adverb[w.low], Preposition: tables.Preposition[w.low], Determiner: tables.Determiner[w.low],
			Finite: tables.Finite[w.low], Reports: tables.ReportLemma[w.lem], Unit: tables.Unit[w.low] || tables.Currency[w.low] != "",
			Timely: w.class == classWeekday || w.class == classDate || w.class == classClock || w.class == classPart || tables.Relative[w.low] || tables.Unit[w.low],
			Noun:   w.class == classNoun, Verb: w.class == classVerb, Name: w.class == className, Little: w.class == classFunction || w.class == classAdverb,
			Named: isName(w.class), Value: isValue(w.class),
			Number: w.value || w.class == classNumber || w.class == classClock || w.class == classDate || w.class == classWeekday,
		}
	}
	return out
}

// split cuts a sentence, of which seen is the view, into clauses, see syntax.Split.
func split(words []word, seen []syntax.Word) [][2]int {
	spans := syntax.Split(seen)
	for i := range seen {
		words[i].afterAmount, words[i].sign = seen[i].AfterAmount, seen[i].Sign
	}
	return spans
}

// verbAt returns the index of the first word of the verb group of a clause, -1 if there is none.
func verbAt(words []word) int { return syntax.VerbAt(viewed(words)) }

// ordersWhat reports words that begin with a verb before a clause that it governs, see syntax.OrdersWhat.
func ordersWhat(words []word) bool { return syntax.OrdersWhat(viewed(words[:min(len(words), 4)])) }

// plainOrder returns the words of a clause, of which seen is the view, as a plain sentence says them, see relative.Plain.
func plainOrder(words []word, seen []syntax.Word) (out []word) {
	order, ok := relative.Plain(syntax.Relative(seen))
	if !ok {
		return words
	}
	for _, at := range order {
		out = append(out, words[at])
	}
	out[0].sign = 0
	return out
}
