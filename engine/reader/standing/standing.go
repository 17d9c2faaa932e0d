// Package standing finds in texts the standing rules that they state, and those that they lift. Package rule tells of a sentence whether it is one.
package standing

import (
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/cueset"
	"github.com/somnograph/somnograph/engine/reader/request"
	"github.com/somnograph/somnograph/engine/reader/rule"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/token"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
	"github.com/somnograph/somnograph/internal/english/pasted"
)

// foreign are the cues of sentences that state no rule of the speaker that lasts.
const foreign = cueset.Fiction | cueset.Reported | cueset.Bounded | cueset.Wish | cueset.Dated

// RuleIn returns the strongest rule that a text states. A rule is an imperative with "always",
// "never", "don't", "prefer" or "avoid", a polite request about manners (see request.Lasting), what the reader should always or must never do, what
// the speaker prefers, or a request in a frame ("I'd like you to …", "you're not allowed to …") about what recurs or about a manner. What holds for a short time, what somebody else says, fiction and
// descriptions ("She always takes the tram") are no rules, and neither is what is pasted or quoted (see pasted.Spans).
func RuleIn(text string) rule.Rule {
	text = pasted.Own(text)
	words, best := wordclass.Scan(text), rule.None
	for len(words) > 0 {
		n, to := token.SentenceEnd(text, words, (*token.Word).Span), len(text)
		if n < len(words) {
			to = words[n].Start
		}
		if of := words[:n]; !extract.AsksToBeReminded(text[of[0].Start:to]) {
			s := sentenceOf(text[:to], of)
			best = max(best, s.Rule())
		}
		words = words[n:]
	}
	return best
}

// Only returns the sentence of a text that has only one.
func Only(text string) (*rule.Sentence, bool) {
	text = pasted.Own(text)
	words := wordclass.Scan(text)
	if len(words) < 2 || len(words) > 60 {
		return nil, false
	}
	if token.SentenceEnd(text, words, (*token.Word).Span) < len(words) {
		return nil, false
	}
	return sentenceOf(text, words), true
}

// sentenceOf returns the words of a sentence of a text as package rule sees it.
func sentenceOf(text string, of []token.Word) *rule.Sentence {
	low := lowOf(of)
	return &rule.Sentence{
		Words: ruled(text, of, low), Question: strings.Contains(text[of[len(of)-1].End:], "?"),
		Foreign: func(from int) bool { return find(of[from:], low[from:])&foreign != 0 },
		Quotes:  func(to int) bool { return find(of[:to], low[:to])&cueset.Quoted != 0 },
	}
}

// Lift returns what a text lifts or replaces, nil: nothing.
func Lift(text string) *rule.Lift {
	s, ok := Only(text)
	if !ok {
		return nil
	}
	if l, ok := s.Lift(); ok {
		return &l
	}
	return nil
}

// ruled returns the words of a sentence of a text, which low has in lower case, as package rule sees them.
func ruled(text string, words []token.Word, low []string) []rule.Word {
	out := make([]rule.Word, len(words))
	inCode, end := false, 0
	if len(words) > 0 {
		end = max(words[0].Start-1, 0)
	}
	for i := range words {
		w := &words[i]
		inCode = inCode != (strings.Count(text[end:max(end, w.Start)], "`")%2 == 1)
		end = max(end, w.End)
		f := tables.Tokens.Verbs.FormOf(w.Low)
		out[i] = rule.Word{
			Word: request.Word{
				Text: w.Text, Low: w.Low, Lem: w.Lem, Sign: w.Sign, Value: w.Value, Weekday: wordclass.Class(w.Class) == wordclass.Weekday, Possessive: w.Possessive,
				Preposition: tables.Preposition[w.Low], Determiner: tables.Determiner[w.Low],
			},
			Quoted: w.Quoted, Code: inCode || namesProgram(w, i), Verb: f != verb.None, Base: f == verb.Base, Finite: tables.Finite[w.Low], Imperative: tables.Imperative[w.Low],
			Adverb: tables.Adverb[w.Low], Function: tables.Function[w.Low], Filler: tables.Filler[w.Low], Reports: tables.ReportLemma[w.Lem], Opener: cueset.Opener(low[i:]),
		}
	}
	return out
}

// namesProgram reports a word that names a program or a file rather than a thing: "ESLint", "npm", "go.mod".
func namesProgram(w *token.Word, at int) bool {
	return at > 0 && startsUpper(w.Text) || wordclass.Class(w.Class) == wordclass.Code || wordclass.Class(w.Class) == wordclass.Address || strings.ContainsAny(w.Low, "._-") || len(w.Low) > 1 && !w.Value && !strings.ContainsAny(w.Low, "aeiouy")
}

// find returns the cues in words; low has them in lower case.
func find(words []token.Word, low []string) cueset.Set {
	return cueset.Find(low, func(i int) bool { return wordclass.Class(words[i].Class) == wordclass.Date })
}

// lowOf returns words in lower case.
func lowOf(words []token.Word) []string {
	out := make([]string, len(words))
	for i := range words {
		out[i] = words[i].Low
	}
	return out
}

func startsUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
