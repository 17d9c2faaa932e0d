package request

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// "Stop" and "quit" before another verb may forbid a manner of answering from now on ("Stop apologising", "Quit adding disclaimers"), or end
// an operation ("Stop importing the orders", "Stop adding servers"). The verb decides if it can only be a manner, otherwise what it acts on.
var (
	// manners are what somebody does by how they speak.
	manners = english.WordSet(`apologising apologizing hedging rambling waffling moralising moralizing lecturing preaching patronising patronizing flattering
		praising complimenting thanking greeting guessing speculating swearing cursing joking shouting nagging sugarcoating sugar-coating overexplaining over-explaining
		explaining paraphrasing exaggerating gushing editorialising editorializing padding prefacing hallucinating assuming answering replying responding
		talking speaking addressing interrupting capitalising capitalizing abbreviating congratulating rephrasing paraphrasing saying phrasing wording`)
	// shapers are verbs of what one puts into an answer.
	shapers = english.WordSet(`using adding including inserting writing giving putting making offering suggesting listing appending attaching showing sending
		asking inventing quoting citing mentioning repeating restating summarising summarizing translating bolding italicising formatting numbering wrapping ending starting beginning
		opening closing prefixing finishing signing throwing sprinkling peppering producing generating`)
	// parts are what an answer has or is written with.
	parts = lemmas(`emoji emoticon smiley disclaimer caveat warning heading header headline bullet list table summary link url comment jargon slang exclamation
		apology greeting question example footnote quote quotation citation tip suggestion docstring hint abbreviation acronym adjective adverb metaphor cliche cliché buzzword markdown
		bold italics filler compliment introduction intro preamble conclusion recap sign-off signature semicolon dash hyphen capital hashtag pun joke voice tense tone
		word phrase sentence paragraph answer reply response explanation flattery praise pleasantry platitude analogy anecdote reminder follow-up bracket parenthesis ellipsis colon comma
		superlative passive first-person language english german french spanish title honorific abbreviation essay detail background commentary opinion advice alternative option`)
)

func lemmas(list string) map[string]bool {
	out := map[string]bool{}
	for w := range english.WordSet(list) {
		out[english.Lemma(w)] = true
	}
	return out
}

// Stops reports whether words that begin with "stop" or "quit" forbid a manner of answering from now on.
func Stops(w []Word) bool {
	w = firstClause(w)
	if len(w) < 2 || w[0].Low != "stop" && w[0].Low != "quit" {
		return false
	}
	gerund, rest := w[1].Low, w[2:]
	if gerund == "calling" && len(rest) > 1 && rest[0].Low == "me" {
		return true
	}
	if gerund == "telling" || gerund == "asking" || gerund == "reminding" {
		if len(rest) > 1 && rest[0].Low == "me" && !momentaryEnd(rest) {
			return !particular(rest[1:])
		}
	}
	if momentaryEnd(rest) || pointsTo(rest) {
		return false
	}
	switch {
	case manners[gerund]:
		return len(rest) > 0 || !speechVerbs[strings.TrimSuffix(gerund, "ing")] // "stop talking" is for the moment
	case gerund == "being":
		return inStyle(rest)
	case shapers[gerund]:
		return len(rest) > 2 && rest[0].Low == "what" || slices.ContainsFunc(object(rest), isPart)
	}
	return false
}

// isPart reports a word for a part of an answer, in the singular or the plural.
func isPart(x Word) bool {
	stem, y := strings.CutSuffix(x.Low, "ies")
	return parts[x.Lem] || parts[english.Lemma(strings.TrimSuffix(x.Low, "s"))] || y && parts[english.Lemma(stem+"y")]
}

// object returns the words before the first preposition but "of" and "with", which belong to what is acted on: "ending every message with a question".
func object(w []Word) []Word {
	for i := range w {
		if w[i].Preposition && w[i].Low != "of" && w[i].Low != "with" {
			return w[:i]
		}
	}
	return w
}

// pointsTo reports that what is acted on is one thing: "the report", "this list", "Ben's answer", "Monday's summary".
func pointsTo(w []Word) bool {
	w = object(w)
	if len(w) > 0 && w[0].Low == "the" && !ofStyle(w[1:], 3) {
		return true
	}
	return slices.ContainsFunc(w, func(x Word) bool { return pointing[x.Low] || x.Weekday || x.Possessive })
}

// momentaryEnd reports a time that ends the words: "for now", "today".
func momentaryEnd(w []Word) bool {
	if len(w) == 0 {
		return false
	}
	switch w[len(w)-1].Low {
	case "now", "today", "tonight", "tomorrow":
		return true
	}
	return false
}
