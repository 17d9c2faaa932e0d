// Package phrase tells words of a question that have content from those that carry on a conversation.
package phrase

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Words that carry on a conversation and name nothing: greetings, thanks, consent, judgements, and
// words that point on. They are closed classes.
var (
	// Phatic carry on a conversation.
	Phatic = english.WordSet(`ok okay okey k kk hi hello hey bye goodbye thanks thank thx ty cheers please pls sorry pardon hm hmm mm uh um oh ah wow
		yes yeah yep yup ya no nope nah sure certainly absolutely definitely agreed alright right correct exactly indeed precisely true
		cool great good nice fine perfect excellent awesome super lovely wonderful brilliant amazing interesting welcome lgtm done
		again ahead next back further later then now more less else anyway together already maybe perhaps quickly
		thing things stuff something anything everything nothing one bit lot way let lets us`)
	// LightVerbs mean little without an object. They ask only in a question with a question word
	// that is not about the conversation ("When do I start?", not "What do you think?").
	LightVerbs = english.WordSet(`go come get let make see say tell give show take keep carry continue proceed resume start begin stop wait hold try look
		sound seem know think mean understand want need help ask answer repeat explain elaborate summarise summarize work like move finish check`)
	// AsksWhat are the question words.
	AsksWhat   = english.WordSet("what which who whom whose when where why how")
	conversing = english.WordSet("you your yours that this these those it its there")
	greetings  = english.WordSet("morning afternoon evening night day") // after "good"
	affirming  = english.WordSet("yes yeah yep yup exactly correct right indeed precisely true absolutely perfect")
	withAssent = english.WordSet("that thats is it its quite thank thanks you great good so very much ok okay")
)

// Asks reports whether a question has a word with content. "OK thanks, go on" has none.
func Asks(question string) bool {
	words := Words(question)
	verbsAsk := slices.ContainsFunc(words, func(w string) bool { return AsksWhat[w] }) && !slices.ContainsFunc(words, func(w string) bool { return conversing[w] })
	for i, w := range words {
		switch {
		case english.StopWord(w), Phatic[w]:
		case (LightVerbs[w] || LightVerbs[english.Lemma(w)]) && !verbsAsk:
		case i > 0 && words[i-1] == "good" && greetings[w]:
		default:
			return true
		}
	}
	return false
}

// Affirms reports whether a turn does nothing but agree: "Yes, exactly."
func Affirms(turn string) bool {
	words, affirmed := Words(turn), false
	for _, w := range words {
		if !affirming[w] && !withAssent[w] {
			return false
		}
		affirmed = affirmed || affirming[w]
	}
	return affirmed
}

// Parts returns the words of a text as they are written: runs of letters and digits.
func Parts(text string) []string {
	var words []string
	for t := range english.Tokens(text, english.Parts) {
		if t.IsWord() {
			words = append(words, t.Text)
		}
	}
	return words
}

// Words returns the words of a text in lower case, without clitics except "not": "what" for "what's".
func Words(text string) []string {
	var words []string
	for t := range english.Tokens(text, english.Names) {
		if t.IsWord() {
			word, clitic := english.Contraction(strings.ReplaceAll(t.Lower(), "’", "'"))
			if words = append(words, english.Expand(word)); clitic == "n't" {
				words = append(words, english.Expand(clitic))
			}
		}
	}
	return words
}
